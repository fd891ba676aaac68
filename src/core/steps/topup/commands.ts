import { anchorBlock } from '../../clients/anchor-block.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getBlockNumber } from '../../clients/execution/get-block-number.ts'
import { getChainId } from '../../clients/execution/get-chain-id.ts'
import { getOperator } from '../../clients/execution/get-operator.ts'
import { keyDepositsAfter } from '../../clients/key-deposits.ts'
import { getValidators } from '../../clients/node/get-validators.ts'
import { proveRecord } from '../../clients/prove-record.ts'
import { isAnchored, proveValidator, type ValidatorProof } from '../../clients/prove-validator.ts'
import { watchSurvey } from '../../clients/watch-survey.ts'
import { FAR_FUTURE_EPOCH } from '../../consensus/state.ts'
import type { Survey } from '../../consensus/survey.ts'
import { decodeDepositCalldata } from '../../deposit/calldata.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { PROOF_FAULT_WORDS } from '../../proofs/verify.ts'
import { clientsOf } from '../clients-of.ts'
import { isRecent } from '../head-is-fresh.ts'
import { known, type Observation } from '../observation.ts'
import { proveSet } from '../prove-set.ts'
import { runSending } from '../sending/commands.ts'
import { outcomeOf, stillAgreed, type WorldNow } from '../sending/consent.ts'
import type { Judgement } from '../sending/rules.ts'
import type { PaymentPlan, SendCommand, SendEvent } from '../sending/state.ts'
import { observe, type World } from '../world.ts'
import { type TopUpCommand, type TopUpEvent, type TopUpState, topUpPlan } from './machine.ts'
import { amountOnTheTable, forecastTopUp, stakeOf } from './plan.ts'

const SLOTS_BETWEEN_SURVEYS = 2
/** A set that was proven so many slots ago is of now. */
const MOST_SLOTS_OLD = 5n

/** Carries out one command of the top-up step. */
export function runTopUp(
  command: TopUpCommand | SendCommand,
  world: World<TopUpEvent>,
  getState: () => TopUpState,
): Promise<void> {
  if (command.type === 'survey') return survey(world, getState)
  const dispatch = async (event: SendEvent) => {
    if (event.step === 'topup') await world.dispatch(event)
  }
  return runSending(command, { ...world, dispatch }, () => getState().send, {
    step: 'topup',
    plan: () => planNow(world, getState()),
    key: (setup = world.setup) => mayAdd({ ...world, setup }, getState),
    rule: async (plan) => judgeCalldata(world, plan),
    second: (client, setup = world.setup) => secondHolds({ ...world, setup }, getState, client),
  })
}

/** Keeps looking at the set while the step is open: others move, and with them the amount that keeps a seat. */
async function survey(world: World<TopUpEvent>, getState: () => TopUpState): Promise<void> {
  const { execution, second, node } = clientsOf(world)
  const { clock } = world.effects
  const { network, endpoints } = world.setup
  const surveys = watchSurvey(
    { node, execution, second },
    { clock, network, keep: world.facts().identity?.pubkey },
  )
  for (;;) {
    await observe(
      world,
      endpointName(endpoints.node),
      () => surveys.read(),
      (seen) => world.dispatch({ step: 'topup', type: 'surveyed', survey: seen }),
    )
    const { send, survey: seen } = getState()
    const unasked = send.seen.rule.status === 'unasked' && seen.status === 'known'
    if (send.phase === 'idle' && unasked) await world.dispatch({ step: 'topup', type: 'checkAsked' })
    await clock.sleep(SLOTS_BETWEEN_SURVEYS * network.slotMs)
  }
}

/** The confirmed plan once there is one, else the one of the amount on the table. */
function planNow(world: World<TopUpEvent>, state: TopUpState): PaymentPlan | undefined {
  const facts = world.facts()
  const confirmed = state.send.plan
  const amountGwei =
    confirmed === undefined
      ? amountOnTheTable(state, facts.identity?.pubkey, world.setup)
      : confirmed.valueWei / 1_000_000_000n
  return amountGwei === undefined ? undefined : topUpPlan(amountGwei, facts, world.setup)
}

