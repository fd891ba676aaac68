import { formatCount, formatDuration, formatGwei, ordinal } from '../core/base/format/amount.ts'
import { safeText, shellCommand } from '../core/base/format/text.ts'
import type { Placing } from '../core/chain/consensus/placing.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { tokensOf } from '../core/chain/network/network.ts'
import { isPoolValidator, POOLS_TEXT } from '../core/chain/network/pools.ts'
import { GUARD_SENT_TEXT } from '../core/observe/guard-text.ts'
import type { Alarm } from '../core/observe/memory.ts'
import type {
  AheadPicture,
  besideGuard,
  NetworkPicture,
  OwnRecord,
  UnreadFile,
  ValidatorPicture,
  WatchContext,
  Watched,
} from '../core/observe/picture.ts'
import type { AlarmId, WatchEvent } from '../core/view/alarm-event.ts'

type Context = Pick<WatchContext, 'network' | 'wizardOptions'>

/** Returns the command of the wizard that proposes a top-up of a validator; it sends nothing by itself. */
export function topUpCommand({ pubkey }: Watched, amountGwei: bigint, { wizardOptions }: Context): string {
  const amount = formatGwei(amountGwei).replaceAll(',', '')
  return shellCommand('bearings', '--validator', pubkey, ...wizardOptions, '--topup', amount)
}

/** Returns what to do where a top-up helps: the command, or the pool's own door where the validator is a pool's. */
export function wayToTopUp(
  watched: ValidatorPicture,
  amountGwei: bigint,
  context: Context,
): { next: string; nextIs?: 'command' } {
  const { record } = watched
  const isPools =
    typeof record === 'object' && isPoolValidator(record.validator.withdrawalCredentials, context.network)
  if (isPools) return { next: POOLS_TEXT.onlyItsDoor }
  return { next: topUpCommand(watched, amountGwei, context), nextIs: 'command' }
}

/** All texts of alarms. Each is safe to draw, and says what is, with its numbers, and what to do. */
export type Words = { title: string; what: string } & Pick<Alarm, 'next' | 'nextIs'>
export type TextContext = Pick<WatchContext, 'network' | 'wizardOptions'>

/** The words of the rank among the places of the active set. */
export const presentPlace = ({ rank, places }: Pick<Placing, 'rank' | 'places'>): string =>
  `${ordinal(rank)} of ${places}`

/** Returns what a validator is called: its name, or the ends of its key. */
export function validatorName({ pubkey, name }: Watched): string {
  return name === undefined ? `${pubkey.slice(0, 6)}…${pubkey.slice(-4)}` : safeText(name, 40)
}

/** A number of slots with the time they take. */
function inSlots(slots: bigint, { network }: TextContext): string {
  const unit = slots === 1n ? 'slot' : 'slots'
  return `${formatCount(slots)} ${unit}, ${formatDuration(Number(slots) * network.slotMs)}`
}

/** Words of the alarm that a journal of this program can't be read. */
export const journalUnread = ({ path, why, isNewer }: UnreadFile): Words => ({
  title: `A journal can’t be read: ${path}.`,
  what: `${why} What was paid here, and which guard is armed, isn’t known from it: your own payments may be told as somebody else’s, and no guard in it can act.`,
  next: isNewer
    ? 'Run the watch with the newer version of Bearings.'
    : 'Make the file readable for the user who runs the watch, or restore it, then start the watch again.',
})

/** Words of its end. */
export const journalRead = (path: string): Words => ({
  title: `The journal can be read again: ${path}.`,
  what: 'It was read when this watch began, or it is no longer there.',
})

/** Words of the alarm that the validator drops out at a boundary ahead. */
export function dropsOut(
  watched: ValidatorPicture,
  {
    danger,
    ahead,
    now,
    atMs,
    ...sent
  }: ReturnType<typeof besideGuard> & { ahead: AheadPicture; now: bigint; atMs: number },
  { context }: { context: TextContext },
): Words & Pick<WatchEvent, 'until'> {
  const { outAtEpoch, rescue } = danger
  const boundary = outAtEpoch * context.network.spec.slotsPerEpoch
  const left = boundary > now ? boundary - now : 0n
  const title = `${validatorName(watched)} ${STANDING_TEXT.outAt(outAtEpoch)}, in ${inSlots(left, context)}.`
  const { lines } = STANDING_TEXT.danger(danger, {
    now,
    left: (slots) => inSlots(slots, context),
    network: context.network,
  })
  const place = placeWords(ahead.place, context)
  if (rescue === undefined) return { title, what: `${lines.join(' ')}${place}`, next: NOTHING_TO_DO }
  const { leastTopUpGwei, lastGoodBlock } = rescue
  const byGuard = tokensOf(sent.sentGwei, context)
  const { isEnough, isTooLittle, next } = GUARD_SENT_TEXT
  if (sent.isEnough) return { title, what: `${isEnough(byGuard, formatCount(lastGoodBlock))}${place}`, next }
  const beside = sent.sentGwei === 0n ? [] : [isTooLittle(byGuard)]
  const what = `${[...beside, ...lines].join(' ')}${place}`
  const until = { epoch: outAtEpoch, slot: lastGoodBlock, atMs }
  return { title, what, ...wayToTopUp(watched, leastTopUpGwei, context), until }
}

