import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { getBlockNumber } from '../../clients/execution/get-block-number.ts'
import { getLogs } from '../../clients/execution/get-logs.ts'
import { getTransactionByHash } from '../../clients/execution/get-transaction-by-hash.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { getTransactionReceipt, type Receipt } from '../../clients/execution/get-transaction-receipt.ts'
import { sendRawTransaction } from '../../clients/execution/send-raw-transaction.ts'
import { revertReason } from '../../clients/revert-reason.ts'
import { DEPOSIT_TOPIC } from '../../deposit/abi.ts'
import { decodeDepositLog } from '../../deposit/event.ts'
import { BaseError } from '../../errors/base.ts'
import { ClientError } from '../../errors/client.ts'
import { WalletError } from '../../errors/wallet.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { clientsOf } from '../clients-of.ts'
import { errorFacts } from '../observation.ts'
import type { World } from '../world.ts'
import { isOpen } from './phases.ts'
import type { PaymentRules } from './rules.ts'
import type { SendEvent, SendState } from './state.ts'

/** Slots to wait before the same bytes are handed over again. */
const SLOTS_BETWEEN_ATTEMPTS = 3
/** Slots for which all endpoints must agree before a nonce counts as taken by somebody else. */
const SLOTS_UNTIL_FOREIGN = 5
/** Slots between the two equal reads that make a block final here. */
const SLOTS_UNTIL_FINAL = 2

type Source = { client: ExecutionClient; label: string }
type Search = {
  world: World<SendEvent>
  getState: () => SendState
  rules: PaymentRules
  sources: readonly Source[]
  /** When things began, on our own clock. */
  since: { attempt?: number; gone?: number; mined?: number }
}

/**
 * Follows signed bytes until their fate is settled: looks for the hash on every endpoint, then at the nonce, and
 * hands over the same bytes where nobody knows them (safety §2.4). No time-out and no error text settles anything.
 */
export async function trackPayment(
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  const { execution, second } = clientsOf(world)
  const { endpoints, network } = world.setup
  const sources: Source[] = [{ client: execution, label: endpointName(endpoints.execution) }]
  if (second !== undefined)
    sources.push({ client: second, label: endpointName(endpoints.secondExecution ?? '') })
  const search: Search = { world, getState, rules, sources, since: {} }
  while (isOpen(getState())) {
    try {
      await look(search)
    } catch (thrown) {
      world.signal.throwIfAborted()
      if (!(thrown instanceof BaseError) || thrown instanceof WalletError) throw thrown
      await tell(search, {
        status: 'failed',
        error: errorFacts(thrown),
        source: sources[0]?.label ?? '',
        atMs: clockMs(search),
      })
    }
    if (isOpen(getState())) await world.effects.clock.sleep(network.slotMs, world.signal)
  }
}

const clockMs = ({ world }: Search): number => world.effects.clock.monotonicMs()

async function look(search: Search): Promise<void> {
  const { getState, sources } = search
  const { hash, prepared } = getState()
  if (hash === undefined || prepared === undefined) return
  const answers = await Promise.allSettled(
    sources.map(({ client }) => getTransactionReceipt(client, { hash })),
  )
  const place = answers.findIndex((answer) => answer.status === 'fulfilled' && answer.value !== undefined)
  const found = answers[place]
  const source = sources[place]
  if (found?.status === 'fulfilled' && found.value !== undefined && source !== undefined) {
    return minedIn(search, found.value, source)
  }
  const silent = answers.find((answer) => answer.status === 'rejected')
  if (silent !== undefined && answers.every((answer) => answer.status === 'rejected')) throw silent.reason
  if (silent === undefined && getState().phase === 'mined') {
    await search.world.dispatch({ step: search.rules.step, type: 'unmined' })
  }
  delete search.since.mined
  const { from, transaction } = prepared
  return missing(search, { hash, nonce: transaction.nonce, from, allLooked: silent === undefined })
}

