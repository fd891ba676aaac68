import { GWEI_PER_TOKEN } from '../core/base/format/amount.ts'
import { sameHex } from '../core/base/format/hex.ts'
import { isActive } from '../core/chain/consensus/state.ts'
import { wayOut } from '../core/chain/key-state/own.ts'
import { type Finding, recalled, type WatchMemory } from '../core/observe/memory.ts'
import type { NetworkPicture, OwnRecord, ValidatorPicture, WatchContext } from '../core/observe/picture.ts'
import { mayEnd } from '../core/observe/who-says.ts'
import type { WatchEvent } from '../core/view/alarm-event.ts'
import { dropsOutFinding } from './drops-out.ts'
import { type About, endpointFindings } from './endpoint-findings.ts'
import { forkFindings, upgradeFindings } from './fork-findings.ts'
import { guardFindings } from './guard-findings.ts'
import { keyElsewhere } from './key-elsewhere.ts'
import { marginFinding } from './margin.ts'
import { missedBlocks, signsAgain, signsNoMore } from './missed-words.ts'
import {
  depositArrived,
  depositCounted,
  depositPaidBack,
  moreDeposits,
  operatorAccepted,
  operatorCancelled,
  operatorChanged,
  operatorQueued,
  operatorStays,
} from './stake-words.ts'
import * as words from './words.ts'

/** Finds everything that one look shows. `memory` already includes the look, but not yet its alarms. */
export function findingsOf(memory: WatchMemory, picture: NetworkPicture, context: WatchContext): Finding[] {
  const about = { memory, picture, context }
  const found: Finding[] = [
    ...endpointFindings(about),
    ...forkFindings(about),
    ...upgradeFindings(about),
    ...guardFindings(about),
    ...picture.validators.flatMap((watched) => {
      const validator = validatorOf(watched)
      return VALIDATOR_FINDINGS.flatMap((find) => find(watched, about)).map((finding) => ({
        ...finding,
        validator,
      }))
    }),
  ]
  const { others = [] } = picture
  return found.filter(({ is, alarm }) => is === 'on' || mayEnd(alarm, others))
}

function validatorOf({ pubkey, name, record }: ValidatorPicture): NonNullable<WatchEvent['validator']> {
  const index = record === undefined || record === 'absent' ? undefined : record.index
  return {
    pubkey,
    ...(index === undefined ? {} : { index }),
    ...(name === undefined ? {} : { name }),
  }
}

type FindOfValidator = (watched: ValidatorPicture, about: About) => Finding[]

/** It has left the set, for ever. Over once the stake is paid back: then nothing is left to look for. */
const droppedOut: FindOfValidator = (watched, { memory, context }) => {
  const { pubkey, record } = watched
  const shape = { alarm: 'dropped-out', subject: pubkey } as const
  if (record === undefined || record === 'absent') return []
  const out = wayOut(record)
  if (out === undefined || out === 'leaving')
    return [{ ...shape, is: 'off', words: () => words.notLeft(watched) }]
  if (out === 'paid') return [{ ...shape, is: 'off', words: () => words.paidBack(watched, context) }]
  const { wasActive, wasLeaving } = recalled(memory, pubkey)
  const knownReason = wasLeaving ? 'request' : 'outbid'
  const why = wasActive ? knownReason : 'before'
  const severity = ({ request: 'warning', outbid: 'critical', before: 'info' } as const)[why]
  return [
    { ...shape, is: 'on', severity, degree: [], ...words.droppedOut(watched, { record, why }, context) },
  ]
}

/** It was asked to leave: an exit is set, or part of the stake waits to be paid out. */
const exitBegun: FindOfValidator = (watched, { context }) => {
  const { pubkey, record, partialGwei } = watched
  const shape = { alarm: 'exit-begun', subject: pubkey } as const
  if (record === undefined || record === 'absent') return []
  const exit: Finding =
    wayOut(record) === 'leaving'
      ? { ...shape, is: 'on', severity: 'critical', degree: [], ...words.exits(watched, record, context) }
      : { ...shape, is: 'off', words: () => words.exitOver(watched, record) }
  if (partialGwei === undefined) return [exit]
  const part = { ...shape, subject: `${pubkey}/part` }
  return [
    exit,
    partialGwei > 0n
      ? {
          ...part,
          is: 'on',
          severity: 'warning',
          degree: [Number(partialGwei / GWEI_PER_TOKEN)],
          ...words.partWaits(watched, partialGwei, context),
        }
      : { ...part, is: 'off', words: () => words.partOver(watched) },
  ]
}

const placeFindings: readonly FindOfValidator[] = [dropsOutFinding, droppedOut, exitBegun, marginFinding]

