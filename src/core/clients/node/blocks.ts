import { type Decoder, decimal, decimalIndex, hex, list, record, refuse } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { BeaconBlockHeader } from '../../chain/proofs/merkle.ts'
import {
  type BlockHeader,
  type ClaimedHeader,
  decodeBlockHeader,
  decodeSignedHeader,
} from '../engine/blocks.ts'
import { LIST, OPTIONAL, STATE } from '../json-rpc.ts'
import { encodeStateId, type StateId } from './chain.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './node.ts'

const message = record({
  slot: decimal,
  proposer_index: decimal,
  parent_root: hex(32),
  state_root: hex(32),
  body_root: hex(32),
})
const headersEntry = record({ header: record({ message }) })

/** The `root` beside the header is the body's root on this node, so it is not read: recompute it. */
const decodeHeader: Decoder<BeaconBlockHeader> = (value, path) => {
  const { header } = headersEntry(value, path)
  return {
    slot: header.message.slot,
    proposerIndex: header.message.proposer_index,
    parentRoot: header.message.parent_root,
    stateRoot: header.message.state_root,
    bodyRoot: header.message.body_root,
  }
}

const one = record({ data: decodeHeader })
const several = record({ data: list(decodeHeader) })

/**
 * Returns the header of one block (`headers/{id}`); `not-found` when the node does not have it. Its root has to be
 * recomputed. Throws a `ClientError`.
 */
export function getHeader(client: NodeClient, args: { block: StateId }): Promise<BeaconBlockHeader> {
  const path = ['eth', 'v1', 'beacon', 'headers', String(args.block)]
  return client.ask({ path, decode: (value, at) => one(value, at).data })
}

/** Returns the headers of a slot, or of the head (`headers?slot=`). Throws a `ClientError`. */
export function getHeaders(client: NodeClient, args: { slot?: bigint } = {}): Promise<BeaconBlockHeader[]> {
  const query = args.slot === undefined ? [] : ([['slot', String(args.slot)]] as const)
  const path = ['eth', 'v1', 'beacon', 'headers']
  return client.ask({ path, query, decode: (value, at) => several(value, at).data })
}

/** What a node says of the rewards of a block. This node always says 1 everywhere: never shown as an income. */
export type BlockRewards = {
  proposerIndex: number
  total: bigint
  attestations: bigint
  syncAggregate: bigint
  proposerSlashings: bigint
  attesterSlashings: bigint
}

const blockRewardsFields = record({
  data: record({
    proposer_index: decimalIndex,
    total: decimal,
    attestations: decimal,
    sync_aggregate: decimal,
    proposer_slashings: decimal,
    attester_slashings: decimal,
  }),
})

const decodedBlockRewards: Decoder<BlockRewards> = (value, path) => {
  const { data } = blockRewardsFields(value, path)
  return {
    proposerIndex: data.proposer_index,
    total: data.total,
    attestations: data.attestations,
    syncAggregate: data.sync_aggregate,
    proposerSlashings: data.proposer_slashings,
    attesterSlashings: data.attester_slashings,
  }
}

/** Rewards of a block by the words of the standard (`rewards/blocks/{id}`). Throws a `ClientError`. */
export function getBlockRewards(client: NodeClient, args: { block: StateId }): Promise<BlockRewards> {
  const path = ['eth', 'v1', 'beacon', 'rewards', 'blocks', String(args.block)]
  return client.ask({ path, decode: decodedBlockRewards })
}

/** A blob is 131,072 bytes: only its length is kept, for nothing here depends on what it holds. */
export type BlobSidecar = { index: number; blobBytes: number; kzgCommitment: Hex; kzgProof: Hex }

const BLOB_BYTES = 131_072
const HEX = /^0x(?:[0-9a-f]{2})*$/i

const blobBytes: Decoder<number> = (value, path) => {
  const whole = typeof value === 'string' && value.length === 2 + 2 * BLOB_BYTES && HEX.test(value)
  return whole ? BLOB_BYTES : refuse(path, `${BLOB_BYTES} bytes of 0x hexadecimal`, value)
}

const blobSidecarsEntry: Decoder<BlobSidecar> = (value, path) => {
  const read = record({ index: decimalIndex, blob: blobBytes, kzg_commitment: hex(48), kzg_proof: hex(48) })(
    value,
    path,
  )
  return {
    index: read.index,
    blobBytes: read.blob,
    kzgCommitment: read.kzg_commitment,
    kzgProof: read.kzg_proof,
  }
}
const blobSidecarsFields = record({ data: list(blobSidecarsEntry) })

