import { formatDuration, formatMinute } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import {
  type ForkAhead,
  type LackedFork,
  lackedForks,
  lacksFork,
  type NamedForks,
  namedForks,
} from '../core/chain/consensus/fork-outlook.ts'
import type { Finding } from '../core/observe/memory.ts'
import { headOf, type NetworkPicture, type WatchContext } from '../core/observe/picture.ts'
import type { WatchEvent } from '../core/view/alarm-event.ts'
import type { About } from './endpoint-findings.ts'
import type { Words } from './words.ts'

/** Finds forks, in force or announced, that this version does not know: from then on every forecast is doubtful. */
export function forkFindings({ picture, context }: About): Finding[] {
  const { fork, forksAhead } = picture
  const found: Finding[] = []
  const shape = { alarm: 'fork-unknown', subject: '', severity: 'warning', degree: [] } as const
  if (fork !== undefined)
    found.push(
      fork.isKnown
        ? { ...shape, is: 'off', words: () => forkKnown() }
        : { ...shape, is: 'on', ...forkUnknown(fork.version) },
    )
  if (forksAhead === undefined) return found
  const [next] = forksAhead.toSorted((a, b) => Number(a.atSeconds - b.atSeconds))
  const ahead = { ...shape, subject: 'ahead' } as const
  return [
    ...found,
    next === undefined
      ? { ...ahead, is: 'off', words: () => noForkAhead() }
      : { ...ahead, is: 'on', ...forkAhead(next, { picture, context }) },
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
    if (!fork.isAgreed) return { ...shape, severity: 'info', ...forkNamedAlone(fork, { picture, context }) }
    const severity = leftMs <= DAY_MS ? 'critical' : 'warning'
    return { ...shape, severity, ...forkLacked(fork, { picture, context }) }
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
): (() => ForkText) | undefined {
  const [at = '0', name] = subject.split('/')
  const others = named?.others ?? []
  const atSeconds = BigInt(at)
  if (!lacksFork(own, atSeconds)) return () => forkNamedHere(atSeconds)
  if (name === undefined) {
    const isNamed = lacked.some((fork) => fork.atSeconds === atSeconds)
    const silent = others.filter(
      ({ forks }) => !namedForks(forks).some((fork) => fork.atSeconds === atSeconds),
    )
    return !isNamed && silent.length > 1 ? () => forkNamedNoMore(atSeconds) : undefined
  }
  const isPast = headTimeMs !== undefined && headTimeMs > Number(atSeconds) * 1000 + PAST_MS
  const asked = others.find((each) => each.name === name)
  const isTakenBack =
    asked !== undefined && !namedForks(asked.forks).some((fork) => fork.atSeconds === atSeconds)
  return isPast || isTakenBack ? () => forkNamedNoMore(atSeconds) : undefined
}

/** A chain that is so far past a moment has not stopped at it. */
const PAST_MS = 3_600_000

/** Texts of alarms about the rules of the chain: those that this program does not know, and those that a client lacks. */

/** Words of a change of the rules. */
type ForkText = Pick<Words, 'title' | 'what'>

type Looked = { picture: NetworkPicture; context: Pick<WatchContext, 'network'> }

/** The last moment before a fork; nothing where no head is known, or it has begun. */
function untilFork(atSeconds: bigint, { picture, context }: Looked): Pick<WatchEvent, 'until'> {
  const { slotMs, spec } = context.network
  const head = headOf(picture)
  const atMs = Number(atSeconds) * 1000
  if (head === undefined) return {}
  const slot = head + BigInt(Math.max(0, Math.floor((atMs - picture.atMs) / slotMs)))
  return { until: { epoch: slot / spec.slotsPerEpoch, slot, atMs } }
}

function forkUnknown(version: Hex): Words {
  return {
    title: `The chain runs rules that this version of Bearings does not know (${version}).`,
    what: 'What it forecasts may be wrong from now on.',
    next: 'Install a newer Bearings.',
  }
}

function forkKnown(): Words {
  return { title: 'The rules in force are known.', what: 'Forecasts are made by them.' }
}

function forkAhead(
  { label, atSeconds }: ForkAhead,
  { picture, context }: Looked,
): Words & Pick<WatchEvent, 'until'> {
  return {
    title: `The chain's rules change on ${formatMinute(Number(atSeconds) * 1000)} to some that this version of Bearings does not know (${label}).`,
    what: `Until then its forecasts hold; after that they may be wrong.`,
    next: 'Install a newer Bearings before that, and a node that knows the new rules.',
    ...untilFork(atSeconds, { picture, context }),
  }
}

function noForkAhead(): Words {
  return {
    title: 'No fork that is not known lies ahead.',
    what: 'The node and its execution client name none.',
  }
}

/** When a fork begins, beside how long that is from now or since then. */
function beginning(atSeconds: bigint, nowMs: number): string {
  const atMs = Number(atSeconds) * 1000
  const leftMs = atMs - nowMs
  return leftMs > 0
    ? `begins on ${formatMinute(atMs)}, in ${formatDuration(leftMs)}`
    : `began on ${formatMinute(atMs)}, ${formatDuration(-leftMs)} ago`
}

const UPGRADE =
  'Install the release of your execution client that knows the fork, and that of the node software if there is one, and restart them before it begins.'
const UPGRADE_NOW =
  'Install the release of your execution client that knows the fork, and that of the node software if there is one, and restart them now: it has begun.'

/** Words of the alarm that the own execution client lacks a fork that the network names, or two endpoints. */
function forkLacked(fork: LackedFork, looked: Looked): Words & Pick<WatchEvent, 'until'> {
  const { atSeconds, id, by } = fork
  const isBegun = Number(atSeconds) * 1000 <= looked.picture.atMs
  return {
    title: `Your execution client lacks a fork that ${beginning(atSeconds, looked.picture.atMs)}.`,
    what: `Named by ${by.map((name) => safeText(name, 80)).join(' and ')}${id === undefined ? '' : `, fork id ${id}`}. From then on a client without it follows no block, without a word, and the validator signs nothing.`,
    next: isBegun ? UPGRADE_NOW : UPGRADE,
    ...(isBegun ? {} : untilFork(atSeconds, looked)),
  }
}

/** Words of the alarm that one endpoint of somebody else alone names a fork which the own execution client does not. */
function forkNamedAlone({ atSeconds, id, by }: LackedFork, { picture }: Looked): Words {
  return {
    title: `${safeText(by[0] ?? '', 80)} alone names a fork that your execution client does not.`,
    what: `It ${beginning(atSeconds, picture.atMs)}${id === undefined ? '' : `, fork id ${id}`}. One endpoint of somebody else proves nothing; a second one of another host would.`,
    next: `Look at the announcements of the network. If the fork is real: ${UPGRADE}`,
  }
}

/** Words of the end of these alarms. */
function forkNamedHere(atSeconds: bigint): Words {
  return {
    title: `Your execution client names the fork of ${formatMinute(Number(atSeconds) * 1000)}.`,
    what: 'It has the release for it.',
  }
}

/** Words of their end where nobody names the fork any more, or the own chain went on past it. */
function forkNamedNoMore(atSeconds: bigint): Words {
  return {
    title: `Nobody names the fork of ${formatMinute(Number(atSeconds) * 1000)} any more, or the chain has gone past it.`,
    what: 'Your execution client follows the chain.',
  }
}
