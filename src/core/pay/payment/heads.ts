import {
  besideOf,
  doubtOf,
  type ExecutionHead,
  headAfter,
  type NewestHead,
  type NodeDoubt,
} from '../../chain/network/standstill.ts'
import type { RoundMemory } from './payment.ts'
import { isReply, type Round } from './round.ts'

/**
 * The watch of a payment with the heads of a round. The first endpoint is the own one: as long as it shows new blocks the
 * chain goes on, whatever another one says. Time in which the chain made no block is no time that the payment waited
 * for one: once there are blocks again its wait begins anew.
 */
export function withHeads(watch: RoundMemory, round: Round): RoundMemory {
  const heads = headsIn(watch, round)
  const own = round.byEndpoint[0]?.endpoint ?? ''
  const doubt = standstillOf({ ...watch, heads }, watch.heads, round)
  const isBack = chainStands(watch) && (heads[own]?.slot ?? 0n) > (watch.heads[own]?.slot ?? 0n)
  if (!isBack) return { ...watch, heads, doubt }
  const { waiting: _, ...since } = watch.since
  return { ...watch, heads, doubt, since, isStuck: false }
}

function headsIn(watch: RoundMemory, { byEndpoint, atMs }: Round): RoundMemory['heads'] {
  const entries = byEndpoint.flatMap((one) => {
    const before = watch.heads[one.endpoint]
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
  const doubt = doubtOf(heads[own.endpoint], { nowMs: atMs, slotMs, failing })
  if (doubt?.is !== 'still') return undefined
  const now = others.flatMap((one): ExecutionHead[] => {
    const block = isReply(one) ? one.head : undefined
    return block === undefined ? [] : [{ name: one.endpoint, block, other: true }]
  })
  const earlier = others.flatMap(({ endpoint: name }): ExecutionHead[] => {
    const block = before[name]?.slot
    return block === undefined ? [] : [{ name, block, other: true }]
  })
  return { ...doubt, beside: besideOf(doubt.slot, { before: earlier, now }) }
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
