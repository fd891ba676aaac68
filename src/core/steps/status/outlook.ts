import { isFulu } from '../../consensus/fork-outlook.ts'
import { type Outlook, type OutlookQuestion, outlook } from '../../consensus/outlook.ts'
import { oneDepositLiftsGwei, type Placing, tightestPlacing } from '../../consensus/placing.ts'
import { type SetSnapshot, waitingDeposits } from '../../consensus/snapshot.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatCount, formatDuration, formatGwei } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import type { MoneyBand, Problem } from '../view.ts'
import type { StatusState } from './machine.ts'
import { isLost, type Own, ownRecord, slotsWords } from './own.ts'

/** What the rules of the chain make of a snapshot for one validator, if nothing else happens. */
export type Ahead = Outlook & {
  /** Its place at the tightest epoch boundary ahead; undefined where it asks for none. */
  place: Placing | undefined
  /** The most by which one least deposit of anybody lifts what counts of a stake, in gwei. */
  oneDepositGwei: bigint
}

type Answer = { epoch: bigint; uncounted: SetSnapshot['uncounted']; ahead: Ahead }

const remembered = new WeakMap<SetSnapshot['consensus']['validators'], Map<string, Answer>>()

/**
 * The outlook of a validator that the state holds; kept with the set, for as long as that stands for its epoch. Only the
 * deadline of a rescue comes nearer with each slot.
 */
export function aheadOf(snapshot: SetSnapshot, pubkey: Hex, { network }: Pick<Setup, 'network'>): Ahead {
  const { consensus, uncounted } = snapshot
  const epoch = consensus.slot / network.spec.slotsPerEpoch
  const answers = remembered.get(consensus.validators) ?? new Map<string, Answer>()
  remembered.set(consensus.validators, answers)
  const before = answers.get(pubkey)
  const stands =
    before?.epoch === epoch && before.uncounted === uncounted && before.ahead.rescue === undefined
  if (before !== undefined && stands) return before.ahead
  const ahead = lookAhead(snapshot, pubkey, network)
  answers.set(pubkey, { epoch, uncounted, ahead })
  return ahead
}

function lookAhead(
  snapshot: SetSnapshot,
  pubkey: Hex,
  { spec, minimumDepositGwei }: Pick<Setup['network'], 'spec' | 'minimumDepositGwei'>,
): Ahead {
  const question: OutlookQuestion = {
    state: snapshot.consensus,
    uncounted: waitingDeposits(snapshot),
    spec,
    fulu: isFulu(spec, snapshot.timestampSeconds),
    pubkey,
    minimumDepositGwei,
  }
  return {
    ...outlook(question),
    place: tightestPlacing(question),
    oneDepositGwei: oneDepositLiftsGwei(question),
  }
}

/** A validator that drops out of the active set if nothing is done. */
export type Danger = { outAtEpoch: bigint; rescue: Outlook['rescue'] }

/** The danger that a validator is in; undefined while it keeps its place, as far as is known. */
export function dangerOf({ dropsOutAtEpoch, rescue }: Ahead): Danger | undefined {
  return dropsOutAtEpoch === undefined ? undefined : { outAtEpoch: dropsOutAtEpoch, rescue }
}

/** When it drops out, what keeps its place and until when, and what happens otherwise. */
export function dangerProblem({ outAtEpoch, rescue }: Danger, own: Own, setup: Setup): Problem {
  const { spec, names } = setup.network
  const until = fromHere(outAtEpoch * spec.slotsPerEpoch, own, setup)
  const when = `at epoch ${formatCount(outAtEpoch)}${until === '' ? '' : `: in ${until}`}`
  const shape = { title: `You drop out of the active set ${when}.`, money: 'untouched', values: [] } as const
  const backMs = Number(spec.withdrawabilityDelayEpochs * spec.slotsPerEpoch) * setup.network.slotMs
  const lost = `the key is lost for ever; the stake comes back ${formatDuration(backMs)} later.`
  const old =
    own.doubt === undefined
      ? []
      : [`As of slot ${formatCount(own.slot)}: your node has reported nothing newer.`]
  if (rescue === undefined) {
    const none = 'No top-up keeps your place: no amount is enough, or it is too late for a block.'
    const next = ['nothing to do: the stake comes back by itself; a new attempt needs a new key']
    return { ...shape, lines: [none, `Then ${lost}`, ...old], next }
  }
  const amount = `${formatGwei(rescue.leastTopUpGwei)} ${names.token}`
  const way = `A top-up of ${amount} keeps your place. ${sendBy(rescue, own, setup)}`
  return {
    ...shape,
    lines: [way, `Without it ${lost}`, ...old],
    next: [`t tops up ${amount}, after all checks`],
  }
}

/** The block to send by with the time until it, or how close it is. */
function sendBy(
  { sendByBlock, lastGoodBlock }: NonNullable<Danger['rescue']>,
  own: Own,
  setup: Setup,
): string {
  const now = headNow(own)
  if (now === undefined)
    return `Send it by block ${formatCount(sendByBlock)}: the time until then is not known.`
  return sendByBlock > now
    ? `Send it by block ${formatCount(sendByBlock)}: within ${slotsWords(sendByBlock - now, setup, own, 'by')}.`
    : `It must be in block ${formatCount(lastGoodBlock)} at the latest: that is close.`
}

/** How far a slot is from the newest head that is known of, '' where that is not known or it is past. */
function fromHere(slot: bigint, own: Own, setup: Setup): string {
  const now = headNow(own)
  return now === undefined || slot <= now ? '' : slotsWords(slot - now, setup, own)
}

/** The chain's head: that of another endpoint that goes on where the node is in doubt; undefined: nobody says. */
function headNow({ slot, doubt }: Own): bigint | undefined {
  if (doubt === undefined) return slot
  return doubt.beside.is === 'ahead' ? doubt.beside.block : undefined
}

/** The money band of a validator in danger: nothing is lost yet, and what doing nothing costs. */
export function dangerMoney({ rescue }: Danger, own: Own, { network }: Setup): MoneyBand {
  const { token } = network.names
  const needed =
    rescue === undefined
      ? 'no top-up helps any more: the stake comes back'
      : `a top-up of ${formatGwei(rescue.leastTopUpGwei)} ${token} is needed`
  return {
    line: `staked ${formatGwei(own.balanceGwei)} ${token} · ${needed}`,
    worst: 'worst case: you do nothing; the stake comes back, the key is lost.',
  }
}

/** The amount that keeps the place as it is typed, in whole tokens; undefined while none is needed or none helps. */
export function rescueAmount(
  { lastSnapshot }: StatusState,
  { identity }: Facts,
  setup: Setup,
): string | undefined {
  const own = lastSnapshot && identity && ownRecord(lastSnapshot, identity.pubkey, setup)
  if (lastSnapshot === undefined || own === undefined || isLost(own)) return undefined
  const amountGwei = aheadOf(lastSnapshot, own.validator.pubkey, setup).rescue?.leastTopUpGwei
  return amountGwei === undefined ? undefined : formatGwei(amountGwei).replaceAll(',', '')
}
