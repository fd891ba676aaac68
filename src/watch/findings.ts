import { formatCount, formatDuration, GWEI_PER_TOKEN, ordinal } from '../core/base/format/amount.ts'
import { type Hex, isHex, sameHex } from '../core/base/format/hex.ts'
import type { Placing } from '../core/chain/consensus/placing.ts'
import { isActive } from '../core/chain/consensus/state.ts'
import { withChecksum } from '../core/chain/deposit/credentials.ts'
import { dangerOf } from '../core/chain/key-state/ahead.ts'
import { isLost, wayOut } from '../core/chain/key-state/own.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { MOST_SLOTS_APART, tokensOf } from '../core/chain/network/network.ts'
import { patienceOf } from '../core/chain/network/standstill.ts'
import { STOP_OTHER } from '../core/observe/findings.ts'
import {
  type EpochsLeft,
  type Finding,
  type KnownMargin,
  recalled,
  type WatchMemory,
} from '../core/observe/memory.ts'
import {
  type AheadPicture,
  type DepositPicture,
  headOf,
  type NetworkPicture,
  type OwnRecord,
  type ValidatorPicture,
  type WatchContext,
  type Watched,
  type WatchLimits,
} from '../core/observe/picture.ts'
import { mayEnd } from '../core/observe/who-says.ts'
import type { WatchEvent } from '../core/view/alarm-event.ts'
import { channelFindings } from './channel-findings.ts'
import { dropsOutFinding } from './drops-out.ts'
import { type About, endpointFindings, ownHead } from './endpoint-findings.ts'
import { forkFindings, upgradeFindings } from './fork-findings.ts'
import { guardFindings } from './guard-findings.ts'
import * as words from './words.ts'
import { type TextContext, timeOf, validatorName, type Words, wayToTopUp } from './words.ts'

/** After so many slots with another key no block that is looked at is one of before. */
const SLOTS_TO_BE_ANOTHER = 20

/**
 * Finds whether the key with which the own node was seen to sign votes for blocks that this node cannot have signed: a second
 * node has it. Over once the own node runs with it and keeps up, by its own word alone.
 */
function keyElsewhere(watched: ValidatorPicture, about: About): Finding[] {
  const { memory, picture, context } = about
  const { pubkey, signed = [] } = watched
  const shape = { alarm: 'key-elsewhere', subject: pubkey } as const
  if (memory.nodeKey === undefined || !sameHex(memory.nodeKey, pubkey)) return []
  const own = ownSigning(pubkey, about)
  if (own === undefined) return []
  if (own.is === 'signs') return [{ ...shape, is: 'off', words: () => signsHere(watched) }]
  const vote = signed.findLast((block) => block.signed)
  if (vote === undefined || vote.height <= own.canSignTo) return []
  const behind = (headOf(picture) ?? vote.height) - vote.height
  const agoMs = Number(behind > 0n ? behind : 0n) * context.network.slotMs
  const severity = own.is === 'silent' ? 'warning' : 'critical'
  const text = signsElsewhere(watched, { height: vote.height, agoMs, own })
  return [{ ...shape, is: 'on', severity, degree: [], ...text }]
}

/** Whether the own node signs with a key, or up to which block it can have; undefined where that is not known. */
function ownSigning(
  pubkey: string,
  about: About,
): { is: 'signs' } | (NotSigning & { canSignTo: bigint }) | undefined {
  const { memory, picture, context } = about
  const { slotMs } = context.network
  const engine = ownHead(about, 'engine')
  const node = ownHead(about, 'node')
  if (engine === undefined) return undefined
  const slot = engine.known.slot ?? 0n
  const canSignTo = slot + MOST_SLOTS_APART
  if (!engine.answers) {
    const isSilent = node?.answers !== true && picture.atMs - engine.known.atMs > patienceOf(slotMs)
    return isSilent ? { is: 'silent', slot, canSignTo } : undefined
  }
  if (picture.nodeKey === undefined) return undefined
  if (!sameHex(picture.nodeKey, pubkey)) {
    const since = memory.alarms.find(({ alarm }) => alarm === 'node-other-key')?.sinceMs
    const isLong = since !== undefined && picture.atMs - since > SLOTS_TO_BE_ANOTHER * slotMs
    return isLong ? { is: 'another-key', slot, canSignTo: 0n } : undefined
  }
  if (picture.node?.catchesUp === true) return { is: 'catches-up', slot, canSignTo }
  if ((headOf(picture) ?? slot) > canSignTo) return { is: 'behind', slot, canSignTo }
  return picture.node?.catchesUp === false ? { is: 'signs' } : undefined
}

