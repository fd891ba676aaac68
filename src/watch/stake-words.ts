import { formatCount, formatDuration, ordinal } from '../core/base/format/amount.ts'
import { type Hex, isHex } from '../core/base/format/hex.ts'
import type { Placing } from '../core/chain/consensus/placing.ts'
import { withChecksum } from '../core/chain/deposit/credentials.ts'
import { tokensOf } from '../core/chain/network/network.ts'
import type { EpochsLeft } from '../core/observe/memory.ts'
import type {
  AheadPicture,
  DepositPicture,
  NetworkPicture,
  OwnRecord,
  ValidatorPicture,
  Watched,
} from '../core/observe/picture.ts'
import { headOf } from '../core/observe/picture.ts'
import type { WatchEvent } from '../core/view/alarm-event.ts'
import { wayToTopUp } from './way-to-top-up.ts'
import { type TextContext, timeOf, validatorName, type Words } from './words.ts'

/** Texts of alarms about the margin of a validator, and about what the deposit contract has of it. */

/** Words of the alarm that others need little to take the place. */
export function thinMargin(
  watched: ValidatorPicture,
  { place, left }: { place: Placing; left: EpochsLeft },
  context: TextContext,
): Words {
  const { rank, places, othersNeedGwei, marginGwei } = place
  const above = marginGwei === undefined ? '' : `, ${tokensOf(marginGwei, context)} above the next one`
  const { network } = context
  const next = wayToTopUp(watched, network.minimumDepositGwei, context)
  if (othersNeedGwei === 0n)
    return {
      title: `${validatorName(watched)} is ${ordinal(rank)} for ${places} places: it holds the place by a tie.`,
      what: `At epoch ${formatCount(place.epoch)} it stands at ${tokensOf(place.stakeGwei, context)}, as much as the next one. At equal stake the smaller public key goes. If others add any stake, they may take the place within one to three epochs. A top-up widens the margin.`,
      ...next,
    }
  return {
    title: `${validatorName(watched)} is ${ordinal(rank)} for ${places} places: ${tokensOf(othersNeedGwei, context)} from others may take its place.`,
    what: `At epoch ${formatCount(place.epoch)} it stands at ${tokensOf(place.stakeGwei, context)}${above}. If others stake ${tokensOf(othersNeedGwei, context)} more, they may take the place within one to three epochs.${trendWords(left, context)} A top-up widens the margin.`,
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
export function wideMargin(
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

/** Words of the end of that alarm, where the validator has no place any more. */
export function noPlaceAnyMore(watched: Watched): Words {
  return {
    title: `${validatorName(watched)} has no place to defend any more.`,
    what: 'It has left the active set or is leaving.',
  }
}

/** Words of the alarm of a deposit that no payment of this computer made. */
export function depositArrived(watched: Watched, deposit: DepositPicture, context: TextContext): Words {
  const { amountGwei, blockSlot, transactionHash } = deposit
  return {
    title: `A deposit of ${tokensOf(amountGwei, context)} for ${validatorName(watched)} arrived, not by this program.`,
    what: `It is in block ${formatCount(blockSlot)}, transaction ${transactionHash}. It belongs to the validator now and can be withdrawn only to its withdrawal address.`,
    next: 'If nobody of yours sent it: nothing to do. A payment of yours that is under way is compared with it before it is signed.',
  }
}

/** Words of the deposits of one look that are too many for an alarm each. */
export function moreDeposits(
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
export function depositPaidBack(watched: Watched, context: TextContext): Words {
  return {
    title: `The deposit for ${validatorName(watched)} was paid back.`,
    what: `The validator has left, and its balance on ${context.network.label} is 0: the deposit went to its withdrawal address.`,
  }
}

/** Words of the end of that alarm, where the deposit is counted. */
export function depositCounted(watched: Watched, { balanceGwei }: OwnRecord, context: TextContext): Words {
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
export function operatorQueued(
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
