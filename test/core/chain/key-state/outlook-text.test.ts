import { describe, expect, test } from 'vitest'
import { OUTLOOK_TEXT } from '../../../../src/core/chain/key-state/outlook-text.ts'

const rescue = { leastTopUpGwei: 20_000_000_000_000n, sendByBlock: 57n, lastGoodBlock: 63n }
const left = (slots: bigint) => `${slots} slots`

describe('the block to send a top-up by', () => {
  test('is named with the time until then', () => {
    expect(OUTLOOK_TEXT.sendBy(rescue, { now: 50n, left })).toMatch(/57\b.*\b7 slots/)
  })

  test('is no more the last good one once it is past: what is sent then is hardly in it', () => {
    for (const now of [57n, 60n, 63n]) {
      const words = OUTLOOK_TEXT.sendBy(rescue, { now, left })
      expect(words).toContain('Send it now')
      expect(words).not.toMatch(/by block|slots/)
    }
  })

  test('is named without a time where nobody tells the head', () => {
    const words = OUTLOOK_TEXT.sendBy(rescue, { now: undefined, left })
    expect(words).toContain('57')
    expect(words).not.toContain('slots')
  })
})
