import { type Hex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import {
  FAR_FUTURE_EPOCH,
  type Validator,
  type ValidatorStatus,
  validatorStatus,
} from '../../chain/consensus/state.ts'
import { type KeyState, registeredRecord } from '../../chain/key-state/key-state.ts'
import { SLOTS_TO_STAND } from '../../chain/network/limits.ts'
import { besideOf } from '../../chain/network/standstill.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
import { getOperator } from '../../clients/execution/call.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { askExecutionHeads } from '../../clients/heads.ts'
import { readKeyHistory } from '../../clients/key-deposits.ts'
import { getNodeSyncing } from '../../clients/node/node.ts'
import { getValidators } from '../../clients/node/validators.ts'
import { createObserver, knownOf, type Picture, type Questions } from '../../observe/observer.ts'
import {
  asker,
  type Clients,
  type CommandContext,
  clientsOf,
  doubtOf,
  lookAtKey,
  type StepContext,
} from '../../observe/world.ts'
import { known } from '../../view/observation.ts'
import { adoptable, adoptionOf } from './adopt.ts'
import { IDENTITY_FACTS } from './facts.ts'
import { type IdentityAnswers, type IdentityEvent, type IdentityState, keyOf } from './state.ts'
import { isNewer, isUncounted } from './story.ts'

type Here = StepContext<IdentityEvent, IdentityState>

/** Compares what was typed with the record that all endpoints show, and records it. */
export async function adopt(world: Here, text: string): Promise<void> {
  const found = adoptable(world.getState(), world.setup)
  if (found === undefined) return
  const adoption = adoptionOf(text, found)
  await world.dispatch(
    'error' in adoption
      ? { step: 'identity', type: 'addressRefused', words: adoption.error }
      : { step: 'identity', type: 'adopted', ...adoption },
  )
}

/** How a key came to be registered: for words alone, so it is read only where somebody looks. */
export async function askHistory(world: Here): Promise<void> {
  const { adopted } = world.getState()
  const key = keyOf(world.getState())
  if (adopted === undefined || key === undefined) return
  await tellHistory(world, { pubkey: key.pubkey, operator: adopted.operator })
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
export function chainQuestions(world: Here): Omit<ChainQuestions, 'about'> {
  const { execution, second } = clientsOf(world)
  const { network } = world.setup
  const { depositContract } = network.spec
  const tell = factAsker(world)
  const pubkeyIn = ({ about }: Picture<ChainAnswers>): Hex => knownOf(about)?.pubkey ?? '0x'
  const operatorBy = (client: ExecutionClient, picture: Picture<ChainAnswers>) =>
    operatorAt(client, { depositContract, pubkey: pubkeyIn(picture) })
  return {
    node: { ask: () => tell('node', () => watchHead(world, clientsOf(world))) },
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
        tell('beacon', () => reportedRecord(world, pubkeyIn(picture), known(world.getState().seen.beacon))),
    },
    // What is reported is there at once; the proof needs the execution chain as well, and more time.
    beacon: {
      needs: ['reported'],
      async ask(picture) {
        const said = knownOf(picture.reported)
        return said && tell('beacon', () => provenRecord(world, pubkeyIn(picture), said))
      },
    },
    history: {
      needs: ['operator', 'beacon'],
      due: ({ operator, beacon }) =>
        knownOf(beacon)?.index === undefined && BigInt(knownOf(operator)?.operator ?? 0) !== 0n,
      ask: (picture) =>
        tellHistory(world, {
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
export async function awaitCounting(world: Here): Promise<void> {
  const { effects, setup, signal } = world
  const questions = chainQuestions(world)
  const observer = createObserver<ChainAnswers, void>(
    {
      ...questions,
      about: { after: ['node'], ask: async () => keyOf(world.getState()) },
      history: { ...questions.history, due: () => false },
    },
    effects,
  )
  while (isUncounted(world.getState()) || isNewer(world.getState())) {
    if (keyOf(world.getState()) === undefined) return
    await effects.clock.sleep(setup.network.slotMs, signal)
    await observer.look()
  }
}

function tellHistory(
  world: CommandContext<IdentityEvent>,
  { pubkey, operator }: { pubkey: Hex; operator: Hex },
): Promise<IdentityAnswers['history'] | undefined> {
  const { execution } = clientsOf(world)
  const { network } = world.setup
  return factAsker(world)('history', () => readKeyHistory(execution, { network, pubkey, operator }))
}

type Beacon = IdentityAnswers['beacon']

/**
 * The record of the key by the node's word; one that says what was proven before stays proven of that slot, until the next
 * proof. Throws a `ClientError`.
 */
async function reportedRecord(
  world: CommandContext<IdentityEvent>,
  pubkey: Hex,
  before: Beacon | undefined,
): Promise<Beacon> {
  const { node } = clientsOf(world)
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
 * what was reported. Throws a StateMismatchError.
 */
async function provenRecord(
  world: CommandContext<IdentityEvent>,
  pubkey: Hex,
  reported: Beacon,
): Promise<Beacon> {
  const key = await unlessSilent(lookAtKey(world, pubkey))
  if (key === undefined || !isProven(world, key)) return { ...reported, provenSlot: undefined }
  const held = registeredRecord(key)
  const provenSlot = key.slot
  if (held === undefined && reported.index === undefined) return { ...reported, provenSlot }
  if (held === undefined) return { ...reported, isNewer: true }
  const epoch = key.slot / world.setup.network.spec.slotsPerEpoch
  return { ...recordOf(held, validatorStatus(held.validator, epoch)), provenSlot }
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

function isProven(world: CommandContext<IdentityEvent>, key: KeyState): boolean {
  return !('unknown' in key.record) && doubtOf(world, key, key.record.level) === undefined
}

/** Tells the answers of the identity step, one question at a time, of whom the table names or of the one that is given. */
export const factAsker = (world: CommandContext<IdentityEvent>) =>
  asker<IdentityAnswers>(world, IDENTITY_FACTS, (entry) =>
    world.dispatch({ step: 'identity', type: 'observed', ...entry }),
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
  world: CommandContext<IdentityEvent>,
  clients: Clients,
): Promise<IdentityAnswers['node']> {
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
