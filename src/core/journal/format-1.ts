import {
  type Decoder,
  decimal256,
  exactRecord,
  oneOf,
  optional,
  record,
  refuse,
  text,
} from '../format/decode.ts'
import type { Hex } from '../format/hex.ts'
import type { DurableIdentityEvent } from '../steps/identity/state.ts'
import type { DurableBody, PayingStep, Replacement, Signer } from '../steps/payment/payment.ts'
import type { DurableSignEvent, SignPlan } from '../steps/sign/machine.ts'
import { type JournalEvent, payerOf } from './events.ts'
import { fieldsWith, type JsonData, typed } from './fields.ts'

/** Amounts travelled as `{"$bigint": "…"}`; what was not there was left out. */
const wrapped = exactRecord({ $bigint: decimal256 })
const amount: Decoder<bigint> = (value, path) => wrapped(value, path).$bigint

const isTrue: Decoder<true> = (value, path) => (value === true ? value : refuse(path, 'true', value))

const fields = fieldsWith(amount)
const { transaction, hash } = fields
const nothing = exactRecord({})

const adoption = typed('adopted', exactRecord(fields.adopted))
const messageAndPlace = exactRecord({ ...fields.message, elsewhere: optional(isTrue) })
const plan: Decoder<SignPlan> = (value, path) => {
  const { elsewhere, ...chosen } = messageAndPlace(value, path)
  return elsewhere === undefined ? chosen : { ...chosen, elsewhere }
}
const planned = typed('planned', exactRecord({ plan }))
const signed = typed('signed', exactRecord({ signature: fields.signature }))
const dropped = typed('dropped', nothing)

const world = exactRecord({ ...fields.validator, stakeToBeGwei: optional(amount) })
const prepared = exactRecord({
  ...fields.draft,
  elsewhere: optional(isTrue),
  contract: optional(isTrue),
})
const replacement = exactRecord({ kind: oneOf(['bump', 'cancel']), transaction })

/** Every event of a payment, by its type. */
const BODIES = {
  confirmed: typed('confirmed', exactRecord({ plan: fields.plan, world: optional(world) })),
  prepared: typed('prepared', exactRecord({ prepared })),
  released: typed('released', nothing),
  signed: typed('signed', exactRecord(fields.signed)),
  sending: typed('sending', exactRecord(fields.handedOver)),
  replacing: typed('replacing', exactRecord({ replacement })),
  replaced: typed('replaced', exactRecord(fields.signed)),
  found: typed('found', exactRecord({ ...fields.found, data: optional(fields.bytes) })),
  mined: typed('mined', exactRecord({ ...fields.block, hash: optional(hash) })),
  unmined: typed('unmined', nothing),
  final: typed('final', nothing),
  reverted: typed('reverted', exactRecord({ reason: text, feeWei: amount })),
  foreign: typed('foreign', exactRecord({ otherDeposit: optional(exactRecord({ hash: optional(hash) })) })),
  disproved: typed('disproved', nothing),
  withheld: typed('withheld', exactRecord({ reason: text })),
  reopened: typed('reopened', nothing),
}

type Bodies = typeof BODIES

/** An event of a payment, as format 1 has it. */
type OldBody = ReturnType<Bodies[keyof Bodies]>
type OldPayment = { payer: PayingStep; body: OldBody }

/** Reads an entry of format 1, as it was written; a `FieldFault` says what is wrong with it. */
function decodeOld(type: string, data: JsonData): DurableIdentityEvent | DurableSignEvent | OldPayment {
  switch (type) {
    case 'identity.adopted':
      return { step: 'identity', ...adoption(unnamed(type, data), '') }
    case 'sign.planned':
      return { step: 'sign', ...planned(unnamed(type, data), '') }
    case 'sign.signed':
      return { step: 'sign', ...signed(unnamed(type, data), '') }
    case 'sign.dropped':
      return { step: 'sign', ...dropped(unnamed(type, data), '') }
  }
  const { payer, name } = payerOf(type)
  if (!isOfPayment(name)) return refuse('type', 'an event of a payment', name)
  return { payer, body: BODIES[name](unnamed(type, data), '') }
}

function isOfPayment(name: string): name is keyof Bodies {
  return Object.hasOwn(BODIES, name)
}

const named = record({ step: text, type: text })

/** The data without the step and the type, which they hold once more. */
function unnamed(type: string, data: JsonData): unknown {
  const { step, type: name } = named(data, '')
  if (`${step}.${name}` !== type) refuse('type', type, `${step}.${name}`)
  return Object.fromEntries(
    Object.entries(data ?? {}).filter(([field]) => field !== 'step' && field !== 'type'),
  )
}

