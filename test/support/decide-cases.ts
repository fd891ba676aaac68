import type {
  PaymentBody,
  PaymentState,
  PaymentStatus,
  RoundMemory,
} from '../../src/core/pay/payment/payment.ts'
import type { ReplyOrError, RoundPart } from '../../src/core/pay/payment/round.ts'
import {
  address,
  exportedPayment,
  hash,
  INCLUDED,
  NONCE,
  replacementFor,
  SENDER,
  SIGNED,
  signedPayment,
} from './payments.ts'
import { answer, applied, givenTo, made, type Parts, receipt, silent } from './rounds.ts'

/** What every endpoint says alike. */
export const both = (over: Parameters<typeof answer>[1] = {}): readonly ReplyOrError[] => [
  answer('one', over),
  answer('two', over),
]
/** It has the payment in a block that is final. */
export const IN_BLOCK = { receipt: receipt(), latest: 6, finalizedNumber: 224n } as const
/** The nonce of the payment is used. */
export const USED = { latest: 6 } as const

const SIGNED_HERE = signedPayment()
/** A payment that both endpoints were given. */
export const GIVEN = givenTo(SIGNED_HERE, 'one', 'two')
const IN_A_BLOCK = applied(GIVEN, [INCLUDED])
const EXPORTED = exportedPayment()
/** A call that the owners of a contract account are to carry out. */
export const CONTRACT = exportedPayment({ signer: 'contract' })
const IMPORTED = applied(EXPORTED, [SIGNED])
const REPLACING = applied(IMPORTED, [
  { type: 'replacing', replacement: replacementFor(IMPORTED, 'cancellation') },
])

const SPEEDING = applied(IMPORTED, [{ type: 'replacing', replacement: replacementFor(IMPORTED, 'speed-up') }])

const cancelled = (state: PaymentState): PaymentState =>
  applied(state, [
    { type: 'replacing', replacement: replacementFor(state, 'cancellation') },
    { type: 'replaced', raw: '0x0202', hash: hash(2) },
  ])
const CANCELLED = cancelled(GIVEN)
const STRANGER = made({ hash: hash(6), sender: { from: address(9), nonce: 1 }, event: { amountGwei: 1n } })
const LATER = made({ hash: hash(9), sender: { from: SENDER, nonce: NONCE + 1 } })
const FOUND = {
  type: 'found',
  from: SENDER,
  nonce: NONCE,
  hash: hash(8),
  valueWei: made().valueWei,
  data: undefined,
} as const

/** Rounds that say the same, until a row decides. */
export type Rounds = {
  state: PaymentState
  said: readonly ReplyOrError[]
  slots?: readonly number[]
  parts?: Parts
}
type Follows = {
  told: PaymentStatus | undefined
  wanted?: readonly RoundPart[]
  events?: readonly PaymentBody[]
  given?: readonly string[]
  memory?: Partial<RoundMemory>
}
type Case = Rounds & {
  row: string
  is: string
  follows: Follows
  /** What is other in the round next to it, in which the row does not decide. */
  unless: Partial<Rounds>
}

const handedOver = (...endpoints: readonly string[]): readonly PaymentBody[] =>
  endpoints.map((endpoint, at) => ({ type: 'handed-over', endpoint, attempt: at + 1 }))

