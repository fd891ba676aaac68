import { setTimeout } from 'node:timers'
import type { ExitCode } from '../commands/exit-codes.ts'
import { createNodeClock } from '../core/effects/node-clock.ts'
import type { Session } from '../core/session.ts'
import { converse } from '../plain/converse.ts'
import { createDesk } from '../plain/desk.ts'
import { lineInput } from '../plain/line-input.ts'
import { closeSession } from './close-session.ts'
import { plainAscii } from './fact-lines.ts'
import { lazyLauncher } from './lazy-launcher.ts'
import { prefillTopUp } from './prefill-top-up.ts'
import type { WizardInput } from './run-wizard.tsx'

export type PlainInput = WizardInput & {
  /** Writes the beginning of a line that is typed on. */
  prompt(text: string): void
}

/**
 * Leads through the wizard by questions and lines, without drawing, until the user is done; then ends all that is open
 * and says what is left to know.
 */
export async function runPlain({
  stateDirectory,
  choice,
  validator,
  topup,
  io,
  ending,
  prompt,
}: PlainInput): Promise<ExitCode> {
  let session: Session | undefined
  const clock = createNodeClock()
  const input = lineInput(process.stdin, {
    nowMs: () => clock.monotonicMs(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  })
  ending.atLast(() => void (input.isTerminal && process.stdin.setRawMode(false)))
  const { launcher, settled } = lazyLauncher({
    stateDirectory,
    initial: choice,
    ...(validator === undefined ? {} : { validator }),
    onSession: (opened) => {
      session = opened
      prefillTopUp(opened, topup)
    },
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
    signal: ending.signal,
    tell: io.out,
  })
  const talk = converse({
    desk: createDesk({ launcher, clock, quit: ending.begin }),
    input,
    voice: { line: (text) => io.out(plainAscii(text)), prompt: (text) => prompt(plainAscii(text)) },
    clock,
    signal: ending.signal,
  })
  const fault = await talk.end.then(
    () => undefined,
    (thrown: unknown) => ({ thrown }),
  )
  input.close()
  ending.begin()
  await settled()
  const { code, lines } = await closeSession(session, { choice, stateDirectory, plain: plainAscii, clock })
  io.out('')
  for (const text of lines) io.out(plainAscii(text))
  if (fault !== undefined) throw fault.thrown
  return code
}
