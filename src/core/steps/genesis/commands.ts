import type { Service } from '../../base/errors/client.ts'
import type { ScheduledFork } from '../../chain/consensus/fork-outlook.ts'
import { genesisFileOf } from '../../chain/identity/home-files.ts'
import { readGenesisFile } from '../../chain/identity/read-genesis.ts'
import { findNodeTool, type NodeTool, toolGenesisRoot } from '../../chain/identity/run-tool.ts'
import { askAsService, askOptional } from '../../clients/ask-as-service.ts'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import type { EngineAndHead } from '../../clients/engine-and-head.ts'
import {
  type ExecutionBlock,
  getSyncing,
  isBehind,
  latestBlock,
  numberedBlock,
} from '../../clients/execution/blocks.ts'
import { getCode } from '../../clients/execution/call.ts'
import { getChainId } from '../../clients/execution/chain.ts'
import { type ExecutionClient, stillSyncs } from '../../clients/execution/client.ts'
import {
  getConfigSpec,
  getDepositContract,
  getFork,
  getForkSchedule,
  getGenesis,
} from '../../clients/node/chain.ts'
import type { NodeClient } from '../../clients/node/client.ts'
import { asker, type CommandContext, clientsOf } from '../../observe/context.ts'
import { createObserver, knownOf, type Picture, type Questions, replyIn } from '../../observe/observer.ts'
import { codeHash } from '../../pay/wallet/code-hash.ts'
import { type DepositClaim, GENESIS_FACTS, type GenesisAnswers, hasGenesisFile } from './facts.ts'
import type { GenesisEvent } from './machine.ts'

type LookAnswers = GenesisAnswers & { tooling: NodeTool }

/** Asks every source at once which chain it follows, except for the replies that `picture` holds already. */
export async function runGenesis(
  context: CommandContext<GenesisEvent>,
  picture: Picture<EngineAndHead> = {},
): Promise<void> {
  const questions = { ...fileQuestions(context), ...chainQuestions(context), ...claimQuestions(context) }
  await createObserver<LookAnswers, Picture<EngineAndHead>>(questions, context.effects).look(picture)
  await context.dispatch({ step: 'genesis', type: 'finished' })
}

type AskedOf<K extends keyof LookAnswers> = Pick<Questions<LookAnswers, Picture<EngineAndHead>>, K>

/** Which chain each endpoint is of. */
function chainQuestions(
  context: CommandContext<GenesisEvent>,
): AskedOf<'node' | 'execution' | 'second' | 'engine' | 'contract'> {
  const { setup, effects } = context
  const { execution, second, node, engine } = clientsOf(context)
  const { endpoints, network } = setup
  const tell = factAsker(context)
  const asService = <T>(service: Service, url: string | undefined, question: () => Promise<T>) =>
    askAsService({ effects, service, url: url ?? '' }, question)
  return {
    node: {
      ask: () =>
        tell('node', async () => {
          const genesis = await asService('node API', endpoints.node, () => getGenesis(node))
          return { root: genesis.genesisValidatorsRoot, forkVersion: genesis.genesisForkVersion }
        }),
    },
    execution: {
      ask: () =>
        tell('execution', () => asService('execution RPC', endpoints.execution, () => chainOf(execution))),
    },
    second: {
      ask: async () =>
        second &&
        tell('second', () => asService('execution RPC', endpoints.secondExecution, () => chainOf(second))),
    },
    engine: {
      ask: async (_, { status }) =>
        engine &&
        tell('engine', () =>
          asService('engine RPC', endpoints.engine, async () => {
            const { network } = replyIn(status) ?? (await getEngineStatus(engine))
            return { network }
          }),
        ),
    },
    contract: {
      ask: () =>
        tell('contract', async () => {
          const code = await getCode(execution, { address: network.spec.depositContract, block: 'latest' })
          // No code is no word on the contract while the client has not got to its state.
          const progress = code === '0x' ? await getSyncing(execution) : undefined
          if (isBehind(progress)) throw stillSyncs(execution, progress)
          return { codeHash: codeHash(code) }
        }),
    },
  }
}

/** What the node says of its deposit contract and of its forks. */
function claimQuestions(
  context: CommandContext<GenesisEvent>,
): AskedOf<'config' | 'fork' | 'deposits' | 'schedule'> {
  const { execution, node, offers } = clientsOf(context)
  const tell = factAsker(context)
  return {
    config: { ask: () => tell('config', () => configOf(node)) },
    fork: {
      ask: (_, { latest }) =>
        tell('fork', () => forkOf(node, async () => replyIn(latest) ?? latestBlock(execution))),
    },
    deposits: {
      ask: () =>
        tell('deposits', () => askOptional(offers.node, 'config/deposit_contract', () => depositsOf(node))),
    },
    schedule: {
      ask: () =>
        tell('schedule', () => askOptional(offers.node, 'config/fork_schedule', () => scheduleOf(node))),
    },
  }
}

const factAsker = (context: CommandContext<GenesisEvent>) =>
  asker<GenesisAnswers>(context, GENESIS_FACTS, (entry) =>
    context.dispatch({ step: 'genesis', type: 'observed', ...entry }),
  )

/** The genesis file of the home, or the one that was named in its place, by this program and by the node tool. */
function fileQuestions(
  context: CommandContext<GenesisEvent>,
): AskedOf<'tooling' | 'place' | 'file' | 'tool'> {
  const { setup, effects } = context
  const { network, homePath = '', genesisPath } = setup
  const tell = factAsker(context)
  let found: Promise<string> | undefined
  const place = () => {
    found ??= genesisPath === undefined ? genesisFileOf(effects, { homePath }) : Promise.resolve(genesisPath)
    return found
  }
  const due = () => hasGenesisFile(setup)
  return {
    tooling: { due, ask: () => findNodeTool(effects, network.names.nodeTool) },
    place: { due, ask: () => tell('place', async () => ({ path: await place() })) },
    file: {
      due,
      ask: () =>
        tell('file', async () => {
          const genesis = await readGenesisFile(effects, { path: await place(), limits: network.spec })
          const { root, genesisForkVersion: forkVersion, engineChainId, validators } = genesis
          return { root, forkVersion, validators, engineChainId }
        }),
    },
    tool: {
      needs: ['tooling'],
      async ask({ tooling }) {
        const tool = knownOf(tooling)
        if (tool === undefined) return undefined
        const ask = async () => ({ root: await toolGenesisRoot(tool, { genesisPath: await place() }) })
        return tell('tool', ask, tool.path)
      },
    },
  }
}

async function chainOf(client: ExecutionClient): Promise<GenesisAnswers['execution']> {
  const [chainId, first] = await Promise.all([getChainId(client), numberedBlock(client, 0n)])
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
  const contract = await getDepositContract(node)
  return contract === undefined ? undefined : { chainIds: [contract.chainId], contracts: [contract.address] }
}

/** A schedule without a line says as little as none. */
async function scheduleOf(node: NodeClient): Promise<ScheduledFork[] | undefined> {
  const forks = await getForkSchedule(node)
  if (forks === undefined || forks.length === 0) return undefined
  return forks.map(({ currentVersion, epoch }) => ({ version: currentVersion, epoch }))
}

/** On this network the number of a block is the slot of the state that it made. */
async function forkOf(
  node: NodeClient,
  latest: () => Promise<ExecutionBlock>,
): Promise<GenesisAnswers['fork']> {
  const [fork, block] = await Promise.all([getFork(node, { state: 'head' }), latest()])
  return { version: fork.currentVersion, slot: block.number, timestampSeconds: block.timestamp }
}
