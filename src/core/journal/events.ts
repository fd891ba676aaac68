import { bool, type Decoder, decimal256, exactRecord, refuse } from '../format/decode.ts'
import type { DurableIdentityEvent } from '../steps/identity/state.ts'
import type { DurablePaymentEvent, Payer } from '../steps/payment/payment.ts'
import type { DurableSignEvent, SignPlan } from '../steps/sign/machine.ts'
import type { JsonData } from './canonical-json.ts'
import { fieldsWith, typed } from './fields.ts'
import { decodePayment } from './payment-events.ts'

/** What a journal holds: the decisions and the money events of all steps. */
export type JournalEvent = DurableIdentityEvent | DurableSignEvent | DurablePaymentEvent

const { adopted, message, signature } = fieldsWith(decimal256)
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
 * Reads an entry of format 2. Its type is `step.type`; its data are the fields of the event, each of them there, `null`
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
export function payerOf(type: string): { payer: Payer; name: string } {
  const [, payer, name] = /^(deposit|topup)\.(.+)$/.exec(type) ?? []
  if (name === undefined) return refuse('type', 'an event of this format', type)
  return { payer: payer === 'deposit' ? 'deposit' : 'topup', name }
}

/** The type and the data of an entry of format 2: what `decodeEvent` reads. */
export function encodeEvent(event: JournalEvent): { type: string; data: JsonData } {
  const { step, type, ...fields } = withPlace(event)
  return { type: `${step}.${type}`, data: toJson(fields) }
}

/** Where a message is signed is always written down. */
function withPlace(event: JournalEvent) {
  if (event.type !== 'planned') return event
  return { ...event, plan: { ...event.plan, elsewhere: event.plan.elsewhere === true } }
}

type Plain = string | number | boolean | bigint | undefined | { readonly [field: string]: Plain }

function toJson(value: Plain): JsonData {
  if (typeof value === 'bigint') return value.toString()
  if (value === undefined) return null
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, toJson(part)]))
}
