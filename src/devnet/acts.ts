import { SecretKey } from '@chainsafe/blst'
import { encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { type Gwei, gweiToWei } from '../core/base/format/amount.ts'
import { bytesToHex, type Hex, sameHex } from '../core/base/format/hex.ts'
import { compareStake } from '../core/chain/consensus/process-epoch.ts'
import {
  activeSet,
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  isActive,
  type Validator,
} from '../core/chain/consensus/state.ts'
import {
  type Chronicle,
  type ChronicleEvent,
  type ChronicleEventId,
  type StoryPhase,
  writtenChronicle,
} from '../core/chain/network/chronicle.ts'
import type { ChainSpec } from '../core/chain/network/network.ts'
import type { ScenarioName } from '../core/chain/network/scenario-names.ts'
import type { Chain, SlotReport } from './consensus/chain.ts'
import type { JudgedDeposit } from './consensus/deposit-queue.ts'
import type { RehearsalExecution } from './execution/start.ts'
import { writeWhole } from './home.ts'
import { type RehearsalValidatorKey, seededBytes, validatorKey } from './keys.ts'
import type { LoopbackServer } from './loopback-server.ts'
import { type LostDeposit, type Plan, type Rival, SECOND_NODE, withdrawalCredentials } from './scenarios.ts'

const ABI = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
  'function getOperator(bytes pubkey) view returns (address)',
  'function requestOperatorChange(bytes pubkey, address newOperator)',
  'function cancelOperatorChange(bytes pubkey)',
])
const GAS_LIMIT = '0x7a120'

/**
 * Puts a first deposit for the fresh key into the pool. Its signature is made the way Ethereum's tools make them,
 * so the contract takes it, the operator is set for ever, and consensus ignores it.
 */
export async function sendLostDeposit(
  execution: RehearsalExecution,
  plan: Plan,
  lost: LostDeposit,
): Promise<void> {
  const { address } = lost.sender === 'user' ? plan.user : plan.stranger
  const args = [plan.fresh.pubkey, withdrawalCredentials(address), foreignSignature(plan), address] as const
  await payFrom(execution, { from: address, args, amountGwei: lost.amountGwei }, plan)
}

/** What stands where a top-up has no credentials and no signature. */
const NOTHING = { credentials: `0x${'00'.repeat(32)}`, signature: `0x${'00'.repeat(96)}` } as const

/** Puts a stranger's top-up of a validator into the pool. */
async function sendTopUp(
  execution: RehearsalExecution,
  plan: Plan,
  { pubkey, topUpGwei }: Rival,
): Promise<void> {
  const args = [pubkey, NOTHING.credentials, NOTHING.signature, zeroAddress] as const
  await payFrom(execution, { from: plan.stranger.address, args, amountGwei: topUpGwei }, plan)
}

async function payFrom(
  execution: RehearsalExecution,
  { from, args, amountGwei }: { from: Hex; args: readonly [Hex, Hex, Hex, Hex]; amountGwei: Gwei },
  { spec }: Plan,
): Promise<void> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'deposit', args })
  const value: Hex = `0x${gweiToWei(amountGwei).toString(16)}`
  await sendFrom(execution, { from, to: spec.depositContract, value, data })
}

function foreignSignature(plan: Plan): Hex {
  const secret = SecretKey.fromBytes(Buffer.from(plan.fresh.secretBase64, 'base64'))
  return bytesToHex(secret.sign(seededBytes(plan.fresh.address, 'lost deposit')).toBytes())
}

/** Puts a transaction of an account of the network into the pool. */
async function sendFrom(
  { rpc }: Pick<RehearsalExecution, 'rpc'>,
  transaction: { from: Hex; to: Hex; data: Hex; value: Hex },
): Promise<void> {
  const { from } = transaction
  await rpc('hardhat_impersonateAccount', [from])
  await rpc('eth_sendTransaction', [{ ...transaction, gas: GAS_LIMIT }])
  await rpc('hardhat_stopImpersonatingAccount', [from])
}

/**
 * The rival of a scenario, if it has one. It adds to its own validator once, in the first block of an epoch: from there
 * it takes three epochs until somebody loses a place by it, the most time that there can be for an answer. `arrivedAt`: the
 * slot in which the user came to the last step.
 */
