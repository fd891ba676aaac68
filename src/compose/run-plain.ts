import { setTimeout } from 'node:timers'
import type { ExitCode } from '../commands/io.ts'
import { createNodeClock } from '../core/effects/node-clock.ts'
import { plainAscii } from '../core/format/text.ts'
import { converse } from '../plain/converse.ts'
import { createDesk } from '../plain/desk.ts'
import { lineInput } from '../plain/line-input.ts'
import { PASTE_MARKS } from '../terminal/keys.ts'
import { type WizardInput, wizardOf } from './wizard.ts'

export type PlainInput = WizardInput & {
  /** Writes the beginning of a line that is typed on. */
  prompt(text: string): void
}

function markPastes(on: boolean): void {
  process.stdout.write(on ? PASTE_MARKS.on : PASTE_MARKS.off)
}

/**
 * Leads through the wizard by questions and lines, without drawing, until the user is done; then ends all that is open
 * and says what is left to know.
 */
export async function runPlain({ prompt, ...given }: PlainInput): Promise<ExitCode> {
  const { io, ending } = given
  const clock = createNodeClock()
  const { TERM = 'dumb' } = process.env
  // One that knows nothing but letters is told nothing else.
  const marksPastes = process.stdout.isTTY && TERM !== 'dumb'
  const input = lineInput(process.stdin, {
    nowMs: () => clock.monotonicMs(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    interrupt: ending.begin,
    marksPastes,
    markPastes,
  })
  ending.atLast(() => {
    if (!input.isTerminal) return
    process.stdin.setRawMode(false)
    if (marksPastes) markPastes(false)
  })
  const wizard = wizardOf(given, {
    ...(input.isTerminal
      ? {
          suspend: (during) =>
            talk.pause(async () => {
              const takeBack = input.lend()
              try {
                await during(ending.signal)
              } finally {
                await takeBack()
              }
            }),
        }
      : {}),
    linesOnly: true,
    tell: io.out,
    plain: plainAscii,
    clock,
  })
  const talk = converse({
    desk: createDesk({
      launcher: wizard.launcher,
      clock,
      quit: ending.begin,
      run: wizard.run,
      begin: wizard.begin,
    }),
    input,
    voice: {
      line: (text) => io.out(plainAscii(text)),
      prompt: (text) => prompt(plainAscii(text)),
      columns: () => (process.stdout.isTTY ? process.stdout.columns : undefined),
    },
    clock,
    signal: ending.signal,
  })
  const fault = await talk.end.then(
    () => undefined,
    (thrown: unknown) => ({ thrown }),
  )
  input.close()
  const { code, lines } = await wizard.end()
  io.out('')
  for (const text of lines) io.out(plainAscii(text))
  if (fault !== undefined) throw fault.thrown
  return code
}