/** Blocks in which the engine counted it and it did not sign, those apart that many missed. */
const missedFinding: FindOfValidator = (watched, { memory, context }) => {
  const { pubkey, signed, record } = watched
  const shape = { alarm: 'missed-blocks', subject: pubkey } as const
  if (record === 'absent' || (record !== undefined && !isActive(record.validator, record.epoch)))
    return [{ ...shape, is: 'off', words: () => signsNoMore(watched) }]
  const known = recalled(memory, pubkey)
  if (signed === undefined || signed.length === 0) return []
  const { missedInRow, missedOfLast } = context.limits
  const own = known.signed.replaceAll('s', '')
  const inRow = own.length - own.replace(/0+$/, '').length
  const missed = own.replaceAll('1', '').length
  const count = { inRow, missed, of: own.length }
  if (inRow >= missedInRow || missed >= missedOfLast) {
    const isLong = inRow >= 10 * missedInRow
    const severity = isLong ? 'critical' : 'warning'
    return [{ ...shape, is: 'on', severity, degree: [], ...missedBlocks(watched, count) }]
  }
  // Over only with some distance, so that one block more or less does not tell it again.
  const isOver = inRow === 0 && missed * 2 < missedOfLast
  return isOver ? [{ ...shape, is: 'off', words: () => signsAgain(watched, count) }] : []
}

/** So many are told one by one. Nobody is paid for so often by others, but for who reads made-up logs. */
const MOST_DEPOSITS = 16
/** What stands in the place of an index where many are told as one. */
const MORE = 'more'

/**
 * A deposit that this computer's journals do not know stands until it is counted, or paid back, and an epoch at least:
 * who looks away for a minute still finds it.
 */
const deposits: FindOfValidator = (watched, about) => {
  const { pubkey, record } = watched
  const news = (watched.deposits ?? []).filter(({ isOwn }) => !isOwn)
  const standing = about.memory.alarms.filter(
    ({ alarm, subject }) => alarm === 'deposit-unexpected' && subject.startsWith(`${pubkey}/`),
  )
  const shape = { alarm: 'deposit-unexpected', severity: 'warning', degree: [] } as const
  const flood = standing.find(({ subject }) => subject.split('/')[1] === MORE)
  const room = flood === undefined ? Math.max(0, MOST_DEPOSITS - standing.length) : 0
  const fired = news.slice(0, room).map((deposit): Finding => {
    const subject = `${pubkey}/${deposit.index}/${deposit.blockSlot}`
    return { ...shape, subject, is: 'on', ...depositArrived(watched, deposit, about.context) }
  })
  const last = news.slice(room).at(-1)
  if (last !== undefined) {
    const subject = flood?.subject ?? `${pubkey}/${MORE}/${last.blockSlot}`
    fired.push({ ...shape, subject, is: 'on', ...moreDeposits(watched, news.length - room, last) })
  }
  if (record === undefined || record === 'absent') return fired
  const settled = standing.flatMap(({ subject, alarm }): Finding[] => {
    const block = BigInt(subject.split('/')[2] ?? '0')
    const words = settledWords(watched, { record, block }, about)
    const isNews = last !== undefined && subject === flood?.subject
    return isNews || words === undefined || record.slot < block + about.context.network.spec.slotsPerEpoch
      ? []
      : [{ alarm, subject, is: 'off', words }]
  })
  return [...fired, ...settled]
}

/** What became of a deposit of a block; undefined while that is open. */
function settledWords(
  watched: ValidatorPicture,
  { record, block }: { record: OwnRecord; block: bigint },
  { context }: About,
): (() => { title: string; what: string }) | undefined {
  if (wayOut(record) === 'paid') return () => depositPaidBack(watched, context)
  const isCounted = watched.ahead?.isWhole === true && watched.ahead.slot > block + 1n
  return isCounted ? () => depositCounted(watched, record, context) : undefined
}

/**
 * Somebody else is to manage the rewards, or does. Each queued change is an alarm of its own until it is accepted or
 * cancelled; a change that was made stands for a day, or until the operator before is back. An alarm of an earlier version
 * is about the key alone: it ends once nothing is queued or changed.
 */
const operatorChange: FindOfValidator = (watched, about) => {
  const { pubkey, operator: reported } = watched
  if (reported === undefined) return []
  const { operator, queued } = reported
  const shape = { alarm: 'operator-change', severity: 'critical', degree: [] } as const
  const before = recalled(about.memory, pubkey).operator
  const on: Finding[] = []
  if (queued !== undefined) {
    const text = operatorQueued(watched, { now: operator, queued }, about)
    on.push({ ...shape, subject: `${pubkey}/queued/${queued.operator}`, is: 'on', ...text })
  }
  if (before !== undefined && !sameHex(before, operator)) {
    const text = operatorChanged(watched, { before, now: operator })
    on.push({ ...shape, subject: `${pubkey}/changed/${operator}`, is: 'on', ...text })
  }
  const off = about.memory.alarms
    .filter(
      ({ alarm, subject }) =>
        alarm === shape.alarm &&
        (subject.startsWith(`${pubkey}/`) || (subject === pubkey && on.length === 0)),
    )
    .filter(({ subject }) => !on.some((finding) => finding.subject === subject))
    .map(({ subject }): Finding => {
      const [, kind = 'changed', other = ''] = subject.split('/')
      const ended = { alarm: shape.alarm, subject, is: 'off' } as const
      if (kind === 'changed') return { ...ended, words: () => operatorStays(watched, operator) }
      return sameHex(other, operator)
        ? { ...ended, words: () => operatorAccepted(watched, operator) }
        : { ...ended, words: () => operatorCancelled(watched, { queued: other, operator }) }
    })
  return [...off, ...on]
}

const eventFindings: readonly FindOfValidator[] = [deposits, operatorChange]

const VALIDATOR_FINDINGS = [...placeFindings, missedFinding, keyElsewhere, ...eventFindings]
