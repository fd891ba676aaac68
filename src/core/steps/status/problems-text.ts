import { formatCount, formatDuration, formatGwei } from '../../base/format/amount.ts'
import { decides, KEY } from '../../base/format/next.ts'
import { payoutOf } from '../../chain/deposit/credentials.ts'
import type { Setup } from '../../chain/facts.ts'
import { OUTLOOK_TEXT } from '../../chain/key-state/outlook-text.ts'
import type { Own } from '../../chain/key-state/own.ts'
import { isPoolValidator } from '../../chain/network/pools.ts'
import { POOLS_TEXT } from '../../chain/network/pools-text.ts'
import type { MoneyBand, Problem } from '../../view/view.ts'
import type { Situation } from './situation.ts'
import { STATUS_TEXT as TEXT } from './text.ts'

/** What is said once the validator has left the set, or is leaving it. */
function lostProblem(own: Own, setup: Setup): Problem {
  const { validator } = own
  const atOnce = validator.exitEpoch === validator.activationEpoch
  return {
    id: atOnce ? 'status.lost-at-once' : `status.${isLeaving(own) ? 'leaving' : 'left'}`,
    kind: 'event',
    title: atOnce ? 'The place was lost at the same epoch boundary that gave it.' : leavingWords(own),
    money: 'moved',
    values: [payoutOf(validator.withdrawalCredentials)],
    lines: [
      stakeWords(own, setup),
      'This key never becomes active again; more money sent for it comes back the same way.',
    ],
    next: [
      own.balanceGwei === 0n
        ? 'nothing to do here any more'
        : 'nothing to do: the stake comes back by itself',
      'a new attempt needs a new key',
    ],
  }
}

const isLeaving = ({ validator, epoch }: Own): boolean => validator.exitEpoch > epoch

function leavingWords(own: Own): string {
  const at = `at epoch ${formatCount(own.validator.exitEpoch)}`
  return isLeaving(own)
    ? `The validator leaves the active set ${at}.`
    : `The validator left the active set ${at}.`
}

/** The money of a validator that has left. */
function lostMoney(own: Own, { network }: Setup): MoneyBand {
  const { token } = network.names
  return {
    line:
      own.balanceGwei === 0n
        ? 'staked nothing any more · the stake was paid back · safe to close this window'
        : `staked ${formatGwei(own.balanceGwei)} ${token}, coming back · safe to close this window`,
    worst: 'worst case: none left. The place is lost, the stake is not.',
  }
}

function stakeWords(own: Own, setup: Setup): string {
  const { validator, balanceGwei, slot } = own
  const { spec, names } = setup.network
  if (balanceGwei === 0n) return 'The stake was paid back to the withdrawal address.'
  const amount = `${formatGwei(balanceGwei)} ${names.token}`
  const isDue = validator.withdrawableEpoch * spec.slotsPerEpoch <= slot
  const when = isDue
    ? 'at the next sweep'
    : `from epoch ${formatCount(validator.withdrawableEpoch)} on: ${TEXT.countdown(validator.withdrawableEpoch, own, setup)}`
  return `The stake of ${amount} goes back to the withdrawal address, ${when}.`
}

type Dropping = Situation & { is: 'dropping' }

/** The line on top of a validator in danger. */
function dangerTitle({ danger, inDanger }: Dropping): string {
  if (inDanger?.instead !== undefined) return 'Whether your validator keeps its place is not known'
  return danger.rescue === undefined
    ? 'Your validator drops out of the active set, and no top-up helps'
    : 'Your validator drops out of the active set if nothing is done'
}