export function createRival(plan: Plan, execution: RehearsalExecution, arrivedAt: () => bigint | undefined) {
  const { rival } = plan
  let waits = rival !== undefined
  const isDue = ({ after, laterSlots }: Rival, slot: bigint, state: ConsensusState): boolean => {
    if (after === 'active') return isSettled(state, slot - laterSlots, plan)
    const arrived = arrivedAt()
    return arrived !== undefined && slot >= arrived + laterSlots
  }
  return {
    /** Acts, if its time has come, so that its deposit is in the block of `slot`. */
    async actBefore(slot: bigint, state: ConsensusState): Promise<void> {
      if (!waits || rival === undefined || !isDue(rival, slot, state)) return
      waits = false
      await sendTopUp(execution, plan, rival)
    },
  }
}

/**
 * The node of a scenario that stops answering once the user's validator has been active for an epoch, and answers again
 * some slots later. The chain goes on meanwhile without its signatures, and its execution client answers all along.
 */
export function createSilence(
  plan: Plan,
  {
    servers,
    chain,
    note,
  }: { servers: readonly LoopbackServer[]; chain: Pick<Chain, 'withhold'>; note: Note },
) {
  const { silentSlots } = plan
  let waits = silentSlots !== undefined
  let endsAt: bigint | undefined
  return {
    /** Acts, if its time has come, before the block of `slot`. */
    actBefore(slot: bigint, state: ConsensusState): void {
      if (endsAt !== undefined && slot >= endsAt) {
        endsAt = undefined
        chain.withhold([])
        for (const server of servers) server.resume()
        note({ id: 'node-back', slot, blocks: silentSlots ?? 0 })
      }
      if (!waits || silentSlots === undefined) return
      if (!isSettled(state, slot, plan)) return
      waits = false
      endsAt = slot + BigInt(silentSlots)
      chain.withhold([plan.fresh.pubkey])
      for (const server of servers) server.pause()
      note({ id: 'node-stopped', slot, blocks: silentSlots })
    },
  }
}

/**
 * The second node of a network that is asked for one: once the user's validator has been active for an epoch its own node runs with
 * another key, as one does that was moved, and for some slots somewhere else a node signs with the key of the home.
 */
export function createSecondNode(plan: Plan, { isAsked }: { isAsked: boolean }) {
  let waits = isAsked
  let endsAt: bigint | undefined
  const other = validatorKey(plan.seed, SECOND_NODE)
  return {
    /** The key with which the node of the home runs. */
    ownKey: (): RehearsalValidatorKey => (endsAt === undefined ? plan.fresh : other),
    /** Acts, if its time has come, before the block of `slot`. */
    actBefore(slot: bigint, state: ConsensusState): void {
      if (endsAt !== undefined && slot >= endsAt) endsAt = undefined
      if (!waits || !isSettled(state, slot, plan)) return
      waits = false
      endsAt = slot + SECOND_NODE_SLOTS
    },
  }
}

/** For so many slots the key signs elsewhere. */
const SECOND_NODE_SLOTS = 60n

/** Blocks that the user's validator misses alone, and, after as many that it signs, with many others. */
const MISSED_BLOCKS = 8n
/** Others that miss blocks with it: more than a third of them by number, less than a third of the power. */
const OTHERS_MISSING = 4
/** From the queueing of an operator change to its end. */
const QUEUED_SLOTS = 40n

/**
 * The troubles of a scenario, from the first block on in which the user's validator has been active for an epoch: it
 * misses an epoch of blocks, one epoch later another one that many miss, and whoever has the key of its operator queues an
 * operator change and cancels it five epochs later. Where the user's account is not the operator, nobody queues one.
 */
export function createTroubles(
  plan: Plan,
  { execution, chain, note }: { execution: RehearsalExecution; chain: Pick<Chain, 'withhold'>; note: Note },
) {
  const { spec, user, stranger } = plan
  let beganAt: bigint | undefined
  /** Whether the user's account is the operator, and so has sent it. */
  const send = async (data: Hex): Promise<boolean> => {
    const asked = encodeFunctionData({ abi: ABI, functionName: 'getOperator', args: [plan.fresh.pubkey] })
    const operator = await execution.rpc('eth_call', [{ to: spec.depositContract, data: asked }, 'latest'])
    if (!sameHex(String(operator).slice(-40), user.address.slice(2))) return false
    await sendFrom(execution, { from: user.address, to: spec.depositContract, data, value: '0x0' })
    return true
  }
  return {
    /** Acts, if its time has come, before the block of `slot`. */
    async actBefore(slot: bigint, state: ConsensusState): Promise<void> {
      if (!plan.troubles) return
      if (beganAt === undefined && !isSettled(state, slot, plan)) return
      beganAt ??= slot
      const since = slot - beganAt
      const { pubkey } = plan.fresh
      if (since === 0n) {
        const args = [pubkey, stranger.address] as const
        chain.withhold([pubkey])
        if (await send(encodeFunctionData({ abi: ABI, functionName: 'requestOperatorChange', args })))
          note({ id: 'operator-queued', slot })
      }
      if (since === 2n * MISSED_BLOCKS) chain.withhold([pubkey, ...weakest(state, plan)])
      if (since === MISSED_BLOCKS || since === 3n * MISSED_BLOCKS) {
        chain.withhold([])
        note({ id: 'missed', slot, blocks: Number(MISSED_BLOCKS) })
      }
      if (since === QUEUED_SLOTS) {
        const data = encodeFunctionData({ abi: ABI, functionName: 'cancelOperatorChange', args: [pubkey] })
        if (await send(data)) note({ id: 'operator-cancelled', slot })
      }
    },
  }
}

