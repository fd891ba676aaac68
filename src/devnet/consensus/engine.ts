import { createHash, hash } from 'node:crypto'
import { PublicKey } from '@chainsafe/blst'
import { type Hex, hexToBytes } from '../../core/base/format/hex.ts'
import { activeSet, type ConsensusState, type EngineUpdate } from '../../core/chain/consensus/state.ts'
import { SignedBeaconBlockType } from '../../core/chain/light/beacon-block.ts'
import {
  type BlockId,
  type EngineHeader,
  hashHeader,
  hashSet,
  hashTransactions,
} from '../../core/chain/light/encode.ts'
import type { ExecutionPayloadHeader } from '../../core/chain/proofs/beacon-state.ts'
import type { BeaconBlockHeader } from '../../core/chain/proofs/merkle.ts'
import type { WithdrawalEntry } from './state-tree.ts'

/** Prefix of the key types, as in the real node's files. */
export const KEY_TYPE_PREFIX = 'cometbft'

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

/** A block of the engine: what its set votes on. */
export type MadeBlock = {
  header: EngineHeader
  id: BlockId
  /** The signed beacon block in SSZ, and an empty list of blobs. */
  transactions: readonly Uint8Array[]
  /** Root of the state after this block, as the next header names it. */
  appHash: string
}

/** Id of the block before the first one. */
export const NO_BLOCK_ID: BlockId = { hash: '', parts: { total: 0, hash: '' } }

const EMPTY_HASH = hash('sha256', '', 'hex').toUpperCase()
const NO_BLOBS = Buffer.from('BAAAAA==', 'base64')
const EMPTY_BLOCK = SignedBeaconBlockType.defaultValue()

type SealInput = {
  chainId: string
  record: { header: BeaconBlockHeader; root: Hex; timestampSeconds: number }
  parent: { root: Hex; engine?: MadeBlock }
  sets: EngineSets
  absent: ReadonlySet<Hex>
  payload: ExecutionPayloadHeader
  rawTransactions: readonly Hex[]
  withdrawals: WithdrawalEntry[]
}

/**
 * Returns the engine's block of a slot with its true hashes. The hashes of the commit before it and of its parts are
 * made up: the true ones would need the signatures of every block.
 */
export function sealEngineBlock(input: SealInput): MadeBlock {
  const { record, parent, sets } = input
  const { slot: height, stateRoot } = record.header
  const members = engineSetAt(sets, height)
  const proposing = proposerAt(sets, { slot: height, absent: input.absent })
  const transactions = [encodeBeaconBlock(input), NO_BLOBS]
  const header: EngineHeader = {
    version: { block: 11n, app: 0n },
    chainId: input.chainId,
    height,
    time: { seconds: BigInt(record.timestampSeconds), nanos: 0 },
    lastBlockId: parent.engine?.id ?? NO_BLOCK_ID,
    lastCommitHash: parent.engine === undefined ? EMPTY_HASH : makeUpHash(parent.root, 'commit'),
    dataHash: hashTransactions(transactions),
    validatorsHash: hashMembers(members),
    nextValidatorsHash: hashMembers(engineSetAt(sets, height + 1n)),
    consensusHash: EMPTY_HASH,
    appHash: parent.engine?.appHash ?? EMPTY_HASH,
    lastResultsHash: EMPTY_HASH,
    evidenceHash: EMPTY_HASH,
    proposerAddress: members.find(({ pubkey }) => pubkey === proposing)?.address ?? '',
  }
  const id = { hash: hashHeader(header), parts: { total: 1, hash: makeUpHash(record.root, 'parts') } }
  return { header, id, transactions, appHash: stateRoot.slice(2).toUpperCase() }
}

function encodeBeaconBlock({ record, payload, rawTransactions, withdrawals }: SealInput): Uint8Array {
  const { header, root } = record
  const executionPayload = { ...payload, transactions: rawTransactions.map(hexToBytes), withdrawals }
  return SignedBeaconBlockType.serialize({
    message: {
      slot: header.slot,
      proposerIndex: header.proposerIndex,
      parentRoot: hexToBytes(header.parentRoot),
      stateRoot: hexToBytes(header.stateRoot),
      body: { ...EMPTY_BLOCK.message.body, executionPayload },
    },
    signature: hexToBytes(fillSignature(root)),
  })
}

/** Returns 96 bytes for the place of a proposer's signature, which no rehearsal block has; derived from its root. */
export function fillSignature(root: Hex): Hex {
  const digest = (part: number) => hash('sha256', `signature ${part} ${root}`, 'hex')
  return `0x${digest(0)}${digest(1)}${digest(2)}`
}

const makeUpHash = (root: Hex, what: string): string => hash('sha256', `${what} ${root}`, 'hex').toUpperCase()

/** Hashes of sets, each worked out once. */
const setHashes = new WeakMap<readonly EngineMember[], string>()

function hashMembers(members: readonly EngineMember[]): string {
  const known = setHashes.get(members)
  if (known !== undefined) return known
  const made = hashSet(
    members.map(({ pubkey, powerGwei: power }) => ({
      key: engineSignerOf(pubkey).uncompressedBase64,
      power,
    })),
  )
  setHashes.set(members, made)
  return made
}
