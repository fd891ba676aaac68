import { describe, expect, test } from 'vitest'
import type { Facts, Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { PaymentBody, PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { paymentActions, walletFields } from '../../../../src/core/pay/payment-view/actions.ts'
import type { ErrorFacts } from '../../../../src/core/view/observation.ts'
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
  stateAfter,
  WORLD,
} from '../../../support/payments.ts'
import { givenTo } from '../../../support/rounds.ts'

const ABOUT = { world: WORLD, deposits: [], isFollowed: true }
const FAILED: ErrorFacts = {
  code: 'signer.failed',
  shortMessage: 'It was not signed.',
  details: ['Why.'],
  nextSteps: [],
  retryable: true,
  money: 'untouched',
}

const then = (state: PaymentState, ...bodies: PaymentBody[]): PaymentState =>
  stateAfter(bodies, { from: state })
const remembering = (state: PaymentState, over: Partial<PaymentState['memory']>): PaymentState => ({
  ...state,
  memory: { ...state.memory, ...over },
})
const HELD_BACK: PaymentBody = { type: 'held-back', reason: 'more arrived' }

const SIGNED_HERE = signedPayment()
const GIVEN = givenTo(SIGNED_HERE, 'one')
const SHOWN = { shown: { digest: hash(3) } }
const EXTERNAL = exportedPayment()
const CONTRACT = exportedPayment({ signer: 'contract' })
const EXTERNAL_SIGNED = then(EXTERNAL, SIGNED)
const STUCK = remembering(GIVEN, { isStuck: true })
const NOT_CANCELED = then(
  GIVEN,
  { type: 'replacing', replacement: replacementFor(GIVEN, 'cancellation') },
  { type: 'failed', error: FAILED },
)
const PAID = then(SIGNED_HERE, INCLUDED, { type: 'ended', outcome: { is: 'paid' } })

const asking = (state: PaymentState, kind: 'speed-up' | 'cancellation'): PaymentState =>
  then(state, { type: 'quoteAsked', kind })
const priced = (state: PaymentState, kind: 'speed-up' | 'cancellation'): PaymentState =>
  then(asking(state, kind), {
    type: 'quoted',
    kind,
    price: {
      status: 'known',
      value: { transaction: replacementFor(state, kind).transaction, limitWei: 1n },
      source: '',
      atMs: 0,
    },
  })

/** Each key with the types of its events, or the field that it opens. */
function keysOf(state: PaymentState, step: 'deposit' | 'topup' = 'topup'): string[] {
  return paymentActions(state, step, ABOUT).map(({ key, does }) => `${key}: ${leadsTo(does)}`)
}

function leadsTo(does: ReturnType<typeof paymentActions>[number]['does']): string {
  if (typeof does === 'string') return does
  return 'edit' in does ? does.edit : does.map((event) => event.type).join(' ')
}

const [OPEN_AGAIN, ASK_AGAIN] = ['o: reopened checkAsked', 'r: entered']
const [CANCEL, SPEED_UP] = ['x: quoteAsked', 'b: quoteAsked']
const [ABANDON, LEAVE, SEND_AGAIN] = ['g: abandoned checkAsked', 'k: quoteLeft', 'a: sending-again']

describe('the keys of a payment', () => {
  test.each<[string, PaymentState, readonly string[]]>([
    ['is not begun', initialPayment, [ASK_AGAIN]],
    ['is signed', SIGNED_HERE, []],
    ['was given away', GIVEN, []],
    ['could not be given away', { ...SIGNED_HERE, failure: FAILED }, [OPEN_AGAIN, ASK_AGAIN]],
    ['may have left, and failed', { ...GIVEN, failure: FAILED }, [ASK_AGAIN]],
    ['is held back here', then(SIGNED_HERE, HELD_BACK), [OPEN_AGAIN, ASK_AGAIN]],
    ['is held back, and may have left', then(GIVEN, HELD_BACK), [CANCEL, OPEN_AGAIN, ASK_AGAIN]],
    ['was signed elsewhere and is held back', then(EXTERNAL_SIGNED, HELD_BACK), [CANCEL, ABANDON, ASK_AGAIN]],
    ['is stuck', STUCK, [SPEED_UP, CANCEL]],
    ['is stuck here', remembering(SIGNED_HERE, { isStuck: true }), [OPEN_AGAIN]],
    ['has a gap before it', remembering(GIVEN, { gapFrom: 3 }), [CANCEL]],
    ['is to be shown', EXTERNAL, [ABANDON, ASK_AGAIN]],
    ['is shown', remembering(EXTERNAL, SHOWN), ['p: signed', 's: saveAsked', ABANDON, ASK_AGAIN]],
    [
      'is shown to the owners of a contract',
      remembering(CONTRACT, SHOWN),
      ['s: saveAsked', ABANDON, ASK_AGAIN],
    ],
    ['is to be priced anew', asking(STUCK, 'speed-up'), [LEAVE]],
    ['may be sped up', priced(STUCK, 'speed-up'), ['return: replacing', LEAVE]],
    ['may be cancelled', priced(STUCK, 'cancellation'), ['return: replacing', LEAVE]],
    [
      'is held back, and may be cancelled',
      priced(then(GIVEN, HELD_BACK), 'cancellation'),
      ['return: replacing', LEAVE],
    ],
    ['was to be canceled, by a prompt that was left', NOT_CANCELED, [CANCEL, SEND_AGAIN, ASK_AGAIN]],
    ['is to be canceled after all', priced(NOT_CANCELED, 'cancellation'), ['return: replacing', LEAVE]],
    ['is sent again after all', then(NOT_CANCELED, { type: 'sending-again' }), []],
    ['is paid', PAID, [OPEN_AGAIN]],
  ])('that %s', (_, state, keys) => {
    expect(keysOf(state)).toEqual(keys)
  })

  test('begin no other first deposit once one is paid', () => {
    expect(keysOf(PAID, 'deposit')).toEqual([ASK_AGAIN])
  })

  test.each(['speed-up', 'cancellation'] as const)(
    'ask for the word of a %s, and hand over the very transaction that was priced',
    (kind) => {
      const other = kind === 'speed-up' ? 'cancellation' : 'speed-up'
      const [agree] = paymentActions(priced(STUCK, kind), 'topup', ABOUT)
      const [another] = paymentActions(priced(STUCK, other), 'topup', ABOUT)
      const { transaction } = replacementFor(STUCK, kind)
      expect(agree?.does).toEqual([{ step: 'topup', type: 'replacing', replacement: { kind, transaction } }])
      expect(agree?.anew).toEqual([{ step: 'topup', type: 'quoteAsked', kind }])
      expect(agree?.offer).toMatchObject({ kind, mayReplace: true, isInBlock: false })
      expect(agree?.typed).toMatch(/./)
      expect(agree?.typed).not.toBe(another?.typed)
      expect(agree?.label).not.toBe(another?.label)
    },
  )

  test('name another word to the owners of a contract account than to one who signs', () => {
    const ofKey = (state: PaymentState) =>
      paymentActions(state, 'topup', ABOUT).find(({ key }) => key === 'g')
    expect(ofKey(CONTRACT)?.typed).toMatch(/./)
    expect(ofKey(CONTRACT)?.typed).not.toBe(ofKey(EXTERNAL)?.typed)
    const offer = { kind: 'set-aside', from: SENDER, nonce: NONCE, isInBlock: false }
    expect([CONTRACT, EXTERNAL].map((state) => ofKey(state)?.offer)).toEqual([offer, offer])
  })
})

describe('the fields of a payment', () => {
  const setup: Setup = {
    network: MAINNET,
    homePath: '/home/ann/.beacond',
    endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' },
    journalDirectory: '/state/mainnet',
    lockDirectories: [],
    outputDirectory: '/home/ann',
  }
  const KEYSTORE = { ...setup, keystore: '/home/ann/key.json' }
  const FIRST = { deposit: { from: address(7) } } as Facts
  const field = (state: PaymentState, about: Setup = setup, facts: Facts = {}) =>
    walletFields(state, 'topup', facts, about).map(({ id, value, error, takes }) => ({
      id,
      value,
      error,
      takes: takes.type,
    }))
  const SENDER_FIELD = { id: 'sender', takes: 'senderTyped', error: undefined, value: '' }

  test('begin with the account of the first deposit where another program signs', () => {
    expect(field(initialPayment)).toEqual([SENDER_FIELD])
    expect(field(initialPayment, setup, FIRST)).toEqual([{ ...SENDER_FIELD, value: address(7) }])
  })

  test('begin with the account of the keystore where that signs', () => {
    const named: PaymentState = {
      ...initialPayment,
      observed: {
        ...initialPayment.observed,
        sender: { status: 'known', value: { address: SENDER, claimed: true }, source: '', atMs: 0 },
      },
    }
    expect(field(named, KEYSTORE, FIRST)).toEqual([{ ...SENDER_FIELD, value: SENDER }])
  })

  test('keep what was typed, and say what it is refused for', () => {
    const typed = { ...initialPayment, sender: address(8), senderError: 'This is no address.' }
    expect(field(typed)).toEqual([{ ...SENDER_FIELD, value: address(8), error: 'This is no address.' }])
  })

  test('take the bytes of another program once it was shown what to sign, and say what they are refused for', () => {
    const shown = remembering(EXTERNAL, SHOWN)
    const signed = { id: 'signed', takes: 'imported', value: '', error: undefined }
    expect(field(shown)).toEqual([signed])
    expect(field({ ...shown, failure: FAILED })).toEqual([{ ...signed, error: 'It was not signed. Why.' }])
    expect(field(remembering(CONTRACT, SHOWN))).toEqual([])
    expect(field(EXTERNAL)).toEqual([])
  })
})
