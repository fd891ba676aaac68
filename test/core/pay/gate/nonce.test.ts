import { describe, expect, test } from 'vitest'
import type { OwnNonce, Setup } from '../../../../src/core/chain/facts.ts'
import {
  accountIsSaid,
  nonceFault,
  nonceFor,
  ownNonces,
  requireFree,
  signsExternally,
} from '../../../../src/core/pay/gate/nonce.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { Draft, PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import {
  address,
  draftWith,
  hash,
  INCLUDED,
  NONCE,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'

const aside = (...abandoned: readonly Draft[]): PaymentState => ({ ...initialPayment, abandoned })
const EXTERNAL = (nonce: number, from = SENDER) => draftWith({ signer: 'external', nonce, from })

describe('the nonce of a new draft', () => {
  test.each<[string, PaymentState, number, number]>([
    ['is the next one of the account where nothing was abandoned', initialPayment, 5, 5],
    ['is that of an abandoned draft where that is higher', aside(EXTERNAL(7)), 5, 7],
    ['is the next one where the abandoned draft is below it', aside(EXTERNAL(3)), 5, 5],
    ['is the highest of several', aside(EXTERNAL(6), EXTERNAL(8), EXTERNAL(7)), 5, 8],
    ['follows no draft of another account', aside(EXTERNAL(7, address(9))), 5, 5],
    ['follows no call of a contract account', aside(draftWith({ signer: 'contract', nonce: 7 })), 5, 5],
  ])('%s', (_, state, next, expected) => {
    expect(nonceFor(state, { from: SENDER, nonce: next })).toBe(expected)
  })
})

describe('the own nonces', () => {
  test('name the block’s transaction before the one that was signed, and each deposit that was found', () => {
    const found = {
      type: 'found',
      from: SENDER,
      hash: hash(8),
      valueWei: 1n,
      nonce: 8,
      data: undefined,
    } as const
    const state = stateAfter([found, { ...INCLUDED, hash: found.hash }], { from: signedPayment() })
    expect(ownNonces(state, 'topup')).toEqual([
      { from: SENDER, nonce: NONCE, use: 'open', step: 'topup', hash: found.hash },
      { from: SENDER, nonce: 8, use: 'open', step: 'topup', hash: found.hash },
    ])
  })

  test('name the signed transaction while no block has one', () => {
    expect(ownNonces(signedPayment(), 'deposit')).toEqual([
      { from: SENDER, nonce: NONCE, use: 'open', step: 'deposit', hash: SIGNED.hash },
    ])
  })

  test('are all free where none is that nonce or one after it', () => {
    const own: OwnNonce[] = [{ from: SENDER, nonce: 4, use: 'used', step: 'topup', hash: hash(1) }]
    expect(nonceFault({ from: SENDER, nonce: 5 }, own)).toBeUndefined()
    expect(() => requireFree({ from: SENDER, nonce: 5 }, { nonces: own })).not.toThrow()
    expect(() => requireFree({ from: SENDER, nonce: 5 }, {})).not.toThrow()
  })

  test('refuse one that is used', () => {
    const own: OwnNonce[] = [{ from: SENDER, nonce: 5, use: 'used', step: 'topup', hash: hash(1) }]
    expect(() => requireFree({ from: SENDER, nonce: 5 }, { nonces: own })).toThrow(
      expect.objectContaining({ code: 'wallet.gate-closed' }),
    )
  })

  test('tell of the first that is against it', () => {
    const of = (nonce: number, nth: number): OwnNonce => ({
      from: SENDER,
      nonce,
      use: 'used',
      step: 'topup',
      hash: hash(nth),
    })
    expect(nonceFault({ from: SENDER, nonce: 5 }, [of(5, 0xa), of(6, 0xb)])).toContain(hash(0xa).slice(0, 4))
    expect(nonceFault({ from: SENDER, nonce: 5 }, [of(5, 1), of(6, 2)])).toBe(
      nonceFault({ from: SENDER, nonce: 5 }, [of(5, 1)]),
    )
  })
})

describe('the account', () => {
  const setup = (over: { keystore?: string; passwordDescriptor?: number }) => over as unknown as Setup
  const own: PaymentState = { ...initialPayment, external: false }
  const chosen: PaymentState = { ...initialPayment, external: true }

  test.each([
    ['without a keystore', own, setup({}), true],
    ['with a keystore', own, setup({ keystore: '/k' }), false],
    ['by choice', chosen, setup({ keystore: '/k' }), true],
    ['by choice, without a keystore', chosen, setup({}), true],
  ])('is that of an external signer: %s', (_, state, of, expected) => {
    expect(signsExternally(state, of)).toBe(expected)
  })

  test.each([
    ['by an external signer', chosen, setup({ keystore: '/k', passwordDescriptor: 3 }), true],
    ['by a keystore that asks for its password', own, setup({ keystore: '/k' }), true],
    ['not where the password is handed over', own, setup({ keystore: '/k', passwordDescriptor: 3 }), false],
  ])('is said and not known: %s', (_, state, of, expected) => {
    expect(accountIsSaid(state, of)).toBe(expected)
  })
})
