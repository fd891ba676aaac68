import { keccak256 } from 'viem/utils'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { getChainId } from '../../clients/execution/get-chain-id.ts'
import { getCode } from '../../clients/execution/get-code.ts'
import { getGenesis } from '../../clients/node/get-genesis.ts'
import { genesisValidatorsRoot } from '../../deposit/genesis-root.ts'
import { ClientError } from '../../errors/client.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { genesisFileOf } from '../../identity/home.ts'
import { toolGenesisRoot } from '../../identity/node-tool.ts'
import { readGenesis } from '../../identity/read-genesis.ts'
import { clientsOf } from '../clients-of.ts'
import type { Observation } from '../observation.ts'
import { observe, type World } from '../world.ts'
import type { GenesisAnswers, GenesisEvent } from './machine.ts'

const MAX_GENESIS_BYTES = 512 * 1024 * 1024

/** Asks every source which chain it is on, all at once. */
export async function runGenesis(world: World<GenesisEvent>): Promise<void> {
  const { setup, effects } = world
  const { execution, second, node, engine } = clientsOf(world)
  const { endpoints, network } = setup
  const ask = asker(world)
  let found: Promise<string> | undefined
  const place = () => {
    found ??= genesisFileOf(effects, setup)
    return found
  }
  const tool = await effects.files.findProgram(network.names.nodeTool)
  await Promise.all([
    ask('place', setup.homePath, async () => ({ path: await place() })),
    ask('file', 'this computer', async () => {
      const bytes = await effects.files.read(await place(), { maxBytes: MAX_GENESIS_BYTES })
      const genesis = readGenesis(new TextDecoder().decode(bytes))
      const root = genesisValidatorsRoot(genesis.deposits, network.spec)
      const { genesisForkVersion: forkVersion, engineChainId } = genesis
      return { root, forkVersion, validators: genesis.deposits.length, engineChainId }
    }),
    ask('node', endpointName(endpoints.node), async () => {
      const genesis = await getGenesis(node)
      return { root: genesis.genesisValidatorsRoot, forkVersion: genesis.genesisForkVersion }
    }),
    ask('execution', endpointName(endpoints.execution), () => chainOf(execution)),
    second === undefined
      ? undefined
      : ask('second', endpointName(endpoints.secondExecution ?? ''), () => chainOf(second)),
    ask('engine', endpointName(endpoints.engine), async () => {
      const { network: name } = await getEngineStatus(engine)
      return { network: name }
    }),
    ask('contract', endpointName(endpoints.execution), async () => {
      const code = await getCode(execution, { address: network.spec.depositContract, block: 'latest' })
      return { codeHash: keccak256(code) }
    }),
    tool === undefined
      ? undefined
      : ask('tool', tool, async () => {
          const genesisPath = await place()
          return { root: await toolGenesisRoot(effects, { tool, genesisPath }) }
        }),
  ])
  await world.dispatch({ step: 'genesis', type: 'finished' })
}

async function chainOf(client: ExecutionClient): Promise<GenesisAnswers['execution']> {
  const [chainId, first] = await Promise.all([getChainId(client), getBlock(client, { block: 0n })])
  if (first === undefined) {
    throw new ClientError('not-found', { service: 'execution RPC', endpoint: client.label, what: 'block 0' })
  }
  return { chainId, genesisHash: first.hash }
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
