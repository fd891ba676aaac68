import fc from 'fast-check'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { AgreedKeyState } from '../../src/core/pay/gate/consent.ts'
import type { DurableBody, EndedBy } from '../../src/core/pay/payment/payment.ts'
import type { JournalEvent } from '../../src/core/wizard/journal/events.ts'

type Any<T> = fc.Arbitrary<T>
type Bodies = { readonly [T in DurableBody['type']]: Any<Omit<Extract<DurableBody, { type: T }>, 'type'>> }

const DIGITS = [...'0123456789abcdefABCDEF']
const hexOf = (bytes: { min: number; max: number }): Any<Hex> =>
  fc
    .array(fc.constantFrom(...DIGITS), { minLength: 2 * bytes.min, maxLength: 2 * bytes.max })
    .map((digits): Hex => `0x${digits.slice(0, digits.length - (digits.length % 2)).join('')}`)
const fixed = (byteLength: number) => hexOf({ min: byteLength, max: byteLength })

const address = fixed(20)
const hash = fixed(32)
const bytes = hexOf({ min: 0, max: 40 })
const amount = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })
const count = fc.maxSafeNat()
const text = fc.string({ unit: 'grapheme', maxLength: 60 })
const maybe = <T>(some: Any<T>) => fc.option(some, { nil: undefined })
const nothing = fc.constant({})
const record = <T>(fields: { [K in keyof T]: Any<T[K]> }) => fc.record<T>(fields, { noNullPrototype: true })

const transaction = record({
  chainId: count,
  nonce: count,
  to: address,
  valueWei: amount,
  data: bytes,
  gasLimit: amount,
  maxFeePerGasWei: amount,
  maxPriorityFeePerGasWei: amount,
})
const signed = record({ raw: bytes, hash })
const block = { blockNumber: amount, blockHash: hash }

const world: Any<AgreedKeyState> = fc.oneof(
  record({ about: fc.constantFrom('unused-key', 'burnt-key') }),
  record({
    about: fc.constant('validator' as const),
    block: amount,
    balanceGwei: amount,
    stakeToBeGwei: maybe(amount),
    outcome: fc.constantFrom('below-threshold', 'lost-at-once', 'drops-out', 'tie', 'keeps-place'),
  }),
)

const outcome: Any<EndedBy> = fc.oneof(
  record({ is: fc.constantFrom('paid', 'cancelled') }),
  record({ is: fc.constant('reverted' as const), reason: text, feeWei: amount }),
  record({
    is: fc.constant('nonce-taken' as const),
    otherDeposit: maybe(record({ hash: maybe(hash) })),
  }),
)

const BODIES: Bodies = {
  agreed: record({
    plan: record({ to: address, valueWei: amount, data: bytes }),
    world: maybe(world),
  }),
  prepared: record({
    draft: record({
      signer: fc.constantFrom('keystore', 'external', 'contract'),
      from: address,
      transaction,
      baseline: record({ ...block, balanceWei: amount }),
    }),
  }),
  abandoned: nothing,
  signed,
  'handed-over': record({ attempt: count, endpoint: text }),
  replacing: record({
    replacement: record({ kind: fc.constantFrom('speed-up', 'cancellation'), transaction }),
  }),
  replaced: signed,
  'sending-again': nothing,
  found: record({ from: address, hash, valueWei: amount, nonce: count, data: maybe(bytes) }),
  included: record({ ...block, feeWei: amount, hash }),
  orphaned: nothing,
  ended: record({ outcome }),
  contradicted: nothing,
  'held-back': record({ reason: text }),
  reopened: nothing,
}

const message = { withdrawalAddress: address, operator: address, amountGwei: amount, rescue: fc.boolean() }

const OTHERS: readonly Any<JournalEvent>[] = [
  record({
    step: fc.constant('identity' as const),
    type: fc.constant('adopted' as const),
    withdrawalAddress: address,
    withdrawalCredentials: hash,
    operator: address,
    index: count,
  }),
  record({
    step: fc.constant('sign' as const),
    type: fc.constant('planned' as const),
    plan: fc.oneof(record(message), record({ ...message, elsewhere: fc.constant(true as const) })),
  }),
  record({
    step: fc.constant('sign' as const),
    type: fc.constant('signed' as const),
    signature: record({ ...message, withdrawalCredentials: hash, signature: fixed(96) }),
  }),
  fc.constant({ step: 'sign', type: 'dropped' }),
]

const payments = Object.entries(BODIES).flatMap(([type, fields]) =>
  (['deposit', 'topup'] as const).map((step) =>
    fields.map((body): JournalEvent => ({ step, type, ...body }) as JournalEvent),
  ),
)

/** Any event that a journal may hold; each type is as frequent as any other. */
export const anyJournalEvent: Any<JournalEvent> = fc.oneof(...payments, ...OTHERS)