/** Why the own node signs nothing with a key, and its newest block. */
type NotSigning = { is: 'silent' | 'another-key' | 'catches-up' | 'behind'; slot: bigint }

type Elsewhere = { height: bigint; agoMs: number; own: NotSigning }

/** Words of the alarm that a key signs blocks which the own node cannot have signed. */
function signsElsewhere(watched: Watched, { height, agoMs, own }: Elsewhere): Words {
  const name = validatorName(watched)
  const block = `block ${formatCount(height)}, ${formatDuration(agoMs)} ago`
  if (own.is === 'silent')
    return {
      title: `${name} signed ${block}, while your node does not answer.`,
      what: `The last answer of your node was block ${formatCount(own.slot)}. Either it runs and only its address does not answer here, or another node signs with the key.`,
      next: 'Start no node with this key before you know which one it is: two that sign with one key vote twice, and the chain keeps the evidence.',
    }
  return {
    title: `${name} signed ${block}, not by your node.`,
    what: `${OWN_WORDS[own.is](formatCount(own.slot))} A second node has a copy of the key: two that sign with one key vote twice, and the chain keeps the evidence.`,
    next: `Do not give your node this key: ${STOP_OTHER}. If you moved the node on purpose, watch the new one (--node, --engine).`,
  }
}

const OWN_WORDS: Readonly<Record<Exclude<NotSigning['is'], 'silent'>, (slot: string) => string>> = {
  'another-key': (slot) => `Your node is at block ${slot} and runs with another key.`,
  'catches-up': (slot) => `Your node is at block ${slot} and catches up: it signs nothing yet.`,
  behind: (slot) => `Your node is at block ${slot} only, so it cannot have signed that one.`,
}

/** Words of the end of that alarm. */
function signsHere(watched: Watched): Words {
  return {
    title: `Your own node runs with the key of ${validatorName(watched)} and keeps up.`,
    what: 'What votes with the key from now on is this node, as far as can be seen.',
  }
}

/** A margin that shrank at once is spread over so many epochs, so that one deposit makes no trend. */
const LEAST_SPAN = 4n

/**
 * In how many epochs nothing is left of a margin, if it goes on shrinking as it did since it was largest of the epochs that
 * are remembered; `never` where it did not shrink, undefined where that is not known yet.
 */
function epochsLeft(margins: readonly KnownMargin[]): EpochsLeft {
  const now = margins.at(-1)
  if (now === undefined || margins.length < 2) return undefined
  const peak = margins.reduce((most, each) => (each.marginGwei >= most.marginGwei ? each : most))
  const lostGwei = peak.marginGwei - now.marginGwei
  if (lostGwei <= 0n) return 'never'
  const passed = now.epoch - peak.epoch
  return (now.marginGwei * (passed > LEAST_SPAN ? passed : LEAST_SPAN)) / lostGwei
}

/** Whether a margin is thin by one of its limits, wide, or between: then what was said of it stays. */
type Verdict = 'thin' | 'wide' | 'between'

/** Over only with some distance, so that a little more or less does not tell it again. */
function marginVerdict(found: bigint, limit: bigint): Verdict {
  if (found <= limit) return 'thin'
  const distance = limit / 4n
  return found > limit + (distance > 0n ? distance : 1n) ? 'wide' : 'between'
}

/** What a margin is by each limit that there is. */
function verdictsOf(
  { place, oneDepositGwei }: AheadPicture & { place: Placing },
  left: EpochsLeft,
  { marginGwei, marginPlaces, marginEpochs }: WatchLimits,
): Verdict[] {
  const leastGwei = oneDepositGwei > marginGwei ? oneDepositGwei : marginGwei
  const found = [marginVerdict(place.othersNeedGwei, leastGwei)]
  if (marginPlaces !== undefined)
    found.push(marginVerdict(BigInt(place.places - place.rank), BigInt(marginPlaces)))
  if (marginEpochs === undefined) return found
  if (left === 'never') return found
  return [...found, left === undefined ? 'between' : marginVerdict(left, BigInt(marginEpochs))]
}

