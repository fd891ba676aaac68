import type { Hex } from '../../base/format/hex.ts'
import { keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import { readTypedKey } from '../../chain/identity/typed-key.ts'
import { askFinality, askHealth, askPeers } from '../../clients/ask-as-service.ts'
import type { EngineAndHead } from '../../clients/engine-and-head.ts'
import { numberedBlock } from '../../clients/execution/blocks.ts'
import { clientsOf, type StepContext } from '../../observe/context.ts'
import { createObserver, knownOf, type Picture, type Questions } from '../../observe/observer.ts'
import {
  adopt,
  askHistory,
  awaitCounting,
  type ChainAnswers,
  chainQuestions,
  identityAsker,
} from './chain-commands.ts'
import { type KeyAnswers, keyQuestions, tellEngine } from './key-commands.ts'
import { awaitsTypedKey } from './machine.ts'
import {
  type HealthAnswers,
  type IdentityAnswers,
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
  identityKey,
} from './state.ts'

type Here = StepContext<IdentityEvent, IdentityState>

/** Carries out one command of the identity step. */
export async function runIdentity(command: IdentityCommand, context: Here): Promise<void> {
  switch (command.type) {
    case 'open':
      return openJournal(context)
    case 'adopt':
      return adopt(context, command.text)
    case 'history':
      return askHistory(context)
    case 'ask':
      await ask(context)
      await context.dispatch({ step: 'identity', type: 'finished' })
      return awaitCounting(context)
  }
}

type LookAnswers = KeyAnswers & ChainAnswers & HealthAnswers

/** Asks all that the step shows, each answer told as it comes. */
async function ask(context: Here): Promise<void> {
  if (context.setup.homePath === undefined) {
    const read = readTypedKey(context.setup.validator?.pubkey ?? '')
    if ('key' in read) await context.dispatch({ step: 'identity', type: 'keyGiven', key: read.key })
  }
  await createObserver<LookAnswers, Picture<EngineAndHead>>(identityQuestions(context), context.effects).look(
    {},
  )
}

/**
 * The questions of the step. Without a home only the chain is asked of the key that was given, and the engine where there is
 * one. Of a key that was typed beside a home the engine is asked first: of one that the node does not run with nothing else is.
 */
function identityQuestions(context: Here): Questions<LookAnswers, Picture<EngineAndHead>> {
  const { setup, getState } = context
  const clients = clientsOf(context)
  const tell = identityAsker(context)
  const questions = keyQuestions({ context, tell })
  const isTyped = setup.homePath !== undefined && getState().typedKey !== undefined
  return {
    ...chainQuestions(context),
    health: { ask: () => tell('health', () => askHealth(clients)) },
    finality: {
      ask: () => tell('finality', () => askFinality(clients, setup.network.spec.slotsPerEpoch)),
    },
    peers: { ask: () => tell('peers', () => askPeers(clients)) },
    ...questions,
    engine: {
      after: ['key'],
      due: (picture) => clients.engine !== undefined && keyIn(picture, context) !== undefined,
      ask: () => askEngine(context),
    },
    about: {
      after: isTyped ? ['key', 'engine'] : ['key'],
      async ask(picture) {
        const key = keyIn(picture, context)
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
  const files = knownOf(home)
  return files !== undefined && keyIsElsewhere(files) ? typedKey : knownOf(key)
}

/** An engine that catches up is asked once more a slot later: right after a start it may just have caught up. */
async function askEngine(context: Here): Promise<IdentityAnswers['engine'] | undefined> {
  const { engine } = clientsOf(context)
  if (engine === undefined) return undefined
  const tell = identityAsker(context)
  const first = await tellEngine(engine, tell, { times: 'once' })
  if (first?.catchingUp !== 'once') return first
  await context.effects.clock.sleep(context.setup.network.slotMs, context.signal)
  return tellEngine(engine, tell, { times: 'twice' })
}

/** The journal of exactly this chain and key; from here on decisions can be recorded. */
async function openJournal(context: Here): Promise<void> {
  const key = identityKey(context.getState())
  if (key === undefined) return
  const { network } = context.setup
  const executionGenesisHash =
    context.setup.executionGenesisHash ?? (await numberedBlock(clientsOf(context).execution, 0n)).hash
  await context.openJournal({
    networkId: network.id,
    genesisValidatorsRoot: network.genesisValidatorsRoot,
    executionGenesisHash,
    pubkey: key.pubkey,
  })
}
