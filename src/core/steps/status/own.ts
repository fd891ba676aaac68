import { FAR_FUTURE_EPOCH, type Validator } from '../../consensus/state.ts'
import type { Survey } from '../../consensus/survey.ts'
import type { Setup } from '../../facts.ts'
import { formatDuration } from '../../format/duration.ts'

/** The user's validator as a survey has it; `epoch` and `slot` are the survey's. */
export type Own = { validator: Validator; balanceGwei: bigint; index: number; epoch: bigint; slot: bigint }

/** The record of a pubkey in a survey, undefined while the state does not know it. */
export function ownRecord(
  { consensus, indexes }: Survey,
  pubkey: string,
  { network }: Setup,
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

/** How long it is until an epoch begins, in slots and time; `now` once it has. */
export function countdown(epoch: bigint, own: Own, { network }: Setup): string {
  const slots = epoch * network.spec.slotsPerEpoch - own.slot
  if (slots <= 0n) return 'now'
  return `in ${slots} ${slots === 1n ? 'slot' : 'slots'}, ${formatDuration(Number(slots) * network.slotMs)}`
}