/** Each halving of a margin is worse than it was. */
function halvings({ othersNeedGwei }: Placing): number {
  return -(othersNeedGwei / GWEI_PER_TOKEN).toString(2).length
}

/**
 * Finds whether others need little to take the place of the validator, now or soon. Finds nothing while the validator
 * drops out anyway.
 */
function marginFinding(watched: ValidatorPicture, { memory, context }: About): Finding[] {
  const { pubkey, record, ahead } = watched
  const shape = { alarm: 'margin', subject: pubkey } as const
  if (record === undefined || record === 'absent') return []
  if (isLost(record)) return [{ ...shape, is: 'off', words: () => words.placeIsLost(watched, record) }]
  if (ahead?.place === undefined || dangerOf(ahead) !== undefined) return []
  const { place } = ahead
  const left = epochsLeft(recalled(memory, pubkey).margins)
  const verdicts = verdictsOf({ ...ahead, place }, left, context.limits)
  if (verdicts.includes('thin')) {
    const text = thinMargin(watched, { place, left, liftGwei: ahead.liftGwei }, context)
    return [{ ...shape, is: 'on', severity: 'warning', degree: [halvings(place)], ...text }]
  }
  const isWide = ahead.isWhole && verdicts.every((verdict) => verdict === 'wide')
  return isWide ? [{ ...shape, is: 'off', words: () => wideMargin(watched, { place, ahead }, context) }] : []
}

/** Words of the alarm that others need little to take the place. */
export function thinMargin(
  watched: ValidatorPicture,
  { place, left, liftGwei }: { place: Placing; left: EpochsLeft; liftGwei: bigint | undefined },
  context: TextContext,
): Words {
  const { rank, places, othersNeedGwei, marginGwei } = place
  const above = marginGwei === undefined ? '' : `, ${tokensOf(marginGwei, context)} above the next one`
  const widens =
    liftGwei === undefined ? '' : ` A top-up of ${tokensOf(liftGwei, context)} widens the margin.`
  const next = liftGwei === undefined ? {} : wayToTopUp(watched, liftGwei, context)
  if (othersNeedGwei === 0n)
    return {
      title: `${validatorName(watched)} is ${ordinal(rank)} for ${places} places: it holds the place by a tie.`,
      what: `At epoch ${formatCount(place.epoch)} it stands at ${tokensOf(place.stakeGwei, context)}, as much as the next one. At equal stake the smaller public key goes. If others add any stake, they may take the place within one to three epochs.${widens}`,
      ...next,
    }
  return {
    title: `${validatorName(watched)} is ${ordinal(rank)} for ${places} places: ${tokensOf(othersNeedGwei, context)} from others may take its place.`,
    what: `At epoch ${formatCount(place.epoch)} it stands at ${tokensOf(place.stakeGwei, context)}${above}. If others stake ${tokensOf(othersNeedGwei, context)} more, they may take the place within one to three epochs.${trendWords(left, context)}${widens}`,
    ...next,
  }
}

function trendWords(left: EpochsLeft, { network }: TextContext): string {
  if (typeof left !== 'bigint') return ''
  const ms = Number(left * network.spec.slotsPerEpoch) * network.slotMs
  const count = left === 1n ? '1 epoch' : `${formatCount(left)} epochs`
  return ` If it shrinks on as it did lately, nothing is left of it in ${count}, ${formatDuration(ms)}.`
}

/** Words of the end of that alarm, where the margin is wide again. */
function wideMargin(
  watched: Watched,
  { place, ahead }: { place: Placing; ahead: AheadPicture },
  context: TextContext,
): Words {
  const { rank, places, othersNeedGwei } = place
  const level = ahead.isReported ? ' This is reported by the node, not proven.' : ''
  return {
    title: `The margin of ${validatorName(watched)} is wide enough again.`,
    what: `It is ${ordinal(rank)} for ${places} places; others need at least ${tokensOf(othersNeedGwei, context)} to take its place.${level}`,
  }
}

