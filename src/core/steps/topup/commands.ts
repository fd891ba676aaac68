import { ClientError } from '../../base/errors/client.ts'
import { weiToGwei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { sameHex } from '../../base/format/hex.ts'
import { outcomeOf } from '../../chain/consensus/forecast.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import {
  type KeyState,
  leftOutOf,
  registeredRecord,
  signedBlockOf,
  stakeToBeOf,
  waitingDepositsOf,
} from '../../chain/key-state/key-state.ts'
import { isPoolValidator } from '../../chain/network/pools.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getTransactionByHash } from '../../clients/execution/transactions.ts'
import { keyDepositsAfter, keyDepositsIn } from '../../clients/key-deposits.ts'
import { watchSnapshot } from '../../clients/watch-snapshot.ts'
import {
  askKey,
  type CommandContext,
  clientsOf,
  observe,
  proofDoubt,
  provenSetOf,
  type StepContext,
} from '../../observe/context.ts'
import { sameValidator, stillAgreed, type ValidatorRecheck } from '../../pay/gate/consent.ts'
import type { CheckResult } from '../../pay/gate/facts.ts'
import { operatorFault, type PaymentKind } from '../../pay/gate/following.ts'
import { rechecker } from '../../pay/gate/recheck.ts'
import { GATE_TEXT } from '../../pay/gate/text.ts'
import type { WithGuards } from '../../pay/guard/book.ts'
import { agreedPlan, agreementOf, draftOf } from '../../pay/payment/candidates.ts'
import { runPayment } from '../../pay/payment/commands.ts'
import type { PaymentCommand, PaymentEvent, PaymentPlan } from '../../pay/payment/payment.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import { known, type Observation } from '../../view/observation.ts'
import { EVIDENCE_TEXT } from '../../view/text.ts'
import { forecastTopUp, topUpOptions } from './facts.ts'
import { findGuard, runGuardPage } from './guard-commands.ts'
import {
  type Arrival,
  arrivalsOf,
  type TopUpCommand,
  type TopUpEvent,
  type TopUpState,
  topUpPlan,
  topUpPlanOf,
} from './machine.ts'
import { TOPUP_CHECKS_TEXT as SAID } from './text.ts'

type Here = StepContext<TopUpEvent, TopUpState> & WithGuards

/** Blocks that are looked at again, as an endpoint may lag behind what it said its head was. */
const BLOCKS_AGAIN = 4n

/**
 * Tells of every deposit for the key since the first payment of this journal, or since now where there is none, by the
 * first endpoint's word, block by block as they come. What is told sends nothing: it makes another offer of the one that is
 * on the screen. While the endpoint does not answer nobody knows, and it is asked again with the next look.
 */
function arrivalReader(context: Here): () => Promise<void> {
  const { execution } = clientsOf(context)
  const { depositContract: address } = context.setup.network.spec
  let next: bigint | undefined
  const readOn = async () => {
    const { identity, validator } = context.facts()
    if (identity === undefined || validator === undefined) return
    const { arrivals, arrivalsRead: read } = context.getState()
    const toBlock = await getBlockNumber(execution)
    const fromBlock = next ?? firstUnread(context) ?? toBlock
    const { pubkey } = identity
    const { deposits } = await keyDepositsIn(execution, { address, pubkey, fromBlock, toBlock })
    const news: Arrival[] = []
    const guards = deposits.length === 0 ? [] : ((await context.guards()?.here()) ?? [])
    const ofGuards = new Set(guards.flatMap(({ state }) => state?.hashes ?? []))
    for (const { hash, block } of deposits) {
      if ([...arrivals, ...news].some((one) => sameHex(one.hash, hash))) continue
      const from = (await getTransactionByHash(execution, { hash }))?.from
      const paid = deposits.filter((one) => one.hash === hash)
      const amountGwei = paid.reduce((sum, { event }) => sum + event.amountGwei, 0n)
      news.push({ hash, block, amountGwei, from, ...(ofGuards.has(hash) && { byGuard: true as const }) })
    }
    next = toBlock > BLOCKS_AGAIN + fromBlock ? toBlock - BLOCKS_AGAIN : fromBlock
    if (news.length > 0 || read === undefined || read === 'failed')
      await context.dispatch({ step: 'topup', type: 'arrived', arrivals: news, upTo: toBlock })
  }
  return () =>
    readOn().catch(async (thrown: unknown) => {
      context.signal.throwIfAborted()
      if (!(thrown instanceof ClientError)) throw thrown
      if (context.getState().arrivalsRead !== 'failed')
        await context.dispatch({ step: 'topup', type: 'arrivals-failed' })
    })
}

/** Where reading goes on after the step was left, or begins: what came with the first payment is in its block. */
function firstUnread({ getState, facts }: Here): bigint | undefined {
  const { arrivalsRead: read, finished, send } = getState()
  if (typeof read === 'object') return read.upTo > BLOCKS_AGAIN ? read.upTo - BLOCKS_AGAIN : 0n
  const draft = draftOf(send)
  const own = [
    ...finished.map(({ blockNumber }) => blockNumber),
    ...(draft === undefined ? [] : [draft.baseline.blockNumber + 1n]),
  ]
  return facts().deposit?.blockNumber ?? own.toSorted((a, b) => Number(a - b))[0]
}

