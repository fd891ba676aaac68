import { weiToGwei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { sameHex } from '../../base/format/hex.ts'
import { outcomeOf } from '../../chain/consensus/forecast.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import {
  type KeyState,
  registeredRecord,
  stakeToBeOf,
  waitingDepositsOf,
} from '../../chain/key-state/key-state.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { keyDepositsAfter } from '../../clients/key-deposits.ts'
import { watchSnapshot } from '../../clients/watch-snapshot.ts'
import {
  type CommandContext,
  clientsOf,
  doubtOf,
  lookAtKey,
  observe,
  provenSetOf,
  type StepContext,
} from '../../observe/world.ts'
import { sameValidator, stillAgreed, type ValidatorRecheck } from '../../pay/gate/consent.ts'
import type { CheckResult } from '../../pay/gate/facts.ts'
import { operatorFault, type PaymentKind } from '../../pay/gate/following.ts'
import { rechecker } from '../../pay/gate/recheck.ts'
import { GATE_TEXT } from '../../pay/gate/text.ts'
import { agreementOf, draftOf, planOf } from '../../pay/payment/candidates.ts'
import { runPayment } from '../../pay/payment/commands.ts'
import type { PaymentCommand, PaymentEvent, PaymentPlan } from '../../pay/payment/payment.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import { known, type Observation } from '../../view/observation.ts'
import { arrivalReader } from './arrivals-commands.ts'
import { forecastTopUp, topUpOptions } from './facts.ts'
import {
  arrivalsOf,
  type TopUpCommand,
  type TopUpEvent,
  type TopUpState,
  topUpPlan,
  topUpPlanOf,
} from './machine.ts'
import { TOPUP_TEXT } from './text.ts'

const { checks: SAID } = TOPUP_TEXT

const SLOTS_BETWEEN_SURVEYS = 2

type Here = StepContext<TopUpEvent, TopUpState>

/** Carries out one command of the top-up step. */
export function runTopUp(command: TopUpCommand | PaymentCommand, world: Here): Promise<void> {
  const dispatch = async (event: PaymentEvent) => {
    if (event.step === 'topup') await world.dispatch(event)
  }
  const kind: PaymentKind = {
    step: 'topup',
    arrivedGwei: () =>
      arrivalsOf(world.getState(), world.facts()).reduce((sum, one) => sum + one.amountGwei, 0n),
    plan: () => planNow(world),
    key: (setup = world.setup) => mayAdd({ ...world, setup }),
    calldata: async (plan) => checkCalldata(world, plan),
    second: (client, setup = world.setup) => secondHolds({ ...world, setup }, client),
  }
  const following = { world: { ...world, dispatch }, getState: () => world.getState().send, kind }
  return command.type === 'snapshot' ? snapshot(world, rechecker(following)) : runPayment(command, following)
}

/** Keeps looking at the set while the step is open: others move, and with them the amount that keeps a place. */
async function snapshot(world: Here, recheck: () => Promise<void>): Promise<void> {
  const { execution, second, node } = clientsOf(world)
  const { clock } = world.effects
  const { network, endpoints } = world.setup
  const snapshots = watchSnapshot(
    { node, execution, second },
    { clock, network, keep: world.facts().identity?.pubkey },
  )
  const readArrivals = arrivalReader(world)
  for (;;) {
    await observe(
      world,
      endpointName(endpoints.node),
      () => snapshots.read(),
      (seen) => world.dispatch({ step: 'topup', type: 'snapshot-read', snapshot: seen }),
    )
    await readArrivals()
    const { send, snapshot: seen } = world.getState()
    const unasked = send.seen.calldata.status === 'unasked' && seen.status === 'known'
    if (!isBegun(send) && unasked) await world.dispatch({ step: 'topup', type: 'checkAsked' })
    await recheck()
    await clock.sleep(SLOTS_BETWEEN_SURVEYS * network.slotMs)
  }
}

/** The confirmed plan once there is one, else the one of the amount on the table. */
function planNow({ facts, setup, getState }: Here): PaymentPlan | undefined {
  const state = getState()
  const confirmed = planOf(state.send)
  if (confirmed !== undefined) return topUpPlanOf(confirmed, facts(), setup)
  const { amountGwei } = topUpOptions(state, facts().identity?.pubkey, setup)
  return amountGwei === undefined ? undefined : topUpPlan(amountGwei, facts(), setup)
}

/**
 * The second endpoint's own word: its chain, the operator, and what arrived since the agreement. That it holds the root of
 * the proof is part of the look at the key.
 */
async function secondHolds(world: Here, client: ExecutionClient): Promise<CheckResult> {
  const { identity, validator } = world.facts()
  if (identity === undefined || validator === undefined) return NOT_PROVEN
  const terms = { pubkey: identity.pubkey, operator: validator.operator }
  const text = { behind: SAID.behind, other: GATE_TEXT.agreed.otherOperator }
  const fault = await operatorFault(client, world.setup, terms, text)
  if (fault !== undefined) return fault
  const held = { good: true, words: SAID.secondAgrees }
  const agreed = agreementOf(world.getState().send)?.world
  if (agreed?.about !== 'validator') return held
  // Its word alone: what it knows of deposits since then is not in a state that is proven here.
  const now = { ...agreed, stakeToBeGwei: undefined }
  const result = await stillAgreedTo(world, { client, now })
  return result.good ? held : result
}