/** The others of the active set with the least stake. */
function weakest(state: ConsensusState, { spec, fresh }: Plan): Hex[] {
  return activeSet(state, epochOfSlot(state.slot, spec))
    .filter(({ pubkey }) => pubkey !== fresh.pubkey)
    .sort(compareStake)
    .slice(0, OTHERS_MISSING)
    .map(({ pubkey }) => pubkey)
}

/** Whether an epoch begins with `slot` and the user's validator has been active in the whole one before. */
function isSettled({ validators }: ConsensusState, slot: bigint, { spec, fresh }: Plan): boolean {
  if (slot % spec.slotsPerEpoch !== 0n) return false
  const user = validators.find(({ pubkey }) => pubkey === fresh.pubkey)
  return user !== undefined && isActive(user, epochOfSlot(slot, spec) - 1n)
}

/** What is told to the story of a network; its slot is that of the block in which it happens. */
export type Note = (event: ChronicleEvent) => void

/** Milliseconds a slot while it happens, where one must read and act before it is over. */
const SLOW_MS: Readonly<Partial<Record<ScenarioName, number>>> = {
  'outbid-while-active': 6000,
  'troubles-while-active': 2000,
}

/**
 * Keeps the story of a network in the file at `path`, written whenever something has happened. `paced`: slots are longer
 * while there is something to do.
 */
export function createChronicle(
  plan: Plan,
  { scenario, path, slotMs, paced }: { scenario: ScenarioName; path: string; slotMs: number; paced: boolean },
) {
  const events: ChronicleEvent[] = []
  let feesWei = 0n
  let hastened = false
  let arrivedAt: bigint | undefined
  let written: string | undefined
  const chronicle = (): Chronicle => {
    const phase = phaseOf(scenario, events, { hasArrived: arrivedAt !== undefined })
    const slowMs = paced && phase === 'under-way' ? SLOW_MS[scenario] : undefined
    const told = { scenario, phase, events, feesWei }
    if (slowMs === undefined) return { ...told, slotMs, pace: 'plain' }
    return hastened ? { ...told, slotMs, pace: 'hastened' } : { ...told, slotMs: slowMs, pace: 'slow' }
  }
  return {
    /** The time to the next slot, in milliseconds. */
    slotMs: () => chronicle().slotMs,
    note: (event: ChronicleEvent) => void events.push(event),
    hasten(wish: boolean) {
      hastened = wish
    },
    /** The user has come to the last step, in this slot; the first time counts. */
    arrive(slot: bigint) {
      arrivedAt ??= slot
    },
    arrivedAt: () => arrivedAt,
    /** Adds what the user's account has paid in fees, in wei. */
    addFees(paidWei: bigint) {
      feesWei += paidWei
    },
    /** Adds what a slot has changed. */
    add(report: SlotReport, { before, after }: { before: ConsensusState; after: ConsensusState }) {
      const { slot } = report
      events.push(
        ...report.deposits.flatMap((deposit) => depositEvent(plan, deposit, { slot, after, events })),
      )
      events.push(...placeEvents(plan, before, after))
    },
    /** Writes the file where it would be another one. */
    async save(): Promise<void> {
      const text = writtenChronicle(chronicle())
      if (text === written) return
      await writeWhole(path, text)
      written = text
    },
  }
}

const OUTCOMES = {
  registered: 'registered',
  'top-up': 'topped-up',
  burnt: 'burnt',
} as const satisfies Record<JudgedDeposit['outcome'], ChronicleEventId>

function depositEvent(
  { fresh, rival, lostDeposit }: Plan,
  { pubkey, amountGwei, outcome }: JudgedDeposit,
  { slot, after, events }: { slot: bigint; after: ConsensusState; events: readonly ChronicleEvent[] },
): ChronicleEvent[] {
  const index = after.validators.findIndex((validator) => validator.pubkey === pubkey)
  if (pubkey === rival?.pubkey)
    return [{ id: pubkey === fresh.pubkey ? 'gift-added' : 'rival-added', slot, amountGwei, index }]
  if (pubkey !== fresh.pubkey) return []
  const isStrangers = lostDeposit?.sender === 'stranger' && events.length === 0
  if (outcome === 'burnt' && isStrangers) return [{ id: 'burnt-by-stranger', slot, amountGwei }]
  return [{ id: OUTCOMES[outcome], slot, amountGwei, ...(index === -1 ? {} : { index }) }]
}

