import { GWEI_PER_TOKEN, type Gwei } from '../../base/format/amount.ts'
import type { Placing } from '../../chain/consensus/placing.ts'
import type { Setup } from '../../chain/facts.ts'
import type { ChartRow } from '../../view/view.ts'
import { STATUS_TEXT as TEXT } from './text.ts'

/** Where the validator stood in one epoch, at the tightest boundary that was ahead then. Amounts in gwei. */
export type HistoryPoint = {
  epoch: bigint
  rank: number
  /** Left out where nobody else needs a place. */
  cutoffGwei?: Gwei
  marginGwei?: Gwei
}

/** More are never kept: older ones are thinned, so that a few hundred points reach back over years. */
const MOST_POINTS = 240

/** Returns what is remembered with one epoch more. A later look at the same epoch replaces the one before. */
export function withPlacing(
  points: readonly HistoryPoint[],
  { rank, cutoff, marginGwei }: Placing,
  epoch: bigint,
): readonly HistoryPoint[] {
  const point: HistoryPoint = {
    epoch,
    rank,
    ...(cutoff === undefined ? {} : { cutoffGwei: cutoff.stakeGwei }),
    ...(marginGwei === undefined ? {} : { marginGwei }),
  }
  const last = points.at(-1)
  if (last !== undefined && last.epoch > epoch) return points
  const before = last?.epoch === epoch ? points.slice(0, -1) : points
  if (last?.epoch === epoch && isSame(last, point)) return points
  return thinned([...before, point])
}

function isSame(a: HistoryPoint, b: HistoryPoint): boolean {
  return a.rank === b.rank && a.cutoffGwei === b.cutoffGwei && a.marginGwei === b.marginGwei
}

/** The newer half stays as it is, of the older one every second point. */
function thinned(points: readonly HistoryPoint[]): readonly HistoryPoint[] {
  if (points.length <= MOST_POINTS) return points
  const half = points.length / 2
  return points.filter((_, at) => at >= half || at % 2 === 0)
}

const DAY_MS = 86_400_000
/** Cells of the chart. */
const CELLS = 24

/** Returns the history as a chart with words, higher is better; nothing before there are two epochs to compare. */
export function chartOf(points: readonly HistoryPoint[], { network }: Pick<Setup, 'network'>): ChartRow[] {
  const [oldest] = points
  const newest = points.at(-1)
  if (oldest === undefined || newest === undefined || oldest === newest) return []
  const epochMs = Number(network.spec.slotsPerEpoch) * network.slotMs
  const msBefore = ({ epoch }: HistoryPoint) => Number(newest.epoch - epoch) * epochMs
  const since =
    points.find((point) => msBefore(point) <= DAY_MS && point !== newest) ?? points.at(-2) ?? oldest
  const over = { ms: msBefore(since), drawnMs: msBefore(oldest) }
  const drawn = inCells(points)
  const amounts = (key: 'cutoffGwei' | 'marginGwei') =>
    drawn.flatMap(({ [key]: amountGwei }) =>
      amountGwei === undefined ? [] : [Number(amountGwei / GWEI_PER_TOKEN)],
    )
  const rows = [
    {
      label: TEXT.chart.rank,
      values: drawn.map(({ rank }) => -rank),
      text: TEXT.chart.ranks(since.rank, newest.rank, over),
    },
    {
      label: TEXT.chart.margin,
      values: amounts('marginGwei'),
      text: TEXT.chart.amounts(since.marginGwei, newest.marginGwei),
    },
    {
      label: TEXT.chart.cutoff,
      values: amounts('cutoffGwei'),
      text: TEXT.chart.amounts(since.cutoffGwei, newest.cutoffGwei),
    },
  ]
  return rows.filter(({ values }) => values.length > 0)
}

/** Points in even steps of time: in each the newest that had been seen by then. */
function inCells(points: readonly HistoryPoint[]): readonly HistoryPoint[] {
  const first = Number(points[0]?.epoch ?? 0n)
  const span = Number(points.at(-1)?.epoch ?? 0n) - first
  const cells = Math.min(CELLS, span + 1)
  return Array.from({ length: cells }, (_, cell) => {
    const upTo = first + (cells === 1 ? span : Math.round((span * cell) / (cells - 1)))
    return points.findLast(({ epoch }) => Number(epoch) <= upTo)
  }).filter((point) => point !== undefined)
}
