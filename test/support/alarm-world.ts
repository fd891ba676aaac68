import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Effects, Http, Signer } from '../../src/core/base/effects/effects.ts'
import { createNodeExec } from '../../src/core/base/effects/node-exec.ts'
import { createNodeFiles } from '../../src/core/base/effects/node-files.ts'
import { createNodeHttp } from '../../src/core/base/effects/node-http.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import type { WatchConfig } from '../../src/watch/notify/config.ts'
import { EXCHANGE } from '../../src/watch/notify/deliver.ts'
import { type OpenOutbox, openOutbox } from '../../src/watch/notify/open-outbox.ts'
import { beginLife, type Life } from './life.ts'
import { type WorldClock, worldClock } from './world-clock.ts'

/** A computer on which a watch starts, dies and starts again; its time passes only while it waits. */
export type AlarmWorld = {
  clock: WorldClock
  directory: string
  said: string[]
  /** A process of its own: its effects end when it dies. */
  begin(): Life
  /** Opens the outbox of the computer in a process. */
  open(life: Life, config: Pick<WatchConfig, 'channels' | 'quiet'>): Promise<OpenOutbox>
  /** Lets the deadline of the exchange with a path pass now. */
  giveUp(path: string): void
  end(): void
}

/** Real files, programs and exchanges; the deadline of one passes when it is told to. */
export function alarmWorld(): AlarmWorld {
  const directory = mkdtempSync(join(tmpdir(), 'bearings-alarms-'))
  const clock = worldClock()
  const node = createNodeHttp()
  const exchanges = new Map<string, AbortController>()
  const http: Http = {
    request(request) {
      const late = new AbortController()
      const signals = request.signal === undefined ? [late.signal] : [late.signal, request.signal]
      exchanges.set(new URL(request.url).pathname, late)
      return node.request({ ...request, deadlineMs: 60_000, signal: AbortSignal.any(signals) })
    },
  }
  const lives: Life[] = []
  const said: string[] = []
  return {
    clock,
    directory,
    said,
    begin() {
      const effects: Effects = {
        clock,
        http,
        files: createNodeFiles(),
        store: createNodeStore(),
        exec: createNodeExec(),
        random: { bytes: (length) => new Uint8Array(length) },
        signer: {} as Signer,
      }
      const life = beginLife({ clock, effects, dies: () => undefined })
      lives.push(life)
      return life
    },
    async open(life, config) {
      const path = join(directory, 'watch', 'outbox.json')
      const signal = new AbortController().signal
      const { outbox, heldBy } = await openOutbox(life.effects, {
        path,
        config,
        say: (sentence) => void said.push(sentence),
        signal,
      })
      if (outbox === undefined) throw new Error(heldBy)
      return outbox
    },
    giveUp: (path) =>
      exchanges.get(path)?.abort(httpError('http.timeout', 'http://127.0.0.1', EXCHANGE.deadlineMs)),
    end() {
      for (const life of lives) life.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** An event of a validator; each place is an alarm of its own unless an id is given. */
export function watchEvent(sequence: number, over: Partial<WatchEvent> = {}): WatchEvent {
  return {
    id: `mainnet/0xab/margin/${sequence}`,
    sequence,
    atMs: 1_800_000_000_000 + sequence,
    network: 'mainnet',
    validator: { pubkey: `0x${'ab'.repeat(48)}`, index: 17, name: 'home' },
    alarm: 'margin',
    change: 'fired',
    severity: 'warning',
    title: `home has a margin of ${sequence} places`,
    what: 'Two more validators with a higher stake make it drop out of the active set.',
    ...over,
  }
}

/** Lets time pass until nothing waits any more. */
export function untilQuiet(clock: WorldClock, outbox: OpenOutbox): Promise<void> {
  return clock.flow(async () => {
    while (outbox.standing().some(({ waiting }) => waiting > 0)) await clock.sleep(1000)
  })
}
