import { type LackedFork, lackedForks, lacksFork } from '../core/chain/consensus/lacked-fork.ts'
import { type NamedForks, namedForks } from '../core/chain/consensus/named-forks.ts'
import type { Finding } from '../core/observe/memory.ts'
import type { NetworkPicture } from '../core/observe/picture.ts'
import type { About } from './endpoint-findings.ts'
import * as words from './fork-words.ts'

/** Finds forks, in force or announced, that this version does not know: from then on every forecast is doubtful. */
export function forkFindings({ picture, context }: About): Finding[] {
  const { fork, forksAhead } = picture
  const found: Finding[] = []
  const shape = { alarm: 'fork-unknown', subject: '', severity: 'warning', degree: [] } as const
  if (fork !== undefined)
    found.push(
      fork.isKnown
        ? { ...shape, is: 'off', words: () => words.forkKnown() }
        : { ...shape, is: 'on', ...words.forkUnknown(fork.version) },
    )
  if (forksAhead === undefined) return found
  const [next] = forksAhead.toSorted((a, b) => Number(a.atSeconds - b.atSeconds))
  const ahead = { ...shape, subject: 'ahead' } as const
  return [
    ...found,
    next === undefined
      ? { ...ahead, is: 'off', words: () => words.noForkAhead() }
      : { ...ahead, is: 'on', ...words.forkAhead(next, { picture, context }) },
  ]
}

const DAY_MS = 24 * 3_600_000
/** So many forks that others name are told of; more are hardly real. */
const MOST_LACKED = 4
const ALARM = 'execution-outdated'

/**
 * Finds the forks that others name and the own execution client does not. What the network says, or two endpoints of different
 * hosts, is an alarm that ends by the own client's word; what one of somebody else says alone is told as its own, and ends with it.
 */
export function upgradeFindings({ memory, picture, context }: About): Finding[] {
  const { own, others = [] } = picture.namedForks ?? {}
  if (own === undefined) return []
  const nowSeconds = BigInt(Math.floor(picture.atMs / 1000))
  const lacked = lackedForks(own, others, { network: context.network, nowSeconds })
  const on = lacked.slice(0, MOST_LACKED).map((fork): Finding => {
    const leftMs = Number(fork.atSeconds) * 1000 - picture.atMs
    const shape = { alarm: ALARM, subject: subjectOf(fork), is: 'on', degree: [] } as const
    if (!fork.isAgreed)
      return { ...shape, severity: 'info', ...words.forkNamedAlone(fork, { picture, context }) }
    const severity = leftMs <= DAY_MS ? 'critical' : 'warning'
    return { ...shape, severity, ...words.forkLacked(fork, { picture, context }) }
  })
  const off = memory.alarms
    .filter(({ alarm, subject }) => alarm === ALARM && !on.some((each) => each.subject === subject))
    .flatMap(({ subject }): Finding[] => {
      const text = overWords(subject, picture, { own, lacked })
      return text === undefined ? [] : [{ alarm: ALARM, subject, is: 'off', words: text }]
    })
  return [...off, ...on]
}

const subjectOf = ({ atSeconds, by, isAgreed }: LackedFork) =>
  isAgreed ? String(atSeconds) : `${atSeconds}/${by[0] ?? ''}`

/** How an alarm of a fork ended; undefined while nothing that may end it says so. */
function overWords(
  subject: string,
  { headTimeMs, namedForks: named }: NetworkPicture,
  { own, lacked }: { own: NamedForks; lacked: readonly LackedFork[] },
): (() => words.ForkText) | undefined {
  const [at = '0', name] = subject.split('/')
  const others = named?.others ?? []
  const atSeconds = BigInt(at)
  if (!lacksFork(own, atSeconds)) return () => words.forkNamedHere(atSeconds)
  if (name === undefined) {
    const isNamed = lacked.some((fork) => fork.atSeconds === atSeconds)
    const silent = others.filter(
      ({ forks }) => !namedForks(forks).some((fork) => fork.atSeconds === atSeconds),
    )
    return !isNamed && silent.length > 1 ? () => words.forkNamedNoMore(atSeconds) : undefined
  }
  const isPast = headTimeMs !== undefined && headTimeMs > Number(atSeconds) * 1000 + PAST_MS
  const asked = others.find((each) => each.name === name)
  const isTakenBack =
    asked !== undefined && !namedForks(asked.forks).some((fork) => fork.atSeconds === atSeconds)
  return isPast || isTakenBack ? () => words.forkNamedNoMore(atSeconds) : undefined
}

/** A chain that is so far past a moment has not stopped at it. */
const PAST_MS = 3_600_000
