import { call } from '../../clients/execution/call.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { estimateGas } from '../../clients/execution/estimate-gas.ts'
import { getBalance } from '../../clients/execution/get-balance.ts'
import { type ExecutionBlock, getBlock } from '../../clients/execution/get-block.ts'
import { getChainId } from '../../clients/execution/get-chain-id.ts'
import { getMaxPriorityFeePerGas } from '../../clients/execution/get-max-priority-fee-per-gas.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { decodeContractError } from '../../deposit/abi.ts'
import { ClientError } from '../../errors/client.ts'
import { WalletError } from '../../errors/wallet.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import type { Hex } from '../../format/hex.ts'
import { checkSigned } from '../../wallet/check-signed.ts'
import { type Fees, feesFor, gasLimitFor } from '../../wallet/fees.ts'
import { clientsOf } from '../clients-of.ts'
import { headIsFresh } from '../head-is-fresh.ts'
import { known, type Observation, type SeenEntry, withSeen } from '../observation.ts'
import { observe, type World } from '../world.ts'
import { gateIsOpen } from './gate.ts'
import type { Judgement, PaymentRules } from './rules.ts'
import {
  type GateAnswers,
  initialSend,
  type Payer,
  type PaymentPlan,
  type SendCommand,
  type SendEvent,
  type SendState,
} from './state.ts'
import { trackPayment } from './track.ts'

type Ask = <K extends keyof GateAnswers>(
  key: K,
  source: string,
  question: () => Promise<GateAnswers[K]>,
) => Promise<GateAnswers[K] | undefined>

/** Carries out one command of a payment. */
export async function runSending(
  command: SendCommand,
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  switch (command.type) {
    case 'check':
      await askGate(world, getState, rules)
      return
    case 'prepare':
      return prepare(world, getState, rules)
    case 'signTransaction':
      return sign(world, getState, rules)
    case 'track':
      return trackPayment(world, getState, rules)
  }
}

/**
 * Asks everything that must hold in the moment before money moves; resolves to what a transaction is made of, with
 * the very answers of this asking: those on the screen may also be of another one.
 */
async function askGate(world: World<SendEvent>, getState: () => SendState, rules: PaymentRules) {
  const { setup } = world
  const { execution, second } = clientsOf(world)
  const label = endpointName(setup.endpoints.execution)
  const { funder: before } = getState().seen
  const answers = { seen: { ...initialSend.seen, funder: before } }
  const ask = asker(world, rules.step, answers)
  const plan = rules.plan()
  const funder = known(before) ?? (await ask('funder', 'keystore', () => funderOf(world)))
  const latest = latestBlock(execution)
  latest.catch(() => undefined)
  if (plan === undefined || funder === undefined) return undefined
  const from = funder.address
  const nonceAsked = ask('nonce', label, async () => {
    const [now, pending] = await Promise.all([
      getTransactionCount(execution, { address: from, block: 'latest' }),
      getTransactionCount(execution, { address: from, block: 'pending' }),
    ])
    return { latest: now, pending }
  })
  const [, fees, nonce, , , , dry] = await Promise.all([
    ask('chain', label, async () => {
      const [chainId, block] = await Promise.all([getChainId(execution), latest])
      return { chainId, blockNumber: block.number, fresh: await headIsFresh(world, execution, block) }
    }),
    offeredFees({ execution, second, latest }).catch(() => undefined),
    nonceAsked,
    ask('key', label, () => rules.key()),
    ask('rule', 'this computer', () => rules.rule(plan)),
    second === undefined
      ? undefined
      : ask('second', endpointName(setup.endpoints.secondExecution ?? ''), () =>
          secondAgrees({ second, from, rules, nonceAsked }),
        ),
    ask('dryRun', label, () => dryRun(execution, from, plan)),
  ])
  const gasLimit = gasLimitFor(dry?.gas ?? 0n)
  const balance = await ask('balance', label, async () => {
    if (fees === undefined)
      throw new WalletError('gate-closed', 'The endpoint gave no fee.', { retryable: true })
    const balanceWei = await getBalance(execution, { address: from, block: 'latest' })
    return { balanceWei, neededWei: plan.valueWei + 2n * gasLimit * fees.maxFeePerGasWei }
  })
  const block = await latest.catch(() => undefined)
  if (fees === undefined || nonce === undefined || balance === undefined || block === undefined)
    return undefined
  const { seen } = answers
  return { plan, from, fees, gasLimit, nonce: nonce.latest, balanceWei: balance.balanceWei, block, seen }
}

/**
 * The second endpoint must agree on the step's own facts and on the number of the next transaction (safety #65): the
 * one that the transaction gets, not what the first endpoint says when it is asked again.
 */
async function secondAgrees(input: {
  second: ExecutionClient
  from: Hex
  rules: PaymentRules
  nonceAsked: Promise<GateAnswers['nonce'] | undefined>
}): Promise<Judgement> {
  const { second, from, rules, nonceAsked } = input
  const judgement = await rules.second(second)
  if (!judgement.good) return judgement
  const there = await getTransactionCount(second, { address: from, block: 'latest' })
  const here = (await nonceAsked)?.latest
  return here === there
    ? judgement
    : { good: false, words: `names nonce ${there}, the first one ${here ?? '–'}` }
}

