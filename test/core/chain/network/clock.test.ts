import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockAheadMs, judgeClock } from '../../../../src/core/chain/network/network.ts'

const SLOT_MS = 2000

test.each([
  ['of blocks that are seen within their slot', [0, 700, 1999], 0, 'near'],
  // A proposer whose clock is ahead makes one block of the future.
  ['of one block of the future among others', [-3000, 400, 900], 0, 'near'],
  ['of blocks that are all of the future', [-3000, -1500], -1500, 'behind'],
  ['of blocks that are a little of the future', [-900, -700], -700, 'between'],
  ['of blocks that are all late', [9000, 8000], 6000, 'ahead'],
  ['of one late block among others', [9000, 500], 0, 'near'],
  ['of blocks that are somewhat late', [5000, 6000], 3000, 'between'],
] as const)('the clock is judged by the ages %s', (_, agesMs, aheadMs, is) => {
  expect(clockAheadMs(agesMs, SLOT_MS)).toBe(aheadMs)
  expect(judgeClock(aheadMs)).toBe(is)
})

test('a clock that is right is near, whatever the blocks take within their slot', () => {
  const ages = fc.array(fc.integer({ min: 0, max: SLOT_MS }), { minLength: 1 })
  fc.assert(fc.property(ages, (agesMs) => judgeClock(clockAheadMs(agesMs, SLOT_MS) ?? Number.NaN) === 'near'))
})

test('blocks that are caught up with say nothing of the clock, at whatever pace they come', () => {
  const blocks = fc.record({
    behindMs: fc.integer({ min: 10 * SLOT_MS, max: 1000 * SLOT_MS }),
    eachMs: fc.integer({ min: 0, max: SLOT_MS / 2 }),
  })
  fc.assert(
    fc.property(blocks, ({ behindMs, eachMs }) => {
      const agesMs = [0, 1, 2, 3, 4].map((at) => behindMs - at * (SLOT_MS - eachMs))
      expect(clockAheadMs(agesMs, SLOT_MS)).toBeUndefined()
    }),
  )
})

test('no clock is called right without a block', () => {
  expect(judgeClock(clockAheadMs([], SLOT_MS) ?? 0)).toBe('behind')
})