/** What decides each row of the table, and the round next to it in which that row does not. */
export const CASES: readonly Case[] = [
  {
    row: 'nobody answers',
    is: 'every endpoint is silent',
    state: SIGNED_HERE,
    said: [silent('one'), silent('two')],
    follows: { told: undefined },
    unless: { said: [silent('one'), answer('two')] },
  },
  {
    row: 'every endpoint shows the same end twice',
    is: 'both have it in a final block for two slots',
    state: IN_A_BLOCK,
    said: both(IN_BLOCK),
    slots: [0, 2],
    follows: {
      told: { is: 'in-block', block: 224n, reverted: false, alone: false },
      events: [{ type: 'ended', outcome: { is: 'paid' } }],
    },
    unless: { said: [answer('one', IN_BLOCK), answer('two', { ...IN_BLOCK, finalizedNumber: 223n })] },
  },
  {
    row: 'every endpoint shows the same end twice',
    is: 'it is in another block by now, which is written down before the end',
    state: applied(IN_A_BLOCK, [{ ...INCLUDED, blockHash: hash(223), blockNumber: 223n }]),
    said: both(IN_BLOCK),
    slots: [0, 2],
    follows: {
      told: { is: 'in-block', block: 224n, reverted: false, alone: false },
      events: [INCLUDED, { type: 'ended', outcome: { is: 'paid' } }],
    },
    unless: { said: [answer('one', IN_BLOCK), silent('two')] },
  },
  {
    row: 'every endpoint shows the same end twice',
    is: 'the cancellation is in the block',
    state: CANCELLED,
    said: both({ ...IN_BLOCK, receipt: receipt({ hash: hash(2) }) }),
    slots: [0, 2],
    follows: {
      told: { is: 'in-block', block: 224n, reverted: false, alone: false },
      events: [{ type: 'ended', outcome: { is: 'cancelled' } }],
    },
    unless: { said: [answer('one', IN_BLOCK), answer('two', USED)] },
  },
  {
    row: 'every endpoint shows the same end twice',
    is: 'the contract refused it, for a reason that is asked first',
    state: GIVEN,
    said: both({ ...IN_BLOCK, receipt: receipt({ status: 'reverted' }) }),
    slots: [0, 2],
    follows: {
      told: { is: 'in-block', block: 224n, reverted: true, alone: false },
      wanted: ['reason'],
      events: [{ type: 'ended', outcome: { is: 'reverted', reason: 'execution reverted', feeWei: 9n } }],
    },
    unless: {
      said: [
        answer('one', { ...IN_BLOCK, receipt: receipt({ status: 'reverted' }) }),
        answer('two', IN_BLOCK),
      ],
    },
  },
  {
    row: 'every endpoint shows the same end twice',
    is: 'every endpoint names the same transaction, and not another one of the same block',
    state: CANCELLED,
    said: both(IN_BLOCK),
    slots: [0, 2],
    follows: {
      told: { is: 'in-block', block: 224n, reverted: false, alone: false },
      events: [{ type: 'ended', outcome: { is: 'paid' } }],
    },
    unless: {
      said: [answer('one', IN_BLOCK), answer('two', { ...IN_BLOCK, receipt: receipt({ hash: hash(2) }) })],
    },
  },
  {
    row: 'an endpoint has it in a block',
    is: 'one has it for the first time',
    state: GIVEN,
    said: [answer('one', IN_BLOCK), answer('two')],
    follows: {
      told: { is: 'in-block', block: 224n, reverted: false, alone: false },
      events: [INCLUDED],
    },
    unless: { said: both() },
  },
  {
    row: 'an endpoint has it in a block',
    is: 'it was written down, and one lacks it for two slots: that one gets the bytes',
    state: IN_A_BLOCK,
    said: [answer('one', IN_BLOCK), answer('two')],
    slots: [0, 2],
    follows: {
      told: { is: 'handed-over' },
      wanted: ['keyChecks'],
      events: handedOverAt(3, 'two'),
      given: ['two'],
    },
    unless: { said: both(USED) },
  },
  {
    row: 'an endpoint has it in a block',
    is: 'the block is final, and one endpoint alone says so',
    state: IN_A_BLOCK,
    said: [answer('one', IN_BLOCK), answer('two')],
    slots: [0, 2, 3],
    follows: { told: { is: 'in-block', block: 224n, reverted: false, alone: true } },
    unless: { said: both(IN_BLOCK) },
  },
  {
    row: 'an endpoint has it in a block',
    is: 'another one says for long that the contract refused it: nobody is only waited for',
    state: IN_A_BLOCK,
    said: [answer('one', IN_BLOCK), answer('two', { ...IN_BLOCK, receipt: receipt({ status: 'reverted' }) })],
    slots: [0, 2],
    follows: { told: { is: 'disagree' } },
    unless: { said: both(IN_BLOCK) },
  },
  {
    row: 'an endpoint has it in a block',
    is: 'the contract refused it: that is not written down as a block',
    state: GIVEN,
    said: both({ ...IN_BLOCK, receipt: receipt({ status: 'reverted' }) }),
    follows: { told: { is: 'in-block', block: 224n, reverted: true, alone: false } },
    unless: { said: both(), slots: [0] },
  },
  {
    row: 'every endpoint lacks the block for long',
    is: 'both lack it for five slots',
    state: IN_A_BLOCK,
    said: both({ knows: true, notedIsGone: true }),
    slots: [0, 5],
    follows: { told: { is: 'orphaned' }, events: [{ type: 'orphaned' }], memory: { losses: 1 } },
    unless: { said: [answer('one', { knows: true }), silent('two')] },
  },
  {
    row: 'a replacement is to be exported',
    is: 'a cancellation that was agreed to',
    state: REPLACING,
    said: both({ knows: true }),
    follows: {
      told: { is: 'unused' },
      wanted: ['deposits', 'toExport'],
      memory: { shown: { digest: hash(77) }, otherDeposit: undefined },
    },
    unless: { state: IMPORTED },
  },
  {
    row: 'a replacement is to be exported',
    is: 'nobody knows the payment, which is to be canceled: nothing of it leaves',
    state: REPLACING,
    said: both(),
    follows: {
      told: { is: 'unused' },
      wanted: ['deposits', 'toExport'],
      memory: { shown: { digest: hash(77) } },
    },
    unless: { said: both(USED) },
  },
  {
    row: 'a replacement is to be exported',
    is: 'nobody knows the payment, which is to be sped up: it is given out beside it',
    state: SPEEDING,
    said: both(),
    follows: {
      told: { is: 'handed-over' },
      wanted: ['deposits', 'keyChecks', 'toExport'],
      events: handedOver('one', 'two'),
      given: ['one', 'two'],
      memory: { shown: { digest: hash(77) } },
    },
    unless: { said: both(USED) },
  },
  {
    row: 'a pool holds it',
    is: 'one has it, and keeps it to itself',
    state: SIGNED_HERE,
    said: [answer('one', { knows: true }), answer('two')],
    follows: {
      told: { is: 'handed-over' },
      wanted: ['keyChecks'],
      events: handedOver('two'),
      given: ['two'],
      memory: { inMempool: true },
    },
    unless: { said: both() },
  },
  {
    row: 'a pool holds it',
    is: 'both have it',
    state: SIGNED_HERE,
    said: both({ knows: true }),
    follows: { told: { is: 'in-mempool' }, memory: { inMempool: true, isStuck: false } },
    unless: { said: both({ ...IN_BLOCK, knows: true }) },
  },
  {
    row: 'the nonce, or the contract account, made the deposit',
    is: 'the wallet sent it by itself',
    state: EXPORTED,
    said: both(USED),
    parts: { deposits: [made()] },
    follows: { told: { is: 'looking' }, wanted: ['deposits'], events: [FOUND] },
    unless: { parts: { deposits: { one: [made()], two: [] } } },
  },
  {
    row: 'the nonce, or the contract account, made the deposit',
    is: 'the owners of the account carried the call out',
    state: CONTRACT,
    said: both(),
    parts: { deposits: [made({ sender: { from: address(9), nonce: 1 } })] },
    follows: { told: { is: 'looking' }, wanted: ['deposits'], events: [FOUND] },
    unless: { parts: { deposits: [STRANGER] } },
  },
  {
    row: 'the nonce, or the contract account, made the deposit',
    is: 'the owners of the account carried the call out, and one endpoint is silent',
    state: CONTRACT,
    said: [answer('one'), silent('two')],
    parts: { deposits: [made({ sender: { from: address(9), nonce: 1 } })] },
    follows: { told: { is: 'looking' }, wanted: ['deposits'], events: [FOUND] },
    unless: { state: EXPORTED },
  },
  {
    row: 'the nonce is lost, and a later one of the account paid',
    is: 'for five slots',
    state: EXPORTED,
    said: both({ latest: 7 }),
    slots: [0, 5],
    parts: { deposits: [LATER] },
    follows: {
      told: { is: 'looking' },
      wanted: ['deposits'],
      events: [{ ...FOUND, nonce: NONCE + 1, hash: hash(9) }],
    },
    unless: { slots: [0, 4] },
  },
  {
    row: 'the nonce is used, and a deposit is there that may be ours',
    is: 'nobody can say who made it',
    state: EXPORTED,
    said: both(USED),
    slots: [0, 5],
    parts: { deposits: [made({ sender: undefined })] },
    follows: {
      told: { is: 'deposit-there' },
      wanted: ['deposits'],
      memory: { shown: undefined, otherDeposit: { hash: hash(8) } },
    },
    unless: { parts: { deposits: [STRANGER] } },
  },
  {
    row: 'the nonce is lost to another transaction',
    is: 'nobody paid for the key',
    state: GIVEN,
    said: both(USED),
    slots: [0, 5],
    follows: {
      told: { is: 'nonce-used' },
      wanted: ['deposits'],
      events: [{ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }],
    },
    unless: { slots: [0, 4] },
  },
  {
    row: 'the nonce is lost to another transaction',
    is: 'somebody else paid for the key',
    state: GIVEN,
    said: both(USED),
    slots: [0, 5],
    parts: { deposits: [STRANGER] },
    follows: {
      told: { is: 'nonce-used' },
      wanted: ['deposits'],
      events: [{ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: { hash: hash(6) } } }],
    },
    unless: { parts: { deposits: { one: [STRANGER], two: 'unknown' } } },
  },
  {
    row: 'the nonce is used by the word of some',
    is: 'one does not know it yet, for two slots: it gets the bytes',
    state: GIVEN,
    said: [answer('one', USED), answer('two')],
    slots: [0, 2],
    follows: {
      told: { is: 'handed-over' },
      wanted: ['deposits', 'keyChecks'],
      events: handedOverAt(3, 'two'),
      given: ['two'],
    },
    unless: { said: both() },
  },
  {
    row: 'the nonce is used by the word of some',
    is: 'one does not know it yet, and a bad look only keeps the bytes from that one',
    state: GIVEN,
    said: [answer('one', USED), answer('two')],
    slots: [0, 2],
    parts: { keyChecks: [{ good: false, words: 'no' }] },
    follows: { told: { is: 'held-back', why: 'no' }, wanted: ['deposits', 'keyChecks'] },
    unless: { said: both({ latest: 4 }) },
  },
  {
    row: 'the nonce is used by the word of some',
    is: 'all say so, and not for long',
    state: GIVEN,
    said: both(USED),
    slots: [0, 4],
    follows: { told: { is: 'nonce-used' }, wanted: ['deposits'] },
    unless: { slots: [0, 5] },
  },
  {
    row: 'the nonce is used by the word of some',
    is: 'one is silent',
    state: GIVEN,
    said: [answer('one', USED), silent('two')],
    slots: [0, 5],
    follows: { told: { is: 'disagree' }, wanted: ['deposits'] },
    unless: { said: both(USED) },
  },
  {
    row: 'the nonce is not reached',
    is: 'one endpoint lags',
    state: SIGNED_HERE,
    said: [answer('one', { latest: 4 }), answer('two')],
    slots: [0, 5],
    follows: { told: { is: 'lags' }, memory: { gapFrom: undefined } },
    unless: { said: both() },
  },
  {
    row: 'the nonce is not reached',
    is: 'others of the account wait before it',
    state: SIGNED_HERE,
    said: [answer('one', { latest: 4 }), answer('two', { latest: 4, pending: 5 })],
    slots: [0, 5],
    follows: { told: { is: 'others-wait' }, memory: { gapFrom: undefined } },
    unless: { said: [answer('one', { latest: 4, knows: true }), answer('two', { latest: 4 })] },
  },
  {
    row: 'the nonce is not reached',
    is: 'it is too high, for five slots',
    state: SIGNED_HERE,
    said: both({ latest: 3 }),
    slots: [0, 5],
    follows: { told: { is: 'behind', next: 3, nonce: 5 }, memory: { gapFrom: 3 } },
    unless: { said: both({ latest: 3, receipt: receipt() }) },
  },
  {
    row: 'nothing is signed here',
    is: 'nobody paid: it is shown',
    state: EXPORTED,
    said: both(),
    follows: {
      told: { is: 'unused' },
      wanted: ['deposits', 'keyChecks', 'toExport'],
      memory: { shown: { digest: hash(77) } },
    },
    unless: { state: SIGNED_HERE },
  },
  {
    row: 'nothing is signed here',
    is: 'one endpoint is silent',
    state: EXPORTED,
    said: [answer('one'), silent('two')],
    follows: { told: { is: 'one-silent' }, memory: { shown: undefined } },
    unless: { said: [answer('one', USED), silent('two')] },
  },
  {
    row: 'nobody has it',
    is: 'one that is silent must answer first',
    state: GIVEN,
    said: [answer('one'), silent('two')],
    follows: { told: { is: 'world-unknown', why: 'two must answer' } },
    unless: { said: [answer('one', { knows: true }), silent('two')] },
  },
  {
    row: 'nobody has it',
    is: 'and it was never given to anybody',
    state: SIGNED_HERE,
    said: both(),
    follows: {
      told: { is: 'handed-over' },
      wanted: ['keyChecks'],
      events: handedOver('one', 'two'),
      given: ['one', 'two'],
    },
    unless: { said: both({ latest: 4 }) },
  },
]

function handedOverAt(attempt: number, endpoint: string): readonly PaymentBody[] {
  return [{ type: 'handed-over', endpoint, attempt }]
}
