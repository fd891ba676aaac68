import type { EngineUpdate } from '../../core/consensus/block.ts'
import type { Hex } from '../../core/format/hex.ts'
import { engineKey } from './engine-key.ts'

/** A member of the engine's validator set; its power is its effective balance in gwei. */
export type EngineMember = { pubkey: Hex; address: string; powerGwei: bigint }

/** The engine's set over time: each entry holds from its height until the next one. Never empty. */
export type EngineSets = readonly { fromHeight: bigint; members: readonly EngineMember[] }[]

/** A set that changes at an epoch turn is in force two blocks later (ran). */
const DELAY_BLOCKS = 2n

/** The sets of a chain that starts with these validators. */
export function genesisEngineSets(validators: readonly EngineUpdate[]): EngineSets {
  return [{ fromHeight: 1n, members: sorted(validators.map(toMember)) }]
}

/** The sets after the updates of an epoch turn in the block at `height`. */
export function updateEngineSets(
  sets: EngineSets,
  height: bigint,
  updates: readonly EngineUpdate[],
): EngineSets {
  const last = sets.at(-1)
  if (updates.length === 0 || last === undefined) return sets
  const changed = new Map(updates.map((update) => [update.pubkey, update]))
  const kept = last.members.filter((member) => !changed.has(member.pubkey))
  const added = updates.filter((update) => update.powerGwei > 0n).map(toMember)
  return [...sets, { fromHeight: height + DELAY_BLOCKS, members: sorted([...kept, ...added]) }]
}

/** The set in force at a height, in the engine's order: power descending, then address ascending. */
export function engineSetAt(sets: EngineSets, height: bigint): readonly EngineMember[] {
  return sets.findLast((set) => set.fromHeight <= height)?.members ?? []
}

function toMember(update: EngineUpdate): EngineMember {
  return { pubkey: update.pubkey, address: engineKey(update.pubkey).address, powerGwei: update.powerGwei }
}

function sorted(members: readonly EngineMember[]): EngineMember[] {
  return members.toSorted((a, b) => {
    if (a.powerGwei !== b.powerGwei) return a.powerGwei > b.powerGwei ? -1 : 1
    return a.address < b.address ? -1 : 1
  })
}
