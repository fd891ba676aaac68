import { hash } from 'node:crypto'
import { type Hex, hexToBytes } from '../../../core/base/format/hex.ts'
import { BeaconBlockHeaderType } from '../../../core/chain/proofs/beacon-state.ts'
import type { Chain } from '../chain.ts'
import type { SlotRecord } from '../deposit-queue.ts'
import { type EngineMember, engineSetAt } from '../engine-set.ts'
import { unsignedFiller } from '../node-api/proofs.ts'

/** How a height is written: as text by the engine, as a number by the node API. */
export type HeightForm = (height: bigint) => string | number

export const AS_TEXT: HeightForm = (height) => String(height)
export const AS_NUMBER: HeightForm = (height) => Number(height)

const EMPTY_HASH = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'
/** The first who signed carries the signature of all, the others are part of it. */
const CARRIES_ALL = 4
const PART_OF_ALL = 5
const ABSENT = 1
const ZERO_TIME = '0001-01-01T00:00:00Z'

/** Returns a hash of the engine: upper-case hex without 0x, derived from the slot and from what it is the hash of. */
export function engineHash(record: SlotRecord, what: string): string {
  return hash('sha256', `${what} ${record.root}`, 'hex').toUpperCase()
}

/** Returns a chain timestamp as the engine writes it. */
export function engineTime(record: SlotRecord): string {
  return new Date(record.timestampSeconds * 1000).toISOString().replace('.000Z', '.000000000Z')
}

/** Returns the state root as the engine's app hash. */
export function appHash(record: SlotRecord): string {
  return record.header.stateRoot.slice(2).toUpperCase()
}

/** Returns the id of a block. */
export function blockId(record: SlotRecord) {
  return { hash: engineHash(record, 'block'), parts: { total: 1, hash: engineHash(record, 'parts') } }
}

const NO_BLOCK_ID = { hash: '', parts: { total: 0, hash: '' } }

/** Header of the block at the record's height. */
export function engineHeader(chain: Chain, record: SlotRecord, form: HeightForm) {
  const height = record.header.slot
  const parent = parentOf(chain, record)
  return {
    version: { block: form(11n) },
    chain_id: chain.input.engineChainId,
    height: form(height),
    time: engineTime(record),
    last_block_id: parent === undefined ? NO_BLOCK_ID : blockId(parent),
    last_commit_hash: parent === undefined ? EMPTY_HASH : engineHash(parent, 'commit'),
    data_hash: engineHash(record, 'data'),
    validators_hash: setHash(chain, height),
    next_validators_hash: setHash(chain, height + 1n),
    consensus_hash: EMPTY_HASH,
    app_hash: parent === undefined ? EMPTY_HASH : appHash(parent),
    last_results_hash: EMPTY_HASH,
    evidence_hash: EMPTY_HASH,
    proposer_address: proposerAddress(chain, record),
  }
}

/** Returns the whole block at the record's height. Its first transaction is the beacon block's header. */
export function engineBlock(chain: Chain, record: SlotRecord, form: HeightForm) {
  const parent = parentOf(chain, record)
  return {
    header: engineHeader(chain, record, form),
    data: { txs: [beaconHeaderBase64(record), 'BAAAAA=='] },
    evidence: { evidence: [] },
    last_commit: parent === undefined ? emptyCommit(form) : commit(chain, parent, form),
  }
}

/** The commit of the block at the record's height: everybody signed who is not absent. The signature is none. */
export function commit(chain: Chain, record: SlotRecord, form: HeightForm) {
  const absent = chain.absentAt(record.header.slot)
  const members = engineSetAt(chain.engineSets(), record.header.slot)
  const entries = absent.size === 0 ? allSigned(members) : signaturesOf(members, absent)
  const carrier = entries.find(({ block_id_flag: flag }) => flag === CARRIES_ALL)
  const signature = Buffer.from(hexToBytes(unsignedFiller(record))).toString('base64')
  return {
    height: form(record.header.slot),
    round: 0,
    block_id: blockId(record),
    signatures: entries.map((entry) => (entry === carrier ? { ...entry, signature } : entry)),
  }
}

type CommitSignature = {
  block_id_flag: number
  validator_address: string
  timestamp: string
  signature: string | null
}

/** Everything about who signed but the signature itself. */
function signaturesOf(members: readonly EngineMember[], absent: ReadonlySet<Hex>): CommitSignature[] {
  const carrier = members.find(({ pubkey }) => !absent.has(pubkey))
  const flagOf = (member: EngineMember) => {
    if (absent.has(member.pubkey)) return ABSENT
    return member === carrier ? CARRIES_ALL : PART_OF_ALL
  }
  return members.map((member) => ({
    block_id_flag: flagOf(member),
    validator_address: absent.has(member.pubkey) ? '' : member.address,
    timestamp: ZERO_TIME,
    signature: null,
  }))
}

/** The same in every block of a set while nobody is absent. */
const allSigned = rememberedOf((members) => signaturesOf(members, new Set()))

/** What follows from a set alone, worked out once for each. */
function rememberedOf<T>(work: (members: readonly EngineMember[]) => T) {
  const known = new WeakMap<readonly EngineMember[], { made: T }>()
  return (members: readonly EngineMember[]): T => {
    const found = known.get(members) ?? { made: work(members) }
    known.set(members, found)
    return found.made
  }
}

function beaconHeaderBase64({ header }: SlotRecord): string {
  const bytes = BeaconBlockHeaderType.serialize({
    slot: header.slot,
    proposerIndex: header.proposerIndex,
    parentRoot: hexToBytes(header.parentRoot),
    stateRoot: hexToBytes(header.stateRoot),
    bodyRoot: hexToBytes(header.bodyRoot),
  })
  return Buffer.from(bytes).toString('base64')
}

function emptyCommit(form: HeightForm) {
  return { height: form(0n), round: 0, block_id: NO_BLOCK_ID, signatures: [] }
}

function parentOf(chain: Chain, record: SlotRecord): SlotRecord | undefined {
  return record.header.slot <= 1n ? undefined : chain.history.at(record.header.slot - 1n)
}

function proposerAddress(chain: Chain, record: SlotRecord): string {
  const { pubkey } = chain.state().validators[Number(record.header.proposerIndex)] ?? {}
  const members = engineSetAt(chain.engineSets(), record.header.slot)
  return members.find((member) => member.pubkey === pubkey)?.address ?? ''
}

function setHash(chain: Chain, height: bigint): string {
  return hashOfSet(engineSetAt(chain.engineSets(), height))
}

const hashOfSet = rememberedOf((members) => {
  const text = members.map(({ address, powerGwei }) => `${address}${powerGwei};`).join('')
  return hash('sha256', text, 'hex').toUpperCase()
})
