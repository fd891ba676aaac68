import { type AbandonedFate, fateOfAbandoned } from '../payment/abandoned.ts'
import { timesSent } from '../payment/candidates.ts'
import type { PaymentPicture } from '../payment/payment-picture.ts'
import type { RoundPart } from '../payment/round.ts'
import type { CheckResult } from './facts.ts'
import { GATE_TEXT } from './text.ts'

/** Whether what was agreed to holds. While it is unknown the bytes stay, and it is asked again. */
type AgreementCheck =
  | { is: 'holds'; recheckedAtMs: number }
  | { is: 'unknown' | 'bad'; why: string }
  | { wants: RoundPart }

/**
 * Whether a payment may leave, or be exported: what was agreed to must hold in the moment before its first byte leaves,
 * after every start, and every ten slots. Where something is bad it is bad, whatever else is unknown.
 */
export function holdsStill(s: PaymentPicture, { isFirst }: { isFirst: boolean }): AgreementCheck {
  const { state, payment, round, memory, limits, silent, replies } = s
  const { recheckedAtMs } = memory
  if (payment.draft.agreement.world === undefined) return { is: 'bad', why: GATE_TEXT.held.olderVersion }
  if (!isFirst && recheckedAtMs !== undefined && round.atMs - recheckedAtMs < limits.look * round.slotMs)
    return { is: 'holds', recheckedAtMs }
  const [gone] = silent
  const { gateOpenAtMs } = round
  const isExcused = gateOpenAtMs !== undefined && round.atMs - gateOpenAtMs <= limits.gateHoldsMs
  if (gone !== undefined && !isExcused) return { is: 'unknown', why: GATE_TEXT.held.silent(gone.endpoint) }
  if (state.abandoned.length > 0 && replies.some(({ deposits }) => deposits === undefined))
    return { wants: 'deposits' }
  if (round.keyChecks === undefined) return { wants: 'keyChecks' }
  const fate = unusedAbandoned(fateOfAbandoned(state, replies))
  const bad = [fate, ...round.keyChecks].find((one) => one !== undefined && !one.good && one.unknown !== true)
  if (bad !== undefined) return { is: 'bad', why: bad.words }
  const open = [fate, inPools(s), ...round.keyChecks].find((one) => one !== undefined && !one.good)
  return open === undefined ? { is: 'holds', recheckedAtMs: round.atMs } : { is: 'unknown', why: open.words }
}

function unusedAbandoned({ is }: AbandonedFate): CheckResult | undefined {
  if (is === 'unused') return undefined
  const words = GATE_TEXT.held.abandoned[is]
  return is === 'sent' ? { good: false, words } : { good: false, unknown: true, words }
}

/** Whether a pool holds the nonce; once ours may be there, that tells nothing any more. */
function inPools({ payment, state, nonces, isKnown }: PaymentPicture): CheckResult | undefined {
  const { nonce } = payment.draft.transaction
  if (timesSent(state) > 0 || isKnown || nonces.every(({ pending }) => pending <= nonce)) return undefined
  return { good: false, unknown: true, words: GATE_TEXT.held.inPool(nonce) }
}