/** The registration as the second endpoint has it, and what arrived since the agreement by its word. */
async function secondHolds(
  world: World<TopUpEvent>,
  getState: () => TopUpState,
  client: ExecutionClient,
): Promise<Judgement> {
  const held = await registrationHolds(world, client)
  const { world: agreed, phase } = getState().send
  if (!held.good || phase === 'idle' || agreed === undefined) return held
  // Its word alone: what it knows of deposits since then is not in a state that is proven here.
  const now = { ...agreed, stakeToBeGwei: undefined }
  const judgement = await stillAgreedTo(world, getState, { client, now })
  return judgement.good ? held : judgement
}

/** That a registration is proven, with the balance that the proof holds. */
type Held = Judgement & { balanceGwei?: bigint }

/**
 * Proves anew that the chain knows the validator with the planned credentials and operator, not on its way out, and
 * that the proof's root is in the execution chain, of this moment: in the given endpoint's, else in the first one's
 * (safety #79, #90).
 */
async function registrationHolds(
  world: World<TopUpEvent>,
  second: ExecutionClient | undefined,
): Promise<Held> {
  const { execution, second: other, node } = clientsOf(world)
  const { network } = world.setup
  const { identity, signature } = world.facts()
  if (identity === undefined || signature === undefined)
    return { good: false, unknown: true, words: 'the registration is not proven' }
  const asked = second ?? execution
  const { depositContract } = network.spec
  const [chainId, operator, [record], block] = await Promise.all([
    getChainId(asked),
    getOperator(asked, { depositContract, pubkey: identity.pubkey }),
    getValidators(node, { state: 'head', ids: [identity.pubkey] }),
    anchorBlock({ execution, second: other }),
  ])
  if (chainId !== network.executionChainId) return { good: false, words: `another chain: ${chainId}` }
  if (!sameHex(operator, signature.operator))
    return { good: false, words: `the contract names another operator: ${operator}` }
  if (record === undefined)
    return { good: false, unknown: true, words: 'the chain does not know the key: it would be burnt' }
  if ('unproven' in block) return { good: false, unknown: true, words: `not proven: ${block.unproven}` }
  if (!isRecent(world, block.timestamp))
    return { good: false, unknown: true, words: 'the latest block is old' }
  const proof = await proveValidator(node, {
    index: record.index,
    pubkey: identity.pubkey,
    nextBlockTimestampSeconds: block.timestamp,
  })
  if (!proof.verdict.ok)
    return { good: false, unknown: true, words: `not proven: ${PROOF_FAULT_WORDS[proof.verdict.reason]}` }
  const proven = await proveRecord(node, { proof, claimed: record.validator })
  if (proven === undefined)
    return { good: false, unknown: true, words: `not proven: ${PROOF_FAULT_WORDS['fields-not-in-proof']}` }
  if (proven.exitEpoch !== FAR_FUTURE_EPOCH || record.validator.exitEpoch !== FAR_FUTURE_EPOCH)
    return { good: false, words: 'the validator is leaving the set' }
  const planned = { credentials: signature.withdrawalCredentials, leastGwei: signature.amountGwei }
  return anchored(asked, { timestampSeconds: block.timestamp, proof, planned })
}

/**
 * The registration, and the place that the amount is sent for: of a transaction that is made its own, for right after a
 * restart no other plan can be made yet. Once agreed to, all of it must be as it was agreed to.
 */
async function mayAdd(world: World<TopUpEvent>, getState: () => TopUpState): Promise<Judgement> {
  const held = await registrationHolds(world, undefined)
  if (!held.good) return held
  const { send, survey } = getState()
  const shown = known(survey)
  const isAgreed = send.phase !== 'idle'
  const proven = await provenSet(world, isAgreed ? undefined : shown)
  const { transaction = planNow(world, getState()) } = send.prepared ?? {}
  const { identity } = world.facts()
  if (transaction === undefined || identity === undefined)
    return { good: false, unknown: true, words: 'no amount' }
  const amountGwei = transaction.valueWei / 1_000_000_000n
  const forecastIn = (set: Survey) => forecastTopUp(set, identity.pubkey, amountGwei, world.setup)
  const set = proven ?? shown
  const now = set && forecastIn(set)
  if (proven !== undefined && (now === undefined || now.evictedAtOnce))
    return { good: false, words: 'the proven set has no seat for it' }
  if (isAgreed) {
    if (set === undefined || now === undefined)
      return { good: false, unknown: true, words: 'the set is not known yet' }
    const { balanceGwei, stakeToBeGwei } = stakeOf(set, identity.pubkey)
    const agreed = await stillAgreedTo(world, getState, {
      client: clientsOf(world).execution,
      now: { balanceGwei: held.balanceGwei ?? balanceGwei, stakeToBeGwei, outcome: outcomeOf(now) },
    })
    if (!agreed.good) return agreed
  }
  if (proven === undefined)
    return { good: true, claimed: true, words: `${held.words}; the set is the node’s word` }
  const before = shown === undefined ? undefined : forecastIn(shown)
  if (before?.keepsSeat === true && now?.keepsSeat !== true)
    return { good: false, words: 'it would lose its seat in the proven set' }
  return held
}

