import type { Gwei, Wei } from '../../base/format/amount.ts'
import { formatGwei, formatWei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { OUTCOMES, type OutcomeClass } from '../../chain/consensus/forecast.ts'
import { FAR_FUTURE_EPOCH } from '../../chain/consensus/state.ts'
import type { ValidatorTerms } from '../../chain/facts.ts'
import type { CheckResult, KnownDeposit } from './facts.ts'
import { GATE_TEXT } from './text.ts'

const { agreed: TEXT } = GATE_TEXT

/** What the screen said when its user agreed to a payment. Amounts in gwei. */
export type AgreedKeyState =
  /** The key had no operator and no record; for a rescue all that came before was lost. */
  { about: 'unused-key' | 'burnt-key' } | ({ about: 'validator' } & AgreedValidator)

/** What the screen said of a registered validator. */
export type AgreedValidator = {
  /** The last block whose deposits were known then. */
  block: bigint
  /** What the beacon state held. */
  balanceGwei: Gwei
  /** The same with what was in blocks and not counted yet; undefined where that was not known. */
  stakeToBeGwei: Gwei | undefined
  outcome: OutcomeClass
}

/**
 * What else stood on the screen: who pays and with which nonce, the most that the fee may be, and the transactions of all
 * deposits for the key that were known. A draft that is none of this is not made.
 */
export type AgreedTerms = {
  from: Hex
  /** A contract account has none of its own. */
  nonce: number | undefined
  feeLimitWei: Wei
  deposits: readonly Hex[]
}

/** The same as it is now, read anew. */
export type ValidatorRecheck = Omit<AgreedValidator, 'block'> & {
  /** Deposits for this key in blocks after the agreement's. */
  arrived: readonly Arrived[]
}

/** A deposit that this agreement does not know of. */
type Arrived = { block: bigint; amountGwei: Gwei }

/** What a proof and the contract say of the validator now. */
export type ValidatorNow = {
  operator: Hex
  withdrawalCredentials: Hex
  slashed: boolean
  exitEpoch: bigint
  balanceGwei: Gwei
}

/**
 * Consent is about a world. This is the whole table of what stops a payment that was agreed to, and asks for a fresh
 * agreement, and of what only refreshes the words. Whatever of it is unknown keeps a payment waiting.
 *
 * | stops | only refreshes | judged by |
 * |---|---|---|
 * | chain ids, genesis root, execution genesis | head, age, base fee within the cap | the gate's `chain`, the look at the key |
 * | credentials, operator, slashed, leaving, less than was paid | status going forward, effective balance | `sameValidator` |
 * | for a first deposit: operator or record no longer empty | | the deposit's look at the key |
 * | an event that is new and not ours; an agreed one is gone | an agreed event is counted | `stillAgreed` |
 * | stake-to-be in any direction | others' deposits, rank, margin, cutoff | `stillAgreed` |
 * | a worse outcome class | the same or a better one | `stillAgreed` |
 * | the sender's nonce at any endpoint, a pool with an unknown transaction | balance, while it covers value and fee | the gate's `nonce`, `second`, `balance` |
 *
 * Two rows need no test of their own. A deadline that can no longer be met is a worse outcome: the forecast lets the
 * payment land in the next block. Becoming active an epoch later than was thought only refreshes: no epoch is said on
 * the screen where the amount is agreed to, so that none was promised, and where the delay costs the place the outcome
 * is worse.
 */
export function sameValidator(planned: ValidatorTerms, now: ValidatorNow): CheckResult {
  if (!sameHex(now.operator, planned.operator)) return stops(TEXT.otherOperator(now.operator))
  if (now.slashed) return stops(TEXT.slashed)
  if (now.exitEpoch !== FAR_FUTURE_EPOCH) return stops(TEXT.leaving)
  if (!sameHex(now.withdrawalCredentials, planned.withdrawalCredentials)) return stops(TEXT.otherPayout)
  if (now.balanceGwei < planned.leastBalanceGwei) return stops(TEXT.lessThanPaid)
  return { good: true, words: TEXT.asPlanned }
}

/**
 * Whether a payment may still be made for the stake and the outcome as they are now: what was agreed to for a validator
 * with so much stake is not agreed to for one with more, or with less, or with a worse outcome. An agreement that does
 * not say what was known stops everything.
 */
export function stillAgreed(
  agreed: AgreedKeyState | undefined,
  now: ValidatorRecheck,
  token: string,
): CheckResult {
  if (agreed?.about !== 'validator') return stops(TEXT.notRecorded)
  const isSame = sameStake(agreed, now)
  const [first] = now.arrived
  // Where both looks knew all that waits, an event beside an unchanged stake is made up.
  if (first !== undefined && !(isSame && knowsAll(agreed) && knowsAll(now))) {
    const sumGwei = now.arrived.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
    return stops(TEXT.arrived(`${formatGwei(sumGwei)} ${token}`, first.block))
  }
  const change = agreementChange(agreed, now)
  if (change === undefined) return { good: true, words: TEXT.asAgreed }
  if (change.id === 'outcome') return stops(TEXT.worse[change.outcome])
  return stops(TEXT.otherStake(`${formatGwei(change.isGwei)} ${token}`, formatGwei(change.wasGwei)))
}

/** What makes another world of one that was agreed to. Amounts in gwei. */
export type AgreementChange =
  | { id: 'stake'; wasGwei: Gwei; isGwei: Gwei }
  | { id: 'outcome'; outcome: OutcomeClass }

/** How a validator differs from what was read of it: another stake, or a worse outcome; undefined where neither is so. */
export function agreementChange(
  agreed: AgreedValidator,
  now: Omit<AgreedValidator, 'block'>,
): AgreementChange | undefined {
  if (!sameStake(agreed, now)) {
    const [wasGwei, isGwei] = [agreed, now].map((one) => one.stakeToBeGwei ?? one.balanceGwei)
    return { id: 'stake', wasGwei: wasGwei ?? 0n, isGwei: isGwei ?? 0n }
  }
  const isWorse = OUTCOMES.indexOf(now.outcome) < OUTCOMES.indexOf(agreed.outcome)
  return isWorse ? { id: 'outcome', outcome: now.outcome } : undefined
}

/** What a draft would be made of. */
type DraftTerms = Pick<AgreedTerms, 'from' | 'nonce'> & {
  feeWei: Wei
  deposits: readonly KnownDeposit[] | undefined
}

/**
 * Whether a draft is within the terms that were agreed to: the same account and nonce, a fee up to the limit, no deposit
 * for the key that was not on the screen. An agreement without terms stops everything.
 */
export function withinTerms(agreed: AgreedTerms | undefined, now: DraftTerms, token: string): CheckResult {
  if (agreed === undefined) return stops(TEXT.notRecorded)
  if (!sameHex(agreed.from, now.from)) return stops(TEXT.otherSender(now.from))
  if (agreed.nonce !== now.nonce) return stops(TEXT.otherNonce(now.nonce, agreed.nonce))
  if (now.feeWei > agreed.feeLimitWei)
    return stops(TEXT.dearer(`${formatWei(now.feeWei)} ${token}`, formatWei(agreed.feeLimitWei)))
  if (now.deposits === undefined) return { ...stops(TEXT.depositsUnknown), unknown: true }
  const news = newDeposits(agreed.deposits, now.deposits)
  if (news.length === 0) return { good: true, words: TEXT.asAgreed }
  const sumGwei = news.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
  return stops(TEXT.arrivedSince(`${formatGwei(sumGwei)} ${token}`))
}

/** Those of the deposits whose transactions were not known, each once, in their order. */
export function newDeposits<D extends { hash: Hex }>(before: readonly Hex[], now: readonly D[]): D[] {
  const news = now.filter(({ hash }) => !before.some((one) => sameHex(one, hash)))
  return news.filter(({ hash }, at) => news.findIndex((one) => sameHex(one.hash, hash)) === at)
}

function stops(words: string): CheckResult {
  return { good: false, words }
}

function knowsAll({ stakeToBeGwei }: Pick<AgreedValidator, 'stakeToBeGwei'>): boolean {
  return stakeToBeGwei !== undefined
}

/**
 * Stake is compared with what waits to be counted where both looks knew that. Where one did not, the proven balance
 * must be the one that was shown, or what it grows to by what was known to wait.
 */
function sameStake(agreed: AgreedValidator, now: Omit<AgreedValidator, 'block'>): boolean {
  if (agreed.stakeToBeGwei !== undefined && now.stakeToBeGwei !== undefined)
    return agreed.stakeToBeGwei === now.stakeToBeGwei
  return now.balanceGwei === agreed.balanceGwei || now.balanceGwei === agreed.stakeToBeGwei
}