/** Who came into the active set of the user, who dropped out of it, and what was paid back, between two states. */
function placeEvents({ spec, fresh }: Plan, before: ConsensusState, after: ConsensusState): ChronicleEvent[] {
  const [epochBefore, epoch] = [epochOfSlot(before.slot, spec), epochOfSlot(after.slot, spec)]
  const { slot } = after
  return after.validators.flatMap((validator, index): ChronicleEvent[] => {
    const was = before.validators[index]
    const mine = validator.pubkey === fresh.pubkey
    const amountGwei = validator.effectiveBalanceGwei
    if (was?.exitEpoch === FAR_FUTURE_EPOCH && validator.exitEpoch !== FAR_FUTURE_EPOCH) {
      const lost = { slot, amountGwei: was.effectiveBalanceGwei, index }
      if (!mine) return [{ id: 'other-dropped-out', ...lost }]
      const shortGwei = shortOf(was, activeSet(after, validator.exitEpoch), spec)
      return [{ id: 'dropped-out', ...lost, ...(shortGwei === undefined ? {} : { shortGwei }) }]
    }
    const heldGwei = before.balancesGwei[index] ?? 0n
    if (mine && validator.exitEpoch <= epoch && heldGwei > 0n && after.balancesGwei[index] === 0n)
      return [{ id: 'paid-back', slot, amountGwei: heldGwei, index }]
    const wasActive = was !== undefined && isActive(was, epochBefore)
    return mine && !wasActive && isActive(validator, epoch) ? [{ id: 'active', slot, amountGwei, index }] : []
  })
}

/**
 * How much more effective balance would have kept a validator in the set that it dropped out of, in gwei: at equal stake the
 * larger key stays. undefined where a place is free, and it left otherwise.
 */
function shortOf(out: Validator, staying: Validator[], spec: ChainSpec): Gwei | undefined {
  const [last] = staying.sort(compareStake)
  if (last === undefined || staying.length < spec.validatorSetCap) return undefined
  const behindGwei = last.effectiveBalanceGwei - out.effectiveBalanceGwei
  const level = { ...out, effectiveBalanceGwei: last.effectiveBalanceGwei }
  return compareStake(level, last) > 0 ? behindGwei : behindGwei + spec.effectiveBalanceIncrementGwei
}

/** How far a story is, by what has happened in it. */
function phaseOf(
  scenario: ScenarioName,
  events: readonly ChronicleEvent[],
  { hasArrived }: { hasArrived: boolean },
): StoryPhase {
  // What an earlier key of the home went through is where the story begins.
  const own = events.slice(events.findLastIndex(({ id }) => id === 'new-key') + 1)
  const count = (id: ChronicleEventId) => own.filter((event) => event.id === id).length
  const isActiveNow = count('active') > 0
  const isOut = count('dropped-out') > 0
  switch (scenario) {
    case 'exited-key':
      return own.length < events.length && (isActiveNow || isOut) ? 'over' : 'before'
    case 'pool-validator':
      return count('gift-added') > 0 ? 'over' : waitsFor(hasArrived)
    case 'outbid-while-active':
    case 'outbid-at-night': {
      const added = own.findIndex(({ id }) => id === 'rival-added')
      const isDecided = own.slice(added + 1).some(({ id }) => id === 'other-dropped-out')
      if (isOut || (added !== -1 && isDecided)) return 'over'
      return added !== -1 ? 'under-way' : waitsFor(isActiveNow)
    }
    case 'node-stops':
      if (isOut || count('node-back') > 0) return 'over'
      return count('node-stopped') > 0 ? 'under-way' : waitsFor(isActiveNow)
    case 'troubles-while-active': {
      const isQueued = count('operator-queued') > count('operator-cancelled')
      if (isOut || (count('missed') >= MISSED_SPELLS && !isQueued)) return 'over'
      return count('missed') > 0 || isQueued ? 'under-way' : waitsFor(isActiveNow)
    }
    default:
      return isActiveNow || isOut ? 'over' : 'before'
  }
}

/** Spells of missed blocks in the story of troubles. */
const MISSED_SPELLS = 2

const waitsFor = (isThere: boolean): StoryPhase => (isThere ? 'soon' : 'before')
