import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import {
  compareOffers,
  type GuardOffer,
  type Offer,
  type PaymentOffer,
  type ReplacementOffer,
  type SetAsideOffer,
} from '../../../../src/core/pay/desk/offer.ts'
import { address, hash, NONCE, replacementFor, SENDER, signedPayment } from '../../../support/payments.ts'
import { OFFER } from '../../../support/views.ts'

const OTHER: Hex = address(9)

const SET_ASIDE: SetAsideOffer = { kind: 'set-aside', nonce: NONCE, from: SENDER, isInBlock: false }

const VALIDATOR = {
  about: 'validator',
  block: 7n,
  balanceGwei: 250n,
  stakeToBeGwei: 250n,
  outcome: 'keeps-place',
} as const
const TOP_UP: PaymentOffer = { ...OFFER, kind: 'top-up', world: VALIDATOR }

const STATE = { world: VALIDATOR, deposits: [], isFollowed: true } as const
const replacement = (kind: ReplacementOffer['kind']): ReplacementOffer => ({
  ...STATE,
  kind,
  transaction: replacementFor(signedPayment(), kind).transaction,
  isInBlock: false,
  mayReplace: true,
})
const [CANCELLATION, SPEED_UP] = [replacement('cancellation'), replacement('speed-up')]

const GUARD: GuardOffer = {
  kind: 'guard',
  capGwei: 10n,
  untilSeconds: 20n,
  slotsToHuman: 30,
  chainId: 1,
  signer: 'keystore',
  from: SENDER,
  nonce: NONCE,
  feeLimitWei: 40n,
  checks: { chain: 'proven' },
}

const OFFERS: readonly Offer[] = [OFFER, TOP_UP, CANCELLATION, SPEED_UP, SET_ASIDE, GUARD]

