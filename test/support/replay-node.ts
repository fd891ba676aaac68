import type { ValidatorRow } from '../../scripts/vectors/slots.ts'
import type { LoopbackReply, LoopbackRequest } from '../../src/devnet/loopback-server.ts'
import { madeUp } from './replay-made-up.ts'
import { PROVEN_SLOTS, type ProofKind, recordedHeader, recordedProof } from './replay-proofs.ts'
import { type RecordedSlot, recordedBody, STATE_SLOT, slotAtTime } from './replay-recording.ts'

/** The recorded network as one node sees it. */
export type NodeSight = {
  /** Its head. */
  head(): RecordedSlot
  /** The state of a slot, which a situation may have changed. */
  state(slot: number): RecordedSlot
}

const ID = '[^/]+'
const PROOF_KINDS: readonly ProofKind[] = ['validator_pubkey', 'validator_credentials', 'validator_balance']

/** Answers of the recorded network's node API when its head is at the sight's slot. */
export function replayNode(request: LoopbackRequest, sight: NodeSight): LoopbackReply {
  const { path } = request
  if (path === '/eth/v1/beacon/genesis') return ok(recordedBody(path))
  if (path === '/eth/v1/node/syncing') return ok(syncing(sight.head().slot))
  if (path === '/eth/v1/config/spec') return ok(recordedBody(path))
  if (match(path, `/eth/v1/beacon/states/(${ID})/fork`) !== undefined)
    return ok(recordedBody('/eth/v1/beacon/states/head/fork'))
  const state = match(path, `/eth/v1/beacon/states/(${ID})/(validators|pending_partial_withdrawals)`)
  if (state !== undefined) return stateReply(state, request, sight)
  const header = match(path, `/eth/v1/beacon/headers/(${ID})`)
  if (header !== undefined) return headerReply(header[0] ?? '', sight)
  const whole = match(path, `/eth/v2/debug/beacon/states/(${ID})`)
  if (whole !== undefined) return wholeState(whole[0] ?? '', sight)
  const proof = match(path, `/bkit/v1/proof/(\\w+)/(${ID})/(\\d+)`)
  if (proof !== undefined) return proofReply(proof, sight)
  return { status: 404, contentType: 'application/json', body: '{"message":"Not Found"}\n' }
}

function stateReply([id = '', what]: string[], request: LoopbackRequest, sight: NodeSight): LoopbackReply {
  const slot = slotOf(id, sight)
  if (slot === undefined) return failed(404, 'failed to filter validators: not found')
  if (what === 'pending_partial_withdrawals')
    return ok(recordedBody('/eth/v1/beacon/states/head/pending_partial_withdrawals'))
  const ids = request.query.getAll('id')
  const wanted = ({ index, validator }: ValidatorRow) =>
    ids.length === 0 || ids.includes(index) || ids.includes(validator.pubkey)
  const data = sight.state(slot).validators.filter(wanted)
  return json({ execution_optimistic: false, finalized: true, data })
}

/** A state that was not recorded is one that the node does not find. */
function wholeState(id: string, sight: NodeSight): LoopbackReply {
  if (slotOf(id, sight) !== STATE_SLOT) return failed(404, 'not found: failed to get state from height')
  return ok(recordedBody('/eth/v2/debug/beacon/states/head'))
}

function headerReply(id: string, sight: NodeSight): LoopbackReply {
  const slot = slotOf(id, sight)
  if (slot === undefined) return failed(404, 'not found: failed to get state from height')
  const message = headerMessage(slot)
  const data = {
    root: message.body_root,
    canonical: true,
    header: { message, signature: `0x${'00'.repeat(96)}` },
  }
  return json({ execution_optimistic: false, finalized: true, data })
}

function headerMessage(slot: number) {
  const read = recordedHeader(slot)
  if (read === undefined) return madeUp.header(slot)
  const { proposer_index, parent_block_root, state_root, body_root } = read
  return {
    slot: String(slot),
    proposer_index: String(Number(proposer_index)),
    parent_root: parent_block_root,
    state_root,
    body_root,
  }
}

/** A slot of which no proof was recorded is one that the node does not find. */
function proofReply([kind = '', id = '', index = '']: string[], sight: NodeSight): LoopbackReply {
  const known = PROOF_KINDS.find((name) => name === kind)
  if (known === undefined) return failed(404, 'no such proof')
  const slot = id.startsWith('t') ? slotBefore(Number(id.slice(1))) : slotOf(id, sight)
  if (slot === undefined || slot > sight.head().slot || !PROVEN_SLOTS.has(slot))
    return failed(500, `slot not found at timestamp: ${id.slice(1)}`)
  const reply = recordedProof(known, slot, Number(index))
  return reply === undefined ? 'close' : json(reply)
}

function slotBefore(timestamp: number): number | undefined {
  const next = slotAtTime(timestamp)
  return next === undefined ? undefined : next.slot - 1
}

function slotOf(id: string, sight: NodeSight): number | undefined {
  const head = sight.head().slot
  if (id === 'head') return head
  return /^\d+$/.test(id) && Number(id) <= head ? Number(id) : undefined
}

function syncing(slot: number): string {
  return recordedBody('/eth/v1/node/syncing').replace(/"head_slot":"\d+"/, `"head_slot":"${slot}"`)
}

function match(path: string, pattern: string): string[] | undefined {
  return new RegExp(`^${pattern}$`).exec(path)?.slice(1)
}

function json(value: unknown): LoopbackReply {
  return ok(`${JSON.stringify(value)}\n`)
}

export function failed(status: number, message: string): LoopbackReply {
  const body = `${JSON.stringify({ code: status, message })}\n`
  return { status, contentType: 'application/json', body }
}

function ok(body: string): LoopbackReply {
  return { status: 200, contentType: 'application/json', body }
}