const NOTHING_TO_DO = 'Nothing to do: the stake comes back by itself. A new attempt needs a new key.'

/**
 * Words of the alarm once its last block is past: a top-up no longer helps, and whether one was counted is not known.
 * `now` is left out where no head is known.
 */
export function tooLate(
  watched: Watched,
  { outAtEpoch, lastGoodBlock, now }: { outAtEpoch: bigint; lastGoodBlock: bigint; now: bigint | undefined },
  { context, picture }: { context: TextContext; picture: NetworkPicture },
): Words & Pick<WatchEvent, 'until'> {
  const boundary = outAtEpoch * context.network.spec.slotsPerEpoch
  const left = now === undefined || boundary <= now ? '' : `, in ${inSlots(boundary - now, context)}`
  const until = { epoch: outAtEpoch, slot: lastGoodBlock }
  const atMs = now === undefined ? undefined : timeOf(lastGoodBlock, { now, picture, context })
  return {
    title: `${validatorName(watched)} ${STANDING_TEXT.outAt(outAtEpoch)}${left}, unless a top-up was counted.`,
    what: `It is too late for a top-up: block ${formatCount(lastGoodBlock)}, the last one that counts, is past. Whether one was in it or before is not known yet.`,
    next: `Send nothing more: it does not help any more. Epoch ${formatCount(outAtEpoch)} shows whether the place is kept.`,
    ...(atMs === undefined ? {} : { until: { ...until, atMs } }),
  }
}

/** Words of the alarm while its last block is past by slot time, but the head that counts has not come so far. */
export function helpNotKnown(
  watched: Watched,
  { lastGoodBlock, head }: { lastGoodBlock: bigint; head: bigint },
): Words {
  return {
    title: `Whether a top-up still keeps the place of ${validatorName(watched)} is not known.`,
    what: `The newest block that counts here is ${formatCount(head)}, and it is old. If the chain went on in the meantime, block ${formatCount(lastGoodBlock)}, the last one that counts for a top-up, is past.`,
    next: 'Send nothing on this warning. Look at your node first: restart it if other nodes go on.',
  }
}

/** Words of the alarm once its boundary is past and no record has come since. */
export function placeNotKnown(
  watched: Watched,
  { outAtEpoch, readSlot }: { outAtEpoch: bigint; readSlot: bigint | undefined },
): Words {
  const read = readSlot === undefined ? '' : ` The set was read last at slot ${formatCount(readSlot)}.`
  return {
    title: `Whether ${validatorName(watched)} ${STANDING_TEXT.keepsItsPlace} is not known.`,
    what: `It was to drop out at epoch ${formatCount(outAtEpoch)}, which has begun; your node has not said since whether it did.${read}`,
    next: 'Send nothing on this warning: its last block is past. Look at your node first.',
  }
}

/** Returns the time of a slot by the clock of this computer, in Unix milliseconds. */
export function timeOf(
  slot: bigint,
  given: { now: bigint; picture: NetworkPicture; context: TextContext },
): number {
  return given.picture.atMs + Number(slot - given.now) * given.context.network.slotMs
}

function placeWords(place: Placing | undefined, context: TextContext): string {
  if (place?.cutoff === undefined) return ''
  const { rank, places, cutoff, stakeGwei } = place
  return ` ${ordinal(rank)} for ${places} places; the cutoff is ${tokensOf(cutoff.stakeGwei, context)}, its stake ${tokensOf(stakeGwei, context)}.`
}

/** Words of the end of the alarm, where the validator keeps its place. */
export function keepsPlace(watched: Watched, ahead: AheadPicture | undefined): Words {
  const upTo = ahead === undefined ? '' : ` by the state of slot ${formatCount(ahead.slot)}`
  return {
    title: `${validatorName(watched)} ${STANDING_TEXT.keepsItsPlace}.`,
    what: `It drops out at none of the epoch boundaries ahead${upTo}, if nothing else happens.`,
  }
}

/** Words of the end of an alarm about a place that the validator has lost, or is leaving. */
export function placeIsLost(watched: Watched, record: OwnRecord): Words {
  return {
    title: `${validatorName(watched)} ${STANDING_TEXT.out(record)}.`,
    what: 'It has no place to defend any more, so this alarm is over.',
  }
}

/** The words of an alarm by what the validator set did not sign. */
export function asUnsigned({ title, what }: Words, why: string): Words {
  return { title: `Not proven: ${title}`, what: `${what} The validator set did not sign this: ${why}.` }
}

