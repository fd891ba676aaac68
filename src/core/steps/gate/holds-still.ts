import { type Fate, fateOfAbandoned } from '../payment/abandoned.ts'
import { timesSent } from '../payment/candidates.ts'
import type { Part } from '../payment/round.ts'
import type { Sight } from '../payment/sight.ts'
import type { Judgement } from './rules.ts'

/** Whether what was agreed to holds. While it is unknown the bytes stay, and it is asked again. */
type World = { is: 'holds'; worldAtMs: number } | { is: 'unknown' | 'bad'; why: string } | { wants: Part }

/**
 * Whether a payment may leave, or be exported: what was agreed to must hold in the moment before its first byte leaves,
 * after every start, and every ten slots. Where something is bad it is bad, whatever else is unknown.
 */
export function holdsStill(s: Sight, { isFirst }: { isFirst: boolean }): World {
  const { state, payment, round, watch, limits, silent, answers } = s
  const { worldAtMs } = watch
  if (payment.draft.agreement.world === undefined) return { is: 'bad', why: WITHOUT_WORLD }
  if (!isFirst && worldAtMs !== undefined && round.atMs - worldAtMs < limits.look * round.slotMs)
    return { is: 'holds', worldAtMs }
  const [gone] = silent
  const { gateOpenAtMs } = round
  const isExcused = gateOpenAtMs !== undefined && round.atMs - gateOpenAtMs <= limits.gateHoldsMs
  if (gone !== undefined && !isExcused) return { is: 'unknown', why: `${gone.endpoint} must answer` }
  if (state.abandoned.length > 0 && answers.some(({ deposits }) => deposits === undefined))
    return { wants: 'deposits' }
  if (round.world === undefined) return { wants: 'world' }
  const fate = FATES[fateOfAbandoned(state, answers).is]
  const bad = [fate, ...round.world].find((one) => one !== undefined && !one.good && one.unknown !== true)
  if (bad !== undefined) return { is: 'bad', why: bad.words }
  const open = [fate, inPools(s), ...round.world].find((one) => one !== undefined && !one.good)
  return open === undefined ? { is: 'holds', worldAtMs: round.atMs } : { is: 'unknown', why: open.words }
}

const WITHOUT_WORLD =
  'you agreed in an older version of this program, which did not record the state of the validator'

const FATES: Readonly<Record<Fate['is'], Judgement | undefined>> = {
  unused: undefined,
  sent: { good: false, words: 'the transaction you abandoned was sent' },
  'may-be-sent': { good: false, unknown: true, words: 'the transaction you abandoned may have been sent' },
  unknown: {
    good: false,
    unknown: true,
    words: 'it is not known whether the transaction you abandoned was sent',
  },
}

/** Whether a pool holds the nonce; once ours may be there, that tells nothing any more. */
function inPools({ payment, state, nonces, isKnown }: Sight): Judgement | undefined {
  const { nonce } = payment.draft.transaction
  if (timesSent(state) > 0 || isKnown || nonces.every(({ pending }) => pending <= nonce)) return undefined
  const words = `another transaction with nonce ${nonce} is in the mempool`
  return { good: false, unknown: true, words }
}
