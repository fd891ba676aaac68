import { type AbandonedFate, fateOfAbandoned } from '../payment/abandoned.ts'
import { hashesOf, timesSent } from '../payment/candidates.ts'
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
 * after every start, and every ten slots. Between these, every endpoint must tell that no other deposit for the key came;
 * else it is all asked anew. Where something is bad it is bad, whatever else is unknown.
 */
export function holdsStill(s: PaymentPicture, { isFirst }: { isFirst: boolean }): AgreementCheck {
  const { state, payment, round, memory, limits, silent, replies } = s
  const { recheckedAtMs } = memory
  if (payment.draft.agreement.world === undefined) return { is: 'bad', why: GATE_TEXT.held.olderVersion }
  const isRecent =
    !isFirst && recheckedAtMs !== undefined && round.atMs - recheckedAtMs < limits.look * round.slotMs
  const [gone] = silent
  const { gateOpenAtMs } = round
  const isExcused = gateOpenAtMs !== undefined && round.atMs - gateOpenAtMs <= limits.gateHoldsMs
  if (gone !== undefined && !isExcused) return { is: 'unknown', why: GATE_TEXT.held.silent(gone.endpoint) }
  if ((isRecent || state.abandoned.length > 0) && replies.some(({ deposits }) => deposits === undefined))
    return { wants: 'deposits' }
  if (isRecent && isAlone(s)) return { is: 'holds', recheckedAtMs }
  if (round.keyChecks === undefined) return { wants: 'keyChecks' }
  const fate = unusedAbandoned(fateOfAbandoned(state, replies))
  const bad = [fate, ...round.keyChecks].find((one) => one !== undefined && !one.good && one.unknown !== true)
  if (bad !== undefined) return { is: 'bad', why: bad.words }
  const open = [fate, inPools(s), ...round.keyChecks].find((one) => one !== undefined && !one.good)
  if (open === undefined) return { is: 'holds', recheckedAtMs: round.atMs }
  return { is: 'unknown', why: replies.find(({ unread }) => unread !== undefined)?.unread ?? open.words }
}

/** Whether every endpoint that answered tells that no deposit for the key came beside the payment since its draft. */
function isAlone({ state, payment, replies, byEach }: PaymentPicture): boolean {
  const { blockNumber } = payment.draft.baseline
  const own = hashesOf(state)
  const tells = replies.every(({ deposits, head }) => Array.isArray(deposits) && (head ?? -1n) >= blockNumber)
  return tells && byEach?.flat().every(({ hash }) => hash !== undefined && own.includes(hash)) === true
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
