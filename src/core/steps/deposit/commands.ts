import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getChainId } from '../../clients/execution/get-chain-id.ts'
import { getOperator } from '../../clients/execution/get-operator.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { getValidators } from '../../clients/node/get-validators.ts'
import { type ProvenKey, proveKey } from '../../clients/prove-key.ts'
import { readKeyHistory } from '../../clients/read-key-history.ts'
import { readReportedSurvey } from '../../clients/read-reported-survey.ts'
import { asksForSeat, forecastEntry } from '../../consensus/forecast-entry.ts'
import { isFulu } from '../../consensus/forks.ts'
import { waitingDeposits } from '../../consensus/survey.ts'
import { decodeDepositCalldata } from '../../deposit/calldata.ts'
import { keyStory } from '../../deposit/key-history.ts'
import { verifyDeposit } from '../../deposit/verify.ts'
import { StateUnprovenError } from '../../errors/proofs.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei, gwei, gweiToWei } from '../../format/amount.ts'
import { isSameServer } from '../../format/endpoint-url.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { isGenesisKey } from '../../identity/is-genesis-key.ts'
import { clientsOf } from '../clients-of.ts'
import { isRecent } from '../head-is-fresh.ts'
import { known } from '../observation.ts'
import { proveSet } from '../prove-set.ts'
import { runSending } from '../sending/commands.ts'
import type { Judgement } from '../sending/rules.ts'
import type { PaymentPlan, SendCommand, SendEvent } from '../sending/state.ts'
import type { World } from '../world.ts'
import { type DepositEvent, type DepositState, depositPlan } from './machine.ts'
import { sentAsSigned } from './sent-commands.ts'

/** Carries out one command of the deposit step. */
export function runDeposit(
  command: SendCommand,
  world: World<DepositEvent>,
  getState: () => DepositState,
): Promise<void> {
  const dispatch = async (event: SendEvent) => {
    if (event.step === 'deposit') await world.dispatch(event)
  }
  return runSending(command, { ...world, dispatch }, getState, {
    step: 'deposit',
    plan: () => depositPlan(world.facts(), world.setup),
    key: (setup = world.setup) => mayEnter({ ...world, setup }),
    rule: async (plan) => judgeCalldata(world, plan),
    second: (client) => secondAgrees(world, client, getState),
  })
}

/** The key, and the seat where the first deposit asks for one at once. */
async function mayEnter(world: World<DepositEvent>): Promise<Judgement> {
  const unused = await keyIsUnused(world)
  return unused.good ? withSeat(world, unused) : unused
}

/** A deposit that crosses the threshold by itself may be sent away at the turn that activates it (safety #83, #84). */
async function withSeat(world: World<DepositEvent>, unused: Judgement): Promise<Judgement> {
  const { identity, signature } = world.facts()
  const { spec, names, minimumDepositGwei } = world.setup.network
  if (identity === undefined || signature === undefined || !asksForSeat(signature.amountGwei, spec))
    return unused
  const { pubkey } = identity
  const { amountGwei, withdrawalCredentials } = signature
  const { node, execution, second } = clientsOf(world)
  const proven = await proveSet(world)
  const asked = { network: world.setup.network, keep: pubkey, unproven: undefined }
  const survey = proven ?? (await readReportedSurvey({ node, execution, second }, asked))
  const { consensus: state, timestampSeconds } = survey
  const fulu = isFulu(spec, timestampSeconds)
  const place = forecastEntry({
    state,
    spec,
    fulu,
    pubkey,
    withdrawalCredentials,
    amountGwei,
    currentSlot: state.slot,
    uncounted: waitingDeposits(survey),
  })
  if (place === undefined) return unused
  if (!place.keepsSeat || (place.marginGwei ?? 1n) <= 0n) {
    const least = `${formatGwei(minimumDepositGwei)} ${names.token}`
    return {
      good: false,
      words: `no seat for that amount: the key would be lost. Sign ${least}, then top up`,
    }
  }
  const words = `${unused.words}; rank ${place.rank ?? '–'} of ${place.seats}`
  if (proven === undefined) return { ...unused, claimed: true, words: `${words}, by the node’s word` }
  return { ...unused, words }
}

/**
 * The key must be unknown to contract and beacon state: else the deposit reverts or becomes somebody's top-up
 * (safety #21). What knows it ends the question; that nothing does is believed only as far as it is proven.
 */
async function keyIsUnused(world: World<DepositEvent>): Promise<Judgement> {
  const { execution, node } = clientsOf(world)
  const { identity, signature } = world.facts()
  if (identity === undefined || signature === undefined)
    return { good: false, unknown: true, words: 'no key' }
  const { pubkey } = identity
  if (signature.rescue) return mayRescue(world, { pubkey, operator: signature.operator })
  const { depositContract } = world.setup.network.spec
  const operator = await getOperator(execution, { depositContract, pubkey })
  if (!sameHex(operator, ZERO_ADDRESS)) {
    const sent = await sentAsSigned(world, { pubkey, operator })
    return sent === undefined
      ? { good: false, words: `the contract has an operator: ${operator}` }
      : { good: false, words: 'sent, exactly as signed', sent }
  }
  const [validator] = await getValidators(node, { state: 'head', ids: [pubkey] })
  if (validator !== undefined)
    return { good: false, words: `the chain knows it: validator ${validator.index}` }
  if (await inGenesis(world, pubkey)) return { good: false, words: 'a validator of the genesis file has it' }
  const found = await lookUp(world, pubkey)
  if ('outOfReach' in found) return { good: true, claimed: true, words: 'unused, by the node’s word alone' }
  if (found.index !== undefined)
    return { good: false, words: `the chain knows it: validator ${found.index}, not in the node’s list` }
  return { good: true, words: `unused, proven, slot ${found.slot}` }
}