const SLOTS_BETWEEN_SURVEYS = 2

/** Carries out one command of the top-up step. */
export function runTopUp(command: TopUpCommand | PaymentCommand, context: Here): Promise<void> {
  const dispatch = async (event: PaymentEvent) => {
    if (event.step === 'topup') await context.dispatch(event)
  }
  const kind: PaymentKind = {
    step: 'topup',
    arrivedGwei: () =>
      arrivalsOf(context.getState(), context.facts())
        .filter((each) => each.byGuard !== true)
        .reduce((sum, one) => sum + one.amountGwei, 0n),
    plan: () => planNow(context),
    key: (setup = context.setup) => mayAdd({ ...context, setup }),
    calldata: async (plan) => checkCalldata(context, plan),
    second: (client, setup = context.setup) => secondHolds({ ...context, setup }, client),
  }
  const following = { context: { ...context, dispatch }, getState: () => context.getState().send, kind }
  switch (command.type) {
    case 'snapshot':
      return snapshot(context, rechecker(following))
    case 'findGuard':
      return findGuard(context)
    case 'readGuard':
    case 'armGuard':
    case 'takeGuardBack':
    case 'importGuard':
    case 'saveGuard':
      return runGuardPage(command, context, following)
    default:
      return runPayment(command, following)
  }
}

/** Keeps looking at the set while the step is open: others move, and with them the amount that keeps a place. */
async function snapshot(context: Here, recheck: () => Promise<void>): Promise<void> {
  const { execution, second, node, signed } = clientsOf(context)
  const { clock } = context.effects
  const { network, endpoints } = context.setup
  const snapshots = watchSnapshot(
    { node, execution, second, signed },
    { clock, network, keep: context.facts().identity?.pubkey },
  )
  const readArrivals = arrivalReader(context)
  for (;;) {
    await observe(
      context,
      endpointName(endpoints.node),
      () => snapshots.read(),
      (observation) => context.dispatch({ step: 'topup', type: 'snapshot-read', snapshot: observation }),
    )
    await readArrivals()
    const { send, snapshot: observation } = context.getState()
    const unasked = send.observed.calldata.status === 'unasked' && observation.status === 'known'
    if (!isBegun(send) && unasked) await context.dispatch({ step: 'topup', type: 'recheckAsked' })
    await recheck()
    await clock.sleep(SLOTS_BETWEEN_SURVEYS * network.slotMs)
  }
}

/** The confirmed plan once there is one, else the one of the amount on the table. */
function planNow({ facts, setup, getState }: Here): PaymentPlan | undefined {
  const state = getState()
  const confirmed = agreedPlan(state.send)
  if (confirmed !== undefined) return topUpPlanOf(confirmed, facts(), setup)
  const { amountGwei } = topUpOptions(state, facts().identity?.pubkey, setup)
  return amountGwei === undefined ? undefined : topUpPlan(amountGwei, facts(), setup)
}

/**
 * The second endpoint's own word: its chain, the operator, and what arrived since the agreement. That it holds the root of
 * the proof is part of the look at the key.
 */
async function secondHolds(context: Here, client: ExecutionClient): Promise<CheckResult> {
  const { identity, validator } = context.facts()
  if (identity === undefined || validator === undefined) return NOT_PROVEN
  const terms = { pubkey: identity.pubkey, operator: validator.operator }
  const text = { behind: SAID.behind, other: GATE_TEXT.agreed.otherOperator }
  const fault = await operatorFault(client, context.setup, terms, text)
  if (fault !== undefined) return fault
  const held = { good: true, words: SAID.secondAgrees }
  const agreed = agreementOf(context.getState().send)?.world
  if (agreed?.about !== 'validator') return held
  // Its word alone: what it knows of deposits since then is not in a state that is proven here.
  const now = { ...agreed, stakeToBeGwei: undefined }
  const result = await stillAgreedTo(context, { client, now })
  return result.good ? held : result
}

const unknown = (words: string): CheckResult => ({ good: false, unknown: true, words })

const NOT_PROVEN = unknown(SAID.notProven)

/**
 * That the chain knows the validator with the planned credentials and operator, not on its way out, proven in this moment
 * up to a root that every endpoint holds.
 */
