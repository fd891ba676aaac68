import { plainAscii } from '../core/base/format/text.ts'
import type { ExitCode } from '../output/io.ts'
import { converse } from '../plain/converse.ts'
import { createDesk } from '../plain/desk.ts'
import { plainTerminal } from './plain-terminal.ts'
import { type WizardInput, wizardOf } from './wizard.ts'

const UNCAUGHT = ['uncaughtException', 'unhandledRejection']

export type PlainInput = WizardInput & {
  /** Writes the beginning of a line that is typed on. */
  prompt(text: string): void
}

/**
 * Leads through the wizard by questions and lines, without drawing, until the user is done; then ends all that is open
 * and says what is left to know.
 */
export async function runPlain({ prompt, ...given }: PlainInput): Promise<ExitCode> {
  const { io, ending } = given
  const { input, voice, clock, secret } = plainTerminal(ending, { out: io.out, prompt })
  const wizard = wizardOf(given, {
    secret,
    ...(input.isTerminal
      ? {
          suspend: (during) =>
            talk.pause(async () => {
              const resumeKeys = input.suspend()
              try {
                await during(ending.signal)
              } finally {
                await resumeKeys()
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
      secret,
    }),
    input,
    voice,
    clock,
    signal: ending.signal,
  })
  const uncaught = Promise.withResolvers<never>()
  for (const event of UNCAUGHT) process.on(event, uncaught.reject)
  const fault = await Promise.race([talk.end, uncaught.promise]).then(
    () => undefined,
    (thrown: unknown) => ({ thrown }),
  )
  for (const event of UNCAUGHT) process.off(event, uncaught.reject)
  input.drop()
  const closed = wizard.end()
  await Promise.allSettled([closed])
  await input.close()
  const { code, lines } = await closed
  io.out('')
  for (const text of lines) io.out(plainAscii(text))
  if (fault !== undefined) throw fault.thrown
  return code
}
