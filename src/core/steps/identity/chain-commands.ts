import { failureWords } from '../../base/errors/base.ts'
import { ClientError } from '../../base/errors/client.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import {
  FAR_FUTURE_EPOCH,
  type Validator,
  type ValidatorStatus,
  validatorStatus,
} from '../../chain/consensus/state.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import { registeredRecord, signedBlockOf } from '../../chain/key-state/key-state.ts'
import { SLOTS_TO_STAND } from '../../chain/network/limits.ts'
import { executionBeside } from '../../chain/network/standstill.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
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
import {
  type IdentityAnswers,
  type IdentityEvent,
  type IdentityState,
  identityKey,
  type OperatorAnswer,
} from './state.ts'
import { isNewer, isUncounted } from './story.ts'
import { IDENTITY_TEXT } from './text.ts'

type Here = StepContext<IdentityEvent, IdentityState>

/** Compares the typed address with the record that all endpoints report, and records the adoption; no address is lost in silence. */
export async function adopt(context: Here, text: string): Promise<void> {
  const found = adoptable(context.getState(), context.setup)
  const adoption = found === undefined ? { error: IDENTITY_TEXT.errors.notCompared } : adoptionOf(text, found)
  await context.dispatch(
    'error' in adoption
      ? { step: 'identity', type: 'addressRefused', words: adoption.error }
      : { step: 'identity', type: 'adopted', ...adoption },
  )
}

/** Reads how a key came to be registered; only words need it, so it is read on request. */
export async function askHistory(context: Here): Promise<void> {
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
  const operatorBy = (client: ExecutionClient, picture: Picture<ChainAnswers>) => {
    const asked = operatorAt(client, { depositContract, pubkey: pubkeyIn(picture) })
    const signed = knownOf(picture.beacon)?.signedOperator
    return signed === undefined ? asked : settleOperator(asked, { client, signed })
  }
  return {
    node: { ask: () => tell('node', () => watchHead(context, clientsOf(context))) },
    operator: {
      needs: ['about'],
      after: ['beacon'],
      ask: (picture) => tell('operator', () => operatorBy(execution, picture)),
    },
    secondOperator: {
      needs: ['about'],
      after: ['beacon'],
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
export async function awaitCounting(context: Here): Promise<void> {
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
export const identityAsker = (context: CommandContext<IdentityEvent>) =>
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

/** What is signed in the place of an answer that contradicts it, or that doesn't come. */
async function settleOperator(
  asked: Promise<OperatorAnswer>,
  { client, signed }: { client: ExecutionClient; signed: OperatorAnswer },
): Promise<OperatorAnswer> {
  try {
    const said = await asked
    const isNewer = said.blockNumber > signed.blockNumber
    if (isNewer || sameHex(said.operator, signed.operator)) return said
    return { ...signed, leftOut: `${endpointName(client.label)} names ${withChecksum(said.operator)}` }
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    return { ...signed, leftOut: failureWords(thrown) }
  }
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