/** What of a payment later entries of it rest on. */
type Memory = {
  signed: Hex | undefined
  included: Hex | undefined
  replacing: Replacement['kind']
  cancellations: readonly Hex[]
}

const NOTHING: Memory = { signed: undefined, included: undefined, replacing: 'speed-up', cancellations: [] }

type Translated = readonly [Memory, DurableBody]
type Old<T extends OldBody['type']> = Extract<OldBody, { type: T }>

/**
 * A reader of the entries of format 1, in their order, as the events of today. What was agreed to comes out without its
 * world: it is shown, never sent, and agreed to anew. Throws a `FieldFault` for an entry that was never written so.
 */
export function createOldReader(): (type: string, data: JsonData) => JournalEvent {
  const memories = new Map<PayingStep, Memory>()
  return (type, data) => {
    const old = decodeOld(type, data)
    if (!('payer' in old)) return old
    const { payer } = old
    const [memory, body] = translate(memories.get(payer) ?? NOTHING, old.body)
    memories.set(payer, memory)
    return payer === 'deposit' ? { step: 'deposit', ...body } : { step: 'topup', ...body }
  }
}

function translate(memory: Memory, old: OldBody): Translated {
  switch (old.type) {
    case 'confirmed':
      return [memory, { type: 'agreed', plan: old.plan, world: undefined }]
    case 'prepared':
      return [memory, { type: 'prepared', draft: draftOf(old) }]
    case 'released':
      return [NOTHING, { type: 'abandoned' }]
    case 'reopened':
      return [NOTHING, { type: 'reopened' }]
    case 'signed':
      return [{ ...memory, signed: old.hash }, old]
    case 'sending':
      return [memory, { ...old, type: 'handed-over' }]
    case 'replacing': {
      const { transaction } = old.replacement
      const kind = old.replacement.kind === 'bump' ? 'speed-up' : 'cancellation'
      return [
        { ...memory, replacing: kind },
        { type: 'replacing', replacement: { kind, transaction } },
      ]
    }
    case 'replaced':
      return [withReplaced(memory, old.hash), old]
    case 'found':
      return [memory, old]
    case 'mined':
      return included(memory, old)
    case 'unmined':
      return [{ ...memory, included: undefined }, { type: 'orphaned' }]
    case 'disproved':
      return [{ ...memory, included: undefined }, { type: 'contradicted' }]
    case 'withheld':
      return [memory, { type: 'held-back', reason: old.reason }]
    case 'final':
    case 'reverted':
    case 'foreign':
      return [memory, { type: 'ended', outcome: outcomeOf(memory, old) }]
  }
}

function draftOf({ prepared }: Old<'prepared'>): Extract<DurableBody, { type: 'prepared' }>['draft'] {
  const { from, transaction, baseline } = prepared
  return { signer: signerOf(prepared), from, transaction, baseline }
}

/** The call of a contract account was always handed out as well. */
function signerOf({ elsewhere, contract }: Old<'prepared'>['prepared']): Signer {
  if (contract === undefined) return elsewhere === undefined ? 'keystore' : 'external'
  return elsewhere === undefined ? refuse('prepared.elsewhere', 'true', elsewhere) : 'contract'
}

function withReplaced(memory: Memory, hash: Hex): Memory {
  if (memory.replacing === 'speed-up') return memory
  return { ...memory, cancellations: [...memory.cancellations, hash] }
}

/** Before there were replacements no hash was written: there was only one. */
function included(memory: Memory, old: Old<'mined'>): Translated {
  const hash = old.hash ?? memory.signed ?? refuse('hash', '32 bytes of 0x hexadecimal', undefined)
  return [
    { ...memory, included: hash },
    { ...old, type: 'included', hash },
  ]
}

function outcomeOf(
  { included: hash, cancellations }: Memory,
  old: Old<'final' | 'reverted' | 'foreign'>,
): Extract<DurableBody, { type: 'ended' }>['outcome'] {
  if (old.type === 'reverted') return { is: 'reverted', reason: old.reason, feeWei: old.feeWei }
  if (old.type === 'foreign') return { is: 'nonce-taken', otherDeposit: old.otherDeposit }
  const isCancelled = hash !== undefined && cancellations.includes(hash)
  return { is: isCancelled ? 'cancelled' : 'paid' }
}
