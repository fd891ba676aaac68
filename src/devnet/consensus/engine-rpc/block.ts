import type { Hex } from '../../../core/base/format/hex.ts'
import { encodeVote } from '../../../core/chain/light/encode.ts'
import { VOTE_FLAGS } from '../../../core/chain/light/light-client.ts'
import type { Chain } from '../chain.ts'
import { type MadeBlock, NO_BLOCK_ID } from '../engine-block.ts'
import { engineSetAt, engineSignerOf } from '../engine-set.ts'

/** How a height is written: as text by the engine, as a number by the node API. */
export type HeightForm = (height: bigint) => string | number

export const AS_TEXT: HeightForm = (height) => String(height)
export const AS_NUMBER: HeightForm = (height) => Number(height)

const ABSENT = 1
/** Holds the signature of all who voted for no block: here of one. */
const HOLDS_NIL = 6
const ZERO_TIME = '0001-01-01T00:00:00Z'

/** Returns the height of the engine's newest block. */
export function newestHeight({ history, input }: Chain): bigint {
  const { slot } = history.head.header
  const stopsAt = input.forgery?.stopsAt ?? slot
  return stopsAt < slot ? stopsAt : slot
}

/** Returns the engine's block at a height; undefined where there is none yet or none any more. */
export function engineBlockAt(chain: Chain, height: bigint): MadeBlock | undefined {
  return height > newestHeight(chain) ? undefined : chain.history.at(height)?.engine
}

/** Returns the time of a block as the engine writes it. */
export function engineTime({ header }: MadeBlock): string {
  return new Date(Number(header.time.seconds) * 1000).toISOString().replace('.000Z', '.000000000Z')
}

/** Returns the header of a block as JSON. */
export function engineHeader(block: MadeBlock, form: HeightForm) {
  const { header } = block
  return {
    version: { block: form(header.version.block) },
    chain_id: header.chainId,
    height: form(header.height),
    time: engineTime(block),
    last_block_id: header.lastBlockId,
    last_commit_hash: header.lastCommitHash,
    data_hash: header.dataHash,
    validators_hash: header.validatorsHash,
    next_validators_hash: header.nextValidatorsHash,
    consensus_hash: header.consensusHash,
    app_hash: header.appHash,
    last_results_hash: header.lastResultsHash,
    evidence_hash: header.evidenceHash,
    proposer_address: header.proposerAddress,
  }
}

/** Returns a whole block as JSON, with the commit of the block before it. */
export function engineBlock(chain: Chain, block: MadeBlock, form: HeightForm) {
  const parent = chain.history.at(block.header.height - 1n)?.engine
  return {
    header: engineHeader(block, form),
    data: { txs: block.transactions.map((bytes) => Buffer.from(bytes).toString('base64')) },
    evidence: { evidence: [] },
    last_commit: parent === undefined ? emptyCommit(form) : commit(chain, parent, form),
  }
}

function emptyCommit(form: HeightForm) {
  return { height: form(0n), round: 0, block_id: NO_BLOCK_ID, signatures: [] }
}

/** Returns the commit of a block as JSON. Its set signs when it is first asked for. */
export function commit(chain: Chain, block: MadeBlock, form: HeightForm) {
  const { height } = block.header
  const from = chain.input.forgery?.commitOf?.(height) ?? height
  const signed = chain.history.at(from)?.engine ?? block
  const signatures = commits.get(signed) ?? signBlock(chain, signed)
  commits.set(signed, signatures)
  return { height: form(height), round: 0, block_id: signed.id, signatures }
}

type CommitSignature = {
  block_id_flag: number
  validator_address: string
  timestamp: string
  signature: string | null
}

/** Signatures of blocks, each made once. */
const commits = new WeakMap<MadeBlock, readonly CommitSignature[]>()

function signBlock({ input, ...chain }: Chain, { header, id: blockId }: MadeBlock): CommitSignature[] {
  const { height, chainId } = header
  const absent = chain.absentAt(height)
  const nil = input.votesNil?.(height)
  const vote = { chainId, height, round: 0, blockId }
  const members = engineSetAt(chain.engineSets(), height).map((member) => ({ ...member, key: keyOf(member) }))
  const present = members.filter(({ pubkey, key }) => !absent.has(pubkey) && input.holdsKey(key))
  const voters = present.filter(({ pubkey }) => pubkey !== nil)
  return members.map((member) => {
    const entry = { timestamp: ZERO_TIME, validator_address: member.address, signature: null }
    if (!present.includes(member)) return { ...entry, block_id_flag: ABSENT, validator_address: '' }
    if (!voters.includes(member)) {
      const signature = input.signVotes({ keys: [member.key], message: encodeNilVote(vote) })
      return { ...entry, block_id_flag: HOLDS_NIL, signature }
    }
    if (member !== voters[0]) return { ...entry, block_id_flag: VOTE_FLAGS.inAggregate }
    const signature = input.signVotes({ keys: voters.map(({ key }) => key), message: encodeVote(vote) })
    return { ...entry, block_id_flag: VOTE_FLAGS.holdsAggregate, signature }
  })
}

const keyOf = ({ pubkey }: { pubkey: Hex }): string => engineSignerOf(pubkey).uncompressedBase64

/** Where the block id begins in a vote of round 0: after its length, its type and its height. */
const BLOCK_ID_AT = 12
/** What an empty block id takes in a vote. */
const EMPTY_BLOCK_ID = 4

/** Returns what a vote for no block signs: the same without a block id (CometBFT `CanonicalizeBlockID`). */
function encodeNilVote(vote: Parameters<typeof encodeVote>[0]): Uint8Array {
  const [length = 0, ...body] = encodeVote({ ...vote, blockId: NO_BLOCK_ID })
  body.splice(BLOCK_ID_AT - 1, EMPTY_BLOCK_ID)
  return Uint8Array.of(length - EMPTY_BLOCK_ID, ...body)
}
