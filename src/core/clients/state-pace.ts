import type { Clock } from '../base/effects/effects.ts'
import { unawaited } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import type { ChainSpec } from '../chain/network/network.ts'
import type { LateEndpoint } from '../chain/network/standstill.ts'
import type { ExecutionClient } from './execution/client.ts'

/** Who asks for a whole state again and again does so for no more than this share of the time. */
const SHARE_OF_TIME = 20
/** Where nothing depends on it, what gave nothing is asked for again after so many slots; and no urgent wait is longer. */
export const SLOTS_BETWEEN_STATES = 8

/** What was so when a set was read, and what is so now: its slot, how many deposits the contract had taken, which of them wait. */
type ReadAt = { slot: bigint; deposits: bigint | undefined; waiting: boolean }

/**
 * Whether a set that was read may hold no more: another epoch has begun, another deposit has come, or, as long as deposits
 * wait, another slot. `now.slot` is the newest slot whose state can be proven, `now.deposits` undefined where nobody says it.
 */
export function setMayHaveMoved(
  read: ReadAt,
  now: Omit<ReadAt, 'waiting'>,
  { slotsPerEpoch }: Pick<ChainSpec, 'slotsPerEpoch'>,
): boolean {
  if (now.slot / slotsPerEpoch !== read.slot / slotsPerEpoch) return true
  if (now.deposits !== undefined && now.deposits !== read.deposits) return true
  return read.waiting && now.slot > read.slot
}

/** How often something that is large to ask for may be asked for. */
export type StatePace = {
  /** Whether it may be asked for again; `mostMs`: where so much depends on it that no wait may be longer. */
  isOver(mostMs?: number): boolean
  /**
   * Asks for a part of it. The wait that follows is by the part that took longest; after a failure there is none. What is
   * asked of others meanwhile is no part of it.
   */
  ask<T>(question: () => Promise<T>): Promise<T>
}

/** Makes the pace of one question, which was not asked yet. */
export function createStatePace(clock: Pick<Clock, 'monotonicMs'>): StatePace {
  let endedMs = Number.NEGATIVE_INFINITY
  let overMs = Number.NEGATIVE_INFINITY
  return {
    isOver(mostMs = Number.POSITIVE_INFINITY) {
      const nowMs = clock.monotonicMs()
      return nowMs >= overMs || nowMs >= endedMs + mostMs
    },
    async ask(question) {
      const startedMs = clock.monotonicMs()
      const value = await question()
      endedMs = clock.monotonicMs()
      overMs = Math.max(overMs, endedMs + SHARE_OF_TIME * (endedMs - startedMs))
      return value
    },
  }
}

/** Ends a wait of ours: without a reason the stack of an error would be taken each time. */
const SETTLED = 'settled'

/** Waits for an answer, but no longer than `mostMs`; undefined after that. Throws what the answer throws by then. */
export async function inTime<T>(
  answer: Promise<T>,
  { clock, mostMs }: { clock: Pick<Clock, 'sleep'>; mostMs: number },
): Promise<{ value: T } | undefined> {
  const settled = new AbortController()
  const late = unawaited(clock.sleep(mostMs, settled.signal).then(() => undefined))
  try {
    return await Promise.race([unawaited(answer).then((value) => ({ value })), late])
  } finally {
    settled.abort(SETTLED)
  }
}

/** An endpoint that may use `mostMs` of a round in all, and whether it was cut short. */
export type BoundedEndpoint = { client: ExecutionClient; isLate(): boolean }

/**
 * Bounds how long an endpoint is waited for from now on, in all: a question that is open then, and each later one, fails as
 * a `timeout`. For who shows and alerts: what sends, signs or opens a step waits for all endpoints.
 */
export function boundEndpoint(
  { label, rpc }: ExecutionClient,
  { clock, mostMs }: { clock: Pick<Clock, 'monotonicMs' | 'sleep'>; mostMs: number },
): BoundedEndpoint {
  const untilMs = clock.monotonicMs() + mostMs
  let isLate = false
  return {
    isLate: () => isLate,
    client: {
      label,
      async rpc(call) {
        const leftMs = untilMs - clock.monotonicMs()
        const answer = leftMs > 0 ? await inTime(rpc(call), { clock, mostMs: leftMs }) : undefined
        if (answer !== undefined) return answer.value
        if (leftMs > 0) isLate = true
        throw new ClientError('timeout', { service: 'execution RPC', endpoint: label, what: call.method })
      },
    },
  }
}

/** Remembers which endpoint the rounds go on without, so that it can be named. */
export type Lateness = {
  /** Takes in a round; one in which all were in time ends the lateness. */
  note(round: readonly (BoundedEndpoint | undefined)[]): void
  late(): LateEndpoint | undefined
}

/** Makes the lateness of endpoints of which no round was made yet. */
export function createLateness(clock: Pick<Clock, 'nowMs'>): Lateness {
  let late: LateEndpoint | undefined
  return {
    note(round) {
      const slow = round.find((one) => one?.isLate())
      const name = slow && endpointName(slow.client.label)
      const before = late?.name === name ? late : undefined
      const { sinceMs, rounds } = before ?? { sinceMs: clock.nowMs(), rounds: 0 }
      late = name === undefined ? undefined : { name, sinceMs, rounds: rounds + 1 }
    },
    late: () => late,
  }
}
