import { askFinality, askHealth, askPeers } from '../../clients/ask-vitals.ts'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { ClientError } from '../../errors/client.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import type { Hex } from '../../format/hex.ts'
import { compressedKey } from '../../identity/engine-key.ts'
import { readHome } from '../../identity/home.ts'
import { keyIsElsewhere } from '../../identity/key-place.ts'
import { findNodeTool, type NodeTool } from '../../identity/run-tool.ts'
import { readTypedKey } from '../../identity/typed-key.ts'
import { clientsOf } from '../clients-of.ts'
import type { World } from '../world.ts'
import { adopt, askHistory, askPast, awaitCounting, teller, watchHead } from './chain-commands.ts'
import { awaitsTypedKey } from './machine.ts'
import { type IdentityCommand, type IdentityEvent, type IdentityState, keyOf } from './state.ts'
import { askTool } from './tool-commands.ts'

/** Carries out one command of the identity step. */
export async function runIdentity(
  command: IdentityCommand,
  world: World<IdentityEvent>,
  getState: () => IdentityState,
): Promise<void> {
  switch (command.type) {
    case 'open':
      return openJournal(world, getState)
    case 'adopt':
      return adopt(world, getState, command.text)
    case 'history':
      return askHistory(world, getState)
    case 'ask':
      await ask(world, getState)
      await world.dispatch({ step: 'identity', type: 'finished' })
      return awaitCounting(world, getState)
  }
}

async function ask(world: World<IdentityEvent>, getState: () => IdentityState): Promise<void> {
  const clients = clientsOf(world)
  const { endpoints, network } = world.setup
  const tell = teller(world)
  const node = endpointName(endpoints.node)
  await Promise.all([
    tell('node', node, () => watchHead(world, clients)),
    tell('health', node, () => askHealth(clients)),
    tell('finality', node, () => askFinality(clients, network.spec.slotsPerEpoch)),
    tell('peers', endpointName(endpoints.engine ?? endpoints.node), () => askPeers(clients)),
    askKey(world, getState),
  ])
}

async function askKey(world: World<IdentityEvent>, getState: () => IdentityState): Promise<void> {
  const { homePath } = world.setup
  return homePath === undefined ? askGivenKey(world, getState) : askHome(world, getState, homePath)
}

/** The key of a registered validator, given without a home: only the chain is asked, and the engine where there is one. */
async function askGivenKey(world: World<IdentityEvent>, getState: () => IdentityState): Promise<void> {
  const read = readTypedKey(world.setup.validator?.pubkey ?? '')
  if ('error' in read) return
  await world.dispatch({ step: 'identity', type: 'keyGiven', key: read.key })
  await Promise.all([askEngine(world), askPast(world, getState, read.key.pubkey)])
}

async function askHome(
  world: World<IdentityEvent>,
  getState: () => IdentityState,
  homePath: string,
): Promise<void> {
  const { setup, effects } = world
  const { network } = setup
  const tell = teller(world)
  const tool = await findNodeTool(effects, network.names.nodeTool)
  const home = await tell('home', 'config.toml', async () => {
    const { keyFile, remoteSigner, findings } = await readHome(effects, { homePath, network })
    return { keyFile, remoteSigner, findings }
  })
  if (home === undefined) return
  if (keyIsElsewhere(home)) return askTypedKey(world, getState, { tool, home: homePath })
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
    askPast(world, getState, key.pubkey),
  ])
}

/** The engine first: of a typed key that the node does not run with nothing else is asked. */
async function askTypedKey(
  world: World<IdentityEvent>,
  getState: () => IdentityState,
  { tool, home }: { tool: NodeTool | undefined; home: string },
): Promise<void> {
  if (getState().typedKey === undefined) return
  await askEngine(world)
  const key = keyOf(getState())
  if (key === undefined || awaitsTypedKey(getState())) return
  await Promise.all([
    askTool(tool, { home, keyIsHere: false }, teller(world)),
    askPast(world, getState, key.pubkey),
  ])
}

/** An engine that catches up is asked once more a slot later: right after a start it may just have caught up. */
async function askEngine(world: World<IdentityEvent>): Promise<void> {
  const { engine } = clientsOf(world)
  if (engine === undefined) return
  const look = (times: 'once' | 'twice') =>
    teller(world)('engine', endpointName(world.setup.endpoints.engine ?? ''), async () => {
      const { publicKey, catchingUp } = await getEngineStatus(engine)
      return { pubkey: compressedKey(publicKey.value), catchingUp: catchingUp && times }
    })
  const first = await look('once')
  if (first?.catchingUp !== 'once') return
  await world.effects.clock.sleep(world.setup.network.slotMs, world.signal)
  await look('twice')
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
