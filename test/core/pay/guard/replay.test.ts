import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type DecideBy, guardHistory, NO_COUNTS, sumOfCounts } from '../../../../scripts/vectors/guard.ts'
import { decideGuard } from '../../../../src/core/pay/guard/decide.ts'
import { initialGuardPage } from '../../../../src/core/steps/topup/guard-page.ts'

const histories = (name: string): string[] => {
  const packed = readFileSync(new URL(`../../../vectors/consensus/${name}`, import.meta.url))
  return gunzipSync(packed).toString('utf8').trim().split('\n')
}
/** Histories of the real state machine in which places are lost in every way. */
const OUTBID = histories('outbid.jsonl.gz')
const PROPOSED = initialGuardPage.slots

/** Goes through histories with a guard of each validator, the decisions made by `decideBy`. */
function played(lines: readonly string[], slotsToHuman: number, decideBy: DecideBy = decideGuard) {
  const plays = lines.map((line) => guardHistory(line, slotsToHuman, decideBy))
  return {
    counts: plays.map(({ counts }) => counts).reduce(sumOfCounts, NO_COUNTS),
    failures: plays.flatMap(({ failures }) => failures),
    cases: plays.flatMap(({ cases }) => cases),
  }
}

describe('a guard of each validator of recorded histories', () => {
  test('keeps the place where a block and the cap allow it, and what came later does not raise', () => {
    const { counts, failures } = played(OUTBID, 0)
    expect(failures).toEqual([])
    expect(counts).toEqual({
      evictions: 21,
      averted: 7,
      raisedAfter: 3,
      neverActive: 9,
      capTooLow: 1,
      outgrown: 0,
      keptBack: 0,
      noSlot: 1,
      noRoom: 0,
      paid: 11,
      paidBeyond: 1,
      paidInVain: 2,
    })
  })

  test('leaves the human the slots that were agreed to, and pays less often', () => {
    const { counts, failures } = played(OUTBID, PROPOSED)
    expect(failures).toEqual([])
    const rest = { evictions: 21, neverActive: 9, capTooLow: 1, noSlot: 1, noRoom: 0, paidBeyond: 0 }
    const waited = { outgrown: 1, keptBack: 1 }
    expect(counts).toEqual({ ...rest, ...waited, averted: 6, raisedAfter: 2, paid: 8, paidInVain: 1 })
  })

  test('pays nothing for a place that was kept by all that was known, on all histories', () => {
    const lines = [...histories('epochs.jsonl.gz'), ...OUTBID]
    const { failures, cases } = played(lines, PROPOSED)
    expect(failures).toEqual([])
    const stayed = cases.filter(({ evicted }) => evicted === undefined)
    const paid = stayed.filter((one) => one.paid !== undefined)
    expect(stayed).toHaveLength(202)
    // Both were lost at the look, and kept by what came later.
    expect(paid.map(({ history, isVain }) => [history, isVain])).toEqual([
      [79, true],
      [113, true],
    ])
  })
})

describe('the replay itself', () => {
  /** The member at a place goes out, whatever the tables say. */
  const handing =
    (place: number): DecideBy =>
    (picture) => {
      const { need, block } = picture
      if (block === undefined) return decideGuard(picture)
      const outAtEpoch = need.is === 'out' ? need.outAtEpoch : 1n
      return {
        does: 'hand',
        member: place,
        target: { outAtEpoch, lastBlock: block + 1n, provenBlock: block },
      }
    }

  test('objects to a payment for a place that is kept', () => {
    const { failures } = played(OUTBID.slice(0, 1), 0, handing(0))
    expect(failures.some((what) => what.endsWith('for a place that is kept'))).toBe(true)
  })

  test('objects to an amount that is not enough', () => {
    const least: DecideBy = (picture) => {
      const decision = decideGuard(picture)
      return decision.does === 'hand' ? { ...decision, member: 0 } : decision
    }
    const { failures } = played(OUTBID, 0, least)
    expect(failures.some((what) => what.endsWith('does not keep the place'))).toBe(true)
  })

  test('objects to a second payment', () => {
    const { failures } = played(OUTBID.slice(0, 1), 0, handing(4))
    expect(failures.some((what) => what.endsWith('hand after a payment'))).toBe(true)
  })
})
