import { BaseError, type ErrorParts, isError } from '../../base/errors/base.ts'
import { ClientError } from '../../base/errors/client.ts'
import { walletError } from '../../base/errors/wallet.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import type { Setup } from '../../chain/facts.ts'
import { keyOfEngine, runsWithKey } from '../../chain/identity/engine-key.ts'
import { executionBeside } from '../../chain/network/standstill.ts'
import { type EngineStatus, getEngineStatus } from '../../clients/engine/get-status.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
import { getOperator } from '../../clients/execution/call.ts'
import { getChainId } from '../../clients/execution/chain.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { askExecutionHeads } from '../../clients/heads.ts'
import { getNodeSyncing } from '../../clients/node/node.ts'
import { type Clients, type CommandContext, clientsOf, isRecent } from '../../observe/context.ts'
import { judgeNode } from '../../observe/findings.ts'
import type { WithGuards } from '../guard/book.ts'
import type { Draft, PayingStep, PaymentEvent, PaymentPlan, PaymentState } from '../payment/payment.ts'
import { accountLock } from './commitments.ts'
import type { CheckResult, GateAnswers } from './facts.ts'
import { GATE_TEXT } from './text.ts'

/** What differs between the first deposit and a top-up. A `setup` given to a question names the endpoints to ask. */
export type PaymentKind = {
  step: PayingStep
  /** The one plan that the proven facts make; undefined while a fact is missing. */
  plan(): PaymentPlan | undefined
  /** What contract and beacon state say of the key, right now. */
  key(setup?: Setup): Promise<CheckResult>
  /** Whether calldata and signature are what they must be. */
  calldata(plan: PaymentPlan): Promise<CheckResult>
  /** The same facts from the second endpoint. */
  second(client: ExecutionClient, setup?: Setup): Promise<CheckResult>
  /** What others have paid for the key since the first payment here, in gwei, as far as it was told. */
  arrivedGwei(): Gwei
  /** What is still to be paid after this payment, by the present set. It closes nothing, and is asked before the agreement. */
  way?(): Promise<GateAnswers['way']>
}

/** What a payment is followed with. */
export type Following = {
  context: CommandContext<PaymentEvent> & WithGuards
  getState: () => PaymentState
  kind: PaymentKind
}

type PerhapsLater<T> = T | Promise<T>

export type Source = { client: ExecutionClient; label: string }

/** Returns the execution endpoints, in the order of the setup. */
export function sourcesOf({
  context,
}: {
  context: Pick<CommandContext<never>, 'effects' | 'setup' | 'offers'>
}): Source[] {
  const { execution, second } = clientsOf(context)
  const { endpoints } = context.setup
  const first = { client: execution, label: endpointName(endpoints.execution) }
  if (second === undefined) return [first]
  return [first, { client: second, label: endpointName(endpoints.secondExecution ?? '') }]
}

/** An endpoint answered about something else than it was asked. */
export function oddReply({ label: endpoint }: ExecutionClient, what: string): ClientError {
  const details = GATE_TEXT.oddReply
  return new ClientError('malformed', { service: 'execution RPC', endpoint, what, details })
}

/** Takes the paying account for this program: its next nonce is promised to the payment that is followed. */
export async function holdAccount(context: Following['context'], { from }: Draft): Promise<boolean> {
  return (await context.lock(accountLock(context.setup, from))) === undefined
}

/** The same for a new payment. Throws a `wallet.*` error while another window of this program pays from the account. */
export async function requireAccount(context: Following['context'], from: Hex): Promise<void> {
  const heldBy = await context.lock(accountLock(context.setup, from))
  if (heldBy !== undefined) throw walletError('wallet.in-use', { heldBy })
}

/** Why nothing was made or sent; it may be asked again. */
export const gateClosed = (why: ErrorParts): BaseError =>
  walletError('wallet.gate-closed', { ...why, retryable: true })

/**
 * The key once more, at every endpoint that answers; `isSilent` in the order of the endpoints. The second one takes the
 * place of a silent first. What cannot be found out is unknown; throws a `wallet.*` error alone.
 */
export async function askAgain(following: Following, isSilent: readonly boolean[]): Promise<CheckResult[]> {
  const { context, kind } = following
  const setup = withoutSilent(context.setup, isSilent)
  const others = sourcesOf(following).filter((_, at) => at > 0 && isSilent[at] !== true)
  // The look at the key may wait for a root of the second endpoint: what that one says itself is asked after it.
  const key = await judged(() => kind.key(setup))
  const words = others.map(({ client }) => judged(() => askSecond(client, { kind, setup, key })))
  return [key, ...(await Promise.all(words))]
}

async function judged(ask: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof BaseError) || isError(thrown, 'wallet')) throw thrown
    return { good: false, unknown: true, words: thrown.shortMessage }
  }
}

/**
 * What a second endpoint says of the step's facts. Where its head isn't newer than the block at which `key` is proven by
 * the set's signature, what doesn't fit is old or false, and stops nothing. Throws a `ClientError`.
 */
export async function askSecond(
  client: ExecutionClient,
  {
    kind,
    setup,
    key: asked,
  }: { kind: PaymentKind; setup: Setup; key: PerhapsLater<CheckResult | undefined> },
): Promise<CheckResult> {
  const word = await kind.second(client, setup)
  if (word.good) return word
  const key = await asked
  const signedAt = key?.good === true ? key.signedAt : undefined
  if (signedAt === undefined) return word
  const [chainId, head] = await Promise.all([getChainId(client), getBlockNumber(client)])
  if (chainId !== setup.network.executionChainId || head > signedAt) return word
  return { good: true, words: GATE_TEXT.second.notNewer(head, signedAt) }
}