const remembered = new WeakMap<Setup, Map<Hex, boolean>>()

/** The answer is kept: the file's list counts only with the network's root, so it can never be another one. */
async function inGenesis({ effects, setup }: World<DepositEvent>, pubkey: Hex): Promise<boolean> {
  const answers = remembered.get(setup) ?? new Map<Hex, boolean>()
  remembered.set(setup, answers)
  const { homePath, network } = setup
  const answer = answers.get(pubkey) ?? (await isGenesisKey(effects, { homePath, network, pubkey }))
  answers.set(pubkey, answer)
  return answer
}

/**
 * The place of a key in the proven state of this moment. `outOfReach` where the node does not offer its state; a
 * state that is offered and not proven, or old, or not held by the second endpoint too, is a StateUnprovenError:
 * then nothing is known.
 */
async function lookUp(world: World<DepositEvent>, pubkey: Hex): Promise<ProvenKey | { outOfReach: true }> {
  const { execution, second, node } = clientsOf(world)
  const rest = () => world.effects.clock.sleep(0)
  const found = await proveKey({ node, execution, second }, { pubkey, rest })
  if ('unproven' in found) {
    if (found.outOfReach) return { outOfReach: true }
    throw unproven(found.unproven)
  }
  if (!isRecent(world, found.timestampSeconds)) throw unproven(`the state of slot ${found.slot} is old`)
  if (second !== undefined && found.anchors < 2)
    throw unproven(`${second.label} does not hold the root of slot ${found.slot}`)
  return found
}

function unproven(why: string): StateUnprovenError {
  return new StateUnprovenError('It is not proven that nothing knows the key', why)
}

/**
 * A burnt key may be registered when its operator is the one the user typed, the whole state, proven, lacks it, and
 * every deposit for it was refused and is old enough to have been applied (safety #26).
 */
async function mayRescue(
  world: World<DepositEvent>,
  { pubkey, operator }: { pubkey: Hex; operator: Hex },
): Promise<Judgement> {
  const { execution } = clientsOf(world)
  const { network, endpoints } = world.setup
  const { execution: first, secondExecution = first } = endpoints
  if (isSameServer(first, secondExecution) && network.kind !== 'rehearsal')
    return { good: false, unknown: true, words: 'a rescue needs a second execution endpoint' }
  const named = await getOperator(execution, { depositContract: network.spec.depositContract, pubkey })
  if (!sameHex(named, operator)) return { good: false, words: `the contract names ${named}` }
  const found = await lookUp(world, pubkey)
  if ('outOfReach' in found) return { good: false, words: 'its absence is the node’s word alone' }
  if (found.index !== undefined) return { good: false, words: 'the chain knows it by now' }
  const history = await readKeyHistory(execution, { network, pubkey, operator })
  const story = keyStory(history, found.slot)
  return story === 'burnt'
    ? { good: true, words: 'proven absent, past deposits refused' }
    : { good: false, words: 'a deposit for it may still be applied' }
}

/** Reads the calldata back and verifies the signature in it over exactly the value that is sent (safety #5, #12). */
function judgeCalldata(world: World<DepositEvent>, plan: PaymentPlan): Judgement {
  const { identity, signature } = world.facts()
  const { network } = world.setup
  const call = decodeDepositCalldata(plan.data)
  if (identity === undefined || signature === undefined) return { good: false, words: 'no signature' }
  const same =
    call.kind === (signature.rescue ? 'rescue' : 'first') &&
    sameHex(call.pubkey, identity.pubkey) &&
    sameHex(call.withdrawalCredentials, signature.withdrawalCredentials) &&
    sameHex(call.operator, signature.rescue ? ZERO_ADDRESS : signature.operator) &&
    plan.valueWei === gweiToWei(gwei(signature.amountGwei)) &&
    sameHex(plan.to, network.spec.depositContract)
  if (!same) return { good: false, words: 'the calldata is not what was signed' }
  const verdict = verifyDeposit({
    pubkey: call.pubkey,
    withdrawalCredentials: call.withdrawalCredentials,
    signature: call.signature,
    amountGwei: plan.valueWei / 1_000_000_000n,
    genesisValidatorsRoot: network.genesisValidatorsRoot,
    genesisForkVersion: network.genesisForkVersion,
  })
  if (verdict.verdict === 'refused') return { good: false, words: verdict.words }
  return { good: true, words: 'equal; signature covers it' }
}

async function secondAgrees(
  world: World<DepositEvent>,
  client: ExecutionClient,
  getState: () => DepositState,
): Promise<Judgement> {
  const { network } = world.setup
  const { identity, signature } = world.facts()
  const { prepared, seen } = getState()
  const from = prepared?.from ?? known(seen.funder)?.address
  if (identity === undefined || signature === undefined || from === undefined)
    return { good: false, unknown: true, words: 'no key' }
  const { pubkey } = identity
  const expected = signature.rescue ? signature.operator : ZERO_ADDRESS
  const { depositContract } = network.spec
  const [chainId, operator, nonce] = await Promise.all([
    getChainId(client),
    getOperator(client, { depositContract, pubkey }),
    getTransactionCount(client, { address: from, block: 'latest' }),
  ])
  if (chainId !== network.executionChainId) return { good: false, words: `another chain: ${chainId}` }
  if (!sameHex(operator, expected)) return { good: false, words: `the contract has operator ${operator}` }
  return { good: true, words: `same chain, same operator, nonce ${nonce}` }
}