/** Words of the alarm that the validator left the active set. */
export function droppedOut(
  watched: Watched,
  { record, why }: { record: OwnRecord; why: 'request' | 'unrequested' | 'before' },
  context: TextContext,
): Words {
  const { validator, balanceGwei } = record
  const back = STANDING_TEXT.back(tokensOf(balanceGwei, context), validator.withdrawableEpoch)
  const cause = {
    request: ', as it was asked to',
    unrequested: ': most likely others had more stake',
    before: ', before this watch began',
  }[why]
  const seen = why === 'unrequested' ? NO_REQUEST_SEEN : ''
  return {
    title: `${validatorName(watched)} ${STANDING_TEXT.out(record)}${cause}.`,
    what: `${seen}${back}. ${STANDING_TEXT.forEver}`,
    next: NOTHING_TO_DO,
  }
}

const NO_REQUEST_SEEN = 'This watch saw no request to leave. '

/** Words of the end of that alarm, where the validator is still active. */
export function notLeft(watched: Watched): Words {
  return {
    title: `${validatorName(watched)} ${STANDING_TEXT.isNotOut}.`,
    what: 'Its record names no exit that is past.',
  }
}

/** Words of the end of that alarm, where the stake was paid back. */
export function paidBack(watched: Watched, context: TextContext): Words {
  const { label } = context.network
  return {
    title: `The stake of ${validatorName(watched)} was paid back.`,
    what: `Its balance on ${label} is 0: nothing is left to wait for.`,
  }
}

/** Words of the alarm that no validator has the watched key; `slot` is the newest one that is known. */
export function notRegistered(watched: Watched, slot: bigint | undefined, { network }: TextContext): Words {
  const at = slot === undefined ? '' : ` at slot ${formatCount(slot)}`
  return {
    title: `${validatorName(watched)} is no validator of ${network.label}.`,
    what: `The node finds no record with this key${at}: ${watched.pubkey}. Nothing of it can be watched until its first deposit is counted.`,
    next: 'Compare the key with the one of your node, and the network with the one that you mean.',
  }
}

/** Words of the alarm that the watched validator has left and was paid back. */
export function goneForGood(watched: Watched, record: OwnRecord): Words {
  return {
    title: `${validatorName(watched)} ${STANDING_TEXT.out(record)}, and its stake was paid back.`,
    what: `Nothing of it is left to watch. ${STANDING_TEXT.forEver}`,
    next: 'Watch another key. A new attempt needs a new one.',
  }
}

/** Words of the end of these two. */
export function hasRecord(watched: Watched, { index }: OwnRecord): Words {
  return {
    title: `${validatorName(watched)} is a validator.`,
    what: `Its record has the index ${index}, so that it can be watched.`,
  }
}

/** Words of the alarm that an exit was requested. */
export function exits(
  watched: Watched,
  { record, isOwnWord }: { record: OwnRecord; isOwnWord: boolean },
  context: TextContext,
): Words {
  const { validator, balanceGwei } = record
  const back = STANDING_TEXT.back(tokensOf(balanceGwei, context), validator.withdrawableEpoch)
  return {
    title: `${validatorName(watched)} ${STANDING_TEXT.out(record)}: an exit was requested.`,
    what: `${back}. The exit cannot be taken back.${isOwnWord ? '' : NOT_OWN_WORD}`,
    next: NOT_REQUESTED,
  }
}

const NOT_OWN_WORD = ' Only another node says so: your own one does not answer.'

const NOT_REQUESTED =
  'If you did not request it, somebody else has the key of the withdrawal address: move what that address holds.'

/** Words of the end of that alarm, where the validator goes on. */
export function notLeaving(watched: Watched): Words {
  return { title: `${validatorName(watched)} is not leaving.`, what: 'Its record names no exit.' }
}

/** Words of the alarm that a partial withdrawal waits. */
export function partWaits(watched: Watched, partialGwei: bigint, context: TextContext): Words {
  return {
    title: `${tokensOf(partialGwei, context)} of ${validatorName(watched)} wait to be withdrawn.`,
    what: 'Once they are paid out its stake and its rank are lower; the forecast counts them. Until then no guard of it can act.',
    next: NOT_REQUESTED,
  }
}

/** Words of the end of that alarm. */
export function partOver(watched: Watched): Words {
  return {
    title: `No withdrawal of ${validatorName(watched)} waits any more.`,
    what: 'What was requested was paid out or is void.',
  }
}

/** Words of the end of every alarm of a validator that is no longer watched. */
export function unwatchedWords(validator: Watched): Words {
  return {
    title: `${validatorName(validator)} is not watched any more.`,
    what: 'This alarm ends because nobody asked for this validator.',
  }
}

/** Words of an alarm of which a watch that has ended saved no more than that it was told. */
export const firedBefore = (alarm: AlarmId): Words => ({
  title: `The alarm ${alarm} fired before this watch began.`,
  what: 'What it is about was not saved. A look that can tell ends it, or says it anew.',
})
