import { askExecutionHeads } from '../../clients/ask-execution-heads.ts'
import { askFinality, askHealth, askPeers } from '../../clients/ask-vitals.ts'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { getBlockNumber } from '../../clients/execution/get-block-number.ts'
import { getOperator } from '../../clients/execution/get-operator.ts'
import { getNodeSyncing } from '../../clients/node/get-node-syncing.ts'
import { getValidators } from '../../clients/node/get-validators.ts'
import { readKeyHistory } from '../../clients/read-key-history.ts'
import { FAR_FUTURE_EPOCH } from '../../consensus/state.ts'
import { ClientError } from '../../errors/client.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import type { Hex } from '../../format/hex.ts'
import { compressedKey } from '../../identity/engine-key.ts'
import { readHome } from '../../identity/home.ts'
import { keyIsElsewhere } from '../../identity/key-place.ts'
import { findNodeTool, type NodeTool } from '../../identity/run-tool.ts'
import { besideOf, SLOTS_TO_STAND } from '../../network/standstill.ts'
import { type Clients, clientsOf } from '../clients-of.ts'
import type { Observation } from '../observation.ts'
import { observe, type World } from '../world.ts'
import {
  awaitsTypedKey,
  type IdentityAnswers,
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
  keyOf,
} from './machine.ts'
import { askTool } from './tool-commands.ts'

/** Carries out one command of the identity step. */
export async function runIdentity(
  command: IdentityCommand,
  world: World<IdentityEvent>,
  getState: () => IdentityState,
): Promise<void> {
  if (command.type === 'open') return openJournal(world, getState)
  await ask(world, getState)
  await world.dispatch({ step: 'identity', type: 'finished' })
}

async function ask(world: World<IdentityEvent>, getState: () => IdentityState): Promise<void> {
  const clients = clientsOf(world)
  const { endpoints, network } = world.setup
  const tell = teller(world)
  const node = endpointName(endpoints.node)
  const tool = await findNodeTool(world.effects, network.names.nodeTool)
  await Promise.all([
    tell('node', node, () => watchHead(world, clients)),
    tell('health', node, () => askHealth(clients)),
    tell('finality', node, () => askFinality(clients, network.spec.slotsPerEpoch)),
    tell('peers', endpointName(endpoints.engine), () => askPeers(clients)),
    askKey(world, getState, tool),
  ])
}

async function askKey(
  world: World<IdentityEvent>,
  getState: () => IdentityState,
  tool: NodeTool | undefined,
): Promise<void> {
  const { setup, effects } = world
  const { network, homePath } = setup
  const tell = teller(world)
  const home = await tell('home', 'config.toml', async () => {
    const { keyFile, remoteSigner, findings } = await readHome(effects, { homePath, network })
    return { keyFile, remoteSigner, findings }
  })
  if (home === undefined) return
  if (keyIsElsewhere(home)) return askTypedKey(world, getState, tool)
  const { keyFile } = home
  const { keyTypePrefix } = network.names
  const [key] = await Promise.all([
    tell('key', 'this computer', () => effects.signer.inspect({ keyFile, keyTypePrefix })),
    tell('permissions', 'this computer', async () => {
      const facts = await effects.files.facts(keyFile)
      return { mode: facts?.mode ?? 0, ownedByUser: facts?.ownedByUser ?? false }
    }),
  ])
  if (key === undefined) return
  await Promise.all([
    askTool(tool, { home: homePath, keyIsHere: true }, tell),
    askEngine(world),
    askPast(world, key.pubkey),
  ])
}

/** The engine first: of a typed key that the node does not run with nothing else is asked. */
async function askTypedKey(
  world: World<IdentityEvent>,
  getState: () => IdentityState,
  tool: NodeTool | undefined,
): Promise<void> {
  if (getState().typedKey === undefined) return
  await askEngine(world)
  const key = keyOf(getState())
  if (key === undefined || awaitsTypedKey(getState())) return
  const home = world.setup.homePath
  await Promise.all([askTool(tool, { home, keyIsHere: false }, teller(world)), askPast(world, key.pubkey)])
}

/** An engine that catches up is asked once more a slot later: right after a start it may just have caught up. */
async function askEngine(world: World<IdentityEvent>): Promise<void> {
  const { engine } = clientsOf(world)
  const look = (times: 'once' | 'twice') =>
    teller(world)('engine', endpointName(world.setup.endpoints.engine), async () => {
      const { publicKey, catchingUp } = await getEngineStatus(engine)
      return { pubkey: compressedKey(publicKey.value), catchingUp: catchingUp && times }
    })
  const first = await look('once')
  if (first?.catchingUp !== 'once') return
  await world.effects.clock.sleep(world.setup.network.slotMs, world.signal)
  await look('twice')
}

