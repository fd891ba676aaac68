import type { BaseError } from '../../base/errors/base.ts'
import { depositError } from '../../base/errors/deposit.ts'
import { gweiToWei, weiToGwei } from '../../base/format/amount.ts'
import { isSameServer } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { asksForPlace, forecastEntry } from '../../chain/consensus/propose-top-up.ts'
import { questionOf } from '../../chain/consensus/snapshot.ts'
import { OPERATOR_UPDATED_TOPIC } from '../../chain/deposit/abi.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import { keyStory, type MadeDeposit, pubkeyTopic } from '../../chain/deposit/event.ts'
import { verifyDeposit } from '../../chain/deposit/verify.ts'
import type { Setup, SignatureFact } from '../../chain/facts.ts'
import { isGenesisKey } from '../../chain/identity/read-genesis.ts'
import {
  type KeyState,
  keyVerdict,
  leftOutOf,
  registeredRecord,
  signedBlockOf,
  waitingDepositsOf,
} from '../../chain/key-state/key-state.ts'
import { asksAsRealMoney } from '../../chain/network/network.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
import { getDepositCount } from '../../clients/execution/call.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getLogs } from '../../clients/execution/get-logs.ts'
import { getTransactionByHash, getTransactionCount } from '../../clients/execution/transactions.ts'
import { keyDepositsIn, readKeyHistory } from '../../clients/key-deposits.ts'
import { readReportedSnapshot } from '../../clients/prove-snapshot.ts'
import { readWholeWay } from '../../clients/read-whole-way.ts'
import {
  asker,
  askKey,
  type CommandContext,
  clientsOf,
  proofDoubt,
  provenSetOf,
} from '../../observe/context.ts'
import { type CheckResult, GATE_FACTS, type GateAnswers, type SentDeposit } from '../../pay/gate/facts.ts'
import { type Following, operatorFault, type PaymentKind, sourcesOf } from '../../pay/gate/following.ts'
import { rechecker } from '../../pay/gate/recheck.ts'
import type { WithGuards } from '../../pay/guard/book.ts'
import { draftOf } from '../../pay/payment/candidates.ts'
import { runPayment } from '../../pay/payment/commands.ts'
import type { PaymentCommand, PaymentEvent, PaymentPlan } from '../../pay/payment/payment.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import { known } from '../../view/observation.ts'
import { EVIDENCE_TEXT } from '../../view/text.ts'
import {
  DEPOSIT_TEXT,
  type DepositCommand,
  type DepositState,
  type DepositStepEvent,
  depositPlan,
} from './machine.ts'

/** Returns how much more than the signed deposit a place in the active set costs. Throws as `readWholeWay`. */
async function wholeWayOf(context: CommandContext<DepositStepEvent>): Promise<GateAnswers['way']> {
  const { identity, signature } = context.facts()
  const { network } = context.setup
  if (identity === undefined || signature === undefined) return { topUpGwei: undefined, reported: true }
  const { minimumDepositGwei } = network
  const { withdrawalCredentials, amountGwei } = signature
  const deposit = { pubkey: identity.pubkey, withdrawalCredentials, amountGwei, minimumDepositGwei }
  return readWholeWay(clientsOf(context), { network, clock: context.effects.clock }, deposit)
}

/**
 * The first deposit of the key, where somebody has sent it in another way exactly as it was signed here: by the operator
 * that no endpoint names otherwise, every field of the event, and a beacon state that does not say otherwise. undefined
 * for any other. Throws a `ClientError`.
 */
async function sentAsSigned(
  context: CommandContext<DepositStepEvent>,
  key: KeyState,
  operator: Hex,
): Promise<SentDeposit | undefined> {
  const { pubkey } = key
  const { execution } = clientsOf(context)
  const { signature } = context.facts()
  const { depositContract } = context.setup.network.spec
  if (signature === undefined || signature.rescue || !sameHex(operator, signature.operator)) return undefined
  const address = depositContract
  const [update] = await getLogs(execution, {
    address,
    topic: OPERATOR_UPDATED_TOPIC,
    indexed: pubkeyTopic(pubkey),
    fromBlock: 0n,
    toBlock: await getBlockNumber(execution),
  })
  const { blockNumber, transactionHash: hash } = update ?? {}
  if (blockNumber === undefined || hash === undefined) return undefined
  const asked = { address, pubkey, fromBlock: blockNumber, toBlock: blockNumber }
  const [only, ...others] = (await keyDepositsIn(execution, asked)).deposits
  if (only?.hash !== hash || others.length > 0) return undefined
  if (!isAsSigned(only.event, signature)) return undefined
  const held = registeredRecord(key)?.validator.withdrawalCredentials
  if (held !== undefined && !sameHex(held, signature.withdrawalCredentials)) return undefined
  const transaction = await getTransactionByHash(execution, { hash })
  if (transaction === undefined) return undefined
  const { from, nonce, to } = transaction
  const direct = to !== undefined && sameHex(to, address)
  const seenSentAt = key.block.number
  return { hash, from, nonce, blockNumber, seenSentAt, ...(direct ? {} : { contract: true }) }
}

