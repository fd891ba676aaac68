import { askFinality, askHealth, askPeers } from '../../clients/ask-as-service.ts'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import { getToolStatus } from '../../clients/engine/tool-status.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { ClientError } from '../../errors/client.ts'
import type { Hex } from '../../format/hex.ts'
import { compressedKey, keyOfEngine } from '../../identity/engine-key.ts'
import { readHome } from '../../identity/home.ts'
import { keyIsElsewhere } from '../../identity/home-findings.ts'
import { findNodeTool, type NodeTool, toolValidatorKeys } from '../../identity/run-tool.ts'
import { readTypedKey } from '../../identity/typed-key.ts'
import { clientsOf, type StepWorld, type World } from '../world.ts'
import { adopt, askHistory, askPast, awaitCounting, factAsker, watchHead } from './chain-commands.ts'
import { awaitsTypedKey } from './machine.ts'
import {
  type IdentityAnswers,
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
  keyOf,
} from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

type Here = StepWorld<IdentityEvent, IdentityState>

/** Carries out one command of the identity step. */
export async function runIdentity(command: IdentityCommand, world: Here): Promise<void> {
  switch (command.type) {
    case 'open':
      return openJournal(world)
    case 'adopt':
      return adopt(world, command.text)
    case 'history':
      return askHistory(world)
    case 'ask':
      await ask(world)
      await world.dispatch({ step: 'identity', type: 'finished' })
      return awaitCounting(world)
  }
}

async function ask(world: Here): Promise<void> {
  const clients = clientsOf(world)
  const tell = factAsker(world)
  await Promise.all([
    tell('node', () => watchHead(world, clients)),
    tell('health', () => askHealth(clients)),
    tell('finality', () => askFinality(clients, world.setup.network.spec.slotsPerEpoch)),
    tell('peers', () => askPeers(clients)),
    askKey(world),
  ])
}

async function askKey(world: Here): Promise<void> {
  const { homePath } = world.setup
  return homePath === undefined ? askGivenKey(world) : askHome(world, homePath)
}

/** The key of a registered validator, given without a home: only the chain is asked, and the engine where there is one. */
async function askGivenKey(world: Here): Promise<void> {
  const read = readTypedKey(world.setup.validator?.pubkey ?? '')
  if ('error' in read) return
  await world.dispatch({ step: 'identity', type: 'keyGiven', key: read.key })
  await Promise.all([askEngine(world), askPast(world, read.key.pubkey)])
}

async function askHome(world: Here, homePath: string): Promise<void> {
  const { setup, effects } = world
  const { network } = setup
  const tell = factAsker(world)
  const tool = await findNodeTool(effects, network.names.nodeTool)
  const home = await tell('home', async () => {
    const { keyFile, remoteSigner, findings } = await readHome(effects, { homePath, network })
    return { keyFile, remoteSigner, findings }
  })
  if (home === undefined) return
  if (keyIsElsewhere(home)) return askTypedKey(world, { tool, home: homePath })
  const { keyFile } = home
  const { keyTypePrefix } = network.names
  const [key] = await Promise.all([
    tell('key', () => effects.signer.inspect({ keyFile, keyTypePrefix })),
    tell('permissions', async () => {
      const facts = await effects.files.facts(keyFile)
      return { mode: facts === undefined ? 0 : facts.mode, ownedByUser: facts?.ownedByUser ?? false }
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
  world: Here,
  { tool, home }: { tool: NodeTool | undefined; home: string },
): Promise<void> {
  if (world.getState().typedKey === undefined) return
  await askEngine(world)
  const key = keyOf(world.getState())
  if (key === undefined || awaitsTypedKey(world.getState())) return
  await Promise.all([askTool(tool, { home, keyIsHere: false }, factAsker(world)), askPast(world, key.pubkey)])
}

/** An engine that catches up is asked once more a slot later: right after a start it may just have caught up. */
async function askEngine(world: World<IdentityEvent>): Promise<void> {
  const { engine } = clientsOf(world)
  if (engine === undefined) return
  const look = (times: 'once' | 'twice') =>
    factAsker(world)('engine', async () => {
      const { publicKey, catchingUp } = await getEngineStatus(engine)
      return { pubkey: keyOfEngine(publicKey.value, engine), catchingUp: catchingUp && times }
    })
  const first = await look('once')
  if (first?.catchingUp !== 'once') return
  await world.effects.clock.sleep(world.setup.network.slotMs, world.signal)
  await look('twice')
}

/** The journal of exactly this chain and key; from here on decisions can be recorded. */
async function openJournal(world: Here): Promise<void> {
  const key = keyOf(world.getState())
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
    what: IDENTITY_TEXT.firstBlock,
  })
}

type Ask = <K extends keyof IdentityAnswers>(
  key: K,
  question: () => Promise<IdentityAnswers[K]>,
  source: string,
) => Promise<unknown>

/** Asks the node tool what it sees in a home; of a key that is not there it is not asked. */
export async function askTool(
  tool: NodeTool | undefined,
  { home, keyIsHere }: { home: string; keyIsHere: boolean },
  ask: Ask,
): Promise<void> {
  if (tool === undefined) return
  await Promise.all([
    keyIsHere ? ask('toolKeys', () => toolValidatorKeys(tool, { home }), tool.path) : undefined,
    ask('toolStatus', () => statusOf(tool, home), tool.path),
  ])
}

/** Reads the status that the node tool prints. Throws a `ToolError`, or what running it throws. */
async function statusOf(tool: NodeTool, home: string): Promise<IdentityAnswers['toolStatus']> {
  const { network, latestHeight, catchingUp, publicKey } = await getToolStatus(tool, { home })
  return { network, height: latestHeight, catchingUp, pubkey: compressedKey(publicKey.value) }
}