async function minedIn(search: Search, receipt: Receipt, source: Source): Promise<void> {
  const { world, getState, rules } = search
  const { step } = rules
  const { prepared, hash, mined, phase } = getState()
  if (prepared === undefined || hash === undefined) return
  if (!sameHex(receipt.from, prepared.from)) throw oddReply(source, 'eth_getTransactionReceipt')
  const success = receipt.status === 'success'
  const feeWei = receipt.gasUsed * (receipt.effectiveGasPrice ?? prepared.transaction.maxFeePerGasWei)
  const same = mined !== undefined && sameHex(mined.blockHash, receipt.blockHash)
  if (!same || search.since.mined === undefined) search.since.mined = clockMs(search)
  await words(search, source, `in block ${receipt.blockNumber}${success ? '' : ', refused by the contract'}`)
  if (success && (!same || phase !== 'mined')) {
    const { blockNumber, blockHash } = receipt
    await world.dispatch({ step, type: 'mined', blockNumber, blockHash, feeWei })
  }
  const waited = clockMs(search) - (search.since.mined ?? clockMs(search))
  if (waited < SLOTS_UNTIL_FINAL * world.setup.network.slotMs) return
  const finalized = await getBlock(source.client, { block: 'finalized' })
  if (finalized === undefined || finalized.number < receipt.blockNumber) return
  const others = await unlike(search, receipt)
  if (others.length > 0) {
    await words(search, source, `${success ? 'in a block' : 'refused'}, says this one: asking the others`)
    const lacking = others.flatMap((other) => (other.receipt === undefined ? [other.source] : []))
    return lacking.length === 0 ? undefined : handOver(search, lacking)
  }
  if (success) {
    await world.dispatch({ step, type: 'final' })
    return
  }
  await world.dispatch({
    step,
    type: 'reverted',
    reason: await revertReason(source.client, prepared, receipt.blockNumber),
    feeWei,
  })
}

/**
 * The endpoints that do not say the same of the transaction. What is final ends the search, and a refusal lets the
 * step be begun anew, so one endpoint's word is not enough: all must say it, of the same block.
 */
async function unlike({ sources }: Search, receipt: Receipt) {
  const answers = await Promise.all(
    sources.map(async (source) => ({
      source,
      receipt: await getTransactionReceipt(source.client, { hash: receipt.transactionHash }),
    })),
  )
  return answers.filter(
    ({ receipt: found }) => found?.status !== receipt.status || !sameHex(found.blockHash, receipt.blockHash),
  )
}

/** `allLooked`: every endpoint answered that it has no receipt. */
async function missing(
  search: Search,
  wanted: { hash: Hex; nonce: number; from: Hex; allLooked: boolean },
): Promise<void> {
  const { world, rules, sources, since } = search
  const { step } = rules
  const seen = await Promise.all(
    sources.map(({ client }) => getTransactionByHash(client, { hash: wanted.hash }).catch(() => undefined)),
  )
  const place = seen.findIndex((pending) => pending !== undefined)
  const holder = sources[place]
  if (holder !== undefined) {
    await world.dispatch({ step, type: 'sighted' })
    await words(search, holder, 'seen, waits for a block')
    // One that keeps it to itself must not be the only one that has it.
    return handOver(
      search,
      sources.filter((_, at) => seen[at] === undefined),
    )
  }
  const replies = await Promise.allSettled(
    sources.map(({ client }) => getTransactionCount(client, { address: wanted.from, block: 'latest' })),
  )
  const first = sources[0]
  const nonces = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []))
  if (first === undefined || nonces.length === 0) return
  const all = wanted.allLooked && nonces.length === sources.length
  if (all && nonces.every((nonce) => nonce > wanted.nonce)) return takenBySomebody(search, first)
  delete since.gone
  if (nonces.some((nonce) => nonce > wanted.nonce))
    return words(search, first, 'the endpoints disagree, or one is silent: waiting')
  if (nonces.some((nonce) => nonce < wanted.nonce))
    return words(search, first, 'the endpoint lags behind: waiting')
  return handOver(search, sources)
}

