import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import type { CommandContext } from '../../../../src/core/observe/context.ts'
import { chartOf, type HistoryPoint, withPlacing } from '../../../../src/core/steps/status/history.ts'
import type { StatusEvent } from '../../../../src/core/steps/status/machine.ts'
import { rememberPlacings } from '../../../../src/core/steps/status/observe-commands.ts'
import { STATUS_TEXT } from '../../../../src/core/steps/status/text.ts'
import { pubkey } from '../../chain/consensus/model.ts'

const SETUP = { network: MAINNET }
const EPOCHS_A_DAY = 225n

const standingOf = (rank: number, margin: bigint | undefined) => ({
  epoch: 0n,
  rank,
  places: 69,
  stakeGwei: tokens(300_000n),
  lastPlace: undefined,
  cutoff:
    margin === undefined
      ? undefined
      : { rank: 70, pubkey: pubkey(70), stakeGwei: tokens(300_000n - margin), hasPlace: false },
  marginGwei: margin === undefined ? undefined : tokens(margin),
  othersNeedGwei: tokens(margin ?? 0n),
})

function seenIn(looks: readonly { epoch: bigint; rank: number; margin?: bigint }[]): readonly HistoryPoint[] {
  return looks.reduce<readonly HistoryPoint[]>(
    (points, { epoch, rank, margin }) => withPlacing(points, standingOf(rank, margin), epoch),
    [],
  )
}

const textsOf = (points: readonly HistoryPoint[]) => chartOf(points, SETUP).map(({ text }) => text)

describe('the history of a validator', () => {
  test('is one point an epoch, the last look of it, and never goes back', () => {
    const points = seenIn([
      { epoch: 7n, rank: 12 },
      { epoch: 7n, rank: 13 },
      { epoch: 9n, rank: 14 },
      { epoch: 8n, rank: 1 },
    ])
    expect(points.map(({ epoch, rank }) => [epoch, rank])).toEqual([
      [7n, 13],
      [9n, 14],
    ])
    expect(withPlacing(points, standingOf(14, undefined), 9n)).toBe(points)
  })

  test('tells nothing of a single epoch', () => {
    expect(chartOf([], SETUP)).toEqual([])
    expect(chartOf(seenIn([{ epoch: 7n, rank: 12 }]), SETUP)).toEqual([])
  })

  test('compares with a day ago, and says how far back is drawn', () => {
    const points = seenIn([
      { epoch: 1000n, rank: 9, margin: 90_000n },
      { epoch: 1000n + 2n * EPOCHS_A_DAY, rank: 12, margin: 30_000n },
      { epoch: 1000n + 3n * EPOCHS_A_DAY, rank: 13, margin: 10_000n },
    ])
    expect(textsOf(points)).toEqual(['12 → 13 in 24 h · drawn: 72 h', '30,000 → 10,000', '270,000 → 290,000'])
  })

  test('says where nobody competes any more, which is no margin that was used up', () => {
    const points = seenIn([
      { epoch: 1000n, rank: 12, margin: 10_000n },
      { epoch: 1001n, rank: 12 },
    ])
    expect(textsOf(points).slice(1)).toEqual([
      STATUS_TEXT.chart.amounts(tokens(10000n), undefined),
      STATUS_TEXT.chart.amounts(tokens(290000n), undefined),
    ])
  })

  test('says that nothing changed, and nothing of what was not there', () => {
    expect(textsOf(seenIn([3n, 4n].map((epoch) => ({ epoch, rank: 12 }))))).toEqual(['12, as 6 min 24 s ago'])
  })

  test('stays small over years, with its first and its newest epochs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 2, maxLength: 3000 }), (steps) => {
        let epoch = 0n
        const looks = steps.map((step) => {
          epoch += BigInt(step)
          return { epoch, rank: (step % 69) + 1 }
        })
        const points = seenIn(looks)
        expect(points.length).toBeLessThanOrEqual(240)
        expect(points[0]?.epoch).toBe(looks[0]?.epoch)
        const newest = looks.slice(-100).map((look) => look.epoch)
        expect(points.slice(-newest.length).map((point) => point.epoch)).toEqual(newest)
        for (const { values } of chartOf(points, SETUP)) expect(values.length).toBeLessThanOrEqual(24)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the history on the disk', () => {
  test('is read again as it was seen, also where the validator was out of its place', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'history-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const told: (readonly HistoryPoint[])[] = []
    const context = {
      setup: { journalDirectory: directory },
      facts: () => ({
        identity: { pubkey: pubkey(1) },
        genesis: { executionGenesisHash: `0x${'1'.repeat(64)}` },
      }),
      effects: { store: createNodeStore() },
      dispatch: async (event: StatusEvent) => {
        if (event.type === 'stood') told.push(event.history)
      },
    } as unknown as CommandContext<StatusEvent>
    const remember = await rememberPlacings(context)
    await remember({ place: standingOf(12, 30_000n), epoch: 7n })
    await remember({ place: standingOf(70, -10_000n), epoch: 8n })
    await remember({ place: standingOf(3, undefined), epoch: 9n })
    const seen = told.at(-1)
    expect(seen).toHaveLength(3)
    await rememberPlacings(context)
    expect(told.at(-1)).toEqual(seen)
    expect(told).toHaveLength(4)
  })
})
