import { createHash } from 'node:crypto'
import { bytesToHex, type Hex, hexToBytes } from '../../src/core/base/format/hex.ts'
import { recordedProofs, recordedSlot } from './replay-recording.ts'

export type ProofKind = 'validator_pubkey' | 'validator_credentials' | 'validator_balance'

type Header = { [field: string]: unknown }
type Place = {
  kind: string
  header: Header
  slot: number
  index: number
  reply: { [field: string]: unknown }
}

const places = recordedProofs.flatMap(({ path, reply }): Place[] => {
  const header = reply.beacon_block_header as Header | undefined
  const [, kind, , index] = /\/proof\/(\w+)\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
  if (header === undefined || kind === undefined) return []
  return [{ kind, header, slot: Number(header.slot), index: Number(index ?? -1), reply }]
})

/** The slots of which proofs were recorded: every eighteenth. */
export const PROVEN_SLOTS: ReadonlySet<number> = new Set(places.map(({ slot }) => slot))

/** The header of such a slot, with the names of the proof endpoints. */
export function recordedHeader(slot: number): Header | undefined {
  return places.find((place) => place.slot === slot)?.header
}

/**
 * The reply of a proof endpoint for a validator, from what was recorded of the same slot and of nothing else. The
 * recording has the key or the credentials of each validator, never both: the two are neighbours in the tree, so
 * each is the first hash of the other's proof and all further hashes are the same. A balance leaf has four.
 * undefined when the slot's proofs were not recorded or the index is not in its registry.
 */
export function recordedProof(kind: ProofKind, slot: number, index: number): object | undefined {
  return kind === 'validator_balance' ? balanceProof(slot, index) : fieldProof(kind, slot, index)
}

function fieldProof(kind: ProofKind, slot: number, index: number): object | undefined {
  const asked = find(kind, slot, (at) => at === index)
  if (asked !== undefined) return asked.reply
  const other = kind === 'validator_pubkey' ? 'validator_credentials' : 'validator_pubkey'
  const place = find(other, slot, (at) => at === index)
  if (place === undefined) return undefined
  const { beacon_block_header, beacon_block_root } = place.reply
  const head = { beacon_block_header, beacon_block_root }
  if (kind === 'validator_credentials') {
    const [credentials, ...rest] = place.reply.validator_pubkey_proof as Hex[]
    const proof = [keyRoot(pubkeyOf(slot, index)), ...rest]
    return { ...head, validator_withdrawal_credentials: credentials, withdrawal_credentials_proof: proof }
  }
  const [, ...rest] = place.reply.withdrawal_credentials_proof as Hex[]
  const proof = [place.reply.validator_withdrawal_credentials as Hex, ...rest]
  return { ...head, validator_pubkey: pubkeyOf(slot, index), validator_pubkey_proof: proof }
}

function balanceProof(slot: number, index: number): object | undefined {
  const validator = recordedSlot(slot).validators[index]
  const place = find('validator_balance', slot, (at) => Math.floor(at / 4) === Math.floor(index / 4))
  if (validator === undefined || place === undefined) return undefined
  return { ...place.reply, validator_balance: `0x${BigInt(validator.balance).toString(16)}` }
}

function find(kind: string, slot: number, fits: (index: number) => boolean): Place | undefined {
  return places.find((place) => place.kind === kind && place.slot === slot && fits(place.index))
}

function pubkeyOf(slot: number, index: number): Hex {
  const row = recordedSlot(slot).validators[index]
  if (row === undefined) throw new RangeError(`no validator ${index} in slot ${slot}`)
  return row.validator.pubkey
}

/** Root of 48 bytes: two chunks, the second one padded. */
function keyRoot(pubkey: Hex): Hex {
  const chunks = Buffer.concat([hexToBytes(pubkey), Buffer.alloc(16)])
  return bytesToHex(createHash('sha256').update(chunks).digest())
}
