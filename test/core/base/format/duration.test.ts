import { describe, expect, test } from 'vitest'
import { formatClock, formatCountdown } from '../../../../src/core/base/format/amount.ts'

const MINUTE = 60_000
const at = (iso: string): number => Date.parse(iso)

describe('a countdown', () => {
  test.each([
    [9 * MINUTE + 59_000, '9 min 59 s'],
    [10 * MINUTE, '10 min'],
    [10 * MINUTE + 1000, '10 min'],
    [12 * MINUTE + 59_000, '12 min'],
    [134 * MINUTE + 30_000, '2 h 14 min'],
  ])('of %d ms says %s: by the minute above ten minutes, never more than is left', (ms, text) => {
    expect(formatCountdown(ms)).toBe(text)
  })

  test.each([
    ['2026-11-24T15:05:40Z', '2026-11-24T14:00:00Z', 60, '16:05 UTC+1'],
    ['2026-11-24T15:05:40Z', '2026-11-24T14:00:00Z', 0, '15:05 UTC'],
    ['2026-11-24T15:05:40Z', '2026-11-24T14:00:00Z', -210, '11:35 UTC-3:30'],
    ['2026-11-24T23:05:00Z', '2026-11-24T22:55:00Z', 60, '00:05 UTC+1 on 25 Nov'],
    ['2026-12-31T23:05:00Z', '2026-12-31T22:55:00Z', 0, '23:05 UTC'],
    ['2026-12-31T23:05:00Z', '2026-12-31T22:55:00Z', 60, '00:05 UTC+1 on 1 Jan 2027'],
    ['2025-11-24T15:05:00Z', '2026-11-24T15:00:00Z', 0, '15:05 UTC on 24 Nov 2025'],
  ])('ends at %s by a clock, seen at %s in a zone %d minutes ahead: %s', (end, now, offset, text) => {
    expect(formatClock(at(end), at(now), offset)).toBe(text)
  })

  test('is told in the zone of this computer', () => {
    const [local = '', zone] = formatClock(at('2026-11-24T12:00:00Z'), at('2026-11-24T12:00:00Z')).split(' ')
    const here = new Date('2026-11-24T12:00:00Z')
    expect(local).toBe(`${here.getHours()}`.padStart(2, '0') + `:${here.getMinutes()}`.padEnd(3, '0'))
    expect(zone).toMatch(/^UTC/)
  })
})
