import type { Clock } from '../core/base/effects/effects.ts'
import { formatCount, formatGwei, formatWei } from '../core/base/format/amount.ts'
import { shellCommand } from '../core/base/format/text.ts'
import { withChecksum } from '../core/chain/deposit/credentials.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { type GuardStanding, heldElsewhereBy, isSameGuard } from '../core/observe/picture.ts'
import { liveOf } from '../core/pay/payment/candidates.ts'
import { type ReceiptView, receiptLines } from '../core/view/desk-words.ts'
import { errorFacts } from '../core/view/observation.ts'
import { STEP_NAMES_TEXT, STEP_TEXT } from '../core/view/text.ts'
import type { NetworkChoice } from '../core/wizard/launch/choice.ts'
import type { Session } from '../core/wizard/session.ts'
import type { State } from '../core/wizard/state.ts'
import { leftOf as leftTheWallet, viewOf } from '../core/wizard/view-of.ts'
import { EXIT, type ExitCode } from '../output/io.ts'
import { isActiveAtLast, seenOut } from './newest-own.ts'
import { begunHere, ownProgram, readOnlyOptions, sessionOptions, startedAs } from './own-command.ts'
import type { ReceiptCommand } from './receipt-file.ts'

/** Returns what is left in the terminal's history when the screens are gone, and whether the validator is active. */
export function summaryOf(session: Session): { done: boolean; receipt: ReceiptView } {
  const state = session.getState()
  const { network } = session.setup
  const { identity, deposit, registration, topup } = session.facts()
  const terms = termsOf(session)
  const done = isActiveAtLast(state, { pubkey: identity?.pubkey, setup: session.setup })
  const token = network.names.token
  const rows = [
    { label: 'network', value: network.label },
    ...(done ? [] : reachedRows(session)),
    ...(identity === undefined ? [] : [{ label: 'validator', value: identity.pubkey }]),
    ...(terms === undefined
      ? []
      : [
          { label: 'withdrawal', value: withChecksum(terms.withdrawalAddress) },
          { label: 'operator', value: withChecksum(terms.operator) },
        ]),
    ...(deposit === undefined
      ? []
      : [
          {
            label: 'first deposit',
            value: `${formatWei(deposit.valueWei)} ${token}, block ${formatCount(deposit.blockNumber)}`,
          },
          { label: 'transaction', value: deposit.hash },
        ]),
    ...(registration === undefined
      ? []
      : [
          {
            label: 'registered',
            value: `validator ${registration.validatorIndex}, ${formatGwei(registration.balanceGwei)} ${token}, proven`,
          },
        ]),
    ...(topup === undefined
      ? []
      : [
          {
            label: 'top-up',
            value: `${formatWei(topup.valueWei)} ${token}, block ${formatCount(topup.blockNumber)}`,
          },
          { label: 'transaction', value: topup.hash },
        ]),
  ]
  const adopted = state.identity.adopted !== undefined
  const open = liveOf(state.deposit) !== undefined || liveOf(state.topup.send) !== undefined
  const left = leftOf(session)
  const title = left === undefined ? titleOf({ done, open }) : left.title
  const ends = network.kind === 'rehearsal' && !done ? [REHEARSAL_ENDS] : []
  const guard = guardIsLeft(state) ? [GUARD_ENDS] : []
  const next = left === undefined ? [...guard, ...ends, ...receiptNext({ done, open, adopted })] : left.next
  return { done, receipt: { title, rows, next } }
}

/** How far it came, what stopped it there, and what has left the wallet. */
function reachedRows(session: Session): { label: string; value: string }[] {
  const state = session.getState()
  const { step } = state
  const facts = session.facts()
  const { title, problem } = viewOf(step, state, session)
  const left = leftTheWallet(step, state, { facts, setup: session.setup })
  const nothing = STEP_TEXT.left.paid(`0 ${session.setup.network.names.token}`)
  return [
    { label: 'reached', value: `step ${STEP_NAMES_TEXT.place(step)}: ${title}` },
    ...(problem === undefined ? [] : [{ label: 'stopped by', value: problem.title }]),
    { label: 'money', value: left?.text ?? nothing },
  ]
}

/** Where the validator was seen to have left the active set: there is nothing to go on with. */
function leftOf(session: Session): { title: string; next: string[] } | undefined {
  const { pubkey } = session.facts().identity ?? {}
  const out = seenOut(session.getState(), { pubkey, setup: session.setup })
  if (out === undefined) return undefined
  const title = `Your validator ${STANDING_TEXT.hasLeft}. ${STANDING_TEXT.stake[out]}`
  return { title, next: ['A new attempt needs a new key. Started again, it shows what became of this one:'] }
}