/** Words of the alarm of a deposit that no payment of this computer made. */
function depositArrived(watched: Watched, deposit: DepositPicture, context: TextContext): Words {
  const { amountGwei, blockSlot, transactionHash } = deposit
  return {
    title: `A deposit of ${tokensOf(amountGwei, context)} for ${validatorName(watched)} arrived, not by this program.`,
    what: `It is in block ${formatCount(blockSlot)}, transaction ${transactionHash}. It belongs to the validator now and can be withdrawn only to its withdrawal address.`,
    next: 'If nobody of yours sent it: nothing to do. A payment of yours that is under way is compared with it before it is signed.',
  }
}

/** Words of the alarm of a deposit whose event no endpoint gives. */
function depositUnread(
  watched: Watched,
  { grownGwei, unread }: { grownGwei: bigint; unread: { fromBlock: bigint } },
  context: TextContext,
): Words {
  return {
    title: `The balance of ${validatorName(watched)} rose by ${tokensOf(grownGwei, context)}, and no endpoint gives the deposit event.`,
    what: `The deposit is in block ${formatCount(unread.fromBlock)} or a later one. Whether this program made it can't be told without its event.`,
    next: 'If nobody of yours sent it: nothing to do. Name another execution endpoint, which gives deposit events.',
  }
}

/** Words of the deposits of one look that are too many for an alarm each. */
function moreDeposits(
  watched: Watched,
  count: number,
  { blockSlot, transactionHash }: DepositPicture,
): Words {
  return {
    title: `More deposits for ${validatorName(watched)} are named than are told one by one.`,
    what: `${formatCount(BigInt(count))} more in one look, the last in block ${formatCount(blockSlot)}, transaction ${transactionHash}. So many are hardly real: an execution endpoint may make them up.`,
    next: 'Look the transaction up with another endpoint. What waits for the validator is never paid again before that is proven.',
  }
}

/** Words of the end of that alarm, where the deposit was paid back. */
function depositPaidBack(watched: Watched, context: TextContext): Words {
  return {
    title: `The deposit for ${validatorName(watched)} was paid back.`,
    what: `The validator ${STANDING_TEXT.hasLeft}, and its balance on ${context.network.label} is 0: the deposit went to its withdrawal address.`,
  }
}

/** Words of the end of that alarm, where the deposit is counted. */
function depositCounted(watched: Watched, { balanceGwei }: OwnRecord, context: TextContext): Words {
  return {
    title: `The deposit for ${validatorName(watched)} is counted.`,
    what: `Its balance is ${tokensOf(balanceGwei, context)} now.`,
  }
}

const DAY_SECONDS = 86_400n

/** An address with the capitals of its checksum; what is none stays as it was kept. */
function shown(address: string): string {
  return isHex(address, 20) ? withChecksum(address) : address
}

/** Words of the alarm that an operator change is queued. */
function operatorQueued(
  watched: Watched,
  { now, queued }: { now: Hex; queued: { operator: Hex; sinceSeconds: bigint } },
  { context, picture }: { context: TextContext; picture: NetworkPicture },
): Words & Pick<WatchEvent, 'until'> {
  const { slotMs, spec } = context.network
  const leftMs = Number((queued.sinceSeconds + DAY_SECONDS) * 1000n) - picture.atMs
  const when = leftMs > 0 ? `in ${formatDuration(leftMs)}` : 'from now on'
  const head = headOf(picture)
  const slot = head === undefined || leftMs <= 0 ? undefined : head + BigInt(Math.floor(leftMs / slotMs))
  const until =
    slot === undefined || head === undefined
      ? {}
      : {
          until: {
            epoch: slot / spec.slotsPerEpoch,
            slot,
            atMs: timeOf(slot, { now: head, picture, context }),
          },
        }
  return {
    title: `An operator change is queued for ${validatorName(watched)}.`,
    what: `${shown(queued.operator)} can accept it ${when} as the second of two steps, and then manages and receives the rewards. The stake is not touched.`,
    next: `If you did not queue it, whoever did has the key of ${shown(now)}: cancel it from that account. If you did, the first step is made: accept it from the new account. The commands for both: c on the status screen, docs/operator.md.`,
    ...until,
  }
}