function isAsSigned(event: MadeDeposit['event'], signature: SignatureFact): boolean {
  return (
    sameHex(event.withdrawalCredentials, signature.withdrawalCredentials) &&
    sameHex(event.signature, signature.signature) &&
    event.amountGwei === signature.amountGwei
  )
}

const SLOTS_BETWEEN_LOOKS = 2
/** A look that takes long is not begun again at once, but no change is told later than this. */
const MOST_SLOTS_BETWEEN_LOOKS = 8
const SHARE_OF_TIME = 4

/**
 * Keeps looking at the key of a first deposit until that is agreed to, so that no word is typed over what is no more. What
 * the contract knows of a key changes by deposits alone: the whole look is made again where an endpoint counts others than
 * before or does not say, and while the last look did not find that the key may be paid for.
 */
async function watchKey(following: Following): Promise<void> {
  const { context, getState, kind } = following
  const { clock } = context.effects
  const { slotMs } = context.setup.network
  const least = SLOTS_BETWEEN_LOOKS * slotMs
  const recheck = rechecker(following)
  let before = await countDeposits(following)
  let waitMs = least
  for (;;) {
    await clock.sleep(waitMs)
    await recheck()
    const startedMs = clock.monotonicMs()
    const { key } = getState().observed
    // While the gate itself asks nothing is known that could change.
    if (isBegun(getState()) || key.status === 'unasked' || key.status === 'asking') continue
    const now = await countDeposits(following)
    const isFree = key.status === 'known' && key.value.good
    if (!isFree || now === undefined || now !== before) {
      const ask = asker<GateAnswers>(context, GATE_FACTS, async (entry) => {
        // What the gate was told meanwhile is newer than this look.
        if (getState().observed.key !== key || isBegun(getState())) return
        await context.dispatch({ step: kind.step, type: 'observed', ...entry })
      })
      await ask('key', () => kind.key())
    }
    before = now
    const tookMs = clock.monotonicMs() - startedMs
    waitMs = Math.min(MOST_SLOTS_BETWEEN_LOOKS * slotMs, Math.max(least, SHARE_OF_TIME * tookMs))
  }
}

/** How many deposits the contract has taken, by each endpoint; undefined where one does not say. */
async function countDeposits(following: Following): Promise<string | undefined> {
  const { depositContract } = following.context.setup.network.spec
  const counts = sourcesOf(following).map(({ client }) =>
    unlessSilent(getDepositCount(client, { depositContract })),
  )
  const replies = await Promise.all(counts)
  return replies.includes(undefined) ? undefined : replies.join(' ')
}

const { checks: SAID } = DEPOSIT_TEXT

/** Carries out one command of the deposit step. */
export function runDeposit(
  command: PaymentCommand | DepositCommand,
  context: CommandContext<DepositStepEvent> & WithGuards,
  getState: () => DepositState,
): Promise<void> {
  const dispatch = async (event: PaymentEvent) => {
    if (event.step === 'deposit') await context.dispatch(event)
  }
  const kind: PaymentKind = {
    step: 'deposit',
    // A key that anybody has paid for gets no first deposit, and what came before a rescue is lost.
    arrivedGwei: () => 0n,
    plan: () => depositPlan(context.facts(), context.setup),
    key: (setup = context.setup) => mayEnter({ ...context, setup }),
    calldata: async (plan) => checkCalldata(context, plan),
    second: (client) => secondAgrees(context, client, getState),
    way: () => wholeWayOf(context),
  }
  const following = { context: { ...context, dispatch }, getState, kind }
  return command.type === 'watch-key' ? watchKey(following) : runPayment(command, following)
}

/**
 * The key, and the place where the first deposit asks for one at once: both of one look. The key must be unknown to
 * contract and beacon state, else the deposit reverts or becomes somebody's top-up.
 */
