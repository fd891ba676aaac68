import {
  type Decoder,
  decimal256,
  exactRecord,
  hexAsWritten,
  list,
  oneOf,
  orNull,
  refuse,
  uintIndex,
} from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { GuardBody, GuardEvent, GuardPaymentBody } from '../../pay/guard/guard.ts'
import type { GuardTerms } from '../../pay/guard/terms.ts'
import type { DurableBody } from '../../pay/payment/payment.ts'
import { decodePayment, toJson } from './events.ts'
import { FIELDS, type JsonData, typed } from './fields.ts'
import type { JournalKind } from './journal.ts'

/** The first line of a guard’s journal: one for each nonce of an account. */
export type GuardHeader = {
  executionGenesisHash: Hex
  genesisValidatorsRoot: Hex
  account: Hex
  nonce: number
}

const address = hexAsWritten(20)
const hash = hexAsWritten(32)

const terms: Decoder<GuardTerms> = exactRecord({
  chain: exactRecord({
    executionChainId: uintIndex,
    executionGenesisHash: hash,
    genesisValidatorsRoot: hash,
    depositContract: address,
  }),
  validator: exactRecord({ pubkey: hexAsWritten(48), withdrawalCredentials: hash, operator: address }),
  from: address,
  nonce: uintIndex,
  rungsGwei: list(decimal256),
  gasLimit: decimal256,
  untilSeconds: decimal256,
  slotsToHuman: uintIndex,
  signer: oneOf(['keystore', 'external']),
})

const { baseline } = FIELDS.draft

const BODIES: { readonly [T in GuardBody['type']]: Decoder<Extract<GuardBody, { type: T }>> } = {
  exported: typed('exported', exactRecord({ terms })),
  armed: typed('armed', exactRecord({ terms, hashes: list(hash) })),
  handing: typed(
    'handing',
    exactRecord({
      member: uintIndex,
      ...FIELDS.signed,
      target: orNull(exactRecord({ outAtEpoch: decimal256, lastBlock: decimal256, provenBlock: decimal256 })),
      baseline,
    }),
  ),
  void: typed('void', exactRecord({})),
  // A program that doesn't know this line takes the journal for unreadable: it holds the nonce, and sends nothing.
  'given-up': typed('given-up', exactRecord({})),
}

/** Events of its payment that the journal of a guard holds. */
const OF_PAYMENT: Readonly<Record<GuardPaymentBody['type'], true>> = {
  'handed-over': true,
  found: true,
  included: true,
  orphaned: true,
  ended: true,
  contradicted: true,
}

/** The events of a guard: its own as `guard.…`, those of its payment as a top-up has them. */
function decodeGuardEvent(type: string, data: JsonData): GuardEvent {
  const [room, ...rest] = type.split('.')
  const name = rest.join('.')
  if (room === 'guard' && isOwn(name)) return BODIES[name](data, '')
  const body = room === 'topup' ? decodePayment(name, data) : undefined
  return body !== undefined && isOfPayment(body) ? body : refuse('type', 'an event of a guard', type)
}

const isOfPayment = (body: DurableBody): body is GuardPaymentBody => Object.hasOwn(OF_PAYMENT, body.type)

const isOwn = (name: string): name is GuardBody['type'] => Object.hasOwn(BODIES, name)

function encodeGuardEvent(event: GuardEvent): { type: string; data: JsonData } {
  const { type, ...fields } = event
  return { type: `${isOwn(type) ? 'guard' : 'topup'}.${type}`, data: toJson(fields) }
}

/** How the journal of a guard is written. */
export const OF_GUARD: JournalKind<GuardHeader, GuardEvent> = {
  headerType: 'guard-journal',
  decodeHeader: exactRecord({
    executionGenesisHash: hash,
    genesisValidatorsRoot: hash,
    account: address,
    nonce: uintIndex,
  }),
  encode: encodeGuardEvent,
  decode: decodeGuardEvent,
}
