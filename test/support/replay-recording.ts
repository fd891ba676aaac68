import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ValidatorRow } from '../../scripts/vectors/slots.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'

type RecordedMember = { address: string; pub_key: string; voting_power: string }

/** One slot of the recorded network. `timestamp` is of its execution block. */
export type RecordedSlot = {
  slot: number
  timestamp: number
  /** Root of the beacon block before it, as the execution block carries it. */
  parentBeaconBlockRoot: Hex
  validators: ValidatorRow[]
  engineSet: RecordedMember[]
}

type RecordedLog = { address: Hex; topics: Hex[]; data: Hex }

/** A deposit that was sent on the recorded network. */
export type RecordedDeposit = {
  note: string
  from: Hex
  pubkey: Hex
  credentials: Hex
  signature: Hex
  operator: Hex
  amountGwei: string
  block: number
  gasUsed: string
  logs: RecordedLog[]
  input: Hex
}

export type RecordedProof = { path: string; reply: { [field: string]: unknown } }
type RecordedReply = { api: string; situation: string; path: string; status?: number; body?: string }
export type RecordedTool = { args: string[]; exit: number; stdout: string; stderr: string }

/** The last slot of the recording; the first one is 1. */
export const LAST_SLOT = 440

const slots = new Map(jsonLines<RecordedSlot>('consensus/slots.jsonl.gz').map((row) => [row.slot, row]))
const replies = jsonLines<RecordedReply>('recorded/http.jsonl')

/** All deposits that were sent, in order. */
export const recordedDeposits = jsonLines<RecordedDeposit & { kind: string }>(
  'recorded/contract.jsonl',
).filter((row) => row.kind === 'deposit')

/** All proof replies, and headers of a few slots. Those of slot 187 were asked for as the head's. */
export const recordedProofs: readonly RecordedProof[] = [
  ...jsonLines<RecordedProof>('replay/recorded/proofs.jsonl.gz'),
  ...replies
    .filter(({ path, body = '' }) => /^\/bkit\/v1\/proof\/\w+\/head/.test(path) && body.includes('"0xbb"'))
    .map(({ path, body = '' }) => ({ path, reply: JSON.parse(body) as RecordedProof['reply'] })),
]

/** The one slot of which the whole state was recorded. */
export const STATE_SLOT = 187

/** Runs of the node tool. */
export const recordedTool = jsonLines<RecordedTool>('recorded/tool.jsonl')

/** Text of the recorded network's own files. */
export const recordedFile = (name: 'genesis.json' | 'spec.toml'): string => text(`recorded/${name}`)

/** A validator as the genesis file names it; the amount as hex. */
export type GenesisValidator = { pubkey: Hex; credentials: Hex; amount: Hex; signature: Hex }

/** The genesis file's entry of a key. */
export function genesisValidator(pubkey: Hex): GenesisValidator {
  const file = JSON.parse(recordedFile('genesis.json')) as {
    app_state: { beacon: { deposits: GenesisValidator[] } }
  }
  const entry = file.app_state.beacon.deposits.find((deposit) => deposit.pubkey === pubkey)
  if (entry === undefined) throw new RangeError('the genesis file does not name this key')
  return entry
}

/** A slot of the recording; throws outside of it. */
export function recordedSlot(slot: number): RecordedSlot {
  const row = slots.get(slot)
  if (row === undefined) throw new RangeError(`slot ${slot} was not recorded`)
  return row
}

/** The slot whose execution block has this time. */
export function slotAtTime(timestamp: number): RecordedSlot | undefined {
  return [...slots.values()].find((row) => row.timestamp === timestamp)
}

/** The recorded body of a path, the first one of a situation that begins with the given words. */
export function recordedBody(path: string, situation = 'running network'): string {
  const row = replies.find((reply) => reply.path === path && reply.situation.startsWith(situation))
  if (row?.body === undefined) throw new RangeError(`no reply of ${path} was recorded`)
  return row.body
}

function jsonLines<T>(path: string): T[] {
  return text(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

function text(path: string): string {
  const bytes = readFileSync(join(import.meta.dirname, '../vectors', path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