/** Whom the validator pays out to and who manages it: as it was adopted, else as it was signed here. */
function termsOf(session: Session) {
  return session.getState().identity.adopted ?? session.facts().signature
}

/** Whether a guard is here that was seen last as one that may still pay, and that no other process holds. */
function guardIsLeft({ status, topup: { guard: page } }: State): boolean {
  const seen = [status.guard, page.here].filter((guard) => typeof guard === 'object')
  const isClosed = ({ stand }: GuardStanding) =>
    stand === 'over' || stand === 'exported' || stand === 'unreadable'
  // What the status screen saw of it after its page is what counts.
  const last = seen.find((guard) => !seen.some((one) => isSameGuard(one, guard) && isClosed(one)))
  return last !== undefined && heldElsewhereBy(last) === undefined
}

/** What becomes of a guard once its screen is gone. */
export const GUARD_ENDS =
  'Your guard is armed, and this screen holds it no more: it does nothing until the status screen or a watch with --guard runs.'

/** What becomes of a network that nobody asks any more. */
export const REHEARSAL_ENDS =
  'A rehearsal network that the wizard started ends after ten minutes without a question.'

/** Returns how it ended, in a sentence. */
export function titleOf({ done, open }: { done: boolean; open: boolean }): string {
  if (done) return 'Your validator is active.'
  return open
    ? 'A payment is not final yet. It is in the journal and is not sent twice.'
    : 'Not finished yet.'
}

/** Returns what to do next, in sentences. */
export function receiptNext({
  done,
  open,
  adopted,
}: {
  done: boolean
  open: boolean
  adopted: boolean
}): string[] {
  if (done && adopted) return ['Watch the rank: others can raise their stake.']
  if (done) return ['Keep a copy of the key file, and watch the rank: others can raise their stake.']
  return [
    open
      ? 'Start it again; it looks for the payment first:'
      : 'Start it again; it goes on where you stopped:',
  ]
}

type Closing = {
  choice: NetworkChoice | undefined
  stateDirectory: string
  plain: (text: string) => string
  clock: Clock
}

/** Ends a session: the lines that stay in the history of the terminal, with the receipt that was written. */
export async function closeSession(
  session: Session | undefined,
  { choice, stateDirectory, plain, clock }: Closing,
): Promise<{ code: ExitCode; lines: string[] }> {
  if (session === undefined) return { code: EXIT.stopped, lines: [] }
  await session.stop()
  const place = begunHere(choice, stateDirectory)
  const started = startedAs(process)
  const { validator } = session.setup
  const { own, network } = session.setup
  const looking = own?.options ?? readOnlyOptions(session.setup, place)
  const again = [
    ...(network.kind === 'rehearsal' ? sessionOptions(session.setup, place) : looking),
    ...(validator === undefined ? [] : ['--validator', validator.pubkey]),
  ]
  const { done, receipt } = summaryOf(session)
  const program = ownProgram(started)
  const written = await receiptLine(session, clock, { program, options: looking })
  const back = done ? [] : [`  ${plain(shellCommand(...program, ...again))}`]
  return {
    code: done ? EXIT.done : EXIT.stopped,
    lines: [...receiptLines(receipt, plain), ...back, ...written, ...(await storyLines(session, plain))],
  }
}

/** What the story of a rehearsal has shown, and where its card was written. */
async function storyLines(session: Session, plain: (text: string) => string): Promise<string[]> {
  const { story } = session.getState()
  if (story === undefined || story.phase === 'before') return []
  const [{ endCard }, { createNodeStore }, { cardReceipt, writeCard }] = await Promise.all([
    import('../core/wizard/story/end-card.ts'),
    import('../core/base/effects/node-store.ts'),
    import('./story-card.ts'),
  ])
  const card = endCard(story, session.setup, { hasKeys: false })
  const path = await writeCard({ store: createNodeStore() }, card, session.setup)
  return ['', ...receiptLines(cardReceipt(card), plain), ...(path === undefined ? [] : [`  ${path}`])]
}

/** Where the receipt was written, or why it was not: never a reason to end otherwise. */
async function receiptLine(session: Session, clock: Clock, own: ReceiptCommand): Promise<string[]> {
  const [{ writeReceipt }, { createNodeStore }] = await Promise.all([
    import('./receipt-file.ts'),
    import('../core/base/effects/node-store.ts'),
  ])
  try {
    const path = await writeReceipt({ store: createNodeStore(), clock }, session, own)
    return path === undefined ? [] : ['  The receipt, with one for machines (.json) beside it:', `  ${path}`]
  } catch (thrown) {
    return [`  The receipt was not written: ${errorFacts(thrown).shortMessage}`]
  }
}
