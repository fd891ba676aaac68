import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getChainId } from '../../clients/execution/get-chain-id.ts'
import { getOperator } from '../../clients/execution/get-operator.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { getValidators } from '../../clients/node/get-validators.ts'
import { readKeyHistory } from '../../clients/read-key-history.ts'
import { readSurvey } from '../../clients/read-survey.ts'
import { decodeDepositCalldata } from '../../deposit/calldata.ts'
import { keyStory } from '../../deposit/key-history.ts'
import { verifyDeposit } from '../../deposit/verify.ts'
import { gwei, gweiToWei } from '../../format/amount.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { clientsOf } from '../clients-of.ts'
import { runSending } from '../sending/commands.ts'
import type { Judgement } from '../sending/rules.ts'
import type { PaymentPlan, SendCommand, SendEvent } from '../sending/state.ts'
import type { World } from '../world.ts'
import { type DepositEvent, type DepositState, depositPlan } from './machine.ts'

const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'

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
    key: () => keyIsUnused(world),
    rule: async (plan) => judgeCalldata(world, plan),
    second: (client) => secondAgrees(world, client, getState),
  })
}

/** The key must be unknown to contract and beacon state: else the deposit reverts or becomes somebody's top-up. */
async function keyIsUnused(world: World<DepositEvent>): Promise<Judgement> {
  const { execution, node } = clientsOf(world)
  const { identity, signature } = world.facts()
  if (identity === undefined || signature === undefined) return { good: false, words: 'no key' }
  const { pubkey } = identity
  if (signature.rescue) return mayRescue(world, { pubkey, operator: signature.operator })
  const { depositContract } = world.setup.network.spec
  const operator = await getOperator(execution, { depositContract, pubkey })
  if (!sameHex(operator, ZERO_ADDRESS))
    return { good: false, words: `the contract has an operator: ${operator}` }
  const [validator] = await getValidators(node, { state: 'head', ids: [pubkey] })
  if (validator !== undefined)
    return { good: false, words: `the chain knows it: validator ${validator.index}` }
  return { good: true, words: 'unused, everywhere' }
}

/**
 * A burnt key may be registered when its operator is the one the user typed, the whole state, proven, lacks it, and
 * every deposit for it was refused and is old enough to have been applied (safety #26).
 */
async function mayRescue(
  world: World<DepositEvent>,
  { pubkey, operator }: { pubkey: Hex; operator: Hex },
): Promise<Judgement> {
  const { execution, second, node } = clientsOf(world)
  const { network } = world.setup
  if (second === undefined && network.kind !== 'rehearsal')
    return { good: false, words: 'a rescue needs a second execution endpoint' }
  const found = await getOperator(execution, { depositContract: network.spec.depositContract, pubkey })
  if (!sameHex(found, operator)) return { good: false, words: `the contract names ${found}` }
  const survey = await readSurvey(
    { node, execution, second },
    {
      seats: network.spec.validatorSetCap,
      keep: pubkey,
    },
  )
  const anchors = survey.proof?.anchors ?? 0
  if (anchors < (second === undefined ? 1 : 2))
    return { good: false, words: 'the state is not proven: its absence is not sure' }
  if (survey.consensus.validators.some((validator) => sameHex(validator.pubkey, pubkey)))
    return { good: false, words: 'the chain knows it by now' }
  const history = await readKeyHistory(execution, { network, pubkey, operator })
  const story = keyStory(history, survey.consensus.slot)
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
  const { funder } = getState().seen
  if (identity === undefined || signature === undefined || funder.status !== 'known')
    return { good: false, words: 'no key' }
  const { pubkey } = identity
  const expected = signature.rescue ? signature.operator : ZERO_ADDRESS
  const { depositContract } = network.spec
  const [chainId, operator, nonce] = await Promise.all([
    getChainId(client),
    getOperator(client, { depositContract, pubkey }),
    getTransactionCount(client, { address: funder.value.address, block: 'latest' }),
  ])
  if (chainId !== network.executionChainId) return { good: false, words: `another chain: ${chainId}` }
  if (!sameHex(operator, expected)) return { good: false, words: `the contract has operator ${operator}` }
  return { good: true, words: `same chain, same operator, nonce ${nonce}` }
}
