import { describe, expect, test } from 'vitest'
import { STANDING_TEXT } from '../../../../src/core/chain/key-state/standing-text.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'

const rescue = {
  leastTopUpGwei: 20_000_000_000_000n,
  lessGwei: undefined,
  sendByBlock: 57n,
  lastGoodBlock: 63n,
}
const left = (slots: bigint) => `${slots} slots`

describe('the block to send a top-up by', () => {
  test('is named with the time until then', () => {
    expect(STANDING_TEXT.sendBy(rescue, { now: 50n, left })).toMatch(/57\b.*\b7 slots/)
  })

  test('is no more the last good one once it is past: what is sent then is hardly in it', () => {
    for (const now of [57n, 60n, 63n]) {
      const words = STANDING_TEXT.sendBy(rescue, { now, left })
      expect(words).toContain('Send it now')
      expect(words).not.toMatch(/by block|slots/)
    }
  })

  test('is named without a time where nobody tells the head', () => {
    const words = STANDING_TEXT.sendBy(rescue, { now: undefined, left })
    expect(words).toContain('57')
    expect(words).not.toContain('slots')
  })
})

test('a top-up in whole steps names the less that would be enough, where there is such', () => {
  const at = { now: 50n, left, network: MAINNET }
  expect(STANDING_TEXT.rescue({ ...rescue, lessGwei: 12_500_000_000_001n }, at)).toContain(
    '12,500.000000001 BERA',
  )
  expect(STANDING_TEXT.rescue(rescue, at)).not.toContain('12,500')
})
