import { describe, expect, test } from 'vitest'
import { gweiToWei, tokens } from '../../../../src/core/base/format/amount.ts'
import {
  changesOf,
  deskAfter,
  gapsOf,
  openDesk,
  DESK_TEXT as TEXT,
} from '../../../../src/core/pay/desk/desk.ts'
import type { PaymentOffer } from '../../../../src/core/pay/desk/offer.ts'
import { OFFER } from '../../../support/views.ts'

const validator = (stakeGwei: bigint): PaymentOffer['world'] => ({
  about: 'validator',
  block: 7n,
  balanceGwei: stakeGwei,
  stakeToBeGwei: stakeGwei,
  outcome: 'keeps-place',
})

test.each<[string, Partial<PaymentOffer>, string]>([
  [
    'a deposit that arrived',
    { deposits: [{ hash: `0x${'1'.repeat(64)}`, amountGwei: tokens(10_000n) }] },
    '10,000 BERA more arrived, not by this payment',
  ],
  [
    'a deposit whose amount nobody asked for',
    { deposits: [{ hash: `0x${'2'.repeat(64)}`, amountGwei: undefined }] },
    'another deposit for this key arrived, not by this payment',
  ],
  ['a fee', { feeLimitWei: gweiToWei(tokens(3n)) }, 'the fee may be 3 BERA now, and was 2 at most'],
  ['a stake', { world: validator(tokens(260_000n)) }, 'the stake is 260,000 BERA, and was 250,000'],
])('what changed under a word names the token with %s', (_, over, said) => {
  const opened = { ...OFFER, kind: 'top-up', feeLimitWei: gweiToWei(tokens(2n)) } as const
  const offer = { ...opened, world: validator(tokens(250_000n)) }
  const desk = openDesk({ key: 't', label: 'send', typed: 'send', token: 'BERA', offer, does: [] }, 0)
  const after = desk && deskAfter(desk, { type: 'looked', now: { ...offer, ...over } })
  expect(after && changesOf(after, [])).toEqual([said])
})

describe('what is said of a word', () => {
  const offer: PaymentOffer = { ...OFFER, kind: 'top-up', world: validator(tokens(250_000n)) }
  const saidOf = (now: PaymentOffer | undefined, rows: Parameters<typeof changesOf>[1] = []) => {
    const desk = openDesk({ key: 't', label: 'send', typed: 'send', token: 'BERA', offer, does: [] }, 0)
    const after = desk && deskAfter(desk, { type: 'looked', now })
    return after && changesOf(after, rows)
  }

  test.each<[string, PaymentOffer | undefined]>([
    [TEXT.changes.gone, undefined],
    [TEXT.changes.plan, { ...offer, plan: { ...offer.plan, valueWei: 1n } }],
    [TEXT.changes.signer, { ...offer, signer: 'external' }],
    [TEXT.changes.chain, { ...offer, chainId: 2 }],
    [TEXT.changes.sender, { ...offer, from: '0x0000000000000000000000000000000000000001' }],
    [TEXT.changes.nonce, { ...offer, nonce: 1 }],
    [TEXT.changes.level, { ...offer, level: 'risk' }],
    [TEXT.changes.key, { ...offer, world: { about: 'unused-key' } }],
  ])('whose offer changed: %s', (said, now) => {
    expect(saidOf(now)).toEqual([said])
  })

  test.each<[string, PaymentOffer]>([
    [TEXT.gaps.sender, { ...offer, from: undefined }],
    [TEXT.gaps.nonce, { ...offer, nonce: undefined }],
    [TEXT.gaps.fee, { ...offer, feeLimitWei: undefined }],
    [TEXT.gaps.level, { ...offer, level: undefined }],
    [TEXT.gaps.world, { ...offer, world: undefined }],
    [TEXT.gaps.deposits, { ...offer, deposits: undefined }],
    [TEXT.checks.node, { ...offer, checks: { node: 'unknown' } }],
  ])('while a part of it is not known: %s', (said, now) => {
    const { checks } = now
    const action = {
      key: 't',
      label: 'send',
      typed: 'send',
      token: 'BERA',
      does: [],
      offer: { ...offer, checks },
    }
    const desk = openDesk(action, 0)
    expect(desk && gapsOf(deskAfter(desk, { type: 'looked', now }), [])).toEqual([said])
  })

  test('names a check as its row does', () => {
    const now = { ...offer, checks: { key: 'refused' } } as const
    expect(saidOf(now, [{ id: 'key', label: 'your key' }])).toEqual([TEXT.check('your key')])
  })
})
