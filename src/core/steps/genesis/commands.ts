import { keccak256 } from 'viem/utils'
import { askAsService } from '../../clients/ask-as-service.ts'
import { askOptional } from '../../clients/ask-optional.ts'
import type { EngineClient } from '../../clients/engine/client.ts'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { getChainId } from '../../clients/execution/get-chain-id.ts'
import { getCode } from '../../clients/execution/get-code.ts'
import type { NodeClient } from '../../clients/node/client.ts'
import { getConfigSpec } from '../../clients/node/get-config-spec.ts'
import { getDepositContract } from '../../clients/node/get-deposit-contract.ts'
import { getFork } from '../../clients/node/get-fork.ts'
import { getForkSchedule } from '../../clients/node/get-fork-schedule.ts'
import { getGenesis } from '../../clients/node/get-genesis.ts'
import type { ScheduledFork } from '../../consensus/fork-outlook.ts'
import { ClientError, type Service } from '../../errors/client.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { genesisFileOf } from '../../identity/home.ts'
import { toolGenesisRoot } from '../../identity/node-tool.ts'
import { readGenesisFile } from '../../identity/read-genesis-file.ts'
import { findNodeTool } from '../../identity/run-tool.ts'
import { clientsOf } from '../clients-of.ts'
import type { Observation } from '../observation.ts'
import { observe, type World } from '../world.ts'
import type { DepositClaim } from './claims.ts'
import { type GenesisAnswers, type GenesisEvent, hasGenesisFile } from './machine.ts'

/** Asks every source which chain it is on, all at once. */
export async function runGenesis(world: World<GenesisEvent>): Promise<void> {
  const { setup, effects } = world
  const { execution, second, node, engine, offers } = clientsOf(world)
  const { endpoints, network } = setup
  const ask = asker(world)
  const asService = <T>(service: Service, url: string, question: () => Promise<T>) =>
    askAsService({ effects, service, url }, question)
  await Promise.all([
    hasGenesisFile(setup) ? askFile(world) : undefined,
    ask('node', endpointName(endpoints.node), async () => {
      const genesis = await asService('node API', endpoints.node, () => getGenesis(node))
      return { root: genesis.genesisValidatorsRoot, forkVersion: genesis.genesisForkVersion }
    }),
    ask('execution', endpointName(endpoints.execution), () =>
      asService('execution RPC', endpoints.execution, () => chainOf(execution)),
    ),
    second === undefined
      ? undefined
      : ask('second', endpointName(endpoints.secondExecution ?? ''), () =>
          asService('execution RPC', endpoints.secondExecution ?? '', () => chainOf(second)),
        ),
    engine === undefined ? undefined : askEngine(world, engine),
    ask('contract', endpointName(endpoints.execution), async () => {
      const code = await getCode(execution, { address: network.spec.depositContract, block: 'latest' })
      return { codeHash: keccak256(code) }
    }),
    ask('config', endpointName(endpoints.node), () => configOf(node)),
    ask('fork', endpointName(endpoints.node), () => forkOf(node, execution)),
    ask('deposits', endpointName(endpoints.node), () =>
      askOptional(offers.node, 'config/deposit_contract', () => depositsOf(node)),
    ),
    ask('schedule', endpointName(endpoints.node), () =>
      askOptional(offers.node, 'config/fork_schedule', () => scheduleOf(node)),
    ),
  ])
  await world.dispatch({ step: 'genesis', type: 'finished' })
}

/** The genesis file of the home, or the one that was named in its place, by this program and by the node tool. */
async function askFile(world: World<GenesisEvent>): Promise<void> {
  const { setup, effects } = world
  const { network, homePath = '' } = setup
  const ask = asker(world)
  let found: Promise<string> | undefined
  const place = () => {
    found ??=
      setup.genesisPath === undefined
        ? genesisFileOf(effects, { homePath })
        : Promise.resolve(setup.genesisPath)
    return found
  }
  const tool = await findNodeTool(effects, network.names.nodeTool)
  await Promise.all([
    ask('place', homePath, async () => ({ path: await place() })),
    ask('file', 'this computer', async () => {
      const genesis = await readGenesisFile(effects, { path: await place(), limits: network.spec })
      const { root, genesisForkVersion: forkVersion, engineChainId, validators } = genesis
      return { root, forkVersion, validators, engineChainId }
    }),
    tool === undefined
      ? undefined
      : ask('tool', tool.path, async () => ({
          root: await toolGenesisRoot(tool, { genesisPath: await place() }),
        })),
  ])
}

async function askEngine(world: World<GenesisEvent>, engine: EngineClient): Promise<void> {
  const url = world.setup.endpoints.engine ?? ''
  await asker(world)('engine', endpointName(url), async () => {
    const asked = { effects: world.effects, service: 'engine RPC', url } as const
    const { network } = await askAsService(asked, () => getEngineStatus(engine))
    return { network }
  })
}

async function chainOf(client: ExecutionClient): Promise<GenesisAnswers['execution']> {
  const [chainId, first] = await Promise.all([getChainId(client), getBlock(client, { block: 0n })])
  if (first === undefined) throw noBlock(client, 'block 0')
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
  if (block === undefined) throw noBlock(execution, 'the latest block')
  return { version: fork.currentVersion, slot: block.number, timestampSeconds: block.timestamp }
}

function noBlock({ label }: ExecutionClient, what: string): ClientError {
  return new ClientError('not-found', { service: 'execution RPC', endpoint: label, what })
}

function asker(world: World<GenesisEvent>) {
  return <K extends keyof GenesisAnswers>(
    key: K,
    source: string,
    question: () => Promise<GenesisAnswers[K]>,
  ) =>
    observe(world, source, question, (seen: Observation<GenesisAnswers[K]>) =>
      world.dispatch({ step: 'genesis', type: 'observed', key, seen } as GenesisEvent),
    )
}