/** Whether the validator is the one that was agreed about, with the deposits that an endpoint knows of since then. */
async function stillAgreedTo(
  world: World<TopUpEvent>,
  getState: () => TopUpState,
  { client, now }: { client: ExecutionClient; now: Omit<WorldNow, 'arrived'> },
): Promise<Judgement> {
  const { network } = world.setup
  const { world: agreed } = getState().send
  const { identity } = world.facts()
  if (agreed === undefined || identity === undefined)
    return stillAgreed(undefined, { ...now, arrived: [] }, network.names.token)
  const asked = { address: network.spec.depositContract, pubkey: identity.pubkey, block: agreed.block }
  const made = await keyDepositsAfter(client, asked)
  const arrived = made.map(({ block, event }) => ({ block, amountGwei: event.amountGwei }))
  return stillAgreed(agreed, { ...now, arrived }, network.names.token)
}

/**
 * The set as the chain itself holds it in this moment: the one on the screen where it was proven just now, else it is
 * proven anew and takes that one's place. undefined where the node does not offer its state. Throws as `proveSet`.
 */
async function provenSet(world: World<TopUpEvent>, shown: Survey | undefined): Promise<Survey | undefined> {
  const { execution, second } = clientsOf(world)
  const { clock } = world.effects
  const { endpoints } = world.setup
  const least = second === undefined ? 1 : 2
  const { proof } = shown ?? {}
  const headSlot = (await getBlockNumber(execution)) - 1n
  if (proof !== undefined && proof.anchors >= least && headSlot - proof.slot <= MOST_SLOTS_OLD) return shown
  const found = await proveSet(world)
  if (found === undefined) return undefined
  const survey: Observation<Survey> = {
    status: 'known',
    value: found,
    source: endpointName(endpoints.node),
    atMs: clock.monotonicMs(),
  }
  await world.dispatch({ step: 'topup', type: 'surveyed', survey })
  return found
}

async function anchored(
  client: ExecutionClient,
  found: {
    timestampSeconds: bigint
    proof: ValidatorProof
    planned: { credentials: Hex; leastGwei: bigint }
  },
): Promise<Held> {
  const { timestampSeconds, proof, planned } = found
  if (!sameHex(proof.withdrawalCredentials, planned.credentials))
    return { good: false, words: 'it pays out to another address than planned' }
  if (proof.balanceGwei < planned.leastGwei)
    return { good: false, words: 'its proven balance is less than the first deposit' }
  const holds = await isAnchored(client, { timestampSeconds, blockRoot: proof.blockRoot })
  if (holds !== true)
    return { good: false, unknown: true, words: 'the proof does not end in a root that this chain holds' }
  return { good: true, words: `proven, staying, slot ${proof.slot}`, balanceGwei: proof.balanceGwei }
}

/** Reads the calldata back: our key, nothing else in it, operator zero, the chosen value. */
function judgeCalldata(world: World<TopUpEvent>, plan: PaymentPlan): Judgement {
  const { identity } = world.facts()
  const call = decodeDepositCalldata(plan.data)
  const same =
    call.kind === 'top-up' &&
    sameHex(call.pubkey, identity?.pubkey ?? '') &&
    sameHex(plan.to, world.setup.network.spec.depositContract)
  return same
    ? { good: true, words: 'a top-up of your own key' }
    : { good: false, words: 'the calldata is not a top-up of your key' }
}