async function mayEnter(context: CommandContext<DepositStepEvent>): Promise<CheckResult> {
  const { identity, signature } = context.facts()
  if (identity === undefined || signature === undefined)
    return { good: false, unknown: true, words: SAID.noKey }
  const { pubkey } = identity
  const needed = signature.rescue ? mayAskForRescue(context) : undefined
  if (needed !== undefined) return needed
  const key = await askKey(context, pubkey)
  const free = signature.rescue ? await mayRescue(context, key) : await keyIsUnused(context, key)
  if (!free.good) return free
  return withPlace(context, { ...free, deposits: free.deposits ?? waitingDepositsOf(key) }, key)
}

/** A deposit that crosses the threshold by itself may be sent away at the turn that activates it. */
async function withPlace(
  context: CommandContext<DepositStepEvent>,
  free: CheckResult,
  key: KeyState,
): Promise<CheckResult> {
  const { signature } = context.facts()
  const { effects, setup } = context
  const { spec, names, minimumDepositGwei } = setup.network
  if (signature === undefined || !asksForPlace(signature.amountGwei, spec)) return free
  const { pubkey } = key
  const { amountGwei, withdrawalCredentials } = signature
  const proven = provenSetOf(context, key)
  const { node, execution, second } = clientsOf(context)
  const asked = { network: setup.network, keep: pubkey, clock: effects.clock, unproven: undefined }
  const snapshot = proven ?? (await readReportedSnapshot({ node, execution, second }, asked))
  const deposit = { pubkey, withdrawalCredentials, amountGwei }
  const place = forecastEntry({ ...questionOf(snapshot, spec), ...deposit })
  if (place === undefined) return free
  if (!place.keepsPlace || (place.marginGwei ?? 1n) <= 0n)
    return { good: false, ofAmount: true, words: SAID.noPlace(minimumDepositGwei, names.token) }
  const words = SAID.place(free.words, place.rank, place.places)
  if (proven === undefined) return { ...free, claimed: true, words: SAID.reported(words) }
  return { ...free, words }
}

/**
 * What knows the key ends the question; that nothing does is believed only as far as it is proven, and of the operator
 * only where every endpoint says so of the same block.
 */
async function keyIsUnused(context: CommandContext<DepositStepEvent>, key: KeyState): Promise<CheckResult> {
  const { operator, record, pubkey } = key
  if ('unknown' in operator) throw unproven(operator.unknown)
  if (!sameHex(operator.value, ZERO_ADDRESS)) {
    const sent = await sentAsSigned(context, key, operator.value)
    return sent === undefined
      ? { good: false, taken: true, words: SAID.hasOperator(operator.value) }
      : { good: false, words: SAID.sent, sent }
  }
  const held = registeredRecord(key)
  if (held !== undefined) return { good: false, taken: true, words: SAID.registered(held.index) }
  const { homePath } = context.setup
  if (homePath === undefined) return { good: false, unknown: true, words: SAID.needsHome }
  if (await inGenesis(context, { pubkey, homePath }))
    return { good: false, taken: true, words: SAID.inGenesis }
  if ('unknown' in record) throw unproven(record.unknown)
  if (record.level.by === 'proof') {
    const doubt = proofDoubt(context, key, record.level)
    if (doubt !== undefined) throw unproven(doubt)
  }
  const { second } = clientsOf(context)
  const isSaidByBoth = operator.isProven === true || operator.saidBy >= 2
  if (second !== undefined && !isSaidByBoth) throw unproven(SAID.silent(second.label, key.block.number))
  if (record.level.by === 'report') {
    if (asksAsRealMoney(context.setup.network) && !isSaidByBoth)
      return { good: false, unknown: true, words: SAID.oneEndpoint }
    return { good: true, claimed: true, words: SAID.reported(SAID.unused) }
  }
  const words = EVIDENCE_TEXT.withLeftOut(SAID.unusedProven(key.slot), leftOutOf(record.level))
  return { good: true, words, signedAt: signedBlockOf(key) }
}

const remembered = new WeakMap<Setup, Map<Hex, boolean>>()

/** The answer is kept: the file's list counts only with the network's root, so it can never be another one. */
async function inGenesis(
  { effects, setup }: CommandContext<DepositStepEvent>,
  { pubkey, homePath }: { pubkey: Hex; homePath: string },
): Promise<boolean> {
  const genesisKeys = remembered.get(setup) ?? new Map<Hex, boolean>()
  remembered.set(setup, genesisKeys)
  const { network } = setup
  const isGenesis = genesisKeys.get(pubkey) ?? (await isGenesisKey(effects, { homePath, network, pubkey }))
  genesisKeys.set(pubkey, isGenesis)
  return isGenesis
}

