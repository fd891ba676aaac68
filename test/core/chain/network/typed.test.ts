import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { readChronicle } from '../../../../src/core/chain/network/chronicle.ts'
import { typedAmount, typedPart } from '../../../../src/core/chain/network/network.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'

const MOST = MAINNET.spec.maxEffectiveBalanceGwei / 10n ** 9n

describe('a part of the stake as it is typed', () => {
  test.each([
    ['1', tokens(1n)],
    [' 10,000 ', tokens(10_000n)],
    [String(MOST), MAINNET.spec.maxEffectiveBalanceGwei],
  ])('%s is taken', (text, amountGwei) => {
    expect(typedPart(text, MAINNET)).toEqual({ amountGwei })
  })

  test.each(['', '0', '-1', '1e4', '10.000,5', String(MOST + 1n)])('%s is refused', (text) => {
    expect(typedPart(text, MAINNET)).toEqual({ error: expect.stringMatching(/./) })
  })

  test('is as large as a validator may be, as a deposit and as a part', () => {
    for (const typed of [typedAmount, typedPart]) {
      expect(typed(String(MOST), MAINNET)).toEqual({ amountGwei: MAINNET.spec.maxEffectiveBalanceGwei })
      expect(typed(String(MOST + 1n), MAINNET)).toEqual({ error: expect.stringContaining('The most is') })
    }
  })

  test('may be less than a deposit', () => {
    expect(typedAmount('1', MAINNET)).toEqual({ error: expect.stringMatching(/./) })
  })
})

describe('the story of a rehearsal', () => {
  const story = {
    scenario: 'free-places',
    phase: 'under-way',
    slotMs: 1000,
    pace: 'plain',
    events: [{ id: 'paid-back', slot: '7', amountGwei: '5', index: 3 }],
    feesWei: '12',
  }

  test('is read with every number', () => {
    expect(readChronicle(JSON.stringify(story))).toEqual({
      ...story,
      events: [{ id: 'paid-back', slot: 7n, amountGwei: 5n, index: 3 }],
      feesWei: 12n,
    })
  })

  test.each([
    ['phase', { ...story, phase: 'tomorrow' }],
    ['events[0].slot', { ...story, events: [{ id: 'paid-back', slot: -1 }] }],
    ['slotMs', { ...story, slotMs: 0 }],
  ])('names %s where it is odd', (field, odd) => {
    expect(() => readChronicle(JSON.stringify(odd))).toThrow(
      expect.objectContaining({ details: expect.arrayContaining([`field: ${field}`]) }),
    )
  })
})
