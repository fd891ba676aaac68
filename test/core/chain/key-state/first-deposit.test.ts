import { describe, expect, test } from 'vitest'
import { firstDepositVerdict } from '../../../../src/core/chain/key-state/first-deposit.ts'
import type { KeyState } from '../../../../src/core/chain/key-state/key-state.ts'
import { type OwnBlocks, withEarlier } from '../../../../src/core/chain/key-state/own.ts'
import { address } from '../consensus/model.ts'

const by = (operator: object) => ({ operator }) as unknown as KeyState
const SET = by({ value: address(2) })

describe('what a first deposit comes to', () => {
  test.each([
    ['unknown', 'unknown'],
    ['unused', 'free'],
    ['waiting', 'waits'],
    ['registered', 'registered'],
    ['exiting', 'registered'],
    ['exited', 'left'],
    ['withdrawn', 'left'],
  ] as const)('for a key that is %s: %s, whoever its operator is', (verdict, comesTo) => {
    for (const operator of [undefined, address(2), address(3)])
      expect(firstDepositVerdict(SET, verdict, operator)).toBe(comesTo)
  })

  test('for a key whose stake was burnt: a rescue for the operator that was set, and for nobody else', () => {
    expect(firstDepositVerdict(SET, 'lost', address(2))).toBe('rescue')
    expect(firstDepositVerdict(SET, 'lost', address(3))).toBe('used')
    expect(firstDepositVerdict(SET, 'lost', undefined)).toBe('used')
    expect(firstDepositVerdict(by({ unknown: 'no answer' }), 'lost', address(2))).toBe('used')
  })
})

describe('own blocks of this run and of one before', () => {
  const range = { from: 10n, to: 20n }
  const live = { isWhole: false, first: undefined, last: undefined }
  const before: OwnBlocks = { first: { slot: 12n, isFirst: true }, last: 14n, isWhole: false }

  test.each<[string, Parameters<typeof withEarlier>, OwnBlocks]>([
    [
      'are none where none were seen',
      [live, undefined, range],
      { first: undefined, last: undefined, isWhole: false },
    ],
    ['are those of before', [live, before, range], { ...before }],
    [
      'are the first of before and the last of now',
      [{ ...live, first: 16n, last: 18n }, before, range],
      { ...before, last: 18n },
    ],
    [
      'are those of now where every slot was looked at',
      [{ isWhole: true, first: 11n, last: 18n }, before, range],
      { first: { slot: 11n, isFirst: true }, last: 18n, isWhole: true },
    ],
    [
      'are those of now where there is no before',
      [{ ...live, first: 16n, last: 18n }, undefined, range],
      { first: { slot: 16n, isFirst: false }, last: 18n, isWhole: false },
    ],
    [
      'are none of before that cannot be',
      [live, { ...before, first: { slot: 9n, isFirst: true }, last: 21n }, range],
      { first: undefined, last: undefined, isWhole: false },
    ],
  ])('%s', (_, given, expected) => {
    expect(withEarlier(...given)).toEqual(expected)
  })
})