function registrationHolds(context: CommandContext<TopUpEvent>, key: KeyState): CheckResult {
  const { validator } = context.facts()
  const { operator, record, uncounted } = key
  if (validator === undefined) return NOT_PROVEN
  if ('unknown' in operator) return unknown(operator.unknown)
  if (!sameHex(operator.value, validator.operator))
    return { good: false, words: GATE_TEXT.agreed.otherOperator(operator.value) }
  if ('unknown' in record) return unknown(SAID.recordNotProven(record.unknown))
  const held = record.value
  if (held === 'absent') return unknown(SAID.absent)
  if (isPoolValidator(held.validator.withdrawalCredentials, context.setup.network))
    return { good: false, words: SAID.pool }
  const { balanceGwei } = held
  const same = sameValidator(validator, { ...held.validator, balanceGwei, operator: operator.value })
  if (!same.good) return same
  const doubt = proofDoubt(context, key, record.level)
  if (doubt !== undefined) return unknown(doubt)
  if ('unknown' in uncounted) return unknown(uncounted.unknown)
  const words = EVIDENCE_TEXT.withLeftOut(SAID.holds(key.slot), leftOutOf(record.level))
  return { good: true, words, signedAt: signedBlockOf(key) }
}

/**
 * The registration, and the place that the amount is sent for: of a transaction that is made its own, for right after a
 * restart no other plan can be made yet. Once agreed to, all of it must be as it was agreed to.
 */
async function mayAdd(context: Here): Promise<CheckResult> {
  const { identity } = context.facts()
  if (identity === undefined) return NOT_PROVEN
  const { pubkey } = identity
  const key = await askKey(context, pubkey)
  const held = registrationHolds(context, key)
  if (!held.good) return held
  const { send, snapshot } = context.getState()
  const shown = known(snapshot)
  const proven = provenSetOf(context, key)
  if (proven !== undefined) await show(context, proven)
  const { transaction = planNow(context) } = draftOf(send) ?? {}
  if (transaction === undefined) return unknown(SAID.noAmount)
  const amountGwei = weiToGwei(transaction.valueWei)
  const forecastIn = (set: SetSnapshot) => forecastTopUp(set, pubkey, amountGwei, context.setup)
  const set = proven ?? shown
  const now = set && forecastIn(set)
  if (proven !== undefined && (now === undefined || now.evictedAtOnce))
    return { good: false, ofAmount: true, words: SAID.noPlace }
  if (isBegun(send)) {
    const stakeToBeGwei = stakeToBeOf(key)
    if (set === undefined || now === undefined || stakeToBeGwei === undefined) return unknown(SAID.noSet)
    const balanceGwei = registeredRecord(key)?.balanceGwei ?? 0n
    const agreed = await stillAgreedTo(context, {
      client: clientsOf(context).execution,
      now: { balanceGwei, stakeToBeGwei, outcome: outcomeOf(now) },
    })
    if (!agreed.good) return agreed
  }
  const deposits = waitingDepositsOf(key)
  if (proven === undefined) return { good: true, claimed: true, words: SAID.reported(held.words), deposits }
  const before = shown === undefined ? undefined : forecastIn(shown)
  if (before?.keepsPlace === true && now?.keepsPlace !== true)
    return { good: false, ofAmount: true, words: SAID.losesPlace }
  return { ...held, deposits }
}

/** A set that was proven for the gate takes the place of the one on the screen. */
async function show(context: CommandContext<TopUpEvent>, value: SetSnapshot): Promise<void> {
  const { clock } = context.effects
  const source = endpointName(context.setup.endpoints.node)
  const snapshot: Observation<SetSnapshot> = { status: 'known', value, source, atMs: clock.monotonicMs() }
  await context.dispatch({ step: 'topup', type: 'snapshot-read', snapshot })
}

/** Whether the validator is the one that was agreed about, with the deposits that an endpoint knows of since then. */
async function stillAgreedTo(
  context: Here,
  { client, now }: { client: ExecutionClient; now: Omit<ValidatorRecheck, 'arrived'> },
): Promise<CheckResult> {
  const { network } = context.setup
  const agreed = agreementOf(context.getState().send)?.world
  const { identity } = context.facts()
  if (agreed?.about !== 'validator' || identity === undefined)
    return stillAgreed(undefined, { ...now, arrived: [] }, network.names.token)
  const asked = { address: network.spec.depositContract, pubkey: identity.pubkey, block: agreed.block }
  const pace = { clock: context.effects.clock, slotMs: network.slotMs }
  const made = (await keyDepositsAfter(client, asked, pace))?.deposits
  if (made === undefined) return unknown(SAID.beforeAgreed(agreed.block))
  const arrived = made.map(({ block, event }) => ({ block, amountGwei: event.amountGwei }))
  return stillAgreed(agreed, { ...now, arrived }, network.names.token)
}

/** Reads the calldata back: our key, nothing else in it, operator zero, the chosen value. */
function checkCalldata(context: CommandContext<TopUpEvent>, plan: PaymentPlan): CheckResult {
  const { identity } = context.facts()
  const call = decodeDepositCalldata(plan.data)
  const same =
    call.kind === 'top-up' &&
    sameHex(call.pubkey, identity?.pubkey ?? '') &&
    sameHex(plan.to, context.setup.network.spec.depositContract)
  return same ? { good: true, words: SAID.asTopUp } : { good: false, words: SAID.otherCalldata }
}
