import { depositError } from '../../base/errors/deposit.ts'
import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { findValidatorIndex, type QueuedDeposit, stakeToBe } from './process-epoch.ts'
import { type Course, lastSlotOfEpoch, runForward } from './process-slot.ts'
import {
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  hysteresisBand,
  type Validator,
} from './state.ts'

/** Epoch boundaries that are looked at, counted from the state's own epoch. */
export const EPOCHS_AHEAD = 5n
/** A top-up decided on now is in a block two after the state's at the earliest. */
const FIRST_BLOCK_AHEAD = 2n
/** Slots between the shown "send by" and the last block that helps: time to sign, to hand over, to be mined. */
const SEND_BY_SLOTS_BEFORE = 6n

/** What is known about the chain, and whom the question is about. Amounts in gwei. */
export type OutlookQuestion = {
  state: ConsensusState
  /** Deposits of anybody, of blocks up to the one after the state's slot, that the state does not hold; in order. */
  uncounted: readonly QueuedDeposit[]
  spec: ChainSpec
  /** Whether Fulu's rules hold; taken to hold for all epochs looked at. */
  fulu: boolean
  pubkey: Hex
  /** Least value of one deposit call, in gwei. */
  minimumDepositGwei: Gwei
}

/** A top-up that keeps the place. */
type Rescue = {
  /** The least multiple of the increment that keeps the place, sent in the next possible block. In gwei. */
  leastTopUpGwei: Gwei
  /** Less than that, between two increments, that keeps the place as well; undefined where nothing less does. In gwei. */
  lessGwei: Gwei | undefined
  /** The last block in which that amount still keeps the place. */
  lastGoodBlock: bigint
  /** The block by which to send: some slots before the last good one; it may be past. */
  sendByBlock: bigint
}

/** What happens to a validator if nothing else happens. */
export type Outlook = {
  /** The first epoch at whose boundary it drops out of the active set, within five epochs; undefined: none of them. */
  dropsOutAtEpoch: bigint | undefined
  /**
   * The epoch from which it is active, also where the same boundary sends it away; undefined: it is active already, or
   * will not be within five epochs.
   */
  activeAtEpoch: bigint | undefined
  /** Only where it drops out: what keeps the place, or undefined where no amount and no block does. */
  rescue: Rescue | undefined
}

/**
 * Runs the rules of the chain forward over the next five epoch boundaries, with every deposit that is known and not
 * counted yet, and says whether and when the validator drops out of the active set, the least top-up that keeps its
 * place and the last block in which that amount still counts. The drop-out is exact, ties by pubkey included; the
 * top-up counts every tie as lost. From Fulu on a deposit counts in its own block, before two slots later and at
 * most 16 a slot.
 *
 * @throws BaseError `consensus.unknown_validator` when neither the state nor an uncounted first deposit has the
 * pubkey, `consensus.amount` for a negative minimum.
 */
export function outlook(question: OutlookQuestion): Outlook {
  const { state, uncounted, minimumDepositGwei } = question
  if (minimumDepositGwei < 0n)
    throw depositError('consensus.amount', 'minimumDepositGwei', minimumDepositGwei, 'zero or more')
  const pubkey = question.pubkey.toLowerCase() as Hex
  const known = findValidatorIndex(state.validators, pubkey) !== undefined
  if (
    !known &&
    !uncounted.some((deposit) => deposit.pubkey.toLowerCase() === pubkey && deposit.signatureValid)
  ) {
    throw depositError('consensus.unknown_validator', pubkey, state.slot)
  }
  const ahead = courseAhead({ state, queue: uncounted }, question, pubkey)
  return {
    dropsOutAtEpoch: ahead.outAtEpoch,
    activeAtEpoch: ahead.activeAtEpoch,
    rescue: ahead.outAtEpoch === undefined ? undefined : rescueOf(question, pubkey, ahead.outAtEpoch),
  }
}

/** What a run of the model saw of one validator. */
type CourseAhead = { outAtEpoch: bigint | undefined; activeAtEpoch: bigint | undefined }

