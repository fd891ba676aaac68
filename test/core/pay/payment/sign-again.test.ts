import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { nonceFault, ownNonces } from '../../../../src/core/pay/gate/nonce.ts'
import { draftOf, initialPayment, newlyLive } from '../../../../src/core/pay/payment/candidates.ts'
import type {
  PaymentBody,
  PaymentOutcome,
  PaymentState,
  Replacement,
} from '../../../../src/core/pay/payment/payment.ts'
import { asRemembered } from '../../../../src/core/pay/payment/remembered.ts'
import {
  awaitsWallet,
  exportedOf,
  fits,
  isAsked,
  isBegun,
  isUnsigned,
  isUnsignedExport,
  mayReplace,
  mayReplaceBy,
  possiblyBroadcast,
  waitOf,
} from '../../../../src/core/pay/payment/sign-again.ts'
import {
  address,
  draftWith,
  exportedPayment,
  hash,
  INCLUDED,
  preparing,
  replacementFor,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'

const OTHER = address(6)

/** How a payment ended, without the block. */
type End = Exclude<PaymentOutcome['is'], 'paid' | 'cancelled'>
const ENDS: Readonly<Record<End, PaymentBody>> = {
  reverted: { type: 'ended', outcome: { is: 'reverted', reason: 'no', feeWei: 1n } },
  'nonce-taken': { type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } },
}

const signedThen = (...bodies: PaymentBody[]): PaymentState => stateAfter(bodies, { from: signedPayment() })
const PAID = signedThen(INCLUDED, { type: 'ended', outcome: { is: 'paid' } })
const found = { type: 'found', from: SENDER, hash: hash(8), valueWei: 1n, nonce: 8, data: undefined } as const
const PAID_INSTEAD = signedThen(
  found,
  { ...INCLUDED, hash: found.hash },
  { type: 'ended', outcome: { is: 'paid' } },
)
const HELD_BACK = stateAfter([{ type: 'held-back', reason: 'more arrived' }], { from: signedPayment() })
const ABANDONED = stateAfter([{ type: 'reopened' }], { from: HELD_BACK })

describe('the nonce of a new payment', () => {
  test.each<[string, PaymentState, Hex, number, RegExp | undefined]>([
    ['is free where the other payment was never begun', initialPayment, SENDER, 0, undefined],
    ['is free where the other one is not signed', stateAfter(preparing()), SENDER, 5, undefined],
    ['was used by a paid one', PAID, SENDER, 5, /nonce 5, but .* first deposit 0x0*1 used nonce 5/],
    ['is before that of a paid one', PAID, SENDER, 4, /nonce 4, but .* used nonce 5/],
    ['comes after that of a paid one', PAID, SENDER, 6, undefined],
    ['is of another account', PAID, OTHER, 5, undefined],
    [
      'was used by the cancellation',
      signedThen(INCLUDED, { type: 'ended', outcome: { is: 'cancelled' } }),
      SENDER,
      5,
      /used nonce 5/,
    ],
    ['was used by a refused one', signedThen(ENDS.reverted), SENDER, 5, /used nonce 5/],
    ['was used in the place of a lost one', signedThen(ENDS['nonce-taken']), SENDER, 5, /nonce 5/],
    ['may be used by a signed one', signedPayment(), SENDER, 5, /may still use nonce 5/],
    [
      'may be used by one that waits',
      signedThen({ type: 'handed-over', attempt: 1, endpoint: 'one' }),
      SENDER,
      5,
      /may still use nonce 5/,
    ],
    ['may be used by an exported one', exportedPayment(), SENDER, 5, /first deposit may still use nonce 5/],
    ['was used by what the wallet sent instead', PAID_INSTEAD, SENDER, 7, /0x0*8 used nonce 8/],
    ['comes after what the wallet sent instead', PAID_INSTEAD, SENDER, 9, undefined],
    ['may be that of an abandoned one: then only one of the two can happen', ABANDONED, SENDER, 5, undefined],
    ['may come after that of an abandoned one', ABANDONED, SENDER, 6, undefined],
    [
      'is not below that of an abandoned one: then both could happen',
      ABANDONED,
      SENDER,
      4,
      /first deposit was abandoned and may still use nonce 5/,
    ],
    ['is not bound by what another account abandoned', ABANDONED, OTHER, 4, undefined],
    [
      'is not that of a live one, whatever was abandoned before it',
      stateAfter([...preparing(), SIGNED], { from: ABANDONED }),
      SENDER,
      5,
      /may still use nonce 5/,
    ],
  ])('%s', (_, other, from, nonce, expected) => {
    const fault = nonceFault({ from, nonce }, ownNonces(other, 'deposit'))
    if (expected === undefined) expect(fault).toBeUndefined()
    else expect(fault).toMatch(expected)
  })

  test.each<[string, PaymentState]>([
    ['that were exported', exportedPayment({ signer: 'contract' })],
    [
      'that were abandoned',
      stateAfter([{ type: 'abandoned' }], { from: exportedPayment({ signer: 'contract' }) }),
    ],
  ])('says nothing of the calls of a contract account %s', (_, state) => {
    expect(ownNonces(state, 'deposit')).toEqual([])
  })
})

