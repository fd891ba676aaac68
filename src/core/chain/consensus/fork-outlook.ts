import { formatClock, formatCountdown, isLongCountdown } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { ChainSpec, Network } from '../network/network.ts'
import { PRESETS } from '../network/presets.ts'

/** Forks that the rules in this folder tell apart. */
export type ForkName = 'deneb' | 'electra' | 'electra1' | 'fulu'

/** The times of a chain spec at which forks begin, Unix seconds. */
export type ForkTimes = Pick<ChainSpec, 'electraTimeSeconds' | 'electraOneTimeSeconds' | 'fuluTimeSeconds'>

/** Returns the fork in force at a block's timestamp in Unix seconds. */
export function forkName(spec: ForkTimes, timestampSeconds: bigint): ForkName {
  if (timestampSeconds >= spec.fuluTimeSeconds) return 'fulu'
  if (timestampSeconds >= spec.electraOneTimeSeconds) return 'electra1'
  if (timestampSeconds >= spec.electraTimeSeconds) return 'electra'
  return 'deneb'
}

/** Whether Fulu's rules hold at a block's timestamp in Unix seconds. */
export function isFulu(spec: ForkTimes, timestampSeconds: bigint): boolean {
  return timestampSeconds >= spec.fuluTimeSeconds
}

const VERSIONS: Readonly<Record<ForkName, Hex>> = {
  deneb: '0x04000000',
  electra: '0x05000000',
  electra1: '0x05010000',
  fulu: '0x06000000',
}
const LABELS: Readonly<Record<ForkName, string>> = {
  deneb: 'Deneb',
  electra: 'Electra',
  electra1: 'Electra1',
  fulu: 'Fulu',
}
const NAMES = Object.keys(VERSIONS) as ForkName[]

/** The two clients need not be at the same block: so close to a fork either side of it is right. */
const APART_SECONDS = 60n
const SOON_SECONDS = 7200n
const FIRST_KNOWN = BigInt(VERSIONS.electra)

/** The fork of the head, and where and when that is. */
export type ForkNow = { version: Hex; slot: bigint; timestampSeconds: bigint }
/** One line of a node's schedule of forks. */
export type ScheduledFork = { version: Hex; epoch: bigint }
/** A fork to come, by chain time in Unix seconds. */
export type ForkAhead = { label: string; atSeconds: bigint }

/** Returns the name of a fork by its version, for people; an unknown one is named by the version. */
export function forkLabel(version: Hex): string {
  const name = nameOfFork(version)
  return name === undefined ? `unknown fork ${version}` : LABELS[name]
}

/**
 * Whether the rules in force are ones that are known here (Electra, Electra1, Fulu) and those that the network's fork
 * times give for the head's time.
 */
export function forkIsKnown(now: ForkNow, spec: ChainSpec): boolean {
  const name = nameOfFork(now.version)
  return name !== undefined && name !== 'deneb' && forkFits(now, spec)
}

/** Returns the fork of the head in words. */
export function forkWords(now: ForkNow, spec: ChainSpec): string {
  const label = forkLabel(now.version)
  if (forkFits(now, spec)) return label
  return `${label}, expected ${LABELS[forkName(spec, now.timestampSeconds)]}`
}

function forkFits({ version, timestampSeconds }: ForkNow, spec: ChainSpec): boolean {
  const name = nameOfFork(version)
  return [-APART_SECONDS, 0n, APART_SECONDS].some((by) => forkName(spec, timestampSeconds + by) === name)
}

/**
 * Whether a node's schedule agrees with its head and with the network's fork times about every fork that has begun.
 * A schedule counts in epochs and the network in seconds, so the epoch and the minute of a fork are left open.
 */
export function scheduleFits(schedule: readonly ScheduledFork[], now: ForkNow, spec: ChainSpec): boolean {
  const epoch = now.slot / spec.slotsPerEpoch
  const begun = schedule.filter((fork) => fork.epoch < epoch || fork.epoch === 0n)
  const beginning = schedule.filter((fork) => fork.epoch === epoch && epoch > 0n)
  const present = [...begun.toSorted(byEpoch).slice(-1), ...beginning]
  if (!present.some(({ version }) => sameHex(version, now.version))) return false
  const passed = begun.every((fork) => fork.epoch === 0n || mayHaveBegun(fork.version, now, spec))
  return passed && begunBy(spec, now).every((name) => holds([...begun, ...beginning], VERSIONS[name]))
}

/** The forks that a schedule has for later, with their times by the target time of a slot. */
export function forksAhead(schedule: readonly ScheduledFork[], now: ForkNow, spec: ChainSpec): ForkAhead[] {
  return schedule
    .filter(({ epoch }) => epoch > now.slot / spec.slotsPerEpoch)
    .map(({ version, epoch }) => {
      const slots = epoch * spec.slotsPerEpoch - now.slot
      const atSeconds = now.timestampSeconds + slots * BigInt(spec.targetSecondsPerSlot)
      return { label: forkLabel(version), atSeconds }
    })
}

/**
 * Forks to come that are not known here: of a node's schedule, those of an unknown version; of an execution client, the
 * next one, where it begins at none of the network's fork times. Left out is who says nothing.
 */