/** Runs over the boundaries ahead and stops at the one that sends the validator away. */
function courseAhead(start: Course, { spec, fulu }: OutlookQuestion, pubkey: Hex): CourseAhead {
  const firstEpoch = epochOfSlot(start.state.slot, spec)
  let course = start
  let outAtEpoch: bigint | undefined
  for (let epoch = firstEpoch; epoch < firstEpoch + EPOCHS_AHEAD && outAtEpoch === undefined; epoch += 1n) {
    const eve = runForward(course, spec, { toSlot: lastSlotOfEpoch(epoch, spec), fulu })
    course = runForward(eve, spec, { toSlot: eve.state.slot + 1n, fulu })
    const leaves = !isLeaving(recordOf(eve.state, pubkey)) && isLeaving(recordOf(course.state, pubkey))
    if (leaves) outAtEpoch = epoch + 1n
  }
  const activation = recordOf(course.state, pubkey)?.activationEpoch ?? FAR_FUTURE_EPOCH
  const isAhead = activation > firstEpoch && activation !== FAR_FUTURE_EPOCH
  return { outAtEpoch, activeAtEpoch: isAhead ? activation : undefined }
}

function rescueOf(question: OutlookQuestion, pubkey: Hex, outAtEpoch: bigint): Rescue | undefined {
  const incrementGwei = question.spec.effectiveBalanceIncrementGwei
  const keeps = keeper(question, pubkey)
  const firstBlock = question.state.slot + FIRST_BLOCK_AHEAD
  const units = leastOf(unitsOf(question), (count) => keeps(count * incrementGwei, firstBlock))
  if (units === undefined) return undefined
  const leastTopUpGwei = units * incrementGwei
  const lastGoodBlock = lastKept(question, outAtEpoch, (block) => keeps(leastTopUpGwei, block))
  const lessGwei = lessThan(leastTopUpGwei, question).find((addGwei) => keeps(addGwei, firstBlock))
  const sendByBlock = lastGoodBlock - SEND_BY_SLOTS_BEFORE
  return { leastTopUpGwei, lessGwei, lastGoodBlock, sendByBlock }
}

/**
 * The amounts within the last increment below a top-up at which the effective balance may rise, least first: where the
 * stake is a whole number of increments, and where it leaves the hysteresis.
 */
function lessThan(topUpGwei: Gwei, question: OutlookQuestion): readonly Gwei[] {
  const { spec, fulu, minimumDepositGwei } = question
  const incrementGwei = spec.effectiveBalanceIncrementGwei
  const stakeGwei = stakeToBe(question)
  const effectiveGwei =
    recordOf(question.state, question.pubkey.toLowerCase() as Hex)?.effectiveBalanceGwei ?? 0n
  const wholeGwei = topUpGwei - ((stakeGwei + topUpGwei) % incrementGwei)
  const liftsGwei = effectiveGwei + hysteresisBand(spec, { fulu }).upGwei + 1n - stakeGwei
  const atLeastGwei = [wholeGwei, liftsGwei].map((gwei) =>
    gwei < minimumDepositGwei ? minimumDepositGwei : gwei,
  )
  return atLeastGwei
    .filter((gwei) => topUpGwei - incrementGwei < gwei && gwei < topUpGwei)
    .toSorted((one, other) => Number(one - other))
}

/**
 * The last block in which a top-up of an amount keeps the place of a validator that else drops out at an epoch; undefined
 * where it does not even in the next possible block. Every tie counts as lost.
 */
export function lastBlockThatKeeps(
  question: OutlookQuestion,
  { addGwei, outAtEpoch }: { addGwei: Gwei; outAtEpoch: bigint },
): bigint | undefined {
  const keeps = keeper(question, question.pubkey.toLowerCase() as Hex)
  if (!keeps(addGwei, question.state.slot + FIRST_BLOCK_AHEAD)) return undefined
  return lastKept(question, outAtEpoch, (block) => keeps(addGwei, block))
}

/**
 * Those who leave the set within the epochs looked at if a validator adds an amount in the next possible block, and would
 * not without it.
 */
