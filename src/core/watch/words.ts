import type { Standing } from '../consensus/standing.ts'
import { formatCount, formatDuration, formatGwei, ordinal } from '../format/amount.ts'
import type { Hex } from '../format/hex.ts'
import { safeText, shellCommand } from '../format/text.ts'
import type { Danger } from '../steps/status/outlook.ts'
import type { WatchEvent } from './event.ts'
import {
  headOf,
  type OwnRecord,
  type SeenAhead,
  type SeenDeposit,
  type Sighting,
  type WatchContext,
  type Watched,
} from './sighting.ts'

/** All texts of alarms. Each is safe to draw, and says what is, with its numbers, and what to do. */
export type Words = { title: string; what: string } & Pick<WatchEvent, 'next'>
type Context = Pick<WatchContext, 'network' | 'wizardOptions'>

/** What a validator is called: its name, or the ends of its key. */
export function nameOf({ pubkey, name }: Watched): string {
  return name === undefined ? `${pubkey.slice(0, 6)}…${pubkey.slice(-4)}` : safeText(name, 40)
}

function tokensOf(amountGwei: bigint, { network }: Context): string {
  return `${formatGwei(amountGwei)} ${network.names.token}`
}

function inSlots(slots: bigint, { network }: Context): string {
  const unit = slots === 1n ? 'slot' : 'slots'
  return `${formatCount(slots)} ${unit}, ${formatDuration(Number(slots) * network.slotMs)}`
}

/** The command of the wizard that proposes a top-up of a validator; it sends nothing by itself. */
function topUpCommand({ pubkey }: Watched, amountGwei: bigint, { wizardOptions }: Context): string {
  const amount = formatGwei(amountGwei).replaceAll(',', '')
  return shellCommand('bearings', '--validator', pubkey, ...wizardOptions, '--topup', amount)
}

export function dropsOut(
  seen: Watched,
  { danger, ahead }: { danger: Danger; ahead: SeenAhead },
  { context, sighting }: { context: Context; sighting: Sighting },
): Words & Pick<WatchEvent, 'until'> {
  const { slotsPerEpoch, withdrawabilityDelayEpochs } = context.network.spec
  const { outAtEpoch, rescue } = danger
  const now = headOf(sighting) ?? ahead.slot
  const boundary = outAtEpoch * slotsPerEpoch
  const left = boundary > now ? boundary - now : 0n
  const title = `${nameOf(seen)} drops out of the active set at epoch ${formatCount(outAtEpoch)}, in ${inSlots(left, context)}.`
  const backMs = Number(withdrawabilityDelayEpochs * slotsPerEpoch) * context.network.slotMs
  const lost = `${rescue === undefined ? 'Then' : 'Without it'} the key is lost for ever; the stake comes back ${formatDuration(backMs)} later.`
  const place = placeWords(ahead.place, context)
  if (rescue === undefined)
    return {
      title,
      what: `No top-up keeps the place: no amount is enough, or it is too late for a block. ${lost}${place}`,
      next: 'Nothing to do: the stake comes back by itself. A new attempt needs a new key.',
    }
  const { leastTopUpGwei, sendByBlock, lastGoodBlock } = rescue
  const by = sendByBlock > now ? sendByBlock : lastGoodBlock
  const until = {
    epoch: outAtEpoch,
    slot: lastGoodBlock,
    atMs: timeOf(lastGoodBlock, { now, sighting, context }),
  }
  const within = by > now ? `, within ${inSlots(by - now, context)}` : ''
  const amount = tokensOf(leastTopUpGwei, context)
  return {
    title,
    what: `A top-up of ${amount} keeps the place if it is in block ${formatCount(lastGoodBlock)} at the latest; send it by block ${formatCount(by)}${within}. ${lost}${place}`,
    next: topUpCommand(seen, leastTopUpGwei, context),
    until,
  }
}

function timeOf(slot: bigint, given: { now: bigint; sighting: Sighting; context: Context }): number {
  return given.sighting.atMs + Number(slot - given.now) * given.context.network.slotMs
}

function placeWords(place: Standing | undefined, context: Context): string {
  if (place?.cut === undefined) return ''
  const { rank, seats, cut, stakeGwei } = place
  return ` ${ordinal(rank)} for ${seats} places; the cutoff is ${tokensOf(cut.stakeGwei, context)}, its stake ${tokensOf(stakeGwei, context)}.`
}

export function keepsPlace(seen: Watched, ahead: SeenAhead | undefined): Words {
  const upTo = ahead === undefined ? '' : ` by the state of slot ${formatCount(ahead.slot)}`
  return {
    title: `${nameOf(seen)} keeps its place in the active set.`,
    what: `It drops out at none of the epoch boundaries ahead${upTo}, if nothing else happens.`,
  }
}

export function droppedAfterAll(seen: Watched, { validator }: OwnRecord): Words {
  return {
    title: `${nameOf(seen)} has dropped out or is leaving: the warning before is over.`,
    what: `Its last epoch in the active set is the one before epoch ${formatCount(validator.exitEpoch)}.`,
  }
}

export function droppedOut(
  seen: Watched,
  { record, why }: { record: OwnRecord; why: 'request' | 'outbid' | 'before' },
  context: Context,
): Words {
  const { validator, balanceGwei } = record
  const at = formatCount(validator.exitEpoch)
  const cause = {
    request: ', as it was asked to',
    outbid: ': others had more stake, or it was asked to leave',
    before: ', before this watch began',
  }[why]
  return {
    title: `${nameOf(seen)} left the active set at epoch ${at}${cause}.`,
    what: `The key is lost for ever. The stake of ${tokensOf(balanceGwei, context)} comes back to the withdrawal address from epoch ${formatCount(validator.withdrawableEpoch)} on.`,
    next: 'Nothing to do: the stake comes back by itself. More money sent for this key comes back the same way; a new attempt needs a new key.',
  }
}

