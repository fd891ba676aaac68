import { formatCount } from '../core/base/format/amount.ts'
import { isLost } from '../core/chain/key-state/own.ts'
import { tokensOf } from '../core/chain/network/network.ts'
import { GUARD_ROW_TEXT, GUARD_TROUBLES_TEXT } from '../core/observe/guard-text.ts'
import type { Alarm, Finding } from '../core/observe/memory.ts'
import {
  GUARD_TROUBLES,
  type GuardStanding,
  type GuardTroubleId,
  heldElsewhereBy,
  type ValidatorPicture,
  type Watched,
} from '../core/observe/picture.ts'
import type { AlarmId, Severity } from '../core/view/alarm-event.ts'
import type { About } from './endpoint-findings.ts'
import { placeIsLost, type TextContext, validatorName, type Words } from './words.ts'

/** The alarm of each trouble. */
const ALARMS: Readonly<Record<GuardTroubleId, AlarmId>> = {
  nonce: 'guard-nonce',
  balance: 'guard-balance',
  cap: 'guard-cap',
  term: 'guard-term',
  fee: 'guard-fee',
  unproven: 'guard-unproven',
  blind: 'guard-blind',
  fork: 'guard-fork',
  'other-payment': 'guard-other-payment',
  'cannot-send': 'guard-cannot-send',
}

const SEVERITIES: Readonly<Record<GuardTroubleId, Severity>> = {
  nonce: 'critical',
  balance: 'warning',
  cap: 'critical',
  term: 'warning',
  fee: 'warning',
  unproven: 'critical',
  blind: 'critical',
  fork: 'critical',
  'other-payment': 'warning',
  'cannot-send': 'critical',
}

const STANDING: readonly AlarmId[] = ['guard-held', 'guard-unheld', 'guard-sent']

/**
 * Finds what keeps the guards here from helping, whether somebody holds them, and what they have handed over. Nothing is
 * found where nobody looked for guards. An alarm ends only where a look shows that its cause is over: a guard that was only
 * opened, or whose endpoint is silent, ends none.
 */
export function guardFindings({ picture, memory, context }: About): Finding[] {
  const { guards, unguarded } = picture
  if (guards === undefined) return []
  // By the word of one endpoint of somebody else nothing ends.
  const isOwnWord = picture.refuted === undefined && picture.others?.includes('node') !== true
  const about = (guard: GuardStanding) => {
    const watched = picture.validators.find(({ pubkey }) => pubkey === guard.pubkey) ?? guard
    return { validator: watched, guard, context }
  }
  const on = guards.flatMap((guard): Extract<Finding, { is: 'on' }>[] => {
    const { pubkey } = guard
    const shape = { subject: pubkey, is: 'on', degree: [], validator: { pubkey } } as const
    const told = about(guard)
    const isOut = lostPlace(told.validator) !== undefined
    if (isLostGuard(guard) && !isOut) return [{ ...shape, ...LOST, severity: 'critical', ...lostWords(told) }]
    if (guard.stand === 'armed' && isOut && isOwnWord) return []
    return [
      ...standing(guard).map(({ alarm, severity }) => ({
        ...shape,
        alarm,
        severity,
        ...standingWords(alarm, told),
      })),
      ...(guard.stand === 'over' ? [] : GUARD_TROUBLES)
        .filter((id) => guard.troubles.includes(id) && !isOfHalt(id, { guard, memory, picture, context }))
        .map((id) => ({
          ...shape,
          alarm: ALARMS[id],
          severity: SEVERITIES[id],
          degree: [0],
          ...troubleWords(id, told),
        })),
    ]
  })
  const off = memory.alarms.flatMap((before): Finding[] => {
    const { alarm, subject, validator } = before
    if (!isOfGuard(alarm) || validator === undefined) return []
    if (on.some((each) => each.alarm === alarm && each.subject === subject)) return []
    const guard = guards.find(({ pubkey }) => pubkey === validator.pubkey)
    // One that was not looked at yet is as it was.
    if (guard === undefined && unguarded?.includes(validator.pubkey) !== true) return []
    const watched = picture.validators.find(({ pubkey }) => pubkey === validator.pubkey) ?? validator
    const place = isOwnWord && guard?.stand === 'armed' ? lostPlace(watched) : undefined
    const words = place ?? endWords(before, guard, { validator: watched, context })
    return words === undefined ? [] : [{ is: 'off', alarm, subject, validator, words: () => words }]
  })
  return [...on, ...off]
}

/** So many slots after a halt the set may take to be proven again. */
const SLOTS_AFTER_HALT = 8