/** Words of the end of that alarm, where the change was accepted. */
export function operatorAccepted(watched: Watched, operator: Hex): Words {
  return {
    title: `The operator change of ${validatorName(watched)} was accepted.`,
    what: `${shown(operator)} manages and receives its rewards now. The stake is not touched.`,
  }
}

/** Words of the end of that alarm, where the change was cancelled or replaced. */
export function operatorCancelled(
  watched: Watched,
  { queued, operator }: { queued: string; operator: Hex },
): Words {
  return {
    title: `The operator change of ${validatorName(watched)} to ${shown(queued)} was cancelled or replaced.`,
    what: `It was cancelled, or another one took its place. ${shown(operator)} manages and receives the rewards.`,
  }
}

/** Words of the alarm that the validator has another operator. */
export function operatorChanged(watched: Watched, { before, now }: { before: Hex; now: Hex }): Words {
  return {
    title: `${validatorName(watched)} has another operator.`,
    what: `${shown(now)} manages and receives its rewards now, ${shown(before)} did before. The stake is not touched.`,
    next: `If that was not you, ask the new operator: the way back has the same two steps. Only ${shown(now)} can queue it, and ${shown(before)} has to accept it a day later (docs/operator.md).`,
  }
}

/** Words of the end of that alarm. */
export function operatorStays(watched: Watched, operator: Hex): Words {
  return {
    title: `The operator of ${validatorName(watched)} stays.`,
    what: `${shown(operator)} manages and receives its rewards.`,
  }
}

/** Finds the journals that could not be read. One ends once a watch begins that reads it, or finds it no more. */
function unreadFindings({ memory, picture: { unread } }: About): Finding[] {
  if (unread === undefined) return []
  const alarm = 'journal-unread'
  const over = memory.alarms.filter(
    (each) => each.alarm === alarm && unread.every(({ path }) => path !== each.subject),
  )
  return [
    ...unread.map((file): Finding => {
      const texts = words.journalUnread(file)
      return { alarm, subject: file.path, is: 'on', severity: 'warning', degree: [], ...texts }
    }),
    ...over.map(
      ({ subject }): Finding => ({ alarm, subject, is: 'off', words: () => words.journalRead(subject) }),
    ),
  ]
}

/** Finds everything that one look shows. `memory` already includes the look, but not yet its alarms; `before` doesn't. */
export function findingsOf(
  memory: WatchMemory,
  picture: NetworkPicture,
  context: WatchContext,
  before: Pick<WatchMemory, 'heads'>,
): Finding[] {
  const about = { memory, picture, context, before }
  const { others = [], refuted } = picture
  const found: Finding[] = [
    ...endpointFindings(about),
    ...forkFindings(about),
    ...upgradeFindings(about),
    ...guardFindings(about),
    ...unreadFindings(about),
    ...channelFindings(about),
    ...picture.validators.flatMap((watched) => {
      const validator = validatorOf(watched)
      return VALIDATOR_FINDINGS.flatMap((find) => find(watched, about)).map((finding) => ({
        ...finding,
        ...(finding.is === 'on' && refuted !== undefined && words.asUnsigned(finding, refuted)),
        validator,
      }))
    }),
  ]
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
  const knownReason = wasLeaving ? 'request' : 'unrequested'
  const why = wasActive ? knownReason : 'before'
  const severity = ({ request: 'warning', unrequested: 'critical', before: 'info' } as const)[why]
  return [
    { ...shape, is: 'on', severity, degree: [], ...words.droppedOut(watched, { record, why }, context) },
  ]
}

/**
 * It was asked to leave: its state holds an exit of a later epoch, or part of the stake waits to be paid out. Being outbid
 * sets an exit only in the state in which it has left already.
 */
