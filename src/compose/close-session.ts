import { EXIT, type ExitCode } from '../commands/exit-codes.ts'
import type { Clock } from '../core/effects/effects.ts'
import { shellCommand } from '../core/format/text.ts'
import type { NetworkChoice } from '../core/launch/choice.ts'
import type { Session } from '../core/session.ts'
import { errorFacts } from '../core/steps/observation.ts'
import { receiptLines } from '../screens/words.ts'
import { lookOptions, ownProgram, sessionOptions, startedAs } from './own-command.ts'
import type { OwnCommand } from './receipt-file.ts'
import { stateDirectory } from './state-directory.ts'

type Closing = {
  choice: NetworkChoice | undefined
  stateDirectory: string
  plain: (text: string) => string
  clock: Clock
}

/** Ends a session: the lines that stay in the history of the terminal, with the receipt that was written. */
export async function closeSession(
  session: Session | undefined,
  { plain, clock, ...begun }: Closing,
): Promise<{ code: ExitCode; lines: string[] }> {
  if (session === undefined) return { code: EXIT.stopped, lines: [] }
  await session.stop()
  const { summaryOf } = await import('./summary.ts')
  const place = { ...begun, defaultDirectory: stateDirectory(process.env, process.platform) }
  const started = startedAs(process)
  const { validator } = session.setup
  const { own, network } = session.setup
  const looking = own?.options ?? lookOptions(session.setup, place)
  const again = [
    ...(network.kind === 'rehearsal' ? sessionOptions(session.setup, place) : looking),
    ...(validator === undefined ? [] : ['--validator', validator.pubkey]),
  ]
  const { done, receipt } = summaryOf(session)
  const program = ownProgram(started, { anywhere: true })
  const written = await receiptLine(session, clock, { program, options: looking })
  const back = done ? [] : [`  ${plain(shellCommand(...ownProgram(started), ...again))}`]
  return {
    code: done ? EXIT.done : EXIT.stopped,
    lines: [...receiptLines(receipt, plain), ...back, ...written],
  }
}

/** Where the receipt was written, or why it was not: never a reason to end otherwise. */
async function receiptLine(session: Session, clock: Clock, own: OwnCommand): Promise<string[]> {
  const [{ writeReceipt }, { createNodeStore }] = await Promise.all([
    import('./receipt-file.ts'),
    import('../core/effects/node-store.ts'),
  ])
  try {
    const path = await writeReceipt({ store: createNodeStore(), clock }, session, own)
    return path === undefined ? [] : ['  The receipt, with one for machines (.json) beside it:', `  ${path}`]
  } catch (thrown) {
    return [`  The receipt was not written: ${errorFacts(thrown).shortMessage}`]
  }
}