/**
 * Whether the set isn't proven because the chain makes no block, or made none a moment ago: that has an alarm of its own. What
 * stands already goes on.
 */
function isOfHalt(
  id: GuardTroubleId,
  { guard, memory, picture, context }: About & { guard: GuardStanding },
): boolean {
  const stands = ({ alarm, subject }: Pick<Alarm, 'alarm' | 'subject'>) =>
    alarm === ALARMS[id] && subject === guard.pubkey
  if (id !== 'unproven' || memory.alarms.some(stands)) return false
  const recentMs = SLOTS_AFTER_HALT * context.network.slotMs
  return (
    memory.alarms.some(({ alarm }) => alarm === 'chain-halted') ||
    memory.ended.some(({ alarm, atMs }) => alarm === 'chain-halted' && picture.atMs - atMs < recentMs)
  )
}

/** Whether an alarm is about a guard. */
export const isOfGuard = (alarm: AlarmId): boolean =>
  STANDING.includes(alarm) || GUARD_TROUBLES.some((id) => alarm === ALARMS[id])

/** A guard that is lost is told by the alarm of its nonce, which is worse than one whose nonce may still become free. */
const LOST = { alarm: 'guard-nonce', degree: [1] } as const

/**
 * Whether an armed guard came to an end that its owner didn't ask for, and without paying. One that was only exported never
 * guarded anything: its owner gives it up by using its nonce.
 */
const isLostGuard = ({ stand, end, hashes }: GuardStanding): boolean =>
  stand === 'over' && hashes.length > 0 && (end === 'void' || end === 'reverted')

/** The words of a validator that has no place to guard any more; undefined while it has one, or nobody says. */
function lostPlace(validator: Watched | ValidatorPicture): Words | undefined {
  const record = 'record' in validator ? validator.record : undefined
  return record === undefined || record === 'absent' || !isLost(record)
    ? undefined
    : placeIsLost(validator, record)
}

/** Whether somebody holds it, and what it has handed over. */
function standing({ stand, holder }: GuardStanding): { alarm: AlarmId; severity: Severity }[] {
  if (stand === 'over' || stand === 'exported') return []
  const found: { alarm: AlarmId; severity: Severity }[] = []
  const isHeldElsewhere = heldElsewhereBy({ holder }) !== undefined
  if (stand === 'unreadable' || (holder !== 'here' && !isHeldElsewhere))
    found.push({ alarm: 'guard-unheld', severity: 'critical' })
  if (isHeldElsewhere && stand !== 'unreadable') found.push({ alarm: 'guard-held', severity: 'info' })
  const hasSent = stand === 'handed-over' || stand === 'cancelling' || stand === 'in-block'
  return hasSent ? [...found, { alarm: 'guard-sent', severity: 'warning' }] : found
}

type Told = { validator: Watched; guard: GuardStanding; context: TextContext }

/** Texts of alarms about guards: top-ups that were agreed beforehand. */

const NEXT: Readonly<Record<GuardTroubleId, string>> = {
  nonce:
    'If it is so, arm another one in the wizard once that transaction is in a final block. If the named endpoint alone says so, replace it.',
  balance: 'Bring tokens to the paying account, or cancel the guard.',
  cap: 'Top the validator up yourself: the guard cannot.',
  term: 'Cancel it in the wizard and arm another one, if it is to go on.',
  fee: 'Watch the base fee: above its cap no amount gets into a block.',
  unproven: 'Repair the endpoints that are named, or give others.',
  blind: 'Start your node again, or name another node API behind it: --node OWN,OTHER.',
  fork: 'Install a newer Bearings.',
  'other-payment': 'Let that payment end, or cancel it.',
  'cannot-send': 'If the place is in danger, top the validator up yourself: the guard cannot.',
}

/** Words of what keeps a guard from helping. */
function troubleWords(id: GuardTroubleId, { validator, guard, context }: Told): Words {
  const missing =
    id === 'cap' && guard.missingGwei !== undefined
      ? ` It needs ${tokensOf(guard.missingGwei, context)}, and the cap is ${tokensOf(guard.capGwei, context)}.`
      : ''
  const causes = guard.causes?.[id] ?? []
  const why = causes.length === 0 ? '' : ` Why: ${causes.join('; ')}.`
  return {
    title: `The guard of ${validatorName(validator)} is kept from helping: ${GUARD_TROUBLES_TEXT[id]}.`,
    what: `${termsWords(guard, context)}${missing}${why}`,
    next: NEXT[id],
  }
}