const exitBegun: FindOfValidator = (watched, { picture, context }) => {
  const { pubkey, record, partialGwei } = watched
  const shape = { alarm: 'exit-begun', subject: pubkey } as const
  if (record === undefined || record === 'absent') return []
  const isOwnWord = !picture.others?.includes('node')
  const exit: Finding =
    wayOut(record) === 'leaving'
      ? {
          ...shape,
          is: 'on',
          severity: 'critical',
          degree: [],
          ...words.exits(watched, { record, isOwnWord }, context),
        }
      : { ...shape, is: 'off', words: () => exitOver(watched, record) }
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

/**
 * The key is no validator's, or that of one that has left and was paid: nothing of it can be watched. What this watch has seen
 * leave, `dropped-out` has told.
 */
const notValidating: FindOfValidator = (watched, { memory, picture, context }) => {
  const { pubkey, record } = watched
  const shape = { alarm: 'not-validating', subject: pubkey } as const
  if (record === undefined) return []
  const shown = { ...shape, is: 'on', severity: 'info', degree: [] } as const
  if (record === 'absent') return [{ ...shown, ...words.notRegistered(watched, headOf(picture), context) }]
  if (wayOut(record) === 'paid' && !recalled(memory, pubkey).wasActive)
    return [{ ...shown, ...words.goneForGood(watched, record) }]
  return [{ ...shape, is: 'off', words: () => words.hasRecord(watched, record) }]
}

const exitOver = (watched: Watched, record: OwnRecord): Words =>
  isLost(record) ? words.placeIsLost(watched, record) : words.notLeaving(watched)

const placeFindings: readonly FindOfValidator[] = [
  dropsOutFinding,
  droppedOut,
  exitBegun,
  notValidating,
  marginFinding,
]

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
/** The same of a deposit whose event nobody gives. */
const UNREAD = 'unread'

/** The balance rose since all deposits were read last, and nobody gives the events of those that came: nothing else raises it. */
function unreadDeposit(watched: ValidatorPicture, { memory, picture, context }: About): Finding[] {
  const { pubkey, record } = watched
  const { unread } = picture.logs ?? {}
  const { balanceGwei } = recalled(memory, pubkey)
  if (unread === undefined || record === undefined || record === 'absent' || balanceGwei === undefined)
    return []
  const grownGwei = record.balanceGwei - balanceGwei
  if (grownGwei <= 0n) return []
  const subject = `${pubkey}/${UNREAD}/${unread.fromBlock}`
  const degree = [Number(grownGwei / GWEI_PER_TOKEN)]
  const shape = { alarm: 'deposit-unexpected', severity: 'warning', degree } as const
  return [{ ...shape, subject, is: 'on', ...depositUnread(watched, { grownGwei, unread }, context) }]
}

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
  fired.push(...unreadDeposit(watched, about))
  if (record === undefined || record === 'absent') return fired
  const settled = standing.flatMap(({ subject, alarm }): Finding[] => {
    const block = BigInt(subject.split('/')[2] ?? '0')
    const words = settledWords(watched, { record, block }, about)
    const isNews = fired.some((one) => one.subject === subject)
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

const VALIDATOR_FINDINGS = [...placeFindings, missedFinding, keyElsewhere, deposits, operatorChange]

/** Blocks that a validator did not sign: in a row up to now, and of the last `of` that it could have signed. */
type Count = { inRow: number; missed: number; of: number }

/** Words of the alarm that a validator missed blocks: in a row, and of the last `of`. */
function missedBlocks(watched: Watched, { inRow, missed, of }: Count): Words {
  return {
    title: `${validatorName(watched)} missed ${inRow > 1 ? `${inRow} blocks in a row` : `${missed} of ${of} blocks`}.`,
    what: `Of the last ${of} blocks it did not sign ${missed}, while most others did; ${inRow} of them in a row up to now.`,
    next: 'Look at the node: does it run, with this key, with peers, and with an execution client that keeps up?',
  }
}

/** Words of the end of that alarm, where the validator signs. */
export function signsAgain(watched: Watched, { missed, of }: Count): Words {
  return {
    title: `${validatorName(watched)} signs again.`,
    what: `Of the last ${of} blocks it did not sign ${missed}.`,
  }
}

/** Words of the end of that alarm, where the validator is not in the active set any more. */
export function signsNoMore(watched: Watched): Words {
  return {
    title: `${validatorName(watched)} has no blocks to sign: it ${STANDING_TEXT.isNotIn}.`,
    what: 'What it missed before is over with its place.',
  }
}
