import { appendFile } from 'node:fs/promises'
import type { AppendFile, Effects, Signer, Store } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { sentBytes } from './sent-bytes.ts'
import type { WorldClock } from './world-clock.ts'

/** What a process does that can be cut by its death. */
export type Moment =
  | { act: 'append'; type: string }
  | { act: 'send'; raw: Hex }
  | { act: 'sign'; verb: 'signDeposit' | 'signTransaction' | 'signGuard' }

/** Where in a moment death comes. `torn` leaves half a line in the journal. */
export type Cut = 'before' | 'torn' | 'after'

export type LifeInput = {
  clock: WorldClock
  effects: Effects
  /** Whether the process dies in this moment. */
  dies: (moment: Moment) => Cut | undefined
}

/** One process as the session sees the world: when it dies, nothing that it asked for is ever answered. */
export type Life = {
  effects: Effects
  /** Resolves once the process is dead and the system has taken back its files and locks. */
  died: Promise<Moment | 'killed'>
  kill(): void
}

/** Effects of a process that may be killed. Whatever is under way when it dies still happens, unheard. */
export function beginLife(input: LifeInput): Life {
  const { clock, effects } = input
  const held = new Set<() => Promise<void>>()
  const underWay = new Set<Promise<unknown>>()
  const end = Promise.withResolvers<Moment | 'killed'>()
  let dead = false

  const die = (how: Moment | 'killed') => {
    if (dead) return
    dead = true
    void Promise.allSettled(underWay)
      .then(() => Promise.all([...held].map((release) => release())))
      .then(() => end.resolve(how))
  }

  /** Does the work unless the process is dead, and tells its end only to the living. */
  async function alive<T>(work: () => Promise<T>): Promise<T> {
    if (dead) return never()
    const doing = clock.during(work)
    underWay.add(doing)
    const [result] = await Promise.allSettled([doing])
    underWay.delete(doing)
    if (dead) return never()
    if (result.status === 'rejected') throw result.reason
    return result.value
  }

  async function cut<T>(moment: Moment, work: () => Promise<T>, tear?: () => Promise<void>): Promise<T> {
    const where = dead ? undefined : input.dies(moment)
    if (where === 'before') {
      die(moment)
      return never()
    }
    if (where === 'torn') {
      await alive(async () => {
        await tear?.()
        die(moment)
      })
    }
    return alive(() => work().finally(() => (where === 'after' ? die(moment) : undefined)))
  }

  return {
    died: end.promise,
    kill: () => die('killed'),
    effects: {
      ...effects,
      clock: {
        nowMs: () => clock.nowMs(),
        monotonicMs: () => clock.monotonicMs(),
        async sleep(delayMs, signal) {
          if (dead) return never()
          await clock.sleep(delayMs, signal)
          if (dead) return never()
        },
      },
      files: {
        read: (path, options) => alive(() => effects.files.read(path, options)),
        facts: (path) => alive(() => effects.files.facts(path)),
        findProgram: (name) => alive(() => effects.files.findProgram(name)),
      },
      exec: {
        run: (request) => alive(() => effects.exec.run(request)),
        scratch: (use) => effects.exec.scratch(use),
      },
      signer: signerOf(effects.signer, alive, cut),
      store: storeOf(effects.store, { alive, cut, held }),
      http: {
        request(request) {
          const raw = sentBytes(request)
          const ask = () => effects.http.request(request)
          return raw === undefined ? alive(ask) : cut({ act: 'send', raw }, ask)
        },
      },
    },
  }
}

type Alive = <T>(work: () => Promise<T>) => Promise<T>
type CutWork = <T>(moment: Moment, work: () => Promise<T>, tear?: () => Promise<void>) => Promise<T>

function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
}

function signerOf(signer: Signer, alive: Alive, cut: CutWork): Signer {
  return {
    inspect: (request) => alive(() => signer.inspect(request)),
    keystoreAddress: (request) => alive(() => signer.keystoreAddress(request)),
    signDeposit: (request) => cut({ act: 'sign', verb: 'signDeposit' }, () => signer.signDeposit(request)),
    signTransaction: (request) =>
      cut({ act: 'sign', verb: 'signTransaction' }, () => signer.signTransaction(request)),
    signGuard: (request) => cut({ act: 'sign', verb: 'signGuard' }, () => signer.signGuard(request)),
  }
}

function storeOf(
  store: Store,
  { alive, cut, held }: { alive: Alive; cut: CutWork; held: Set<() => Promise<void>> },
): Store {
  return {
    readText: (path) => alive(() => store.readText(path)),
    list: (directory) => alive(() => store.list(directory)),
    holderOf: (path) => alive(() => store.holderOf(path)),
    writeText: (path, text, options) => alive(() => store.writeText(path, text, options)),
    lock: (path) =>
      alive(async () => {
        const { release, heldBy } = await store.lock(path)
        if (release === undefined) return { heldBy }
        held.add(release)
        return { release: () => alive(release).finally(() => held.delete(release)) }
      }),
    openAppend: (path, options) =>
      alive(async (): Promise<AppendFile> => {
        const file = await store.openAppend(path, options)
        const close = () => file.close()
        held.add(close)
        return {
          append: (line) => {
            const { type } = JSON.parse(line) as { type: string }
            const tear = () => appendFile(path, line.slice(0, Math.floor(line.length / 2)))
            return cut({ act: 'append', type }, () => file.append(line), tear)
          },
          close: () => alive(close).finally(() => held.delete(close)),
        }
      }),
  }
}
