import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Counted, countByGrowth } from '../../../../src/core/chain/key-state/key-state.ts'

const TAKEN_IN_A_SLOT = 16

type Made = { blockSlot: bigint; amountGwei: bigint; own: boolean }

/** Deposits of a key and of others, over some 40 blocks, in order. */
const history = fc
  .array(
    fc.record({
      blockSlot: fc.bigInt({ min: 1n, max: 40n }),
      amountGwei: fc.constantFrom(10n, 20n, 30n),
      own: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((made) => made.sort((a, b) => Number(a.blockSlot - b.blockSlot)))

/** How many of all deposits the state of each slot holds: a queue that is served slot by slot. */
function servedBy(made: readonly Made[], toSlot: bigint, fulu: boolean): number {
  if (fulu) return made.filter(({ blockSlot }) => blockSlot <= toSlot).length
  let served = 0
  for (let slot = 1n; slot <= toSlot; slot += 1n) {
    const ripe = made.filter(({ blockSlot }) => blockSlot + 2n <= slot).length
    served = Math.min(ripe, served + TAKEN_IN_A_SLOT)
  }
  return served
}

describe('how many deposits a proven balance holds', () => {
  test('is never said wrong, whatever queue there was and at whatever slots somebody looked', () =>
    fc.assert(
      fc.property(
        history,
        fc.boolean(),
        fc.uniqueArray(fc.bigInt({ min: 1n, max: 45n }), { minLength: 1, maxLength: 12 }),
        (made, fulu, slots) => {
          let before: Counted | undefined
          for (const slot of slots.sort((a, b) => Number(a - b))) {
            const isHeld = new Set(made.slice(0, servedBy(made, slot, fulu)))
            const seen = made.filter(({ blockSlot }) => blockSlot <= slot + 1n)
            const own = seen.filter((deposit) => deposit.own)
            const truth = own.filter((deposit) => isHeld.has(deposit)).length
            const balanceGwei = own.slice(0, truth).reduce((sum, { amountGwei }) => sum + amountGwei, 1000n)
            before = countByGrowth(before, { slot, balanceGwei, fulu }, { deposits: own, ofAll: seen.length })
            expect(before.least).toBeLessThanOrEqual(truth)
            expect(before.most).toBeGreaterThanOrEqual(truth)
            if (seen.length <= TAKEN_IN_A_SLOT) expect(before).toMatchObject({ least: truth, most: truth })
          }
        },
      ),
    ))

  test('is told by what the balance grew by, where others may stand in the way', () => {
    const deposits = [
      { blockSlot: 10n, amountGwei: 10n },
      { blockSlot: 12n, amountGwei: 30n },
    ]
    const look = (slot: bigint, balanceGwei: bigint) => ({ slot, balanceGwei, fulu: false })
    const first = countByGrowth(undefined, look(13n, 100n), { deposits: deposits.slice(0, 1), ofAll: 40 })
    expect(first).toMatchObject({ least: 0, most: 1 })
    const grown = countByGrowth(first, look(15n, 110n), { deposits, ofAll: 40 })
    expect(grown).toMatchObject({ least: 1, most: 1 })
    expect(countByGrowth(grown, look(20n, 140n), { deposits, ofAll: 40 })).toMatchObject({
      least: 2,
      most: 2,
    })
    expect(countByGrowth(grown, look(20n, 110n), { deposits, ofAll: 40 })).toMatchObject({
      least: 1,
      most: 1,
    })
  })

  test('is left to age where something was paid out', () => {
    const deposits = [{ blockSlot: 10n, amountGwei: 10n }]
    const before = { slot: 11n, balanceGwei: 100n, least: 0, most: 1 }
    const now = { slot: 12n, balanceGwei: 90n, fulu: false }
    expect(countByGrowth(before, now, { deposits, ofAll: 40 })).toMatchObject({ least: 0, most: 1 })
    const later = { slot: 80n, balanceGwei: 90n, fulu: false }
    expect(countByGrowth(before, later, { deposits, ofAll: 40 })).toMatchObject({ least: 1, most: 1 })
  })
})
