import type { Gwei, Wei } from '../../base/format/amount.ts'
import { FAR_FUTURE_EPOCH } from '../../chain/consensus/state.ts'
import { anchorsNeeded } from '../../chain/network/network.ts'
import { baseFeeOf, type EndpointLook, type GuardPicture } from './picture.ts'
import { capOf, mostFeeWei } from './terms.ts'

/** Whether a condition holds now. What could not be found out is `unknown`, and nothing follows from it. */
export type Held = 'yes' | 'no' | 'unknown'

/** What a condition is worth that may not be known. */
export const heldIf = (condition: boolean | undefined): Held => {
  if (condition === undefined) return 'unknown'
  return condition ? 'yes' : 'no'
}

/**
 * What every endpoint must say. One that is silent, or one too few, is unknown, unless the facts are proven at a signed
 * block; one that says no is enough for no.
 */
export function byEach(holds: (said: EndpointLook, picture: GuardPicture) => boolean) {
  return (picture: GuardPicture): Held => {
    const { replies, look, setup } = picture
    if (replies.some((said) => !holds(said, picture))) return 'no'
    const isHeard = replies.length === look.endpoints.length && replies.length >= anchorsNeeded(setup)
    const isWhole = look.facts === undefined ? isHeard : replies.length > 0
    return isWhole ? 'yes' : 'unknown'
  }
}

/** Whether the nonce is unused at every endpoint; `isInPool`: a transaction of ours may wait with it. */
export function nonceIsFree(picture: GuardPicture, { isInPool }: { isInPool: boolean }): Held {
  const { nonce } = picture.state.terms
  return byEach(({ nonce: { latest, pending } }) => latest === nonce && (isInPool || pending === nonce))(
    picture,
  )
}

/** Whether a nonce is used in a block that every endpoint calls final; not where one of them is silent, or none is there. */
export const isFinalEverywhere = (finals: readonly (number | undefined)[], nonce: number): boolean =>
  finals.length > 0 && finals.every((final) => final !== undefined && final > nonce)

/** Whether the record of a validator has its exit set. */
export const isLeaving = ({ exitEpoch }: { exitEpoch: bigint }): boolean => exitEpoch !== FAR_FUTURE_EPOCH

/** Whether a proven set shows that the validator has left for good: then no guard of it can help any more. */
export const hasLeft = ({ own }: Pick<GuardPicture, 'own'>): boolean =>
  own !== undefined && isLeaving(own.validator) && own.validator.exitEpoch <= own.epoch

/** When a block is due, by the pace of the chain from the proven one on; Unix seconds. */
export function secondsOf({ proven, setup }: GuardPicture, block: bigint): bigint | undefined {
  if (proven === undefined) return undefined
  const { number, timestampSeconds } = proven.proof.block
  return timestampSeconds + (block - number) * BigInt(setup.network.spec.targetSecondsPerSlot)
}

/** When the boundary is over at which the place is lost; undefined where it is lost at none. */
export function boundarySeconds(picture: GuardPicture): bigint | undefined {
  const { need, setup } = picture
  if (need.is !== 'out') return undefined
  return secondsOf(picture, (need.outAtEpoch + 1n) * setup.network.spec.slotsPerEpoch)
}

/** Whether a fork begins after one time and up to another, Unix seconds. */
export function forksBetween({ look, setup }: GuardPicture, from: bigint, to: bigint): boolean {
  const { electraTimeSeconds, electraOneTimeSeconds, fuluTimeSeconds } = setup.network.spec
  const known = [electraTimeSeconds, electraOneTimeSeconds, fuluTimeSeconds]
  const ahead = look.forks?.ahead.map(({ atSeconds }) => atSeconds) ?? []
  return [...known, ...ahead].some((at) => at > from && at <= to)
}

/** Whether a base fee is so high that the least rung may soon be too cheap: above half of its cap. */
export function feeIsHigh(picture: GuardPicture): boolean {
  const [least] = picture.members
  const baseFeeWei = baseFeeOf(picture)
  return (
    least !== undefined && baseFeeWei !== undefined && baseFeeWei * 2n > least.transaction.maxFeePerGasWei
  )
}

/** Whether a balance is too small for the cap with the most fee. */
export function isBelowCap({ members, state }: GuardPicture, balanceWei: Wei): boolean {
  const dearest = members.findLast(({ kind }) => kind === 'rung')?.transaction
  return dearest !== undefined && balanceWei < dearest.valueWei + mostFeeWei(state.terms)
}

/** The least amount that keeps the place and that no rung has; undefined where a rung does, or it is not known. */
export function missingGwei({ need, state }: GuardPicture): Gwei | 'out-of-reach' | undefined {
  if (need.is !== 'out') return undefined
  if (need.rescue === undefined) return 'out-of-reach'
  return need.rescue.leastTopUpGwei > capOf(state.terms) ? need.rescue.leastTopUpGwei : undefined
}