/** All endpoints say that the number is used, and none has our transaction: only then, and after a while, it is so. */
async function takenBySomebody(search: Search, source: Source): Promise<void> {
  const { world, rules, since, sources, getState } = search
  since.gone ??= clockMs(search)
  await words(search, source, 'its number is used, and ours is not found: looking again')
  if (clockMs(search) - since.gone < SLOTS_UNTIL_FOREIGN * world.setup.network.slotMs) return
  const { prepared } = getState()
  const pubkey = world.facts().identity?.pubkey
  if (prepared === undefined || pubkey === undefined) return
  const { to } = prepared.transaction
  for (const { client } of sources) {
    if (await hasDeposit(client, { contract: to, pubkey, fromBlock: prepared.baseline.blockNumber + 1n })) {
      return words(search, source, 'a deposit for this key is on the chain, not under our hash: waiting')
    }
  }
  await world.dispatch({ step: rules.step, type: 'foreign', hash: undefined })
}

async function hasDeposit(
  client: ExecutionClient,
  wanted: { contract: Hex; pubkey: Hex; fromBlock: bigint },
): Promise<boolean> {
  const toBlock = await getBlockNumber(client)
  const filter = { address: wanted.contract, topic: DEPOSIT_TOPIC, fromBlock: wanted.fromBlock, toBlock }
  const logs = await getLogs(client, filter)
  return logs.some((log) => sameHex(decodeDepositLog(log, wanted.contract)?.pubkey ?? '', wanted.pubkey))
}

/** The same bytes to one of `targets`, in turn. */
async function handOver(search: Search, targets: readonly Source[]): Promise<void> {
  const { world, getState, rules, since } = search
  const { raw, hash, attempts } = getState()
  if (raw === undefined || hash === undefined) return
  const wait = SLOTS_BETWEEN_ATTEMPTS * world.setup.network.slotMs
  if (since.attempt !== undefined && clockMs(search) - since.attempt < wait) return
  const target = targets[attempts % targets.length]
  if (target === undefined) return
  if (attempts === 0) await lastLook(search)
  since.attempt = clockMs(search)
  await world.dispatch({ step: rules.step, type: 'sending', attempt: attempts + 1, endpoint: target.label })
  const now = getState()
  if (now.hash !== hash || now.attempts !== attempts + 1) return
  await words(search, target, 'handed over, waits to be seen')
  const answered = await sendRawTransaction(target.client, { rawTransaction: raw })
  if (!sameHex(answered, hash)) throw oddReply(target, 'eth_sendRawTransaction')
}

/** The key once more, in the moment before the first byte leaves. */
async function lastLook({ rules, sources }: Search): Promise<void> {
  const looks = [rules.key(), ...sources.slice(1).map(({ client }) => rules.second(client))]
  const bad = (await Promise.all(looks)).find(({ good }) => !good)
  if (bad === undefined) return
  const { words: reason } = bad
  throw new WalletError('gate-closed', 'The chain has changed since the signature, so nothing was sent.', {
    details: [reason],
    nextSteps: ['o gives the signed transaction up: it never left this computer'],
  })
}

function oddReply({ label }: Source, what: string): ClientError {
  const details = ['it speaks of another transaction than the one that was asked for']
  return new ClientError('malformed', { service: 'execution RPC', endpoint: label, what, details })
}

async function words(search: Search, source: Source, value: string): Promise<void> {
  await tell(search, { status: 'known', value, source: source.label, atMs: clockMs(search) })
}

async function tell({ world, rules }: Search, tracking: SendState['tracking']): Promise<void> {
  await world.dispatch({ step: rules.step, type: 'tracked', tracking })
}