/** The higher base fee of the endpoints: a low lie would leave the transaction waiting for ever. */
async function offeredFees(input: {
  execution: ExecutionClient
  second: ExecutionClient | undefined
  latest: Promise<ExecutionBlock>
}): Promise<Fees> {
  const { execution, second, latest } = input
  const [block, other, tipWei] = await Promise.all([
    latest,
    second === undefined ? undefined : getBlock(second, { block: 'latest' }),
    getMaxPriorityFeePerGas(execution),
  ])
  const [here = 0n, there = 0n] = [block.baseFeePerGas, other?.baseFeePerGas]
  return feesFor(here > there ? here : there, tipWei)
}

async function latestBlock(execution: ExecutionClient): Promise<ExecutionBlock> {
  const block = await getBlock(execution, { block: 'latest' })
  if (block === undefined)
    throw new WalletError('gate-closed', 'The endpoint has no latest block.', { retryable: true })
  return block
}

/** Tells each answer, and keeps it in `answers` for the judgement of this asking. */
function asker(world: World<SendEvent>, step: Payer, answers: { seen: SendState['seen'] }): Ask {
  return <K extends keyof GateAnswers>(key: K, source: string, question: () => Promise<GateAnswers[K]>) =>
    observe(world, source, question, (seen: Observation<GateAnswers[K]>) => {
      const entry = { key, seen } as SeenEntry<GateAnswers>
      answers.seen = withSeen(answers.seen, entry)
      return world.dispatch({ step, type: 'observed', ...entry })
    })
}

/** The account that pays: the one that paid before, else the keystore's. The signer checks it either way. */
async function funderOf(world: World<SendEvent>): Promise<{ address: Hex }> {
  const { setup, effects } = world
  const { deposit } = world.facts()
  if (deposit !== undefined) return { address: deposit.from }
  const { keystore, passwordDescriptor } = setup
  if (keystore === undefined) {
    throw new WalletError('no-keystore', 'No keystore is set for the funding account.', {
      nextSteps: ['start again and name a v3 keystore file'],
    })
  }
  return effects.signer.keystoreAddress({
    keystore,
    ...(passwordDescriptor === undefined ? {} : { passwordDescriptor }),
  })
}

async function dryRun(client: ExecutionClient, from: Hex, plan: PaymentPlan): Promise<GateAnswers['dryRun']> {
  const transaction = { from, to: plan.to, valueWei: plan.valueWei, data: plan.data }
  try {
    await call(client, { ...transaction, block: 'latest' })
    return { gas: await estimateGas(client, transaction), refusal: undefined }
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'reverted') throw thrown
    const refusal = thrown.data === undefined ? undefined : decodeContractError(thrown.data)
    return { gas: 0n, refusal: refusal?.words ?? 'the contract refuses it without a reason' }
  }
}

/** Asks the whole gate again and makes the transaction; nothing is made while any answer is missing or bad. */
async function prepare(
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  const { setup } = world
  const made = await askGate(world, getState, rules)
  if (made === undefined || !gateIsOpen(made.seen, setup)) {
    throw new WalletError('gate-closed', 'Something is not as it must be, so nothing was made or sent.', {
      details: closedRows(getState()),
      retryable: true,
      nextSteps: ['read the rows above'],
    })
  }
  const { plan, from, fees, gasLimit, nonce, balanceWei, block } = made
  const wanted = getState().plan
  if (wanted === undefined || wanted.data !== plan.data || wanted.valueWei !== plan.valueWei) {
    throw new WalletError(
      'gate-closed',
      'The facts have changed since you agreed, so nothing was made or sent.',
    )
  }
  if (!(await world.lock(`funder-${setup.network.executionChainId}-${from.toLowerCase()}`))) {
    throw new WalletError('in-use', 'Another window of this program pays from the same account.', {
      nextSteps: ['finish there first'],
    })
  }
  const { step } = rules
  const transaction = {
    chainId: setup.network.executionChainId,
    nonce,
    to: plan.to,
    valueWei: plan.valueWei,
    data: plan.data,
    gasLimit,
    ...fees,
  }
  const baseline = { blockNumber: block.number, blockHash: block.hash, balanceWei }
  await world.dispatch({ step, type: 'prepared', prepared: { transaction, from, baseline } })
}

function closedRows({ seen }: SendState): string[] {
  return Object.entries(seen).flatMap(([key, observation]) =>
    observation.status === 'failed' ? [`${key}: ${observation.error.shortMessage}`] : [],
  )
}

/** Has the prepared transaction signed, and believes the bytes only after reading them back. */
async function sign(world: World<SendEvent>, getState: () => SendState, rules: PaymentRules): Promise<void> {
  const { setup, effects } = world
  const { prepared, plan } = getState()
  if (prepared === undefined || plan === undefined || setup.keystore === undefined) return
  const { rawTransaction } = await effects.signer.signTransaction({
    keystore: setup.keystore,
    from: prepared.from,
    transaction: prepared.transaction,
    ...(setup.passwordDescriptor === undefined ? {} : { passwordDescriptor: setup.passwordDescriptor }),
  })
  const hash = await checkSigned(rawTransaction, prepared)
  const judgement = await rules.rule(plan)
  if (!judgement.good) throw new WalletError('not-as-prepared', judgement.words)
  await world.dispatch({ step: rules.step, type: 'signed', raw: rawTransaction, hash })
}
