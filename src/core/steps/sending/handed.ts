import type { Hex } from '../../format/hex.ts'
import type { HandedResult, HandOver, SendState } from './state.ts'

/** The bytes that are handed over: the dearest, which take the place of all before them. */
export function newestBytes(state: SendState): { raw: Hex; hash: Hex } | undefined {
  const { raw, hash, rivals } = state
  const first = raw === undefined || hash === undefined ? undefined : { raw, hash }
  return rivals.at(-1) ?? first
}

/**
 * The payment before its newest bytes are given to an endpoint. From this moment they may have left; only a connection
 * that never came about takes that back.
 */
export function withHandOver(state: SendState, endpoint: string): SendState {
  const hash = newestBytes(state)?.hash
  if (hash === undefined) return state
  const isFirst = timesSent(state) === 0
  const before = handedTo(state, endpoint, hash)
  const now: HandOver = { endpoint, hash, times: (before?.times ?? 0) + 1, result: 'waits' }
  return { ...withHanded(state, now), stalled: isFirst ? false : state.stalled }
}

/** The payment once it is known how giving bytes to an endpoint ended. */
export function withHandedResult(
  state: SendState,
  { endpoint, hash, result }: { endpoint: string; hash: Hex; result: HandedResult },
): SendState {
  const before = handedTo(state, endpoint, hash)
  if (before?.result !== 'waits') return state
  return withHanded(state, { ...before, result, times: before.times - (result === 'unreachable' ? 1 : 0) })
}

/** What became of the given bytes at an endpoint; undefined where it was never tried. */
export function handedTo({ handed }: SendState, endpoint: string, hash: Hex): HandOver | undefined {
  return handed.find((one) => one.endpoint === endpoint && one.hash === hash)
}

/** A reply that nobody waits for any more, because the program was left or the search began anew, never comes. */
export function withoutAwaited(handed: SendState['handed']): SendState['handed'] {
  return handed.map((one) => (one.result === 'waits' ? { ...one, result: 'no-reply' } : one))
}

/** How often signed bytes may have reached an endpoint. */
export function timesSent({ handed }: SendState): number {
  return handed.reduce((sum, { times }) => sum + times, 0)
}

function withHanded(state: SendState, now: HandOver): SendState {
  const others = state.handed.filter(({ endpoint, hash }) => endpoint !== now.endpoint || hash !== now.hash)
  return { ...state, handed: [...others, now] }
}