export function unknownForksAhead(
  { schedule = [], nextSeconds }: { schedule?: readonly ScheduledFork[]; nextSeconds?: bigint },
  now: ForkNow,
  spec: ChainSpec,
): ForkAhead[] {
  const ofNode = forksAhead(
    schedule.filter(({ version }) => nameOfFork(version) === undefined),
    now,
    spec,
  )
  const isNew =
    nextSeconds !== undefined && Object.values(timesOf(spec)).every((at) => !isNear(at, nextSeconds))
  const ofExecution = isNew ? [{ label: 'a fork of the execution client', atSeconds: nextSeconds }] : []
  // A schedule names forks without a date by one that never comes.
  return [...ofNode, ...ofExecution].filter(
    ({ atSeconds }) => atSeconds > now.timestampSeconds && !isLongAhead(atSeconds, now.timestampSeconds),
  )
}

const LONGEST_AHEAD_SECONDS = 10n * 365n * 86_400n

/** Whether a fork is so far ahead that it stands for one without a date; both in Unix seconds. */
function isLongAhead(atSeconds: bigint, nowSeconds: bigint): boolean {
  return atSeconds >= nowSeconds + LONGEST_AHEAD_SECONDS
}

/** Whether two times in Unix seconds may be those of one fork. */
export function isNear(one: bigint, other: bigint): boolean {
  return one - other <= APART_SECONDS && other - one <= APART_SECONDS
}

/**
 * Returns a warning for each fork that begins within two hours, by the network's fork times and by what
 * the node's schedule has for later. `nowSeconds` is chain time.
 */
export function forkWarnings(
  spec: ChainSpec,
  nowSeconds: bigint,
  scheduled: readonly ForkAhead[] = [],
): string[] {
  const soon = new Map<string, bigint>()
  for (const { label, atSeconds } of [...namedTimes(spec), ...scheduled]) {
    const inSeconds = atSeconds - nowSeconds
    const before = soon.get(label) ?? SOON_SECONDS
    if (inSeconds > 0n && inSeconds <= before) soon.set(label, inSeconds)
  }
  return [...soon].map(([label, seconds]) => {
    const [ms, nowMs] = [Number(seconds) * 1000, Number(nowSeconds) * 1000]
    const at = isLongCountdown(ms) ? `, at ${formatClock(nowMs + ms, nowMs)}` : ''
    return `The chain's rules change in about ${formatCountdown(ms)}${at} (${label}). Better send nothing until that is over.`
  })
}

type KnownFork = Exclude<ForkName, 'deneb'>

function timesOf(spec: ChainSpec): Readonly<Record<KnownFork, bigint>> {
  return {
    electra: spec.electraTimeSeconds,
    electra1: spec.electraOneTimeSeconds,
    fulu: spec.fuluTimeSeconds,
  }
}

/** The forks of a chain spec with their names. */
function namedTimes(spec: ChainSpec): ForkAhead[] {
  return Object.entries(timesOf(spec)).map(([name, atSeconds]) => ({
    label: LABELS[name as KnownFork],
    atSeconds,
  }))
}

/** Forks that began after the chain did and at least an epoch ago; of those that begin together only the last. */
function begunBy(spec: ChainSpec, { timestampSeconds }: ForkNow): KnownFork[] {
  const margin = spec.slotsPerEpoch * BigInt(spec.targetSecondsPerSlot) + APART_SECONDS
  const names = Object.entries(timesOf(spec)) as [KnownFork, bigint][]
  return names
    .filter(([name, atSeconds]) => {
      const after = atSeconds > spec.genesisTimeSeconds && atSeconds + margin <= timestampSeconds
      return after && forkName(spec, atSeconds) === name
    })
    .map(([name]) => name)
}

/** A fork older than those told apart here may always have begun; a later one that is not known never has. */
function mayHaveBegun(version: Hex, { timestampSeconds }: ForkNow, spec: ChainSpec): boolean {
  const name = nameOfFork(version)
  if (name === undefined) return BigInt(version) < FIRST_KNOWN
  return name === 'deneb' || timesOf(spec)[name] <= timestampSeconds + APART_SECONDS
}

function holds(forks: readonly ScheduledFork[], version: Hex): boolean {
  return forks.some((fork) => sameHex(fork.version, version))
}

function byEpoch(a: ScheduledFork, b: ScheduledFork): number {
  if (a.epoch === b.epoch) return 0
  return a.epoch < b.epoch ? -1 : 1
}

function nameOfFork(version: Hex): ForkName | undefined {
  return NAMES.find((name) => sameHex(VERSIONS[name], version))
}

/** A fork of an execution client: when it begins, Unix seconds, and its checksum over all forks up to it (EIP-6122). */
export type NamedFork = { atSeconds: bigint; id: Hex | undefined }

/** The forks that an execution client names (EIP-7910). `none` where it knows of none, undefined where it does not say. */
export type NamedForks = {
  current: NamedFork
  next: NamedFork | 'none' | undefined
  last: NamedFork | 'none' | undefined
}

/** The forks that an execution endpoint names. `name` is its host and port. */
export type ForksOf = { name: string; forks: NamedForks }

/** Whether a client names a fork here. */
export const isFork = (fork: NamedFork | 'none' | undefined): fork is NamedFork =>
  fork !== undefined && fork !== 'none'

/** Returns all forks that a client names, each once: its next one is most often its last. */
export function namedForks({ current, next, last }: NamedForks): readonly NamedFork[] {
  const named = [current, next, last].filter(isFork)
  return named.filter(({ atSeconds }, at) => named.findIndex((fork) => fork.atSeconds === atSeconds) === at)
}

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
