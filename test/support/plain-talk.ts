import { plainAscii } from '../../src/core/base/format/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { Launcher } from '../../src/hooks/launch-loop.ts'
import { converse } from '../../src/plain/converse.ts'
import { createDesk } from '../../src/plain/desk.ts'
import { lineInput } from '../../src/plain/line-input.ts'
import { fakeStdin } from './fake-streams.ts'
import type { World } from './world.ts'
import type { WorldClock } from './world-clock.ts'

/** A person in front of the wizard by lines, on a virtual world. */
export type Talk = {
  /** Resolves once something is asked and what was said since the last line holds the text. */
  asked(wanted: string | RegExp): Promise<void>
  /** Types a line, or several, in one chunk. */
  types(...lines: string[]): void
  /** Types a text letter by letter, and Enter. */
  typesSlowly(text: string): Promise<void>
  /** Sends what a terminal sends for keys, in one chunk. */
  presses(keys: string): void
  /** Whether the terminal is asked to mark what is pasted. */
  marksPastes(): boolean
  /** Lets time pass on the clock of the world. */
  waits(ms: number): Promise<void>
  /** All that was said and typed so far. */
  transcript(): string
  /** What was said since the last line that was typed. */
  said(): string
  session(): Session
  /** Resolves when the wizard is over. */
  over: Promise<void>
}

export type TalkOptions = {
  open(): Promise<Session>
  launcher?: Partial<Launcher>
  isTerminal?: boolean
  /** The terminal does not mark what is pasted. */
  isDumb?: boolean
  /** Cells of a row of the terminal. */
  columns?: number
}

/** On the clock of the world. */
const PATIENCE_MS = 200_000
const LETTER_MS = 90

/** The lines of a terminal, on the clock of a world. */
export function linesOn(
  stdin: Parameters<typeof lineInput>[0],
  given: {
    clock: Pick<WorldClock, 'monotonicMs' | 'sleep'>
    interrupt: () => void
    /** Absent where the terminal marks no paste. */
    markPastes?: ((on: boolean) => void) | undefined
  },
): ReturnType<typeof lineInput> {
  const { clock, interrupt, markPastes } = given
  return lineInput(stdin, {
    nowMs: () => clock.monotonicMs(),
    after(delayMs, run) {
      const gone = new AbortController()
      clock.sleep(delayMs, gone.signal).then(run, () => undefined)
      return () => gone.abort()
    },
    soon: setImmediate,
    interrupt,
    marksPastes: markPastes !== undefined,
    markPastes: markPastes ?? (() => undefined),
  })
}

/** Begins the wizard by lines and lets a person talk with it; ends it afterwards. */
export async function talkWith<T>(
  world: Pick<World, 'clock'>,
  { open, launcher, isTerminal = false, isDumb = false, columns }: TalkOptions,
  person: (talk: Talk) => Promise<T>,
): Promise<T> {
  const { clock } = world
  const stop = new AbortController()
  let transcript = ''
  let typedAt = 0
  let session: Session | undefined
  let isAsked = false
  const watchers = new Set<() => void>()
  const stdin = Object.assign(fakeStdin(), { isTTY: isTerminal })
  let marksPastes = false
  const input = linesOn(stdin, {
    clock,
    interrupt: () => stop.abort(),
    markPastes: isDumb
      ? undefined
      : (on) => {
          marksPastes = on
        },
  })
  const opened = async () => {
    session = await open()
    return session
  }
  const desk = createDesk({
    launcher: {
      initial: { kind: 'rehearsal', which: 'last' },
      underWay: async () => [],
      draft: () => Promise.reject(new Error('there is no form')),
      check: () => undefined,
      look: async () => ({}),
      complete: async ({ text }) => ({ to: text, names: [] }),
      open: opened,
      price: () => Promise.reject(new Error('there is no form')),
      ...launcher,
    },
    clock,
    quit: () => stop.abort(),
  })
  const write = (text: string, { asks }: { asks: boolean }): void => {
    transcript += plainAscii(text) + (asks ? '' : '\n')
    isAsked = asks
    for (const watch of watchers) watch()
  }
  const begin = (): void => {
    typedAt = transcript.length
    isAsked = false
  }
  return clock.flow(async () => {
    const talk = converse({
      desk,
      input,
      voice: {
        line: (text) => write(text, { asks: false }),
        prompt: (text) => write(text, { asks: true }),
        ...(columns === undefined ? {} : { columns: () => columns }),
      },
      clock,
      signal: stop.signal,
    })
    const failed = talk.end.then(() => undefined)
    try {
      return await person({
        asked: (wanted) => {
          const isThere = () => {
            const said = transcript.slice(typedAt)
            return isAsked && (typeof wanted === 'string' ? said.includes(wanted) : wanted.test(said))
          }
          if (isThere()) return Promise.resolve()
          return new Promise((resolve, reject) => {
            const watch = () => {
              if (!isThere()) return
              watchers.delete(watch)
              resolve()
            }
            watchers.add(watch)
            const why = (what: string) => new Error(`${what} before ${String(wanted)}:\n${transcript}`)
            failed.then(() => reject(why('it ended')), reject)
            void clock.sleep(PATIENCE_MS).then(() => reject(why('too long')))
          })
        },
        types(...lines) {
          begin()
          if (isTerminal && !stdin.raw) transcript += lines.map((line) => `${line}\n`).join('')
          stdin.write(lines.map((line) => `${line}${stdin.raw ? '\r' : '\n'}`).join(''))
        },
        async typesSlowly(text) {
          begin()
          for (const letter of `${text}\r`) {
            await clock.sleep(LETTER_MS)
            stdin.write(letter)
          }
        },
        presses(keys) {
          begin()
          stdin.write(keys)
        },
        marksPastes: () => marksPastes,
        waits: (ms) => clock.sleep(ms),
        transcript: () => transcript,
        said: () => transcript.slice(typedAt),
        session: () => {
          if (session === undefined) throw new Error('no session was opened')
          return session
        },
        over: talk.end,
      })
    } finally {
      stop.abort()
      await talk.end
      void input.close()
      await session?.stop()
    }
  })
}
