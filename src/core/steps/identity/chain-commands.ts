import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
import { getOperator } from '../../clients/execution/call.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { askExecutionHeads } from '../../clients/heads.ts'
import { readKeyHistory } from '../../clients/key-deposits.ts'
import { getNodeSyncing } from '../../clients/node/node.ts'
import { getValidators } from '../../clients/node/validators.ts'
import {
  FAR_FUTURE_EPOCH,
  type Validator,
  type ValidatorStatus,
  validatorStatus,
} from '../../consensus/state.ts'
import type { Hex } from '../../format/hex.ts'
import { type KeyState, registeredRecord } from '../../key-state/key-state.ts'
import { SLOTS_TO_STAND } from '../../network/limits.ts'
import { besideOf } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import { asker, type Clients, clientsOf, doubtOf, lookAtKey, type StepWorld, type World } from '../world.ts'
import { adoptable, adoptionOf } from './adopt.ts'
import { IDENTITY_FACTS } from './facts.ts'
import { type IdentityAnswers, type IdentityEvent, type IdentityState, keyOf } from './state.ts'
import { isNewer, isUncounted } from './story.ts'

type Here = StepWorld<IdentityEvent, IdentityState>

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

/**
 * A deposit that is in a block is counted within a few slots, and a record that was just made is proven a slot later:
 * until then the state is asked again with each of them. The logs are not read again: what they told decides together with
 * the slot of the state.
 */
export async function awaitCounting(world: Here): Promise<void> {
  const { effects, setup, signal } = world
  while (isUncounted(world.getState()) || isNewer(world.getState())) {
    const key = keyOf(world.getState())
    if (key === undefined) return
    await effects.clock.sleep(setup.network.slotMs, signal)
    await factAsker(world)('node', () => watchHead(world, clientsOf(world)))
    await askChain(world, key.pubkey)
  }
}

/** What the chain knows of the key, and where that needs it, how it came to be. */
export async function askPast(world: Here, pubkey: Hex): Promise<void> {
  const found = await askChain(world, pubkey)
  if (found !== undefined) await tellHistory(world, { pubkey, ...found })
}

async function tellHistory(
  world: World<IdentityEvent>,
  { pubkey, operator }: { pubkey: Hex; operator: Hex },
): Promise<void> {
  const { execution } = clientsOf(world)
  const { network } = world.setup
  await factAsker(world)('history', () => readKeyHistory(execution, { network, pubkey, operator }))
}

/** Asks all that know the key; resolves to its operator where the contract has one and the chain no validator. */
async function askChain(world: Here, pubkey: Hex): Promise<{ operator: Hex } | undefined> {
  const { execution, second } = clientsOf(world)
  const { depositContract } = world.setup.network.spec
  const tell = factAsker(world)
  const [operator, , reported] = await Promise.all([
    tell('operator', () => operatorAt(execution, { depositContract, pubkey })),
    second && tell('secondOperator', () => operatorAt(second, { depositContract, pubkey })),
    tell('beacon', () => reportedRecord(world, pubkey, known(world.getState().seen.beacon))),
  ])
  // What is reported is there at once; the proof needs the execution chain as well, and more time.
  const beacon = reported && (await tell('beacon', () => provenRecord(world, pubkey, reported)))
  const unknownToChain = beacon !== undefined && beacon.index === undefined
  return unknownToChain && operator !== undefined && BigInt(operator.operator) !== 0n ? operator : undefined
}

type Beacon = IdentityAnswers['beacon']

/**
 * The record of the key by the node's word; one that says what was proven before stays proven of that slot, until the next
 * proof. Throws a `ClientError`.
 */
async function reportedRecord(
  world: World<IdentityEvent>,
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
async function provenRecord(world: World<IdentityEvent>, pubkey: Hex, reported: Beacon): Promise<Beacon> {
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

function isProven(world: World<IdentityEvent>, key: KeyState): boolean {
  return !('unknown' in key.record) && doubtOf(world, key, key.record.level) === undefined
}

/** Tells the answers of the identity step, one question at a time, of whom the table names or of the one that is given. */
export const factAsker = (world: World<IdentityEvent>) =>
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

/** Waits for a new head: the one sign of life that a stopped chain cannot give (facts, "Nothing it says…"). */
export async function watchHead(
  world: World<IdentityEvent>,
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
