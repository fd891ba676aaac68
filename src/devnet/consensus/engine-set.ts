import { createHash } from 'node:crypto'
import { PublicKey } from '@chainsafe/blst'
import { type Hex, hexToBytes } from '../../core/base/format/hex.ts'
import { type ForkName, type ForkTimes, forkName } from '../../core/chain/consensus/fork-outlook.ts'
import { activeSet, type ConsensusState, type EngineUpdate } from '../../core/chain/consensus/state.ts'

/** A validator's key as the engine shows it. */
export type EngineSigner = {
  /** First 20 bytes of SHA-256 of the uncompressed key, upper-case hex without 0x. */
  address: string
  /** Base64 of the 96-byte uncompressed point. */
  uncompressedBase64: string
}

const known = new Map<Hex, EngineSigner>()

/** Returns the engine's form of a compressed public key. Throws when the 48 bytes are no public key. */
export function engineSignerOf(pubkey: Hex): EngineSigner {
  const found = known.get(pubkey)
  if (found !== undefined) return found
  const uncompressed = PublicKey.fromBytes(hexToBytes(pubkey)).toBytes(false)
  const made = engineKeyOfUncompressed(uncompressed)
  known.set(pubkey, made)
  return made
}

/** Returns the engine's form of an uncompressed public key of 96 bytes. */
export function engineKeyOfUncompressed(uncompressed: Uint8Array): EngineSigner {
  const digest = createHash('sha256').update(uncompressed).digest('hex')
  return {
    address: digest.slice(0, 40).toUpperCase(),
    uncompressedBase64: Buffer.from(uncompressed).toString('base64'),
  }
}

/** A member of the engine's validator set; its power is its effective balance in gwei. */
export type EngineMember = { pubkey: Hex; address: string; powerGwei: bigint }

/** The engine's set over time: each entry holds from its height until the next one. Never empty. */
export type EngineSets = readonly { fromHeight: bigint; members: readonly EngineMember[] }[]

/** A set that changes at an epoch turn is in force two blocks later (ran). */
const DELAY_BLOCKS = 2n

/** Returns the sets of a chain that starts with these validators. */
export function genesisEngineSets(validators: readonly EngineUpdate[]): EngineSets {
  return [{ fromHeight: 1n, members: sorted(validators.map(toMember)) }]
}

/** Returns the sets after the updates of an epoch turn in the block at `height`. */
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

/** Returns the set in force at a height, in the engine's order: power descending, then address ascending. */
export function engineSetAt(sets: EngineSets, height: bigint): readonly EngineMember[] {
  return sets.findLast((set) => set.fromHeight <= height)?.members ?? []
}

/** The validators that a state has active in its first epoch, with their powers. */
export function activePowers(state: ConsensusState): EngineUpdate[] {
  return activeSet(state, 0n).map(({ pubkey, effectiveBalanceGwei }) => ({
    pubkey,
    powerGwei: effectiveBalanceGwei,
  }))
}

/** Returns who proposes a slot: every member that is not absent in turn. */
export function proposerAt(
  sets: EngineSets,
  { slot, absent }: { slot: bigint; absent: ReadonlySet<Hex> },
): Hex | undefined {
  const members = engineSetAt(sets, slot).filter(({ pubkey }) => !absent.has(pubkey))
  return members[Number(slot % BigInt(Math.max(1, members.length)))]?.pubkey
}

const NOBODY: ReadonlySet<Hex> = new Set()

/** Returns who signs nothing now, and who signed nothing at which height. */
export function createAttendance() {
  const before = new Map<bigint, ReadonlySet<Hex>>()
  let absent = NOBODY
  return {
    withhold(pubkeys: readonly Hex[]): void {
      absent = new Set(pubkeys)
    },
    absent: () => absent,
    note(block: { slot: bigint; absent: ReadonlySet<Hex> }): void {
      if (block.absent.size > 0) before.set(block.slot, block.absent)
    },
    absentAt: (height: bigint) => before.get(height) ?? NOBODY,
  }
}

function toMember(update: EngineUpdate): EngineMember {
  return {
    pubkey: update.pubkey,
    address: engineSignerOf(update.pubkey).address,
    powerGwei: update.powerGwei,
  }
}

function sorted(members: readonly EngineMember[]): EngineMember[] {
  return members.toSorted((a, b) => {
    if (a.powerGwei !== b.powerGwei) return a.powerGwei > b.powerGwei ? -1 : 1
    return a.address < b.address ? -1 : 1
  })
}

const VERSIONS: Readonly<Record<ForkName, Hex>> = {
  deneb: '0x04000000',
  electra: '0x05000000',
  electra1: '0x05010000',
  fulu: '0x06000000',
}

/** The fork of a state as its `fork` field says it. */
export type StateFork = { previousVersion: Hex; currentVersion: Hex; epoch: bigint }

/** Returns the fork field of the state of slot 0: both versions are the genesis version. */
export function genesisFork(genesisForkVersion: Hex): StateFork {
  return { previousVersion: genesisForkVersion, currentVersion: genesisForkVersion, epoch: 0n }
}

/** Returns the fork field one slot later; it changes when the new block's timestamp is the first of another fork. */
export function nextFork(
  fork: StateFork,
  spec: ForkTimes,
  block: { parentTimestampSeconds: bigint; timestampSeconds: bigint; epoch: bigint },
): StateFork {
  const before = forkName(spec, block.parentTimestampSeconds)
  const now = forkName(spec, block.timestampSeconds)
  if (before === now) return fork
  return { previousVersion: fork.currentVersion, currentVersion: VERSIONS[now], epoch: block.epoch }
}

/** Returns the name that the node API puts beside a state: that of the fork the network started with (ran). */
export function genesisForkName(genesisForkVersion: Hex): string {
  const known = Object.entries(VERSIONS).find(([, version]) => version === genesisForkVersion.toLowerCase())
  return known?.[0] ?? 'unknown'
}