function unproven(why: string): BaseError {
  return depositError('proofs.state-unproven', SAID.notProven, why)
}

/** On real money two servers must vouch for a burnt key. */
function mayAskForRescue({ setup }: CommandContext<DepositStepEvent>): CheckResult | undefined {
  const { network, endpoints } = setup
  const { execution: first, secondExecution = first } = endpoints
  const isEasy = network.kind === 'rehearsal' && !asksAsRealMoney(network)
  if (isEasy || !isSameServer(first, secondExecution)) return undefined
  return { good: false, unknown: true, words: SAID.rescueNeedsSecond }
}

/**
 * A burnt key may be registered when its operator is the one the user typed, the whole state, proven, lacks it, and
 * every deposit for it was refused and is counted.
 */
async function mayRescue(context: CommandContext<DepositStepEvent>, key: KeyState): Promise<CheckResult> {
  const { network } = context.setup
  const { signature } = context.facts()
  const { operator, record, pubkey } = key
  if ('unknown' in operator) return { good: false, unknown: true, words: operator.unknown }
  if (!sameHex(operator.value, signature?.operator ?? ''))
    return { good: false, words: SAID.otherOperator(operator.value) }
  if ('unknown' in record) throw unproven(record.unknown)
  if (record.value !== 'absent') return { good: false, words: SAID.registeredMeanwhile }
  if (record.level.by === 'report') return { good: false, words: SAID.absenceReported }
  const doubt = proofDoubt(context, key, record.level)
  if (doubt !== undefined) throw unproven(doubt)
  const verdict = keyVerdict(key, network.spec)
  if (verdict === 'waiting') return { good: false, words: SAID.mayBeCounted }
  const { execution } = clientsOf(context)
  const history = await readKeyHistory(execution, { network, pubkey, operator: operator.value })
  const story = keyStory(history, key.slot)
  return verdict === 'lost' && story === 'burnt'
    ? { good: true, words: SAID.rescuable }
    : { good: false, words: SAID.mayBeCounted }
}

/** Reads the calldata back and verifies the signature in it over exactly the value that is sent. */
function checkCalldata(context: CommandContext<DepositStepEvent>, plan: PaymentPlan): CheckResult {
  const { identity, signature } = context.facts()
  const { network } = context.setup
  const call = decodeDepositCalldata(plan.data)
  if (identity === undefined || signature === undefined) return { good: false, words: SAID.noSignature }
  const same =
    call.kind === (signature.rescue ? 'rescue' : 'first') &&
    sameHex(call.pubkey, identity.pubkey) &&
    sameHex(call.withdrawalCredentials, signature.withdrawalCredentials) &&
    sameHex(call.operator, signature.rescue ? ZERO_ADDRESS : signature.operator) &&
    plan.valueWei === gweiToWei(signature.amountGwei) &&
    sameHex(plan.to, network.spec.depositContract)
  if (!same) return { good: false, words: SAID.otherCalldata }
  const verdict = verifyDeposit({
    pubkey: call.pubkey,
    withdrawalCredentials: call.withdrawalCredentials,
    signature: call.signature,
    amountGwei: weiToGwei(plan.valueWei),
    genesisValidatorsRoot: network.genesisValidatorsRoot,
    genesisForkVersion: network.genesisForkVersion,
  })
  if (verdict.verdict === 'refused') return { good: false, words: verdict.words }
  return { good: true, words: SAID.asSigned }
}

async function secondAgrees(
  context: CommandContext<DepositStepEvent>,
  client: ExecutionClient,
  getState: () => DepositState,
): Promise<CheckResult> {
  const { identity, signature } = context.facts()
  const from = draftOf(getState())?.from ?? known(getState().observed.sender)?.address
  if (identity === undefined || signature === undefined || from === undefined)
    return { good: false, unknown: true, words: SAID.noKey }
  const { pubkey } = identity
  const expected = signature.rescue ? signature.operator : ZERO_ADDRESS
  const text = { behind: SAID.behind, other: SAID.secondOperator }
  const [fault, nonce] = await Promise.all([
    operatorFault(client, context.setup, { pubkey, operator: expected }, text),
    getTransactionCount(client, { address: from, block: 'latest' }),
  ])
  if (fault !== undefined) return fault
  return { good: true, words: SAID.secondAgrees(nonce) }
}
