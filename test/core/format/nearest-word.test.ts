import { expect, test } from 'vitest'
import { nearestWord } from '../../../src/core/format/nearest-word.ts'
import { SCENARIO_NAMES } from '../../../src/core/network/scenario-names.ts'

test.each([
  ['set-fool', 'set-full'],
  ['sqatted-key', 'squatted-key'],
  ['BURNT-DEPOSIT', 'burnt-deposit'],
  ['outbid', 'outbid-while-active'],
  ['', undefined],
  ['mainnet', undefined],
  ['x'.repeat(1_000_000), undefined],
])('nearest to "%s" is %s', (typed, word) => {
  expect(nearestWord(typed, SCENARIO_NAMES)).toBe(word)
})