export function notLeft(seen: Watched): Words {
  return {
    title: `${nameOf(seen)} is not out of the active set.`,
    what: 'Its record names no exit that is past.',
  }
}

export function paidBack(seen: Watched, context: Context): Words {
  const { label } = context.network
  return {
    title: `The stake of ${nameOf(seen)} was paid back.`,
    what: `Its balance on ${label} is 0: nothing is left to wait for.`,
  }
}

export function exits(seen: Watched, { validator, balanceGwei }: OwnRecord, context: Context): Words {
  return {
    title: `${nameOf(seen)} leaves the active set at epoch ${formatCount(validator.exitEpoch)}: an exit was requested.`,
    what: `Its stake of ${tokensOf(balanceGwei, context)} goes to the withdrawal address from epoch ${formatCount(validator.withdrawableEpoch)} on. The exit cannot be taken back.`,
    next: 'If you did not request it, somebody else has the key of the withdrawal address: move what that address holds.',
  }
}

export function exitOver(seen: Watched, { validator, epoch }: OwnRecord): Words {
  const left = validator.exitEpoch <= epoch
  return {
    title: left ? `The exit of ${nameOf(seen)} is done.` : `${nameOf(seen)} is not leaving.`,
    what: left
      ? `It left the active set at epoch ${formatCount(validator.exitEpoch)}.`
      : 'Its record names no exit.',
  }
}

export function partWaits(seen: Watched, partialGwei: bigint, context: Context): Words {
  return {
    title: `${tokensOf(partialGwei, context)} of ${nameOf(seen)} wait to be withdrawn.`,
    what: 'Once they are paid out its stake and its rank are lower; the forecast counts them.',
    next: 'If you did not request it, somebody else has the key of the withdrawal address: move what that address holds.',
  }
}

export function partOver(seen: Watched): Words {
  return {
    title: `No withdrawal of ${nameOf(seen)} waits any more.`,
    what: 'What was requested was paid out or is void.',
  }
}

export function thinMargin(seen: Watched, place: Standing, context: Context): Words {
  const { rank, seats, unseatedByGwei, marginGwei } = place
  const above = marginGwei === undefined ? '' : `, ${tokensOf(marginGwei, context)} above the next one`
  return {
    title: `${nameOf(seen)} is ${ordinal(rank)} for ${seats} places: ${tokensOf(unseatedByGwei, context)} from others take its place.`,
    what: `At epoch ${formatCount(place.epoch)} it stands at ${tokensOf(place.stakeGwei, context)}${above}. Whoever stakes that much more takes the place within one to three epochs.`,
    next: `A top-up widens the margin: ${topUpCommand(seen, context.network.minimumDepositGwei, context)}`,
  }
}

export function wideMargin(seen: Watched, place: Standing, context: Context): Words {
  const { rank, seats, unseatedByGwei } = place
  return {
    title: `The margin of ${nameOf(seen)} is wide enough again.`,
    what: `It is ${ordinal(rank)} for ${seats} places; others need ${tokensOf(unseatedByGwei, context)} to take its place.`,
  }
}

export function noPlaceAnyMore(seen: Watched): Words {
  return {
    title: `${nameOf(seen)} has no place to defend any more.`,
    what: 'It has left the active set or is leaving.',
  }
}

export function depositArrived(seen: Watched, deposit: SeenDeposit, context: Context): Words {
  const { amountGwei, blockSlot, transactionHash } = deposit
  return {
    title: `A deposit of ${tokensOf(amountGwei, context)} for ${nameOf(seen)} arrived, not by this program.`,
    what: `It is in block ${formatCount(blockSlot)}, transaction ${transactionHash}. It belongs to the validator now and can be withdrawn only to its withdrawal address.`,
    next: 'If nobody of yours sent it: nothing to do. A payment of yours that is under way is compared with it before it is signed.',
  }
}

export function depositCounted(seen: Watched, { balanceGwei }: OwnRecord, context: Context): Words {
  return {
    title: `The deposit for ${nameOf(seen)} is counted.`,
    what: `Its balance is ${tokensOf(balanceGwei, context)} now.`,
  }
}

export function operatorQueued(
  seen: Watched,
  queued: { operator: Hex; sinceSeconds: bigint },
  { context, atMs }: { context: Context; atMs: number },
): Words {
  const DAY_SECONDS = 86_400n
  const leftMs = Number((queued.sinceSeconds + DAY_SECONDS) * 1000n) - atMs
  const when = leftMs > 0 ? `in ${formatDuration(leftMs)}` : 'from now on'
  return {
    title: `An operator change is queued for ${nameOf(seen)}.`,
    what: `${queued.operator} can become its operator ${when} and then manages its rewards. The stake is not touched.`,
    next: `If you did not queue it: the present operator can cancel it at the deposit contract ${context.network.spec.depositContract} (cancelOperatorChange).`,
  }
}

export function operatorChanged(seen: Watched, { before, now }: { before: Hex; now: Hex }): Words {
  return {
    title: `${nameOf(seen)} has another operator.`,
    what: `${now} manages its rewards now, ${before} did before. The stake is not touched.`,
    next: 'If that was not you, ask the new operator: only it can queue the change back.',
  }
}

export function operatorAsBefore(seen: Watched, operator: Hex): Words {
  return {
    title: `The operator of ${nameOf(seen)} stays.`,
    what: `${operator} manages its rewards, and no change is queued.`,
  }
}

export function unwatchedWords(validator: Watched): Words {
  return {
    title: `${nameOf(validator)} is not watched any more.`,
    what: 'This alarm ends because nobody asked for this validator.',
  }
}