describe('what may happen to a payment', () => {
  const EXPORTED = exportedPayment()
  const CONTRACT = exportedPayment({ signer: 'contract' })
  const GIVEN = signedThen({ type: 'handed-over', attempt: 1, endpoint: 'one' })
  const IN_A_BLOCK = signedThen(INCLUDED)
  const [agreed, prepared] = preparing() as [PaymentBody, PaymentBody]
  const AGREED = stateAfter([agreed])
  const PREPARED = stateAfter([agreed, prepared])
  const replacing = (state: PaymentState, kind: Replacement['kind']): PaymentBody => ({
    type: 'replacing',
    replacement: replacementFor(state, kind),
  })
  const CANCELLING = stateAfter([replacing(GIVEN, 'cancellation')], { from: GIVEN })
  const REMEMBERED = asRemembered(PAID)
  const ALL = {
    initialPayment,
    AGREED,
    PREPARED,
    EXPORTED,
    CONTRACT,
    signed: signedPayment(),
    GIVEN,
    CANCELLING,
    IN_A_BLOCK,
    PAID,
    REMEMBERED,
  }
  type Name = keyof typeof ALL

  test.each<[PaymentBody, readonly Name[]]>([
    [agreed, ['initialPayment']],
    [prepared, ['AGREED']],
    [SIGNED, ['PREPARED', 'EXPORTED']],
    [{ type: 'replaced', raw: '0x02', hash: hash(2) }, ['CANCELLING']],
    [{ type: 'handed-over', attempt: 1, endpoint: 'one' }, ['signed', 'GIVEN', 'IN_A_BLOCK']],
    [{ type: 'sending-again' }, ['CANCELLING']],
    [INCLUDED, ['signed', 'GIVEN', 'CANCELLING', 'IN_A_BLOCK', 'PAID', 'REMEMBERED']],
    [{ type: 'orphaned' }, ['IN_A_BLOCK']],
    [{ type: 'ended', outcome: { is: 'paid' } }, ['IN_A_BLOCK']],
    [{ type: 'ended', outcome: { is: 'cancelled' } }, ['IN_A_BLOCK']],
    [ENDS.reverted, ['EXPORTED', 'CONTRACT', 'signed', 'GIVEN', 'CANCELLING', 'IN_A_BLOCK']],
    [ENDS['nonce-taken'], ['EXPORTED', 'CONTRACT', 'signed', 'GIVEN', 'CANCELLING', 'IN_A_BLOCK']],
    [{ type: 'held-back', reason: 'no' }, ['EXPORTED', 'CONTRACT', 'signed', 'GIVEN', 'CANCELLING']],
    [{ type: 'contradicted' }, ['REMEMBERED']],
    [{ type: 'abandoned' }, ['EXPORTED', 'CONTRACT']],
    [{ type: 'reopened' }, ['signed', 'PAID']],
    [{ type: 'checkAsked' }, Object.keys(ALL) as Name[]],
  ])('$type only where it fits', (body, where) => {
    const fitting = Object.entries(ALL).filter(([, state]) => fits(state, { step: 'topup', ...body }))
    expect(fitting.map(([name]) => name)).toEqual(where)
  })

  test.each<[Name, ReturnType<typeof waitOf>]>([
    ['initialPayment', undefined],
    ['AGREED', 'checks'],
    ['PREPARED', 'signature'],
    ['EXPORTED', 'wallet'],
    ['CONTRACT', 'wallet'],
    ['signed', 'chain'],
    ['IN_A_BLOCK', 'chain'],
    ['CANCELLING', 'chain'],
    ['PAID', undefined],
    ['REMEMBERED', 'chain'],
  ])('%s waits for %s', (name, what) => {
    expect(waitOf(ALL[name])).toBe(what)
  })

  test.each<[Name, boolean]>([
    ['initialPayment', false],
    ['AGREED', false],
    ['PREPARED', false],
    ['EXPORTED', true],
    ['CONTRACT', true],
    ['signed', true],
    ['PAID', true],
  ])('%s may be on the chain: %s', (name, may) => {
    expect(possiblyBroadcast(ALL[name])).toBe(may)
  })

  test.each<[Name, { begun: boolean; unsigned: boolean; asked: boolean }]>([
    ['initialPayment', { begun: false, unsigned: true, asked: false }],
    ['AGREED', { begun: true, unsigned: true, asked: false }],
    ['PREPARED', { begun: true, unsigned: true, asked: false }],
    ['EXPORTED', { begun: true, unsigned: false, asked: true }],
    ['signed', { begun: true, unsigned: false, asked: true }],
    ['PAID', { begun: true, unsigned: false, asked: false }],
    ['REMEMBERED', { begun: true, unsigned: false, asked: true }],
  ])('%s is so far: %o', (name, { begun, unsigned, asked }) => {
    const state = ALL[name]
    expect([isBegun(state), isUnsigned(state), isAsked(state)]).toEqual([begun, unsigned, asked])
  })

  describe('of a wallet elsewhere', () => {
    const shownAs = (state: PaymentState): PaymentState => ({
      ...state,
      memory: { ...state.memory, shown: { digest: hash(77) } },
    })
    const IMPORTED = stateAfter([SIGNED], { from: EXPORTED })
    const CANCELLING_THERE = stateAfter([replacing(IMPORTED, 'cancellation')], { from: IMPORTED })
    const SPEEDING_THERE = stateAfter([replacing(IMPORTED, 'speed-up')], { from: IMPORTED })
    const held = (state: PaymentState): PaymentState => {
      const { payment } = state
      return 'replacement' in payment ? { ...state, payment: { ...payment, heldBack: 'no' } } : state
    }
    const FOUND_THERE = stateAfter([{ ...found, nonce: 5 }], { from: EXPORTED })
    const draftOfExported = () => draftOf(EXPORTED)?.transaction

    test('shows the payment till it is signed, its replacement then, and nothing that was not looked at', () => {
      expect(exportedOf(EXPORTED)).toBeUndefined()
      expect(exportedOf(shownAs(EXPORTED))).toEqual(draftOfExported())
      expect(exportedOf(shownAs(IMPORTED))).toBeUndefined()
      const { payment } = CANCELLING_THERE
      const transaction = 'replacement' in payment ? payment.replacement?.transaction : undefined
      expect(exportedOf(shownAs(CANCELLING_THERE))).toEqual(transaction)
      expect(exportedOf(shownAs(signedPayment()))).toBeUndefined()
      expect(exportedOf(shownAs(CANCELLING))).toBeUndefined()
      expect(exportedOf(initialPayment)).toBeUndefined()
    })

    test('shows of what is held back its cancellation alone', () => {
      expect(exportedOf(shownAs(held(EXPORTED)))).toBeUndefined()
      expect(exportedOf(shownAs(held(SPEEDING_THERE)))).toBeUndefined()
      expect(exportedOf(shownAs(held(CANCELLING_THERE)))).toBeDefined()
    })

    test('is waited for while it may sign what is shown, or is to sign a replacement', () => {
      expect(awaitsWallet(EXPORTED)).toBe(true)
      expect(awaitsWallet(IMPORTED)).toBe(false)
      expect(awaitsWallet(shownAs(IMPORTED))).toBe(false)
      expect(awaitsWallet(CANCELLING_THERE)).toBe(true)
      expect(awaitsWallet(CANCELLING)).toBe(false)
      expect(awaitsWallet(FOUND_THERE)).toBe(false)
      expect(awaitsWallet(shownAs(FOUND_THERE))).toBe(true)
      expect(awaitsWallet(initialPayment)).toBe(false)
    })

    test('never speeds up what a cancellation may have replaced, or what is held back', () => {
      expect(mayReplace(IMPORTED, 'speed-up')).toBe(true)
      expect(mayReplace(SPEEDING_THERE, 'speed-up')).toBe(true)
      expect(mayReplace(CANCELLING_THERE, 'speed-up')).toBe(false)
      expect(mayReplace(CANCELLING_THERE, 'cancellation')).toBe(true)
      expect(mayReplace(held(IMPORTED), 'speed-up')).toBe(false)
      expect(mayReplace(held(IMPORTED), 'cancellation')).toBe(true)
      for (const kind of ['speed-up', 'cancellation'] as const) {
        expect(mayReplace(EXPORTED, kind)).toBe(false)
        expect(mayReplace(IN_A_BLOCK, kind)).toBe(false)
        expect(mayReplace(initialPayment, kind)).toBe(false)
      }
    })
  })

  test('nobody else signs what the keystore here signs', () => {
    const unsigned = { ...initialPayment, payment: newlyLive(draftWith()) }
    expect(isUnsignedExport(unsigned)).toBe(false)
    expect(isUnsignedExport({ ...unsigned, payment: newlyLive(draftWith({ signer: 'external' })) })).toBe(
      true,
    )
  })

  test('a replacement may give all of its fee to whoever makes the block, and no wei more', () => {
    const { kind, transaction } = replacementFor(GIVEN, 'cancellation')
    const { maxFeePerGasWei } = transaction
    const most = { ...transaction, maxPriorityFeePerGasWei: maxFeePerGasWei }
    expect(mayReplaceBy(GIVEN, { kind, transaction: most })).toBe(true)
    const more = { ...most, maxPriorityFeePerGasWei: maxFeePerGasWei + 1n }
    expect(mayReplaceBy(GIVEN, { kind, transaction: more })).toBe(false)
    expect(mayReplaceBy(initialPayment, { kind, transaction })).toBe(false)
    expect(mayReplaceBy(EXPORTED, { kind, transaction })).toBe(false)
  })
})
