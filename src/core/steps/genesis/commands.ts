import { keccak256 } from 'viem/utils'
import { askAsService, askOptional } from '../../clients/ask-as-service.ts'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { getCode } from '../../clients/execution/call.ts'
import { getChainId } from '../../clients/execution/chain.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import {
  getConfigSpec,
  getDepositContract,
  getFork,
  getForkSchedule,
  getGenesis,
} from '../../clients/node/chain.ts'
import type { NodeClient } from '../../clients/node/client.ts'
import type { ScheduledFork } from '../../consensus/fork-outlook.ts'
import { ClientError, type Service } from '../../errors/client.ts'
import { genesisFileOf } from '../../identity/home.ts'
import { readGenesisFile } from '../../identity/read-genesis.ts'
import { findNodeTool, toolGenesisRoot } from '../../identity/run-tool.ts'
import { asker, clientsOf, type World } from '../world.ts'
import { type DepositClaim, GENESIS_FACTS, type GenesisAnswers, hasGenesisFile } from './facts.ts'
import type { GenesisEvent } from './machine.ts'
import { GENESIS_TEXT } from './text.ts'

/** Asks every source which chain it is on, all at once. */
export async function runGenesis(world: World<GenesisEvent>): Promise<void> {
  const { setup, effects } = world
  const { execution, second, node, engine, offers } = clientsOf(world)
  const { endpoints, network } = setup
  const ask = factAsker(world)
  const asService = <T>(service: Service, url: string | undefined, question: () => Promise<T>) =>
    askAsService({ effects, service, url: url ?? '' }, question)
  await Promise.all([
    hasGenesisFile(setup) ? askFile(world) : undefined,
    ask('node', async () => {
      const genesis = await asService('node API', endpoints.node, () => getGenesis(node))
      return { root: genesis.genesisValidatorsRoot, forkVersion: genesis.genesisForkVersion }
    }),
    ask('execution', () => asService('execution RPC', endpoints.execution, () => chainOf(execution))),
    second &&
      ask('second', () => asService('execution RPC', endpoints.secondExecution, () => chainOf(second))),
    engine &&
      ask('engine', async () => ({
        network: (await asService('engine RPC', endpoints.engine, () => getEngineStatus(engine))).network,
      })),
    ask('contract', async () => {
      const code = await getCode(execution, { address: network.spec.depositContract, block: 'latest' })
      return { codeHash: keccak256(code) }
    }),
    ask('config', () => configOf(node)),
    ask('fork', () => forkOf(node, execution)),
    ask('deposits', () => askOptional(offers.node, 'config/deposit_contract', () => depositsOf(node))),
    ask('schedule', () => askOptional(offers.node, 'config/fork_schedule', () => scheduleOf(node))),
  ])
  await world.dispatch({ step: 'genesis', type: 'finished' })
}

const factAsker = (world: World<GenesisEvent>) =>
  asker<GenesisAnswers>(world, GENESIS_FACTS, (entry) =>
    world.dispatch({ step: 'genesis', type: 'observed', ...entry }),
  )

/** The genesis file of the home, or the one that was named in its place, by this program and by the node tool. */
async function askFile(world: World<GenesisEvent>): Promise<void> {
  const { setup, effects } = world
  const { network, homePath = '', genesisPath } = setup
  const ask = factAsker(world)
  let found: Promise<string> | undefined
  const place = () => {
    found ??= genesisPath === undefined ? genesisFileOf(effects, { homePath }) : Promise.resolve(genesisPath)
    return found
  }
  const tool = await findNodeTool(effects, network.names.nodeTool)
  await Promise.all([
    ask('place', async () => ({ path: await place() })),
    ask('file', async () => {
      const genesis = await readGenesisFile(effects, { path: await place(), limits: network.spec })
      const { root, genesisForkVersion: forkVersion, engineChainId, validators } = genesis
      return { root, forkVersion, validators, engineChainId }
    }),
    tool &&
      ask(
        'tool',
        async () => ({ root: await toolGenesisRoot(tool, { genesisPath: await place() }) }),
        tool.path,
      ),
  ])
}

async function chainOf(client: ExecutionClient): Promise<GenesisAnswers['execution']> {
  const [chainId, first] = await Promise.all([getChainId(client), getBlock(client, { block: 0n })])
  if (first === undefined) throw noBlock(client, GENESIS_TEXT.block.first)
  return { chainId, genesisHash: first.hash }
}

async function configOf(node: NodeClient): Promise<GenesisAnswers['config']> {
  const { depositContract, depositChainId, depositNetworkId } = await getConfigSpec(node)
  return {
    chainIds: [depositChainId, depositNetworkId].filter((id) => id !== undefined),
    contracts: depositContract === undefined ? [] : [depositContract],
  }
}

async function depositsOf(node: NodeClient): Promise<DepositClaim | undefined> {
  const said = await getDepositContract(node)
  return said === undefined ? undefined : { chainIds: [said.chainId], contracts: [said.address] }
}

/** A schedule without a line says as little as none. */
async function scheduleOf(node: NodeClient): Promise<ScheduledFork[] | undefined> {
  const forks = await getForkSchedule(node)
  if (forks === undefined || forks.length === 0) return undefined
  return forks.map(({ currentVersion, epoch }) => ({ version: currentVersion, epoch }))
}

/** On this network the number of a block is the slot of the state that it made. */
async function forkOf(node: NodeClient, execution: ExecutionClient): Promise<GenesisAnswers['fork']> {
  const [fork, block] = await Promise.all([
    getFork(node, { state: 'head' }),
    getBlock(execution, { block: 'latest' }),
  ])
  if (block === undefined) throw noBlock(execution, GENESIS_TEXT.block.latest)
  return { version: fork.currentVersion, slot: block.number, timestampSeconds: block.timestamp }
}

function noBlock({ label }: ExecutionClient, what: string): ClientError {
  return new ClientError('not-found', { service: 'execution RPC', endpoint: label, what })
}
