import { ClientError } from '../../base/errors/client.ts'
import type { Hex } from '../../base/format/hex.ts'
import { keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import { readTypedKey } from '../../chain/identity/typed-key.ts'
import { askFinality, askHealth, askPeers } from '../../clients/ask-as-service.ts'
import type { EngineAndHead } from '../../clients/engine-and-head.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { createObserver, knownOf, type Picture, type Questions } from '../../observe/observer.ts'
import { type CommandContext, clientsOf, type StepContext } from '../../observe/world.ts'
import {
  adopt,
  askHistory,
  awaitCounting,
  type ChainAnswers,
  chainQuestions,
  factAsker,
} from './chain-commands.ts'
import { type KeyAnswers, keyQuestions, tellEngine } from './key-commands.ts'
import { awaitsTypedKey } from './machine.ts'
import {
  type HealthAnswers,
  type IdentityAnswers,
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
  keyOf,
} from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

type Here = StepContext<IdentityEvent, IdentityState>

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

type LookAnswers = KeyAnswers & ChainAnswers & HealthAnswers

/** Asks all that the step shows, each answer told as it comes. */
async function ask(world: Here): Promise<void> {
  if (world.setup.homePath === undefined) {
    const read = readTypedKey(world.setup.validator?.pubkey ?? '')
    if ('key' in read) await world.dispatch({ step: 'identity', type: 'keyGiven', key: read.key })
  }
  await createObserver<LookAnswers, Picture<EngineAndHead>>(identityQuestions(world), world.effects).look({})
}

/**
 * The questions of the step. Without a home only the chain is asked of the key that was given, and the engine where there is
 * one. Of a key that was typed beside a home the engine is asked first: of one that the node does not run with nothing else is.
 */
function identityQuestions(world: Here): Questions<LookAnswers, Picture<EngineAndHead>> {
  const { setup, getState } = world
  const clients = clientsOf(world)
  const tell = factAsker(world)
  const questions = keyQuestions({ world, tell })
  const isTyped = setup.homePath !== undefined && getState().typedKey !== undefined
  return {
    ...chainQuestions(world),
    health: { ask: () => tell('health', () => askHealth(clients)) },
    finality: {
      ask: () => tell('finality', () => askFinality(clients, setup.network.spec.slotsPerEpoch)),
    },
    peers: { ask: () => tell('peers', () => askPeers(clients)) },
    ...questions,
    engine: {
      after: ['key'],
      due: (picture) => clients.engine !== undefined && keyIn(picture, world) !== undefined,
      ask: () => askEngine(world),
    },
    about: {
      after: isTyped ? ['key', 'engine'] : ['key'],
      async ask(picture) {
        const key = keyIn(picture, world)
        return isTyped && awaitsTypedKey(getState()) ? undefined : key
      },
    },
    toolKeys: { ...questions.toolKeys, needs: ['tool', 'home', 'about'] },
    toolStatus: { ...questions.toolStatus, needs: ['tool', 'about'] },
  }
}

/** The key that this look is about, by what the home says in it. */
function keyIn({ home, key }: Picture<LookAnswers>, { setup, getState }: Here): { pubkey: Hex } | undefined {
  const { typedKey } = getState()
  if (setup.homePath === undefined) return typedKey
  const seen = knownOf(home)
  return seen !== undefined && keyIsElsewhere(seen) ? typedKey : knownOf(key)
}

/** An engine that catches up is asked once more a slot later: right after a start it may just have caught up. */
async function askEngine(world: Here): Promise<IdentityAnswers['engine'] | undefined> {
  const { engine } = clientsOf(world)
  if (engine === undefined) return undefined
  const tell = factAsker(world)
  const first = await tellEngine(engine, tell, { times: 'once' })
  if (first?.catchingUp !== 'once') return first
  await world.effects.clock.sleep(world.setup.network.slotMs, world.signal)
  return tellEngine(engine, tell, { times: 'twice' })
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

async function firstBlock(world: CommandContext<IdentityEvent>): Promise<Hex> {
  const { execution } = clientsOf(world)
  const first = await getBlock(execution, { block: 0n })
  if (first !== undefined) return first.hash
  throw new ClientError('not-found', {
    service: 'execution RPC',
    endpoint: execution.label,
    what: IDENTITY_TEXT.firstBlock,
  })
}
