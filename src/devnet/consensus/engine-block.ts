import { hash } from 'node:crypto'
import { type Hex, hexToBytes } from '../../core/base/format/hex.ts'
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
import { type EngineMember, type EngineSets, engineSetAt, engineSignerOf, proposerAt } from './engine-set.ts'
import type { WithdrawalEntry } from './state-tree.ts'

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