/** What the chain knows of the key, and where that needs it, how it came to be. */
async function askPast(world: World<IdentityEvent>, pubkey: Hex): Promise<void> {
  const { execution } = clientsOf(world)
  const { endpoints, network } = world.setup
  const found = await askChain(world, pubkey)
  if (found === undefined) return
  await teller(world)('history', endpointName(endpoints.execution), () =>
    readKeyHistory(execution, { network, pubkey, operator: found.operator }),
  )
}

/** Asks all that know the key; resolves to its operator where the contract has one and the chain no validator. */
async function askChain(world: World<IdentityEvent>, pubkey: Hex): Promise<{ operator: Hex } | undefined> {
  const { execution, second, node } = clientsOf(world)
  const { endpoints, network } = world.setup
  const { depositContract } = network.spec
  const tell = teller(world)
  const [operator, , beacon] = await Promise.all([
    tell('operator', endpointName(endpoints.execution), () =>
      operatorAt(execution, { depositContract, pubkey }),
    ),
    second === undefined
      ? undefined
      : tell('secondOperator', endpointName(endpoints.secondExecution ?? ''), () =>
          operatorAt(second, { depositContract, pubkey }),
        ),
    tell('beacon', endpointName(endpoints.node), async () => {
      const [record] = await getValidators(node, { state: 'head', ids: [pubkey] })
      return {
        index: record?.index,
        withdrawalCredentials: record?.validator.withdrawalCredentials,
        status: record?.status,
        exiting: record !== undefined && record.validator.exitEpoch !== FAR_FUTURE_EPOCH,
      }
    }),
  ])
  const unknownToChain = beacon !== undefined && beacon.index === undefined
  return unknownToChain && operator !== undefined && BigInt(operator.operator) !== 0n ? operator : undefined
}

function teller(world: World<IdentityEvent>) {
  return <K extends keyof IdentityAnswers>(
    key: K,
    source: string,
    question: () => Promise<IdentityAnswers[K]>,
  ) =>
    observe(world, source, question, (seen: Observation<IdentityAnswers[K]>) =>
      world.dispatch({ step: 'identity', type: 'observed', key, seen } as IdentityEvent),
    )
}

async function operatorAt(
  client: ExecutionClient,
  args: { depositContract: Hex; pubkey: Hex },
): Promise<IdentityAnswers['operator']> {
  const blockNumber = await getBlockNumber(client)
  return { operator: await getOperator(client, { ...args, block: blockNumber }), blockNumber }
}

/** Waits for a new head: the one sign of life that a stopped chain cannot give (facts, "Nothing it says…"). */
async function watchHead(world: World<IdentityEvent>, clients: Clients): Promise<IdentityAnswers['node']> {
  const { node, execution } = clients
  const { clock } = world.effects
  const { slotMs } = world.setup.network
  const begunMs = clock.monotonicMs()
  const [first, before] = await Promise.all([getNodeSyncing(node), askExecutionHeads(clients)])
  for (;;) {
    const now = await getNodeSyncing(node)
    const advanced = now.headSlot > first.headSlot
    const waitedMs = clock.monotonicMs() - begunMs
    if (advanced || waitedMs > SLOTS_TO_STAND * slotMs) {
      const executionBlock = await getBlockNumber(execution)
      const heads = advanced ? [] : await askExecutionHeads(clients)
      return {
        syncing: now.isSyncing,
        headSlot: now.headSlot,
        executionBlock,
        beside: besideOf(now.headSlot, { before, now: heads }),
        advanced,
        secondsToAdvance: Math.round(waitedMs / 1000),
      }
    }
    await clock.sleep(slotMs / 2)
  }
}

/** The journal of exactly this chain and key; from here on decisions can be recorded. */
async function openJournal(world: World<IdentityEvent>, getState: () => IdentityState): Promise<void> {
  const key = keyOf(getState())
  if (key === undefined) return
  const { network } = world.setup
  const executionGenesisHash = world.setup.executionGenesisHash ?? (await firstBlock(world))
  await world.openJournal({
    networkId: network.id,
    genesisValidatorsRoot: network.genesisValidatorsRoot,
    executionGenesisHash,
    pubkey: key.pubkey,
  })
}

async function firstBlock(world: World<IdentityEvent>): Promise<Hex> {
  const { execution } = clientsOf(world)
  const first = await getBlock(execution, { block: 0n })
  if (first !== undefined) return first.hash
  throw new ClientError('not-found', {
    service: 'execution RPC',
    endpoint: execution.label,
    what: 'block 0',
  })
}
