import { expect, test } from 'vitest'
import { gweiToWei, tokens } from '../../../../src/core/base/format/amount.ts'
import { changesOf } from '../../../../src/core/pay/desk/changes.ts'
import { deskAfter, openDesk } from '../../../../src/core/pay/desk/desk.ts'
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
