import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/format/amount.ts'
import { type AgreedWorld, stillAgreed, type WorldNow } from '../../../../src/core/steps/sending/consent.ts'

const AGREED: AgreedWorld = {
  block: 200n,
  balanceGwei: tokens(10_000n),
  stakeToBeGwei: tokens(10_000n),
  outcome: 'keeps-place',
}
const NOW: WorldNow = {
  balanceGwei: tokens(10_000n),
  stakeToBeGwei: tokens(10_000n),
  outcome: 'keeps-place',
  arrived: [],
}
const ARRIVED = [{ block: 214n, amountGwei: tokens(270_000n) }]
const MORE = tokens(280_000n)

const words = (now: Partial<WorldNow>, agreed: Partial<AgreedWorld> = {}): string => {
  const verdict = stillAgreed({ ...AGREED, ...agreed }, { ...NOW, ...now }, 'BERA')
  return verdict.good ? 'goes on' : verdict.words
}

describe('what was agreed to for a validator', () => {
  test.each<[string, Partial<WorldNow>, Partial<AgreedWorld>]>([
    ['nothing has changed', {}, {}],
    ['what waited is counted by now', { balanceGwei: MORE, stakeToBeGwei: MORE }, { stakeToBeGwei: MORE }],
    [
      'what waited is counted by now, and only the balance is proven',
      { balanceGwei: MORE, stakeToBeGwei: undefined },
      { stakeToBeGwei: MORE },
    ],
    ['the outcome is better', {}, { outcome: 'tie' }],
    ['an event is told beside a stake that both looks know whole', { arrived: ARRIVED }, {}],
  ])('goes on where %s', (_, now, agreed) => {
    expect(words(now, agreed)).toBe('goes on')
  })

  test.each<[string, Partial<WorldNow>, Partial<AgreedWorld>, RegExp]>([
    [
      'somebody paid and it waits',
      { stakeToBeGwei: MORE, arrived: ARRIVED },
      {},
      /^270,000 BERA more arrived in block 214, not/,
    ],
    [
      'somebody paid and it is counted',
      { balanceGwei: MORE, stakeToBeGwei: MORE, arrived: ARRIVED },
      {},
      /^270,000 BERA more/,
    ],
    [
      'somebody paid and only the events tell',
      { stakeToBeGwei: undefined, arrived: ARRIVED },
      {},
      /^270,000 BERA more/,
    ],
    [
      'the stake grew and no event tells why',
      { balanceGwei: MORE, stakeToBeGwei: MORE },
      {},
      /^the stake is 280,000 BERA, and was 10,000 when/,
    ],
    [
      'the proven balance is not the one shown',
      { balanceGwei: MORE, stakeToBeGwei: undefined },
      { stakeToBeGwei: undefined },
      /^the stake is 280,000/,
    ],
    ['the stake fell', { balanceGwei: 0n, stakeToBeGwei: 0n }, {}, /^the stake is 0 BERA/],
    ['it would drop out by now', { outcome: 'drops-out' }, {}, /no longer keeps a place/],
    ['it would be lost at once by now', { outcome: 'lost-at-once' }, {}, /sent away at once/],
    ['it would only tie by now', { outcome: 'tie' }, {}, /only a tie/],
    [
      'it no longer passes the threshold',
      { outcome: 'below-threshold' },
      {},
      /no longer passes the threshold/,
    ],
  ])('stops where %s', (_, now, agreed, expected) => {
    expect(words(now, agreed)).toMatch(expected)
  })

  test('stops where the agreement does not say what was known', () => {
    expect(stillAgreed(undefined, NOW, 'BERA')).toMatchObject({ good: false })
  })
})