/** Words of who holds a guard, or of what it has sent. */
function standingWords(alarm: AlarmId, { validator, guard, context }: Told): Words {
  const name = validatorName(validator)
  const cap = tokensOf(guard.capGwei, context)
  if (alarm === 'guard-sent') return sentWords(name, guard, context)
  if (guard.stand === 'unreadable') return unreadableWords(name, guard, context)
  const heldBy = heldElsewhereBy(guard)
  if (heldBy !== undefined)
    return {
      title: `The guard of ${name} is held by another process.`,
      what: `It may add up to ${cap}. ${heldBy}`,
      next: 'Nothing is to be done while that one runs.',
    }
  const title =
    guard.stand === 'armed'
      ? `The guard of ${name} is armed, and held by nobody: it does nothing.`
      : `The guard of ${name} has sent a transaction, and nobody follows it.`
  if (guard.fault !== undefined)
    return {
      title,
      what: `It may add up to ${cap}. Holding it fails: ${guard.fault}`,
      next: 'Look at the disk and the state directory. Bearings tries again in every slot.',
    }
  if (typeof guard.holder === 'object' && 'barredBy' in guard.holder)
    return {
      title,
      what: `It may add up to ${cap}. Another window has its account, so that it cannot be held here. ${guard.holder.barredBy}`,
      next: 'Open the status screen in that window, or end it.',
    }
  return {
    title,
    what: `It may add up to ${cap} from ${guard.from}, nonce ${guard.nonce}, and only while somebody holds it.`,
    next: 'Begin a watch with --guard, or open the status screen of the wizard.',
  }
}

/** Words of a guard whose files are of no use: which file, what is wrong with it, and what that means. */
function unreadableWords(name: string, guard: GuardStanding, context: TextContext): Words {
  const { from, nonce, unread, hasNoTerms } = guard
  const file = unread === undefined ? '' : GUARD_ROW_TEXT.unreadFile(from, nonce, unread.path, unread.why)
  const heldBy = heldElsewhereBy(guard)
  const means =
    heldBy === undefined
      ? 'Nothing of it is sent.'
      : `${heldBy} That process goes on with what it read before. Nothing is sent once it ends.`
  return {
    title:
      hasNoTerms === true
        ? `A guard that may be that of ${name} can’t be read.`
        : `The guard of ${name} can’t be held: its files can’t be read.`,
    what: `${means} ${hasNoTerms === true ? '' : `It was to add up to ${tokensOf(guard.capGwei, context)}. `}${file}`,
    next: unread?.isNewer === true ? GUARD_ROW_TEXT.newerNext : GUARD_ROW_TEXT.unreadableNext(from, nonce),
  }
}

function sentWords(name: string, guard: GuardStanding, context: TextContext): Words {
  const { stand, amountGwei, block } = guard
  const amount = tokensOf(amountGwei ?? 0n, context)
  const blockText = formatCount(block ?? 0n)
  if (stand === 'cancelling')
    return {
      title: `The guard of ${name} is being cancelled.`,
      what:
        amountGwei === undefined
          ? 'A cancellation with its nonce waits for a block. No amount was sent.'
          : `A cancellation with its nonce waits for a block; ${amount} may still be first.`,
    }
  if (stand === 'in-block' && amountGwei === undefined)
    return {
      title: `The guard of ${name} is being cancelled.`,
      what: `Its cancellation is in block ${blockText}, which is not final yet.`,
    }
  return {
    title: `The guard of ${name} has sent ${amount}.`,
    what:
      stand === 'in-block'
        ? `It is in block ${blockText}, which is not final yet. Without it the place would be lost.`
        : 'It waits for a block. Without it the place would be lost.',
    next: 'Send nothing yourself meanwhile: an alarm asks for more if that is needed. Arm another guard when this one is over: it pays once.',
  }
}

/** Words of a guard that was lost: the validator is without it until another one is armed. */
function lostWords({ validator, guard, context }: Told): Words {
  return {
    title: `The guard of ${validatorName(validator)} is lost: ${LOST_BY[guard.end === 'reverted' ? 'reverted' : 'void']}.`,
    what: `${howItEnded(guard, context)} Nothing guards the place now.`,
    next: 'Arm another one in the wizard, or say that you know of this alarm.',
  }
}

const LOST_BY = {
  void: 'another transaction used its nonce',
  reverted: 'its transaction was reverted',
} as const

