import { ClientError } from '../../base/errors/client.ts'
import type { Wei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { decodeContractError } from '../../chain/deposit/abi.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { type ExecutionBlock, getBlock, latestBlock } from '../../clients/execution/blocks.ts'
import { call, estimateGas } from '../../clients/execution/call.ts'
import { getChainId } from '../../clients/execution/chain.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getTransactionCount } from '../../clients/execution/transactions.ts'
import { getFork, getGenesis } from '../../clients/node/chain.ts'
import { readGasPrice } from '../../clients/read-gas-price.ts'
import { type Clients, type CommandContext, headIsFresh } from '../../observe/context.ts'
import { type Fees, feesFor } from '../wallet/fees.ts'
import type { GateAnswers } from './facts.ts'
import { GATE_TEXT } from './text.ts'

/** Asks which chain it is, by which rules it goes, whether it makes blocks, and whether it begins as it was checked. */
export async function askGateChain(
  context: Pick<CommandContext<never>, 'effects' | 'setup' | 'signal' | 'facts'>,
  { clients, latest }: { clients: Clients; latest: Promise<ExecutionBlock> },
): Promise<GateAnswers['chain']> {
  const { execution, node } = clients
  const [chainId, block, { currentVersion: version }, sameGenesis] = await Promise.all([
    getChainId(execution),
    latest,
    getFork(node, { state: 'head' }),
    beginsAsChecked(context, clients),
  ])
  const fork = { version, slot: block.number, timestampSeconds: block.timestamp }
  return { chainId, fork, fresh: await headIsFresh(context, execution, block), sameGenesis }
}

/** Returns what a transaction of now offers for its gas, by the prices of the endpoints. */
export async function offeredFees(input: {
  execution: ExecutionClient
  second: ExecutionClient | undefined
  latest?: Promise<ExecutionBlock>
}): Promise<Fees> {
  const { execution, second, latest = latestBlock(input.execution) } = input
  const { baseFeeWei, tipWei } = await readGasPrice({ execution, second, latest })
  return feesFor(baseFeeWei, tipWei)
}

/** A network that was reset keeps its chain ids: only where it begins tells it from the one that was checked. */
async function beginsAsChecked(
  { setup, facts }: Pick<CommandContext<never>, 'setup' | 'facts'>,
  { node, execution }: Clients,
): Promise<boolean> {
  const [{ genesisValidatorsRoot }, first] = await Promise.all([
    getGenesis(node),
    getBlock(execution, { block: 0n }),
  ])
  const checked = facts().genesis?.executionGenesisHash ?? setup.executionGenesisHash
  const sameBlock = checked === undefined || (first !== undefined && sameHex(first.hash, checked))
  return sameBlock && sameHex(genesisValidatorsRoot, setup.network.genesisValidatorsRoot)
}

/** Runs a call and estimates its gas, without sending it: a refusal is said. Throws a `ClientError`. */
export async function dryRun(
  client: ExecutionClient,
  from: Hex,
  plan: { to: Hex; valueWei: Wei; data: Hex },
): Promise<GateAnswers['dryRun']> {
  const transaction = { from, to: plan.to, valueWei: plan.valueWei, data: plan.data }
  try {
    await call(client, { ...transaction, block: 'latest' })
    return { gas: await estimateGas(client, transaction), refusal: undefined }
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'reverted') throw thrown
    const refusal = thrown.data === undefined ? undefined : decodeContractError(thrown.data)
    return { gas: 0n, refusal: refusal?.words ?? GATE_TEXT.noReason }
  }
}

/** The next nonce of an account in the blocks that every endpoint calls final; undefined where one of them is silent. */
export async function finalNonceOf(
  clients: readonly ExecutionClient[],
  address: Hex,
): Promise<number | undefined> {
  const finals = await Promise.all(
    clients.map((client) => unlessSilent(getTransactionCount(client, { address, block: 'finalized' }))),
  )
  return finals.includes(undefined) ? undefined : Math.min(...finals.map((final) => final ?? 0))
}
