import { getTransactionByHash } from '../../clients/execution/get-transaction-by-hash.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import type { Receipt } from '../../clients/execution/get-transaction-receipt.ts'
import { BaseError } from '../../errors/base.ts'
import { WalletError } from '../../errors/wallet.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import type { Hex } from '../../format/hex.ts'
import { clientsOf } from '../clients-of.ts'
import { errorFacts } from '../observation.ts'
import type { World } from '../world.ts'
import { noGap, waitBehind } from './gap-track.ts'
import { handOver, handToLagging } from './hand-over-track.ts'
import { newestBytes } from './handed.ts'
import { minedIn } from './mined-track.ts'
import { hashesOf, isAsked, isWatched } from './phases.ts'
import { recheck } from './recheck-track.ts'
import type { PaymentRules } from './rules.ts'
import {
  clockMs,
  holdAccount,
  noteWait,
  receiptOf,
  type Search,
  type Source,
  slotsSince,
  tell,
  words,
} from './search-track.ts'
import type { SendEvent, SendState } from './state.ts'
import { clearToShow, takenBySomebody, watchContract } from './taken-track.ts'

/** Slots for which a block must be missing everywhere before it counts as taken back; doubled each time. */
const SLOTS_UNTIL_UNMINED = 5
/** Slots without a block before a replacement is offered. */
const SLOTS_UNTIL_STALLED = 10

/**
 * Follows a payment until its fate is settled: looks for its hashes on every endpoint, then at the nonce, and hands over
 * the same bytes where nobody knows them (safety §2.4). No time-out and no error text settles anything. What was handed
 * out to be signed elsewhere is looked for in the same way, by its number and the deposits for the key.
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
  const search: Search = {
    world,
    getState,
    rules,
    sources,
    since: {},
    attempts: new Map(),
    silent: [],
    losses: 0,
  }
  await holdAccount(search)
  while (isAsked(getState())) {
    try {
      await noteWait(world, getState(), rules)
      await (isWatched(getState()) ? look(search) : recheck(search))
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
    if (isAsked(getState())) await world.effects.clock.sleep(network.slotMs)
  }
}

async function look(search: Search): Promise<void> {
  const { getState, sources, since } = search
  const hashes = hashesOf(getState())
  const answers = await Promise.allSettled(sources.map(({ client }) => receiptOf(client, hashes)))
  search.silent = sources.filter((_, at) => answers[at]?.status === 'rejected')
  const place = answers.findIndex((answer) => answer.status === 'fulfilled' && answer.value !== undefined)
  const found = answers[place]
  const source = sources[place]
  if (found?.status === 'fulfilled' && found.value !== undefined && source !== undefined) {
    delete since.lost
    await minedIn(search, found.value, source)
    return handToLagging(
      search,
      sources.filter((_, at) => isWithout(answers[at])),
    )
  }
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed !== undefined && search.silent.length === sources.length) throw failed.reason
  delete since.mined
  if (failed === undefined) await noteLoss(search)
  return missing(search)
}

const isWithout = (answer: PromiseSettledResult<Receipt | undefined> | undefined): boolean =>
  answer?.status === 'fulfilled' && answer.value === undefined

/** A block that nobody knows any more is taken back after a while; one endpoint that flaps changes nothing. */
async function noteLoss(search: Search): Promise<void> {
  const { world, getState, rules, since } = search
  if (getState().phase !== 'mined') return
  since.lost ??= clockMs(search)
  if (!slotsSince(search, since.lost, SLOTS_UNTIL_UNMINED * 2 ** search.losses)) return
  search.losses += 1
  delete since.lost
  await world.dispatch({ step: rules.step, type: 'unmined' })
}

/** No endpoint that answered has a receipt. */
async function missing(search: Search): Promise<void> {
  const { world, rules, sources, silent, getState, since } = search
  const { prepared } = getState()
  const bytes = newestBytes(getState())
  const alive = sources.filter((source) => !silent.includes(source))
  const seen = await Promise.all(alive.map((source) => knows(source, bytes?.hash)))
  const holder = alive[seen.indexOf(true)]
  if (holder !== undefined) {
    await world.dispatch({ step: rules.step, type: 'sighted' })
    await words(search, holder, 'seen, waits for a block')
    await noteWaiting(search, holder)
    // One that keeps it to itself must not be the only one that has it.
    return handOver(
      search,
      sources.filter((source) => seen[alive.indexOf(source)] !== true),
      bytes,
    )
  }
  const first = alive[0]
  if (prepared === undefined || first === undefined) return
  if (prepared.contract === true) return watchContract(search, first)
  const { from, transaction } = prepared
  const replies = await Promise.allSettled(
    alive.map(({ client }) => getTransactionCount(client, { address: from, block: 'latest' })),
  )
  const nonces = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []))
  if (nonces.length === 0) return
  const all = nonces.length === sources.length
  const used = nonces.filter((nonce) => nonce > transaction.nonce)
  if (used.length > 0) {
    await takenBySomebody(search, first, { settled: all && used.length === nonces.length })
    return handToLagging(
      search,
      alive.filter((_, at) => says(replies[at], transaction.nonce)),
    )
  }
  delete since.gone
  delete since.lagging
  if (nonces.some((nonce) => nonce < transaction.nonce))
    return waitBehind(search, first, { nonces, wanted: transaction.nonce })
  await noGap(search)
  if (bytes === undefined) {
    return all
      ? clearToShow(search, first)
      : words(search, first, 'one endpoint is silent: waiting before anything is shown')
  }
  await noteWaiting(search, first)
  return handOver(search, sources, bytes)
}

const says = (reply: PromiseSettledResult<number> | undefined, nonce: number): boolean =>
  reply?.status === 'fulfilled' && reply.value === nonce

/** Whether an endpoint has the transaction in its pool; one that does not answer has not. */
async function knows({ client }: Source, hash: Hex | undefined): Promise<boolean> {
  if (hash === undefined) return false
  const found = await getTransactionByHash(client, { hash }).catch(() => undefined)
  return found !== undefined
}

/** Nobody has it in a block: after a while a replacement is offered, and one that was agreed to is shown. */
async function noteWaiting(search: Search, source: Source): Promise<void> {
  const { world, rules, getState, since } = search
  const { stalled, replacement, prepared, phase, clear } = getState()
  if (phase === 'mined') return
  since.waiting ??= clockMs(search)
  if (!stalled && slotsSince(search, since.waiting, SLOTS_UNTIL_STALLED))
    await world.dispatch({ step: rules.step, type: 'stalled' })
  if (prepared?.elsewhere === true && replacement !== undefined && clear === undefined)
    await clearToShow(search, source)
}