export function displacedBy(question: OutlookQuestion, addGwei: Gwei): readonly Validator[] {
  const { state, uncounted, spec, fulu } = question
  const pubkey = question.pubkey.toLowerCase() as Hex
  const blockSlot = state.slot + FIRST_BLOCK_AHEAD
  const toSlot = lastSlotOfEpoch(epochOfSlot(state.slot, spec) + EPOCHS_AHEAD - 1n, spec) + 1n
  const topUp = {
    pubkey,
    withdrawalCredentials: NO_CREDENTIALS,
    amountGwei: addGwei,
    signatureValid: false,
    blockSlot,
  }
  const ends = [uncounted, [...uncounted, topUp]].map(
    (queue) => runForward({ state, queue }, spec, { toSlot, fulu }).state.validators,
  )
  const [without = [], withIt = []] = ends
  return withIt.filter(
    (validator, at) => validator.pubkey !== pubkey && isLeaving(validator) && !isLeaving(without[at]),
  )
}

/** Whether an amount in a block keeps the place, with every tie lost. */
function keeper(question: OutlookQuestion, pubkey: Hex): (addGwei: Gwei, blockSlot: bigint) => boolean {
  const losing = losingTies(question, pubkey)
  return (addGwei, blockSlot) => {
    const topUp = { ...losing.topUp, amountGwei: addGwei, blockSlot }
    const course = { state: losing.state, queue: [...losing.queue, topUp] }
    return courseAhead(course, question, losing.topUp.pubkey).outAtEpoch === undefined
  }
}

/** The last block that still keeps the place, where the next possible one does. */
function lastKept(
  { state, spec }: OutlookQuestion,
  outAtEpoch: bigint,
  keeps: (block: bigint) => boolean,
): bigint {
  const lastBlock = lastSlotOfEpoch(outAtEpoch - 1n, spec)
  const low = state.slot + FIRST_BLOCK_AHEAD + 1n
  const tooLate = leastOf({ low, high: lastBlock }, (block) => !keeps(block))
  return tooLate === undefined ? lastBlock : tooLate - 1n
}

/** How many increments one top-up may carry: at least what a deposit call takes, at most the room below the maximum. */
function unitsOf(question: OutlookQuestion): Range {
  const { spec, minimumDepositGwei } = question
  const incrementGwei = spec.effectiveBalanceIncrementGwei
  const low = (minimumDepositGwei + incrementGwei - 1n) / incrementGwei
  return {
    low: low > 0n ? low : 1n,
    high: (spec.maxEffectiveBalanceGwei - stakeToBe(question)) / incrementGwei,
  }
}

const LOWEST_PUBKEY: Hex = `0x${'00'.repeat(48)}`
const NO_CREDENTIALS: Hex = `0x${'00'.repeat(32)}`

/** The same world in which the validator has the lowest pubkey there is, so that it loses every tie. */
function losingTies(
  { state, uncounted }: OutlookQuestion,
  pubkey: Hex,
): { state: ConsensusState; queue: readonly QueuedDeposit[]; topUp: Omit<QueuedDeposit, 'blockSlot'> } {
  const rename = <T extends { pubkey: Hex }>(each: T): T =>
    each.pubkey.toLowerCase() === pubkey ? { ...each, pubkey: LOWEST_PUBKEY } : each
  return {
    state: { ...state, validators: state.validators.map(rename) },
    queue: uncounted.map(rename),
    topUp: {
      pubkey: LOWEST_PUBKEY,
      withdrawalCredentials: NO_CREDENTIALS,
      amountGwei: 0n,
      signatureValid: false,
    },
  }
}

type Range = { low: bigint; high: bigint }

/** The least number of a range that passes, where all above a passing one pass too; undefined: none does. */
function leastOf(range: Range, passes: (value: bigint) => boolean): bigint | undefined {
  let { low, high } = range
  if (high < low || !passes(high)) return undefined
  while (low < high) {
    const middle = (low + high) / 2n
    if (passes(middle)) high = middle
    else low = middle + 1n
  }
  return low
}

function recordOf(state: ConsensusState, pubkey: Hex): Validator | undefined {
  const index = findValidatorIndex(state.validators, pubkey)
  return index === undefined ? undefined : state.validators[index]
}

function isLeaving(validator: Validator | undefined): boolean {
  return validator !== undefined && validator.exitEpoch !== FAR_FUTURE_EPOCH
}