/** When it drops out, what keeps its place and until when, and what happens otherwise. */
function dangerProblem({ danger, own, inDanger }: Dropping, setup: Setup): Problem {
  const { outAtEpoch, rescue } = danger
  const { spec, names } = setup.network
  const now = headNow(own, inDanger)
  const until = fromHere(outAtEpoch * spec.slotsPerEpoch, { own, now }, setup)
  const when = until === '' ? '' : `: in ${until}`
  const shape: Pick<Problem, 'id' | 'kind' | 'title' | 'money' | 'values'> = {
    // Another epoch is another danger; the time that is left is not.
    id: `status.drops-out.${outAtEpoch}`,
    kind: 'warning',
    title: `${OUTLOOK_TEXT.youOutAt(outAtEpoch)}${when}.`,
    money: 'untouched',
    values: [],
  }
  const backMs = Number(spec.withdrawabilityDelayEpochs * spec.slotsPerEpoch) * setup.network.slotMs
  const lost = OUTLOOK_TEXT.isLost(formatDuration(backMs))
  const old =
    own.doubt === undefined
      ? []
      : [`As of slot ${formatCount(own.slot)}: your node has reported nothing newer.`]
  if (inDanger?.instead !== undefined) {
    const { title, what, next } = inDanger.instead
    return { ...shape, title, lines: [what, `If it drops out, ${lost}`, ...old], next: next ? [next] : [] }
  }
  if (rescue === undefined) {
    const next = ['nothing to do: the stake comes back by itself; a new attempt needs a new key']
    return { ...shape, lines: [OUTLOOK_TEXT.noneKeeps.yourPlace, OUTLOOK_TEXT.thereby(lost), ...old], next }
  }
  const amount = `${formatGwei(rescue.leastTopUpGwei)} ${names.token}`
  const left = (slots: bigint) => TEXT.slots(slots, setup, own, 'by')
  const way = `${OUTLOOK_TEXT.keepsYourPlace(amount)} ${OUTLOOK_TEXT.sendBy(rescue, { now, left })}`
  return {
    ...shape,
    lines: [way, OUTLOOK_TEXT.withoutIt(lost), ...old],
    next: [
      isPoolValidator(own.validator.withdrawalCredentials, setup.network)
        ? POOLS_TEXT.ownDoor
        : decides('t')`${KEY} tops up ${amount}, after all checks`,
      ...(own.doubt === undefined ? [] : [anotherNode(own)]),
    ],
  }
}

/** The checks refuse a payment beside a node that does not follow its chain. */
function anotherNode({ index }: Own): string {
  return `restart your node first; or quit and start with --validator ${index}, and in the form name a node that follows the chain`
}

type Here = { own: Own; now: bigint | undefined }

/** How far a slot is from the newest head that is known of, '' where that is not known or it is past. */
function fromHere(slot: bigint, { own, now }: Here, setup: Setup): string {
  return now === undefined || slot <= now ? '' : TEXT.slots(slot - now, setup, own)
}

/**
 * The chain's head, as the rules of the watch have it. Before they have looked it is that of another endpoint that goes on
 * where the node is in doubt; undefined: nobody says.
 */
function headNow({ slot, doubt }: Own, inDanger: Dropping['inDanger']): bigint | undefined {
  if (inDanger !== undefined) return inDanger.now > slot ? inDanger.now : slot
  if (doubt === undefined) return slot
  return doubt.beside.is === 'ahead' ? doubt.beside.block : undefined
}

/** The money band of a validator in danger: nothing is lost yet, and what doing nothing costs. */
function dangerMoney({ danger: { rescue }, own, inDanger }: Dropping, { network }: Setup): MoneyBand {
  const { token } = network.names
  if (inDanger?.instead !== undefined)
    return {
      line: `staked ${formatGwei(own.balanceGwei)} ${token} · send no top-up now`,
      worst: 'worst case: it drops out; the stake comes back, this key does not.',
    }
  const needed =
    rescue === undefined
      ? 'no top-up helps any more: the stake comes back'
      : `a top-up of ${formatGwei(rescue.leastTopUpGwei)} ${token} is needed`
  return {
    line: `staked ${formatGwei(own.balanceGwei)} ${token} · ${needed}`,
    worst: 'worst case: you do nothing; the stake comes back, this key does not.',
  }
}

/** What is said of a validator that drops out, leaves or has left, with its money band. */
export const STATUS_PROBLEMS_TEXT = { lostProblem, lostMoney, dangerTitle, dangerProblem, dangerMoney }
