import type { Hex } from '../../base/format/hex.ts'
import type { Network } from '../network/network.ts'
import { PRESETS } from '../network/presets.ts'
import { isLongAhead, namedTimes } from './fork-outlook.ts'
import { type ForksOf, isFork, type NamedFork, type NamedForks, namedForks } from './named-forks.ts'

/**
 * A fork that the own execution client does not name and others do: `by` the network's own fork times, or endpoints of
 * somebody else. It is agreed where the network says so, or two endpoints of different hosts; else one of them alone says it.
 */
export type LackedFork = { atSeconds: bigint; id: Hex | undefined; by: readonly string[]; isAgreed: boolean }

/** Whether a client that names these forks has none that begins at a time (Unix seconds). Between its next and its last it may have some. */
export function lacksFork(own: NamedForks, atSeconds: bigint): boolean {
  const { current, next, last } = own
  if (next === undefined || atSeconds <= current.atSeconds) return false
  if (namedForks(own).some((fork) => fork.atSeconds === atSeconds)) return false
  const isBetween = isFork(next) && isFork(last) && next.atSeconds < atSeconds && atSeconds < last.atSeconds
  return !isBetween
}

/**
 * Returns the forks that the own execution client lacks, the earliest one first, by the fork times of a built-in network and by
 * what other endpoints name; `nowSeconds` is chain time. One without a date is none.
 */
export function lackedForks(
  own: NamedForks,
  others: readonly ForksOf[],
  { network, nowSeconds }: { network: Network; nowSeconds: bigint },
): LackedFork[] {
  const found = new Map<bigint, { id: Hex | undefined; by: string[]; isOfNetwork: boolean }>()
  const note = (fork: NamedFork, by: string, isOfNetwork: boolean) => {
    if (!lacksFork(own, fork.atSeconds) || isLongAhead(fork.atSeconds, nowSeconds)) return
    const before = found.get(fork.atSeconds)
    found.set(fork.atSeconds, {
      id: fork.id ?? before?.id,
      by: [...(before?.by ?? []), by],
      isOfNetwork: isOfNetwork || before?.isOfNetwork === true,
    })
  }
  for (const { label, atSeconds } of timesOfPreset(network)) note({ atSeconds, id: undefined }, label, true)
  for (const { name, forks } of others) for (const fork of namedForks(forks)) note(fork, name, false)
  return [...found]
    .map(([atSeconds, { id, by, isOfNetwork }]) => ({
      atSeconds,
      id,
      by,
      isAgreed: isOfNetwork || new Set(by.map(hostOf)).size > 1,
    }))
    .sort((a, b) => Number(a.atSeconds - b.atSeconds))
}

const hostOf = (name: string) => name.replace(/:\d+$/, '')

/** Of a built-in network execution and consensus fork together. What a file says of another one is of consensus alone. */
function timesOfPreset({ id, spec, label }: Network) {
  if (!PRESETS.some((each) => each.id === id)) return []
  return namedTimes(spec)
    .filter(({ atSeconds }) => atSeconds > spec.genesisTimeSeconds)
    .map((fork) => ({ ...fork, label: `${label}: ${fork.label}` }))
}

/**
 * The known moments at which the rules of a chain change, Unix seconds: the network's own, those that the own execution client
 * names, and those that others agree on. One endpoint of somebody else alone makes none.
 */
export function forkMoments(
  { own, others }: { own: NamedForks | undefined; others: readonly ForksOf[] },
  about: { network: Network; nowSeconds: bigint },
): readonly bigint[] {
  const lacked = own === undefined ? [] : lackedForks(own, others, about)
  const { spec } = about.network
  return [
    ...namedTimes(spec),
    ...(own === undefined ? [] : namedForks(own)),
    ...lacked.filter(({ isAgreed }) => isAgreed),
  ].flatMap(({ atSeconds }) => (atSeconds > spec.genesisTimeSeconds ? [atSeconds] : []))
}
