import {
  type Decoder,
  decimal256,
  exactRecord,
  oneOf,
  orNull,
  record,
  refuse,
  text,
} from '../format/decode.ts'
import type { AgreedWorld } from '../steps/gate/consent.ts'
import type { DurableBody, EndedBy } from '../steps/payment/payment.ts'
import { fieldsWith, typed } from './fields.ts'

type Bodies = { readonly [T in DurableBody['type']]: Decoder<Extract<DurableBody, { type: T }>> }

const fields = fieldsWith(decimal256)
const { transaction, hash } = fields

const UNREGISTERED = ['unused-key', 'burnt-key'] as const
const about = record({ about: oneOf([...UNREGISTERED, 'validator']) })
const unregistered = exactRecord({ about: oneOf(UNREGISTERED) })
const validator = exactRecord({
  about: oneOf(['validator']),
  ...fields.validator,
  stakeToBeGwei: orNull(decimal256),
})

const world: Decoder<AgreedWorld> = (value, path) =>
  about(value, path).about === 'validator' ? validator(value, path) : unregistered(value, path)

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
const draft = exactRecord({ signer, ...fields.draft })
const replacement = exactRecord({ kind: oneOf(['speed-up', 'cancellation']), transaction })
const nothing = exactRecord({})

/** The fields of every event of a payment: all of them are written, `null` where there is nothing. */
const BODIES: Bodies = {
  agreed: typed('agreed', exactRecord({ plan: fields.plan, world: orNull(world) })),
  prepared: typed('prepared', exactRecord({ draft })),
  abandoned: typed('abandoned', nothing),
  signed: typed('signed', exactRecord(fields.signed)),
  'handed-over': typed('handed-over', exactRecord(fields.handedOver)),
  replacing: typed('replacing', exactRecord({ replacement })),
  replaced: typed('replaced', exactRecord(fields.signed)),
  found: typed('found', exactRecord({ ...fields.found, data: orNull(fields.bytes) })),
  included: typed('included', exactRecord({ ...fields.block, hash })),
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
