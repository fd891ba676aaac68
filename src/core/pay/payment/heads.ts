import {
  type ExecutionHead,
  executionBeside,
  headAfter,
  type NewestHead,
  type NodeDoubt,
  nodeDoubt,
} from '../../chain/network/standstill.ts'
import type { RoundMemory } from './payment.ts'
import { isReply, type Round } from './round.ts'

/**
 * Updates a payment's memory with the heads of a round. The own endpoint comes first: while it shows new blocks the
 * chain goes on. Time without any block does not count as waiting; the wait begins anew with the next block.
 */
export function withHeads(memory: RoundMemory, round: Round): RoundMemory {
  const heads = headsIn(memory, round)
  const own = round.byEndpoint[0]?.endpoint ?? ''
  const doubt = standstillOf({ ...memory, heads }, memory.heads, round)
  const isBack = chainStands(memory) && (heads[own]?.slot ?? 0n) > (memory.heads[own]?.slot ?? 0n)
  if (!isBack) return { ...memory, heads, doubt }
  const { waiting: _, ...since } = memory.since
  return { ...memory, heads, doubt, since, isStuck: false }
}

function headsIn(memory: RoundMemory, { byEndpoint, atMs }: Round): RoundMemory['heads'] {
  const entries = byEndpoint.flatMap((one) => {
    const before = memory.heads[one.endpoint]
    const slot = isReply(one) ? one.head : undefined
    const now = slot === undefined ? before : headAfter(before, { slot, atMs, doubt: undefined })
    return now === undefined ? [] : [[one.endpoint, now] as const]
  })
  return Object.fromEntries(entries)
}

/** The own endpoint answers and shows no new block; undefined where it shows some, or is silent. */
function standstillOf(
  { heads }: RoundMemory,
  before: RoundMemory['heads'],
  round: Round,
): NodeDoubt | undefined {
  const { byEndpoint, atMs, slotMs } = round
  const [own, ...others] = byEndpoint
  if (own === undefined) return undefined
  const failing = !isReply(own) || own.head === undefined
  const doubt = nodeDoubt(heads[own.endpoint], { nowMs: atMs, slotMs, failing })
  if (doubt?.is !== 'still') return undefined
  const now = others.flatMap((one): ExecutionHead[] => {
    const block = isReply(one) ? one.head : undefined
    return block === undefined ? [] : [{ name: one.endpoint, block, other: true }]
  })
  const earlier = others.flatMap(({ endpoint: name }): ExecutionHead[] => {
    const block = before[name]?.slot
    return block === undefined ? [] : [{ name, block, other: true }]
  })
  return { ...doubt, beside: executionBeside(doubt.slot, { before: earlier, now }) }
}

/** Whether no new block is seen anywhere: neither at the own endpoint nor at another one. */
export const chainStands = ({ doubt }: Pick<RoundMemory, 'doubt'>): boolean =>
  doubt !== undefined && doubt.beside.is !== 'ahead'

/**
 * Whether the newest block of the own endpoint is so young that it may not be asked yet why it lacks the payment: `sinceMs`
 * is when the wait for a block began. Never where that endpoint stands still or is silent: then time alone counts.
 */
export function isTooYoung(
  { heads, doubt }: Pick<RoundMemory, 'heads' | 'doubt'>,
  { byEndpoint, atMs }: Round,
  { sinceMs, leastMs }: { sinceMs: number; leastMs: number },
): boolean {
  const own: NewestHead | undefined = heads[byEndpoint[0]?.endpoint ?? '']
  if (own === undefined || own.atMs !== atMs || doubt !== undefined) return false
  return own.sinceMs - sinceMs < leastMs
}