/** Returns the setup without an endpoint that is silent or left out. */
export function withoutSilent(setup: Setup, [first, second]: readonly boolean[]): Setup {
  const { secondExecution, ...rest } = setup.endpoints
  if (secondExecution === undefined || (first !== true && second !== true)) return setup
  if (first === true) return { ...setup, endpoints: { ...rest, execution: secondExecution } }
  return { ...setup, endpoints: rest }
}

/** Throws a `wallet.*` error where the key is not as it was agreed to, by any endpoint; whatever a question throws, too. */
export async function requireStillHolds({
  context,
  kind,
}: Pick<Following, 'context' | 'kind'>): Promise<void> {
  const { second } = clientsOf(context)
  const key = await kind.key()
  const word = second && (await askSecond(second, { kind, setup: context.setup, key }))
  const bad = [key, word].find((result) => result?.good === false)
  if (bad === undefined) return
  throw gateClosed(GATE_TEXT.closed.changed(bad.words, bad.taken))
}

/**
 * Whether the own node follows the chain and votes with the key: what was proven of it long before a payment says nothing
 * of now. An engine that catches up in two looks, a slot apart, does not vote: unknown, not good. One that runs with
 * another key is refused, but where a validator was named without a home: it may be beside any engine. `fresh` resolves
 * to whether the first execution endpoint's head is of now; undefined where that is not known. Throws a `ClientError`.
 */
export async function nodeIsWell(
  { effects, setup, facts }: Pick<CommandContext<never>, 'effects' | 'setup' | 'facts'>,
  clients: Clients,
  fresh: Promise<boolean | undefined>,
): Promise<CheckResult> {
  const before = await askExecutionHeads(clients)
  const { identity } = facts()
  const engine = await engineStatus(clients)
  const isNamed = setup.validator !== undefined
  const { network } = setup
  if (engine !== undefined && !isNamed && runsWithKey(engine.pubkey, identity) === false)
    return { good: false, words: GATE_TEXT.node.otherKey }
  const votes = (status: EngineStatus | undefined) =>
    status === undefined || judgeNode('votes', status, network) === true
  if (!votes(engine)) {
    await effects.clock.sleep(network.slotMs)
    if (!votes(await engineStatus(clients)))
      return { good: false, unknown: true, words: GATE_TEXT.node.catchesUp }
  }
  const isFresh = await fresh
  const [first, now] = await Promise.all([getNodeSyncing(clients.node), askExecutionHeads(clients)])
  // Blocks may have come between the two answers: a node that hangs says the same once more.
  const isBehind = executionBeside(first.headSlot, { before, now }).is === 'ahead'
  const { isSyncing, headSlot } = isBehind ? await getNodeSyncing(clients.node) : first
  if (judgeNode('sync', { isSyncing }, network) === false)
    return { good: false, words: GATE_TEXT.node.syncing(headSlot) }
  const beside = executionBeside(headSlot, { before, now })
  if (beside.is === 'ahead') {
    const { outrun, hangs } = GATE_TEXT.node
    const isNow = await isSignedNow({ effects, setup }, clients, headSlot)
    return { good: false, words: (isNow ? outrun : hangs)(headSlot, beside) }
  }
  if (isFresh === false) return { good: false, words: GATE_TEXT.node.stands(headSlot, beside) }
  return { good: true, words: GATE_TEXT.node.follows(headSlot) }
}

/** Whether the validator set signed the block of a slot just now, by this computer's clock. */
async function isSignedNow(
  { effects, setup }: Pick<CommandContext<never>, 'effects' | 'setup'>,
  { signed }: Clients,
  slot: bigint,
): Promise<boolean> {
  if (!setup.network.clockIsWall) return false
  const answer = await signed.blockAt(slot)
  return answer.is === 'signed' && isRecent({ effects, setup }, answer.block.payload.timestampSeconds)
}

/** Where no engine was given nothing is said of its key and its votes. */
async function engineStatus({ engine }: Clients): Promise<(EngineStatus & { pubkey: Hex }) | undefined> {
  if (engine === undefined) return undefined
  const status = await getEngineStatus(engine)
  return { ...status, pubkey: keyOfEngine(status.publicKey.value, engine) }
}

/**
 * What speaks against an endpoint by its own word: its chain, or the operator that it names for a key; undefined where both
 * are as they must be. Throws a `ClientError`.
 */
export async function operatorFault(
  client: ExecutionClient,
  { network }: Setup,
  { pubkey, operator }: { pubkey: Hex; operator: Hex },
  text: { behind: string; other: (operator: Hex) => string },
): Promise<CheckResult | undefined> {
  const { depositContract } = network.spec
  const [chainId, found] = await Promise.all([
    getChainId(client),
    getOperator(client, { depositContract, pubkey }),
  ])
  if (chainId !== network.executionChainId)
    return { good: false, words: GATE_TEXT.second.otherChain(endpointName(client.label), chainId) }
  // The contract never takes an operator back: an endpoint that knows none has not got so far.
  if (sameHex(found, ZERO_ADDRESS) && !sameHex(operator, ZERO_ADDRESS))
    return { good: false, unknown: true, words: text.behind }
  return sameHex(found, operator) ? undefined : { good: false, words: text.other(found) }
}