/** Returns the blobs of a block, or those with the given indices (`blob_sidecars/{id}`). Throws a `ClientError`. */
export function getBlobSidecars(
  client: NodeClient,
  args: { block: StateId; indices?: readonly number[] },
): Promise<BlobSidecar[]> {
  const path = ['eth', 'v1', 'beacon', 'blob_sidecars', String(args.block)]
  const query = (args.indices ?? []).map((index) => ['indices', String(index)] as const)
  return client.ask({ path, query, decode: (value, at) => blobSidecarsFields(value, at).data, limits: STATE })
}

/** An engine block: its header, and how large each of its parts is (beacon block and blobs, as base64). */
export type CometBlock = { header: BlockHeader; transactionCharacters: number[] }

const characters: Decoder<number> = (value, path) =>
  typeof value === 'string' ? value.length : refuse(path, 'base64', value)

const cometbftBlockFields = record({
  data: record({ header: decodeBlockHeader, data: record({ txs: list(characters) }) }),
})

/** Returns an engine block through the node API (`/cometbft/v1/block/{height}`). Throws a `ClientError`. */
export function getCometBlock(client: NodeClient, args: { height: bigint }): Promise<CometBlock> {
  const decode: Decoder<CometBlock> = (value, path) => {
    const { data } = cometbftBlockFields(value, path)
    return { header: data.header, transactionCharacters: data.data.txs }
  }
  return client.ask({ path: ['cometbft', 'v1', 'block', String(args.height)], decode, limits: STATE })
}

const reply = record({ data: decodeSignedHeader })

/**
 * Returns the header of an engine block with its commit, through the node API (`/cometbft/v1/signed_header/{height}`).
 * Throws a `ClientError`.
 */
export function getCometSignedHeader(client: NodeClient, args: { height: bigint }): Promise<ClaimedHeader> {
  const path = ['cometbft', 'v1', 'signed_header', String(args.height)]
  return client.ask({ path, decode: (value, at) => reply(value, at).data, limits: LIST })
}

type Checkpoint = { epoch: bigint; root: Hex }
export type FinalityCheckpoints = {
  previousJustified: Checkpoint
  currentJustified: Checkpoint
  finalized: Checkpoint
}

const checkpoint = record({ epoch: decimal, root: hex(32) })
const finalityCheckpointsFields = record({
  data: record({ previous_justified: checkpoint, current_justified: checkpoint, finalized: checkpoint }),
})

const decodedFinalityCheckpoints: Decoder<FinalityCheckpoints> = (value, path) => {
  const { data } = finalityCheckpointsFields(value, path)
  return {
    previousJustified: data.previous_justified,
    currentJustified: data.current_justified,
    finalized: data.finalized,
  }
}

/**
 * The checkpoints of a state (`states/{id}/finality_checkpoints`); undefined when the node does not offer them, as
 * nodes with single-slot finality may not. Throws a `ClientError`.
 */
export function getFinalityCheckpoints(
  client: NodeClient,
  args: { state: StateId },
): Promise<FinalityCheckpoints | undefined> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'finality_checkpoints']
  return ifOffered(client.ask({ path, limits: OPTIONAL, decode: decodedFinalityCheckpoints }))
}

/** Blocks of one validator, of the slots that were looked at. */
type Proposals = {
  /** Whether every slot from the one that was asked for has been looked at: then `first` is the first of all. */
  isWhole: boolean
  first: bigint | undefined
  last: bigint | undefined
}

/** Blocks of one validator that are looked for as the head moves on. */
export type ProposalWatch = {
  /** What is known up to `headSlot`; the header `head` is there already. Throws a `ClientError`. */
  read(headSlot: bigint, head?: Pick<BeaconBlockHeader, 'slot' | 'proposerIndex'>): Promise<Proposals>
}

/** So many slots are made up for at the start and after a silence; older ones are left out. */
const MOST_SLOTS_BACK = 16n

/** Looks at the header of every slot from `from` on for the proposer of registry `index`. */
export function watchProposals(
  node: NodeClient,
  { index, from }: { index: number; from: bigint },
): ProposalWatch {
  let next = from
  let isWhole = true
  let first: bigint | undefined
  let last: bigint | undefined
  return {
    async read(headSlot, head) {
      const oldest = headSlot - MOST_SLOTS_BACK + 1n
      if (next < oldest) {
        // A gap counts only while nothing was found: afterwards the first one is known.
        isWhole = isWhole && first !== undefined
        next = oldest
      }
      for (; next <= headSlot; next += 1n) {
        const { proposerIndex } = head?.slot === next ? head : await getHeader(node, { block: next })
        if (proposerIndex !== BigInt(index)) continue
        first ??= next
        last = next
      }
      return { isWhole, first, last }
    },
  }
}
