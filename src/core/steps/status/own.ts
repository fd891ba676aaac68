import { FAR_FUTURE_EPOCH, type Validator } from '../../consensus/state.ts'
import type { Survey } from '../../consensus/survey.ts'
import type { Setup } from '../../facts.ts'
import { formatCount } from '../../format/amount.ts'
import { formatDuration } from '../../format/duration.ts'
import type { NodeDoubt } from '../../network/node-doubt.ts'

/** The user's validator as a survey has it; `epoch` and `slot` are the survey's, in doubt where that is not of now. */
export type Own = {
  validator: Validator
  balanceGwei: bigint
  index: number
  epoch: bigint
  slot: bigint
  doubt?: NodeDoubt
}

/** The record of a pubkey in a survey, undefined while the state does not know it. */
export function ownRecord(
  { consensus, indexes }: Survey,
  pubkey: string,
  { network }: Pick<Setup, 'network'>,
): Own | undefined {
  const place = consensus.validators.findIndex((validator) => validator.pubkey === pubkey.toLowerCase())
  const validator = consensus.validators[place]
  if (validator === undefined) return undefined
  const epoch = consensus.slot / network.spec.slotsPerEpoch
  const index = indexes[place] ?? place
  return { validator, index, epoch, slot: consensus.slot, balanceGwei: consensus.balancesGwei[place] ?? 0n }
}

/** Whether the validator has left the set or is leaving it: for ever, either way. */
export function isLost({ validator }: Own): boolean {
  return validator.exitEpoch !== FAR_FUTURE_EPOCH
}

/**
 * How long it is until an epoch begins, in slots and time; `now` once it has. Where the node is in doubt its own slot
 * is none to count from: then it is counted from the head of an endpoint that goes on, or not at all.
 */
export function countdown(epoch: bigint, { slot, doubt }: Own, setup: Setup): string {
  const begins = epoch * setup.network.spec.slotsPerEpoch
  if (doubt === undefined) return begins <= slot ? 'now' : `in ${slotsWords(begins - slot, setup)}`
  const { beside } = doubt
  if (beside.is !== 'ahead') return 'not known'
  return begins <= beside.block
    ? `${beside.name} is past that epoch; what changed is not known`
    : `in ${slotsWords(begins - beside.block, setup)} by ${beside.name}`
}

/** A number of slots with the time they take: `171 slots, 5 min 42 s`. */
export function slotsWords(slots: bigint, { network }: Setup): string {
  const words = `${formatCount(slots)} ${slots === 1n ? 'slot' : 'slots'}`
  return `${words}, ${formatDuration(Number(slots) * network.slotMs)}`
}