/** How a guard came to its end. */
function howItEnded(
  { end, amountGwei = 0n, block, from, nonce }: GuardStanding,
  context: TextContext,
): string {
  const at = formatCount(block ?? 0n)
  switch (end) {
    case 'paid':
      return `It paid ${tokensOf(amountGwei, context)} in block ${at}, and pays no more.`
    case 'cancelled':
      return `It was cancelled in block ${at}. Nothing was paid.`
    case 'reverted':
      return 'Its transaction was reverted. Nothing was paid but the fee.'
    case 'given-up':
      return `Its validator has left, and nothing of it is sent any more. What was signed stays valid until nonce ${nonce} of ${from} is used: the next payment or guard of that account takes it.`
    default:
      return block === undefined
        ? 'Another transaction has used its nonce: it can no longer pay.'
        : `Another transaction has used its nonce by block ${at}: it can no longer pay.`
  }
}

/** What the last look shows instead of a trouble. */
const RULED_OUT: Readonly<Record<GuardTroubleId, (name: string) => string>> = {
  nonce: (name) => `No endpoint says any more that the nonce of the guard of ${name} is used.`,
  balance: (name) => `The paying account of the guard of ${name} covers its cap and its fee.`,
  cap: (name) => `The cap of the guard of ${name} is enough.`,
  term: (name) => `The term of the guard of ${name} does not end within a week.`,
  fee: (name) => `The base fee is below half of what the guard of ${name} offers.`,
  unproven: (name) => `The validator set is proven again for the guard of ${name}.`,
  blind: (name) => `A node API gives the validator set to the guard of ${name} again.`,
  fork: (name) => `The guard of ${name} knows the rules in force.`,
  'other-payment': (name) => `No other payment keeps the guard of ${name} back any more.`,
  'cannot-send': (name) => `Nothing keeps the amounts of the guard of ${name} back any more.`,
}

/** Words of the end of an alarm about a guard, by its cause; undefined where nothing shows that the cause is over. */
function endWords(
  { alarm, degree }: Alarm,
  guard: GuardStanding | undefined,
  { validator, context }: { validator: Watched | ValidatorPicture; context: TextContext },
): Words | undefined {
  const name = validatorName(validator)
  const isArmed = guard !== undefined && guard.stand !== 'over' && guard.stand !== 'exported'
  const place = lostPlace(validator)
  // Of what can't be read nothing shows that a cause is over.
  if (guard?.stand === 'unreadable' && (alarm !== 'guard-held' || heldElsewhereBy(guard) !== undefined))
    return undefined
  if (alarm === LOST.alarm && (degree[0] === LOST.degree[0] || guard === undefined)) {
    if (isArmed) return { title: `Another guard of ${name} is armed.`, what: termsWords(guard, context) }
    // Whoever armed it after the lost one knew.
    const isLater = guard?.stand === 'over' && guard.hashes.length > 0 && place === undefined
    if (!isLater) return place
    return { title: `Another guard of ${name} was armed since.`, what: howItEnded(guard, context) }
  }
  if (guard?.stand === 'over')
    return { title: `The guard of ${name} is over.`, what: howItEnded(guard, context) }
  if (!isArmed)
    return { title: `No guard of ${name} is armed here any more.`, what: 'Nothing is held for it.' }
  const heldBy = heldElsewhereBy(guard)
  const isHeldHere = guard.holder === 'here' && guard.ruledOut !== undefined
  if (alarm === 'guard-sent') return undefined
  if (alarm === 'guard-unheld') {
    if (heldBy !== undefined) return { title: `The guard of ${name} is held again.`, what: heldBy }
    return isHeldHere ? heldHere(name, guard, context) : undefined
  }
  if (alarm === 'guard-held') {
    if (guard.holder !== 'here')
      return { title: `The other process holds the guard of ${name} no more.`, what: 'Nobody holds it now.' }
    return isHeldHere ? heldHere(name, guard, context) : undefined
  }
  const trouble = GUARD_TROUBLES.find((id) => ALARMS[id] === alarm)
  if (trouble === undefined || !isHeldHere || guard.ruledOut?.includes(trouble) !== true) return undefined
  if (place !== undefined && (trouble === 'cap' || trouble === 'cannot-send')) return place
  return { title: RULED_OUT[trouble](name), what: termsWords(guard, context) }
}

const heldHere = (name: string, guard: GuardStanding, context: TextContext): Words => ({
  title: `The guard of ${name} is held by this process.`,
  what: termsWords(guard, context),
})

const termsWords = ({ capGwei, from, nonce }: GuardStanding, context: TextContext): string =>
  `It may add up to ${tokensOf(capGwei, context)} from ${from}, nonce ${nonce}.`