describe('an offer beside the same one of now', () => {
  test.each(OFFERS)(
    'is the same where nothing changed, and gone where it is no longer possible: $kind',
    (offer) => {
      expect(compareOffers(offer, { ...offer })).toEqual({ is: 'same' })
      expect(compareOffers(offer, undefined)).toEqual({ is: 'other', changes: [{ id: 'gone' }] })
    },
  )

  test.each(OFFERS)('is gone where another kind took its place: $kind', (offer) => {
    for (const now of OFFERS.filter(({ kind }) => kind !== offer.kind))
      expect(compareOffers(offer, now)).toEqual({ is: 'other', changes: [{ id: 'gone' }] })
  })

  test.each<[string, Offer, Offer, readonly string[]]>([
    ['another nonce', SET_ASIDE, { ...SET_ASIDE, nonce: NONCE + 1 }, ['nonce']],
    ['another account', SET_ASIDE, { ...SET_ASIDE, from: OTHER }, ['sender']],
    ['a block that holds it', SET_ASIDE, { ...SET_ASIDE, isInBlock: true }, ['in-block']],
    ['a block that holds it', CANCELLATION, { ...CANCELLATION, isInBlock: true }, ['in-block']],
    ['no way to replace it', CANCELLATION, { ...CANCELLATION, mayReplace: false }, ['plan']],
    ['no way to replace it', SPEED_UP, { ...SPEED_UP, mayReplace: false }, ['plan']],
    [
      'another nonce',
      SPEED_UP,
      { ...SPEED_UP, transaction: { ...SPEED_UP.transaction, nonce: NONCE + 1 } },
      ['nonce'],
    ],
    [
      'a deposit that arrived',
      SPEED_UP,
      { ...SPEED_UP, deposits: [{ hash: hash(9), amountGwei: 1n }] },
      ['deposits'],
    ],
    ['another key', SPEED_UP, { ...SPEED_UP, world: { about: 'unused-key' } }, ['key']],
    ['a key that is used', OFFER, { ...OFFER, world: VALIDATOR }, ['key']],
    ['another receiver', OFFER, { ...OFFER, plan: { ...OFFER.plan, to: OTHER } }, ['plan']],
    ['another amount', OFFER, { ...OFFER, plan: { ...OFFER.plan, valueWei: 1n } }, ['plan']],
    ['other data', OFFER, { ...OFFER, plan: { ...OFFER.plan, data: '0x01' } }, ['plan']],
    ['another signer', OFFER, { ...OFFER, signer: 'external' }, ['signer']],
    ['another chain', OFFER, { ...OFFER, chainId: 2 }, ['chain']],
    ['another account', OFFER, { ...OFFER, from: OTHER }, ['sender']],
    ['another nonce', OFFER, { ...OFFER, nonce: 1 }, ['nonce']],
    ['a word of more', OFFER, { ...OFFER, level: 'risk' }, ['level']],
    ['a higher fee', OFFER, { ...OFFER, feeLimitWei: 2n }, ['fee']],
    ['a check that refuses', OFFER, { ...OFFER, checks: { key: 'refused' } }, ['check']],
    ['another cap', GUARD, { ...GUARD, capGwei: 11n }, ['plan']],
    ['another end', GUARD, { ...GUARD, untilSeconds: 21n }, ['plan']],
    ['another time to be there', GUARD, { ...GUARD, slotsToHuman: 31 }, ['plan']],
  ])('is another one with %s', (_, opened, now, ids) => {
    const found = compareOffers(opened, now)
    expect(found.is === 'other' && found.changes.map(({ id }) => id)).toEqual(ids)
  })

  test.each<[string, Offer, Offer]>([
    ['a lower fee', OFFER, { ...OFFER, feeLimitWei: 0n }],
    ['a word of less', { ...OFFER, level: 'risk' }, OFFER],
    ['a later block', TOP_UP, { ...TOP_UP, world: { ...VALIDATOR, block: 8n } }],
    ['a better outcome', { ...TOP_UP, world: { ...VALIDATOR, outcome: 'tie' } }, TOP_UP],
    [
      'a stake that is known by now',
      { ...TOP_UP, world: { ...VALIDATOR, stakeToBeGwei: undefined } },
      TOP_UP,
    ],
    [
      'deposits, where it is cancelled',
      CANCELLATION,
      { ...CANCELLATION, deposits: undefined, world: undefined },
    ],
    [
      'a nonce that a contract account has not',
      { ...OFFER, signer: 'contract', nonce: undefined },
      { ...OFFER, signer: 'contract', nonce: 3 },
    ],
  ])('is the same with %s', (_, opened, now) => {
    expect(compareOffers(opened, now)).toEqual({ is: 'same' })
  })

  test.each<[string, Offer, Offer, readonly string[]]>([
    ['the account', OFFER, { ...OFFER, from: undefined }, ['sender']],
    ['the nonce', OFFER, { ...OFFER, nonce: undefined }, ['nonce']],
    ['the fee', OFFER, { ...OFFER, feeLimitWei: undefined }, ['fee']],
    ['the word', OFFER, { ...OFFER, level: undefined }, ['level']],
    ['the key', OFFER, { ...OFFER, world: undefined }, ['world']],
    ['the deposits', OFFER, { ...OFFER, deposits: undefined }, ['deposits']],
    ['a check', OFFER, { ...OFFER, checks: {} }, ['check']],
    ['a look as late', TOP_UP, { ...TOP_UP, world: { ...VALIDATOR, block: 6n } }, ['world']],
    [
      'the stake that it comes to',
      TOP_UP,
      { ...TOP_UP, world: { ...VALIDATOR, stakeToBeGwei: undefined } },
      ['world'],
    ],
    ['the key of what is sped up', SPEED_UP, { ...SPEED_UP, world: undefined }, ['world']],
  ])('is not known to be the same without %s', (_, opened, now, ids) => {
    const found = compareOffers(opened, now)
    expect(found.is === 'unknown' && found.gaps.map(({ id }) => id)).toEqual(ids)
  })
})
