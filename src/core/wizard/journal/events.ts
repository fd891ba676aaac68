import {
  bool,
  type Decoder,
  decimal256,
  exactRecord,
  list,
  oneOf,
  optional,
  orNull,
  record,
  refuse,
  text,
  uintIndex,
} from '../../base/format/decode.ts'
import type { AgreedKeyState } from '../../pay/gate/consent.ts'
import type {
  Agreement,
  DurableBody,
  DurablePaymentEvent,
  EndedBy,
  PayingStep,
} from '../../pay/payment/payment.ts'
import type { DurableIdentityEvent } from '../../steps/identity/state.ts'
import type { DurableSignEvent, SignPlan } from '../../steps/sign/machine.ts'
import { FIELDS, type JsonData, typed } from './fields.ts'

type Bodies = { readonly [T in DurableBody['type']]: Decoder<Extract<DurableBody, { type: T }>> }

const { adopted, hash, message, signature, transaction } = FIELDS

const UNREGISTERED = ['unused-key', 'burnt-key'] as const
const about = record({ about: oneOf([...UNREGISTERED, 'validator']) })
const unregistered = exactRecord({ about: oneOf(UNREGISTERED) })
const validator = exactRecord({
  about: oneOf(['validator']),
  ...FIELDS.validator,
  stakeToBeGwei: orNull(decimal256),
})

const world: Decoder<AgreedKeyState> = (value, path) =>
  about(value, path).about === 'validator' ? validator(value, path) : unregistered(value, path)

/** Older versions wrote no terms. */
const agreement = exactRecord({
  plan: FIELDS.plan,
  world: orNull(world),
  terms: optional(exactRecord({ ...FIELDS.terms, nonce: orNull(uintIndex), deposits: list(hash) })),
})

const agreed: Decoder<Agreement> = (value, path) => {
  const { terms, ...rest } = agreement(value, path)
  return terms === undefined ? rest : { ...rest, terms }
}

const CARRIED_OUT = ['paid', 'cancelled'] as const
const end = record({ is: oneOf([...CARRIED_OUT, 'reverted', 'nonce-taken']) })
const carriedOut = exactRecord({ is: oneOf(CARRIED_OUT) })
const reverted = exactRecord({ is: oneOf(['reverted']), reason: text, feeWei: decimal256 })
const nonceTaken = exactRecord({
  is: oneOf(['nonce-taken']),
  otherDeposit: orNull(exactRecord({ hash: orNull(hash) })),
})

const outcome: Decoder<EndedBy> = (value, path) => {
  const { is } = end(value, path)
  if (is === 'reverted') return reverted(value, path)
  return is === 'nonce-taken' ? nonceTaken(value, path) : carriedOut(value, path)
}

const signer = oneOf(['keystore', 'external', 'contract'])
const draft = exactRecord({ signer, ...FIELDS.draft })
const replacement = exactRecord({ kind: oneOf(['speed-up', 'cancellation']), transaction })
const nothing = exactRecord({})

/** The fields of every event of a payment: all of them are written, `null` where there is nothing. */
const BODIES: Bodies = {
  agreed: typed('agreed', agreed),
  prepared: typed('prepared', exactRecord({ draft })),
  abandoned: typed('abandoned', nothing),
  signed: typed('signed', exactRecord(FIELDS.signed)),
  'handed-over': typed('handed-over', exactRecord(FIELDS.handedOver)),
  replacing: typed('replacing', exactRecord({ replacement })),
  replaced: typed('replaced', exactRecord(FIELDS.signed)),
  'sending-again': typed('sending-again', nothing),
  found: typed('found', exactRecord({ ...FIELDS.found, data: orNull(FIELDS.bytes) })),
  included: typed('included', exactRecord({ ...FIELDS.block, hash })),
  orphaned: typed('orphaned', nothing),
  ended: typed('ended', exactRecord({ outcome })),
  contradicted: typed('contradicted', nothing),
  'held-back': typed('held-back', exactRecord({ reason: text })),
  reopened: typed('reopened', nothing),
}

/** What an event of a payment says. Throws a `FieldFault`, for a type that no payment has as well. */
export function decodePayment(type: string, data: unknown): DurableBody {
  return isOfPayment(type) ? BODIES[type](data, '') : refuse('type', 'an event of a payment', type)
}

function isOfPayment(type: string): type is DurableBody['type'] {
  return Object.hasOwn(BODIES, type)
}

/** What a journal holds: the decisions and the money events of all steps. */
export type JournalEvent = DurableIdentityEvent | DurableSignEvent | DurablePaymentEvent

const messageAndPlace = exactRecord({ ...message, elsewhere: bool })

const plan: Decoder<SignPlan> = (value, path) => {
  const { elsewhere, ...chosen } = messageAndPlace(value, path)
  return elsewhere ? { ...chosen, elsewhere } : chosen
}

const adoption = typed('adopted', exactRecord(adopted))
const planned = typed('planned', exactRecord({ plan }))
const signed = typed('signed', exactRecord({ signature }))
const dropped = typed('dropped', exactRecord({}))

/**
 * Reads an entry. Its type is `step.type`; its data are the fields of the event, each of them there, `null`
 * where there is nothing, amounts as decimal texts. Throws a `FieldFault`.
 */
export function decodeEvent(type: string, data: JsonData): JournalEvent {
  switch (type) {
    case 'identity.adopted':
      return { step: 'identity', ...adoption(data, '') }
    case 'sign.planned':
      return { step: 'sign', ...planned(data, '') }
    case 'sign.signed':
      return { step: 'sign', ...signed(data, '') }
    case 'sign.dropped':
      return { step: 'sign', ...dropped(data, '') }
    default:
      return decodeOfPayer(type, data)
  }
}

function decodeOfPayer(type: string, data: JsonData): JournalEvent {
  const { payer, name } = payerOf(type)
  const body = decodePayment(name, data)
  return payer === 'deposit' ? { step: 'deposit', ...body } : { step: 'topup', ...body }
}

/** The step that pays and what happened there, of the type of an entry. Throws a `FieldFault` for any other type. */
function payerOf(type: string): { payer: PayingStep; name: string } {
  const [, payer, name] = /^(deposit|topup)\.(.+)$/.exec(type) ?? []
  if (name === undefined) return refuse('type', 'an event of this format', type)
  return { payer: payer === 'deposit' ? 'deposit' : 'topup', name }
}

/** Returns the type and data of an entry, as `decodeEvent` reads them. */
export function encodeEvent(event: JournalEvent): { type: string; data: JsonData } {
  const { step, type, ...fields } = withPlace(event)
  return { type: `${step}.${type}`, data: toJson(fields) }
}

/** Where a message is signed is always written down. */
function withPlace(event: JournalEvent) {
  if (event.type !== 'planned') return event
  return { ...event, plan: { ...event.plan, elsewhere: event.plan.elsewhere === true } }
}

export type Plain =
  | string
  | number
  | boolean
  | bigint
  | undefined
  | readonly Plain[]
  | { readonly [field: string]: Plain }

export function toJson(value: Plain): JsonData {
  if (typeof value === 'bigint') return value.toString()
  if (value === undefined) return null
  if (typeof value !== 'object') return value
  if (isList(value)) return value.map(toJson)
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, toJson(part)]))
}

const isList = (value: object): value is readonly Plain[] => Array.isArray(value)
