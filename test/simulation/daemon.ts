import { watch } from '../../src/commands/watch.ts'
import { openGuards } from '../../src/compose/watch-guards.ts'
import type { OpenGuards } from '../../src/watch/keep-guards.ts'
import { seenEvent } from './event.ts'
import { URLS } from './network.ts'
import { beginProcess, type Process } from './process.ts'
import { setupOf } from './wizard.ts'
import { CONFIG, STATE, type World } from './world.ts'

/** A watch that runs. */
export type Daemon = {
  process: Process
  /** Ends it as Ctrl-C does. */
  stop(): Promise<unknown>
  hasEnded(): boolean
}

const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The guards of the wizard's own state directory, with its locks. */
const guardsHere =
  ({ ground, judge }: World, name: string): OpenGuards =>
  async (input) => {
    const opened = await openGuards({ ...input, setup: setupOf(ground) })
    return {
      ...opened,
      pictures() {
        const seen = opened.pictures()
        for (const { holder, troubles } of seen.guards)
          if (holder === 'here')
            judge.ofGuard.holds(name, { troubles: '', isBlind: troubles.includes('blind') })
        return seen
      },
    }
  }

/** Begins a watch of the user's validator in a process of its own, by the command as it is. */
export async function beginDaemon(world: World, name: string): Promise<Daemon> {
  const { judge, story, ground } = world
  const process = beginProcess(world, name)
  judge.watchBegins(name)
  const end = new AbortController()
  let ended = false
  let heard = false
  const { effects } = process
  const request: typeof effects.http.request = (asked) => {
    heard = true
    return effects.http.request(asked)
  }
  void watch({
    argv: [
      '--state',
      STATE,
      '--json',
      '--devnet',
      ground.descriptor,
      '--config',
      CONFIG,
      '--execution',
      `${URLS.execution},${URLS.second}`,
      ...(world.isGuarded ? ['--guard'] : []),
      ground.plan.fresh.pubkey,
    ],
    effects: { ...effects, http: { request } },
    io: {
      out(line) {
        judge.printed(name, line)
        const seen = seenEvent(line)
        if ('error' in seen) {
          story.note(name, () => `has ended: ${seen.error}`)
          if (seen.error === 'internal.fault') judge.object('fault', `${name} ended by a fault: ${line}`)
          return
        }
        story.note(name, () => `tells ${seen.words}`)
        judge.alarmed(seen, name)
        if (seen.ofGuard !== undefined) judge.ofGuard.told(seen.ofGuard)
      },
      err(line) {
        judge.printed(name, line)
        story.note(name, () => `says: ${line}`)
        judge.said(line, name)
      },
      signal: end.signal,
    },
    stateDirectory: STATE,
    environment: { HOME: '/home/user' },
    ...(world.isGuarded ? { openGuards: guardsHere(world, name) } : {}),
  }).then((code) => {
    ended = true
    if (!process.isDead()) story.note(name, () => `ended with ${code}`)
  })
  // Before it asks anybody it looks for journals on the disk of this very computer, which takes real time and no other.
  while (!heard && !ended && !process.isDead()) await immediate()
  return {
    process,
    hasEnded: () => ended || process.isDead(),
    async stop() {
      end.abort()
    },
  }
}
