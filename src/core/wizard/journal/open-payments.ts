import { journalError } from '../../base/errors/journal.ts'
import type { OpenPayment } from '../../pay/gate/commitments.ts'
import { draftOf, initialPayment, liveOf, signedOf } from '../../pay/payment/candidates.ts'
import { paymentTransition } from '../../pay/payment/machine.ts'
import type { PayingStep, PaymentState } from '../../pay/payment/payment.ts'
import { readEvents } from './entry.ts'
import type { JournalEvent } from './events.ts'
import { decodeKeyHeader } from './journal.ts'
import { readJournal } from './replay.ts'

/**
 * Returns the payments of a journal that may still happen: those that are live, exported or abandoned. Throws a
 * `JournalError` for a journal that can't be read, is empty, or whose last line is cut off: what that told isn't known to who
 * only reads.
 */
export function openPaymentsIn(text: string): readonly OpenPayment[] {
  if (text === '') throw journalError('journal.empty')
  const [first, ...entries] = readJournal(text).entries
  if (first === undefined || !text.endsWith('\n')) throw journalError('journal.cut')
  const { pubkey } = decodeKeyHeader(first)
  const events = readEvents(entries)
  return (['deposit', 'topup'] as const).flatMap((step) => {
    const state = paymentIn(events, step)
    const live = liveOf(state)
    const draft = live === undefined ? undefined : draftOf(state)
    const isCancelled =
      live?.cancelAgreed === true || signedOf(state).some(({ kind }) => kind === 'cancellation')
    return [...(draft === undefined ? [] : [draft]), ...state.abandoned].map((one) => ({
      pubkey,
      from: one.from,
      nonce: one.transaction.nonce,
      isContract: one.signer === 'contract',
      ...(one === draft && isCancelled ? { isCancelling: true as const } : {}),
    }))
  })
}

/** The payment of a step as its journal has it; nothing is asked and nothing is sent by that. */
function paymentIn(events: readonly JournalEvent[], of: PayingStep): PaymentState {
  return events.reduce(
    (state, event) =>
      (event.step === 'deposit' || event.step === 'topup') && event.step === of
        ? paymentTransition(state, event)[0]
        : state,
    initialPayment,
  )
}
