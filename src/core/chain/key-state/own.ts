import type { SetSnapshot } from '../consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../consensus/state.ts'
import type { ChainSpec, Network } from '../network/network.ts'
import type { NodeDoubt } from '../network/standstill.ts'
import { type KeyRecord, recordIn } from './key-state.ts'

/**
 * The user's validator as a snapshot has it; `epoch`, `slot` and the chain time of that slot are the snapshot's, in doubt where
 * they are not of now.
 */
export type Own = KeyRecord & {
  epoch: bigint
  slot: bigint
  timestampSeconds: bigint
  doubt?: NodeDoubt
}

/** Returns the record of a pubkey in a snapshot, undefined while the state does not know it. */
export function ownRecord(
  snapshot: SetSnapshot,
  pubkey: string,
  { network }: { network: Network },
): Own | undefined {
  const record = recordIn(snapshot, pubkey)
  if (record === 'absent') return undefined
  const { consensus, timestampSeconds } = snapshot
  const { slot } = consensus
  return { ...record, epoch: slot / network.spec.slotsPerEpoch, slot, timestampSeconds }
}

/** Whether the epoch that makes the validator active has begun, by the state that it was read from. */
export function hasBegun({ validator, epoch }: Pick<Own, 'validator' | 'epoch'>): boolean {
  return validator.activationEpoch <= epoch
}

/** Whether the validator has left the set or is leaving it: for ever, either way. */
export function isLost({ validator }: Pick<Own, 'validator'>): boolean {
  return validator.exitEpoch !== FAR_FUTURE_EPOCH
}

/**
 * How far a validator is on its way out; undefined while it has lost nothing. One that was never active and has no balance
 * left was paid back as well.
 */
export function wayOut(
  own: Pick<Own, 'validator' | 'epoch' | 'balanceGwei'>,
): 'leaving' | 'left' | 'paid' | undefined {
  if (!isLost(own)) return undefined
  if (own.validator.exitEpoch > own.epoch) return 'leaving'
  return own.balanceGwei === 0n ? 'paid' : 'left'
}

/** Blocks of one validator that were found by looking at one slot after the other. */
type Looked = { isWhole: boolean; first: bigint | undefined; last: bigint | undefined }

/** Own blocks that were seen from here, in this run or in one before. */
export type OwnBlocks = {
  /** `isFirst`: no slot before it was left out, so that it is the first of all. */
  first: { slot: bigint; isFirst: boolean } | undefined
  last: bigint | undefined
  /** Whether every slot since the engine counts the validator has been looked at in this run. */
  isWhole: boolean
}

/** Returns what this run has seen on top of what runs before it have; nothing of theirs that cannot be. */
export function withEarlier(
  live: Looked,
  earlier: OwnBlocks | undefined,
  range: { from: bigint; to: bigint },
): OwnBlocks {
  const fits = (slot: bigint | undefined) => slot !== undefined && slot >= range.from && slot <= range.to
  const before = fits(earlier?.first?.slot) ? earlier : undefined
  const own = live.first === undefined ? undefined : { slot: live.first, isFirst: live.isWhole }
  const lastBefore = fits(before?.last) ? before?.last : before?.first?.slot
  const first = own?.isFirst === true ? own : (before?.first ?? own)
  return { first, last: live.last ?? lastBefore, isWhole: live.isWhole }
}

/** Slots between an epoch boundary and the engine counting its changes. */
export const ENGINE_DELAY_SLOTS = 2n

/** Returns the slot in which the engine begins to count a validator, two after its boundary; undefined where none is set. */
export function engineSlotOf({ activationEpoch }: Validator, spec: ChainSpec): bigint | undefined {
  if (activationEpoch === FAR_FUTURE_EPOCH) return undefined
  // The engine's first set is that of the genesis.
  return activationEpoch === 0n ? 1n : activationEpoch * spec.slotsPerEpoch + ENGINE_DELAY_SLOTS
}