const unknown = (words: string): CheckResult => ({ good: false, unknown: true, words })

const NOT_PROVEN = unknown(SAID.notProven)

/**
 * That the chain knows the validator with the planned credentials and operator, not on its way out, proven in this moment
 * up to a root that every endpoint holds.
 */
function registrationHolds(world: CommandContext<TopUpEvent>, key: KeyState): CheckResult {
  const { validator } = world.facts()
  const { operator, record, uncounted } = key
  if (validator === undefined) return NOT_PROVEN
  if ('unknown' in operator) return unknown(operator.unknown)
  if (!sameHex(operator.value, validator.operator))
    return { good: false, words: GATE_TEXT.agreed.otherOperator(operator.value) }
  if ('unknown' in record) return unknown(SAID.recordNotProven(record.unknown))
  const held = record.value
  if (held === 'absent') return unknown(SAID.absent)
  const { balanceGwei } = held
  const same = sameValidator(validator, { ...held.validator, balanceGwei, operator: operator.value })
  if (!same.good) return same
  const doubt = doubtOf(world, key, record.level)
  if (doubt !== undefined) return unknown(doubt)
  if ('unknown' in uncounted) return unknown(uncounted.unknown)
  return { good: true, words: SAID.holds(key.slot) }
}

/**
 * The registration, and the place that the amount is sent for: of a transaction that is made its own, for right after a
 * restart no other plan can be made yet. Once agreed to, all of it must be as it was agreed to.
 */
async function mayAdd(world: Here): Promise<CheckResult> {
  const { identity } = world.facts()
  if (identity === undefined) return NOT_PROVEN
  const { pubkey } = identity
  const key = await lookAtKey(world, pubkey)
  const held = registrationHolds(world, key)
  if (!held.good) return held
  const { send, snapshot } = world.getState()
  const shown = known(snapshot)
  const proven = provenSetOf(world, key)
  if (proven !== undefined) await show(world, proven)
  const { transaction = planNow(world) } = draftOf(send) ?? {}
  if (transaction === undefined) return unknown(SAID.noAmount)
  const amountGwei = weiToGwei(transaction.valueWei)
  const forecastIn = (set: SetSnapshot) => forecastTopUp(set, pubkey, amountGwei, world.setup)
  const set = proven ?? shown
  const now = set && forecastIn(set)
  if (proven !== undefined && (now === undefined || now.evictedAtOnce))
    return { good: false, words: SAID.noPlace }
  if (isBegun(send)) {
    const stakeToBeGwei = stakeToBeOf(key)
    if (set === undefined || now === undefined || stakeToBeGwei === undefined) return unknown(SAID.noSet)
    const balanceGwei = registeredRecord(key)?.balanceGwei ?? 0n
    const agreed = await stillAgreedTo(world, {
      client: clientsOf(world).execution,
      now: { balanceGwei, stakeToBeGwei, outcome: outcomeOf(now) },
    })
    if (!agreed.good) return agreed
  }
  const deposits = waitingDepositsOf(key)
  if (proven === undefined) return { good: true, claimed: true, words: SAID.reported(held.words), deposits }
  const before = shown === undefined ? undefined : forecastIn(shown)
  if (before?.keepsPlace === true && now?.keepsPlace !== true) return { good: false, words: SAID.losesPlace }
  return { ...held, deposits }
}

/** A set that was proven for the gate takes the place of the one on the screen. */
async function show(world: CommandContext<TopUpEvent>, value: SetSnapshot): Promise<void> {
  const { clock } = world.effects
  const source = endpointName(world.setup.endpoints.node)
  const snapshot: Observation<SetSnapshot> = { status: 'known', value, source, atMs: clock.monotonicMs() }
  await world.dispatch({ step: 'topup', type: 'snapshot-read', snapshot })
}

/** Whether the validator is the one that was agreed about, with the deposits that an endpoint knows of since then. */
async function stillAgreedTo(
  world: Here,
  { client, now }: { client: ExecutionClient; now: Omit<ValidatorRecheck, 'arrived'> },
): Promise<CheckResult> {
  const { network } = world.setup
  const agreed = agreementOf(world.getState().send)?.world
  const { identity } = world.facts()
  if (agreed?.about !== 'validator' || identity === undefined)
    return stillAgreed(undefined, { ...now, arrived: [] }, network.names.token)
  const asked = { address: network.spec.depositContract, pubkey: identity.pubkey, block: agreed.block }
  const made = await keyDepositsAfter(client, asked)
  const arrived = made.map(({ block, event }) => ({ block, amountGwei: event.amountGwei }))
  return stillAgreed(agreed, { ...now, arrived }, network.names.token)
}

/** Reads the calldata back: our key, nothing else in it, operator zero, the chosen value. */
function checkCalldata(world: CommandContext<TopUpEvent>, plan: PaymentPlan): CheckResult {
  const { identity } = world.facts()
  const call = decodeDepositCalldata(plan.data)
  const same =
    call.kind === 'top-up' &&
    sameHex(call.pubkey, identity?.pubkey ?? '') &&
    sameHex(plan.to, world.setup.network.spec.depositContract)
  return same ? { good: true, words: SAID.asTopUp } : { good: false, words: SAID.otherCalldata }
}
