import { quantity } from '../contracts.ts'

const FINAL_TAGS: readonly unknown[] = ['finalized', 'safe']

/**
 * Puts a block number where a call says `finalized` or `safe`. With single-slot finality both mean the parent of the
 * head, and the first block while there is no other.
 */
export function withoutFinalTags(
  params: readonly unknown[],
  place: { at: number | 'range' | 'none'; headNumber: number },
): readonly unknown[] {
  const { at, headNumber } = place
  const plain = (tag: unknown): unknown =>
    FINAL_TAGS.includes(tag) ? quantity(Math.max(0, headNumber - 1)) : tag
  if (at === 'none') return params
  if (at === 'range') return params.map((filter) => plainRange(filter, plain))
  return params.map((param, index) => (index === at ? plain(param) : param))
}

function plainRange(filter: unknown, plain: (tag: unknown) => unknown): unknown {
  if (typeof filter !== 'object' || filter === null) return filter
  const out: Record<string, unknown> = { ...filter }
  if ('fromBlock' in out) out.fromBlock = plain(out.fromBlock)
  if ('toBlock' in out) out.toBlock = plain(out.toBlock)
  return out
}
