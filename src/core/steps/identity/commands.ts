import { type Hex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import {
  FAR_FUTURE_EPOCH,
  type Validator,
  type ValidatorStatus,
  validatorStatus,
} from '../../chain/consensus/state.ts'
import { keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import { readTypedKey } from '../../chain/identity/typed-key.ts'
import { registeredRecord, signedBlockOf } from '../../chain/key-state/key-state.ts'
import { SLOTS_TO_STAND } from '../../chain/network/network.ts'
import { executionBeside } from '../../chain/network/standstill.ts'
import { askFinality, askHealth, askPeers, unlessSilent } from '../../clients/ask-as-service.ts'
import type { EngineAndHead } from '../../clients/engine-and-head.ts'
import { getBlockNumber, numberedBlock } from '../../clients/execution/blocks.ts'
import { getOperator } from '../../clients/execution/call.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { askExecutionHeads } from '../../clients/heads.ts'
import { readKeyHistory } from '../../clients/key-deposits.ts'
import { getNodeSyncing } from '../../clients/node/node.ts'
import { getValidators } from '../../clients/node/validators.ts'
import {
  asker,
  askKey,
  type Clients,
  type CommandContext,
  clientsOf,
  proofDoubt,
  type StepContext,
} from '../../observe/context.ts'
import { createObserver, knownOf, type Picture, type Questions } from '../../observe/observer.ts'
import { known } from '../../view/observation.ts'
import { adoptable, adoptionOf } from './adopt.ts'
import { IDENTITY_FACTS } from './facts.ts'
import { type KeyAnswers, keyQuestions, tellEngine } from './key-commands.ts'
import { awaitsTypedKey } from './machine.ts'
import {
  type HealthAnswers,
  type IdentityAnswers,
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
  identityKey,
  isNewer,
  isUncounted,
} from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

type Here = StepContext<IdentityEvent, IdentityState>

/** Compares the typed address with the record that all endpoints report, and records the adoption; no address is lost in silence. */
async function adopt(context: Here, text: string): Promise<void> {
  const found = adoptable(context.getState(), context.setup)
  const adoption = found === undefined ? { error: IDENTITY_TEXT.errors.notCompared } : adoptionOf(text, found)
  await context.dispatch(
    'error' in adoption
      ? { step: 'identity', type: 'addressRefused', words: adoption.error }
      : { step: 'identity', type: 'adopted', ...adoption },
  )
}

/** Reads how a key came to be registered; only words need it, so it is read on request. */
async function askHistory(context: Here): Promise<void> {
  const { adopted } = context.getState()
  const key = identityKey(context.getState())
  if (adopted === undefined || key === undefined) return
  await tellHistory(context, { pubkey: key.pubkey, operator: adopted.operator })
}

/** What all that know of the key say of it; `reported` is what the node says, before it is proven. */
export type ChainAnswers = Pick<
  IdentityAnswers,
  'node' | 'operator' | 'secondOperator' | 'beacon' | 'history'
> & { about: { pubkey: Hex }; reported: Beacon }

type ChainQuestions = Questions<ChainAnswers, unknown>

/**
 * The questions about the key that `about` settles on. How it came to be is read where the contract has an operator for it and
 * the chain no validator, and after the record: a deposit that comes in between is seen then.
 */
export function chainQuestions(context: Here): Omit<ChainQuestions, 'about'> {
  const { execution, second } = clientsOf(context)
  const { network } = context.setup
  const { depositContract } = network.spec
  const tell = identityAsker(context)
  const pubkeyIn = ({ about }: Picture<ChainAnswers>): Hex => knownOf(about)?.pubkey ?? '0x'
  const operatorBy = (client: ExecutionClient, picture: Picture<ChainAnswers>) =>
    operatorAt(client, { depositContract, pubkey: pubkeyIn(picture) })
  return {
    node: { ask: () => tell('node', () => watchHead(context, clientsOf(context))) },
    operator: {
      needs: ['about'],
      ask: (picture) => tell('operator', () => operatorBy(execution, picture)),
    },
    secondOperator: {
      needs: ['about'],
      ask: async (picture) => second && tell('secondOperator', () => operatorBy(second, picture)),
    },
    reported: {
      needs: ['about'],
      ask: (picture) =>
        tell('beacon', () =>
          reportedRecord(context, pubkeyIn(picture), known(context.getState().observed.beacon)),
        ),
    },
    // What is reported is there at once; the proof needs the execution chain as well, and more time.
    beacon: {
      needs: ['reported'],
      async ask(picture) {
        const reported = knownOf(picture.reported)
        return reported && tell('beacon', () => provenRecord(context, pubkeyIn(picture), reported))
      },
    },
    history: {
      needs: ['operator', 'beacon'],
      due: ({ operator, beacon }) =>
        knownOf(beacon)?.index === undefined && BigInt(knownOf(operator)?.operator ?? 0) !== 0n,
      ask: (picture) =>
        tellHistory(context, {
          pubkey: pubkeyIn(picture),
          operator: knownOf(picture.operator)?.operator ?? ZERO_ADDRESS,
        }),
    },
  }
}

/**
 * A deposit that is in a block is counted within a few slots, and a record that was just made is proven a slot later:
 * until then the state is asked again with each of them, behind a new head. The logs are not read again: what they told
 * decides together with the slot of the state.
 */
async function awaitCounting(context: Here): Promise<void> {
  const { effects, setup, signal } = context
  const questions = chainQuestions(context)
  const observer = createObserver<ChainAnswers, void>(
    {
      ...questions,
      about: { after: ['node'], ask: async () => identityKey(context.getState()) },
      history: { ...questions.history, due: () => false },
    },
    effects,
  )
  while (isUncounted(context.getState()) || isNewer(context.getState())) {
    if (identityKey(context.getState()) === undefined) return
    await effects.clock.sleep(setup.network.slotMs, signal)
    await observer.look()
  }
}

function tellHistory(
  context: CommandContext<IdentityEvent>,
  { pubkey, operator }: { pubkey: Hex; operator: Hex },
): Promise<IdentityAnswers['history'] | undefined> {
  const { execution } = clientsOf(context)
  const { network } = context.setup
  return identityAsker(context)('history', () => readKeyHistory(execution, { network, pubkey, operator }))
}

type Beacon = IdentityAnswers['beacon']

/**
 * The record of the key by the node's word; one that says what was proven before stays proven of that slot, until the next
 * proof. Throws a `ClientError`.
 */
async function reportedRecord(
  context: CommandContext<IdentityEvent>,
  pubkey: Hex,
  before: Beacon | undefined,
): Promise<Beacon> {
  const { node } = clientsOf(context)
  const [record] = await getValidators(node, { state: 'head', ids: [pubkey] })
  const held = record === undefined ? NO_RECORD : recordOf(record, record.status)
  const isAsBefore = before !== undefined && sameRecord(held, before)
  return { ...held, provenSlot: isAsBefore ? before.provenSlot : undefined }
}

function sameRecord(a: Omit<Beacon, 'provenSlot'>, b: Beacon): boolean {
  const sameCredentials = a.withdrawalCredentials === b.withdrawalCredentials
  return a.index === b.index && sameCredentials && a.status === b.status && a.exiting === b.exiting
}

/**
 * The record as it is proven, where that says the same or more than what was reported, which may be of a slot later; else
 * what was reported. Throws `proofs.state-mismatch`.
 */
async function provenRecord(
  context: CommandContext<IdentityEvent>,
  pubkey: Hex,
  reported: Beacon,
): Promise<Beacon> {
  const key = await unlessSilent(askKey(context, pubkey))
  const unproven =
    key && ('unknown' in key.record ? key.record.unknown : proofDoubt(context, key, key.record.level))
  if (key === undefined || unproven !== undefined) return { ...reported, provenSlot: undefined, unproven }
  const held = registeredRecord(key)
  const blockNumber = signedBlockOf(key)
  const signedOperator = 'unknown' in key.operator ? undefined : key.operator.value
  const proven = {
    provenSlot: key.slot,
    ...(blockNumber === undefined || signedOperator === undefined
      ? {}
      : { signedOperator: { operator: signedOperator, blockNumber } }),
  }
  if (held === undefined && reported.index === undefined) return { ...reported, ...proven }
  if (held === undefined) return { ...reported, isNewer: true }
  const epoch = key.slot / context.setup.network.spec.slotsPerEpoch
  return { ...recordOf(held, validatorStatus(held.validator, epoch)), ...proven }
}

const NO_RECORD = {
  index: undefined,
  withdrawalCredentials: undefined,
  status: undefined,
  exiting: false,
}

function recordOf({ index, validator }: { index: number; validator: Validator }, status: ValidatorStatus) {
  const { withdrawalCredentials, exitEpoch } = validator
  return { index, withdrawalCredentials, status, exiting: exitEpoch !== FAR_FUTURE_EPOCH }
}

/** Returns what queries one fact of the identity step and dispatches the result. */
const identityAsker = (context: CommandContext<IdentityEvent>) =>
  asker<IdentityAnswers>(context, IDENTITY_FACTS, (entry) =>
    context.dispatch({ step: 'identity', type: 'observed', ...entry }),
  )

async function operatorAt(
  client: ExecutionClient,
  args: { depositContract: Hex; pubkey: Hex },
): Promise<IdentityAnswers['operator']> {
  const blockNumber = await getBlockNumber(client)
  return { operator: await getOperator(client, { ...args, block: blockNumber }), blockNumber }
}

/** Waits for a new head: the one sign of life that a stopped chain cannot give. */
async function watchHead(
  context: CommandContext<IdentityEvent>,
  clients: Clients,
): Promise<IdentityAnswers['node']> {
  const { node, execution } = clients
  const { clock } = context.effects
  const { slotMs } = context.setup.network
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
        beside: executionBeside(now.headSlot, { before, now: heads }),
        advanced,
        secondsToAdvance: Math.round(waitedMs / 1000),
      }
    }
    await clock.sleep(slotMs / 2)
  }
}

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
