import {
  besideOf,
  doubtOf,
  type ExecutionHead,
  heardAfter,
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
  const heard = heardIn(watch, round)
  const own = round.said[0]?.endpoint ?? ''
  const doubt = standstillOf({ ...watch, heard }, watch.heard, round)
  const isBack = chainStands(watch) && (heard[own]?.slot ?? 0n) > (watch.heard[own]?.slot ?? 0n)
  if (!isBack) return { ...watch, heard, doubt }
  const { waiting: _, ...since } = watch.since
  return { ...watch, heard, doubt, since, isStuck: false }
}

function heardIn(watch: RoundMemory, { said, atMs }: Round): RoundMemory['heard'] {
  const entries = said.flatMap((one) => {
    const before = watch.heard[one.endpoint]
    const slot = isReply(one) ? one.head : undefined
    const now = slot === undefined ? before : heardAfter(before, { slot, atMs, doubt: undefined })
    return now === undefined ? [] : [[one.endpoint, now] as const]
  })
  return Object.fromEntries(entries)
}

/** The own endpoint answers and shows no new block; undefined where it shows some, or is silent. */
function standstillOf(
  { heard }: RoundMemory,
  before: RoundMemory['heard'],
  round: Round,
): NodeDoubt | undefined {
  const { said, atMs, slotMs } = round
  const [own, ...others] = said
  if (own === undefined) return undefined
  const failing = !isReply(own) || own.head === undefined
  const doubt = doubtOf(heard[own.endpoint], { nowMs: atMs, slotMs, failing })
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
  { heard, doubt }: Pick<RoundMemory, 'heard' | 'doubt'>,
  { said, atMs }: Round,
  { sinceMs, leastMs }: { sinceMs: number; leastMs: number },
): boolean {
  const own: NewestHead | undefined = heard[said[0]?.endpoint ?? '']
  if (own === undefined || own.atMs !== atMs || doubt !== undefined) return false
  return own.sinceMs - sinceMs < leastMs
}
