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
import type { DurableIdentityEvent } from '../steps/identity/state.ts'
import type { Payer } from '../steps/payment/payment.ts'
import type { DurableSignEvent, SignPlan } from '../steps/sign/machine.ts'
import type { JsonData } from './canonical-json.ts'
import { payerOf } from './events.ts'
import { fieldsWith, typed } from './fields.ts'

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
export type OldBody = ReturnType<Bodies[keyof Bodies]>
export type OldPayment = { payer: Payer; body: OldBody }

/** Reads an entry of format 1, as it was written; a `FieldFault` says what is wrong with it. */
export function decodeOld(
  type: string,
  data: JsonData,
): DurableIdentityEvent | DurableSignEvent | OldPayment {
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
