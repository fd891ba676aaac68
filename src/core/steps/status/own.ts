import type { SetSnapshot } from '../../consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../../consensus/state.ts'
import type { Setup } from '../../facts.ts'
import {
  formatClock,
  formatCount,
  formatCountdown,
  formatDuration,
  isLongCountdown,
} from '../../format/amount.ts'
import type { NodeDoubt } from '../../network/standstill.ts'

/**
 * The user's validator as a snapshot has it; `epoch`, `slot` and the chain time of that slot are the snapshot's, in doubt where
 * they are not of now.
 */
export type Own = {
  validator: Validator
  balanceGwei: bigint
  index: number
  epoch: bigint
  slot: bigint
  timestampSeconds: bigint
  doubt?: NodeDoubt
}

/** The record of a pubkey in a snapshot, undefined while the state does not know it. */
export function ownRecord(
  { consensus, indexes, timestampSeconds }: SetSnapshot,
  pubkey: string,
  { network }: Pick<Setup, 'network'>,
): Own | undefined {
  const place = consensus.validators.findIndex((validator) => validator.pubkey === pubkey.toLowerCase())
  const validator = consensus.validators[place]
  if (validator === undefined) return undefined
  const epoch = consensus.slot / network.spec.slotsPerEpoch
  const index = indexes[place] ?? place
  const balanceGwei = consensus.balancesGwei[place] ?? 0n
  return { validator, index, epoch, slot: consensus.slot, timestampSeconds, balanceGwei }
}

/** Whether the validator has left the set or is leaving it: for ever, either way. */
export function isLost({ validator }: Pick<Own, 'validator'>): boolean {
  return validator.exitEpoch !== FAR_FUTURE_EPOCH
}

/**
 * How long it is until an epoch begins, in slots and time; `now` once it has. Where the node is in doubt its own slot
 * is none to count from: then it is counted from the head of an endpoint that goes on, or not at all.
 */
export function countdown(epoch: bigint, own: Own, setup: Setup): string {
  const { slot, doubt } = own
  const begins = epoch * setup.network.spec.slotsPerEpoch
  if (doubt === undefined) return begins <= slot ? 'now' : `in ${slotsWords(begins - slot, setup, own)}`
  const { beside } = doubt
  if (beside.is !== 'ahead') return 'not known'
  return begins <= beside.block
    ? `${beside.name} is past that epoch; what changed is not known`
    : `in ${slotsWords(begins - beside.block, setup)} by ${beside.name}`
}

/** When a number of slots begins to count, by chain time; in doubt of the own node that is not known. */
type Since = { timestampSeconds: bigint; doubt?: NodeDoubt | undefined }

/**
 * A number of slots with the time they take: `171 slots, 5 min 42 s`; of more than ten minutes `31 min, at 16:05 UTC`. The
 * chain time of a rehearsal runs by its own clock, so there is no clock time there.
 */
export function slotsWords(slots: bigint, { network }: Setup, since?: Since, word = 'at'): string {
  const ms = Number(slots) * network.slotMs
  if (!isLongCountdown(ms))
    return `${formatCount(slots)} ${slots === 1n ? 'slot' : 'slots'}, ${formatDuration(ms)}`
  const left = formatCountdown(ms)
  if (since === undefined || since.doubt !== undefined || network.kind === 'rehearsal') return left
  const nowMs = Number(since.timestampSeconds) * 1000
  return `${left}, ${word} ${formatClock(nowMs + ms, nowMs)}`
}
