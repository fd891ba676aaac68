import { failureWords } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { formatCount } from '../base/format/amount.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../base/format/hex.ts'
import { patienceOf } from '../chain/network/standstill.ts'
import { unlessSilent } from '../clients/ask-as-service.ts'
import { getDepositCount, getOperator, getQueuedOperator } from '../clients/execution/call.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import { areAllDeposits, type DepositLog, getDepositLogs } from '../clients/execution/deposit-logs.ts'
import { boundEndpoint, createStatePace, SLOTS_BETWEEN_STATES } from '../clients/state-pace.ts'
import {
  type Arrivals,
  epochIn,
  executionIn,
  type HealthyOne,
  healthyIn,
  isOfNow,
  type LookInput,
  type WatchQuestions,
} from './ask-input.ts'
import { knownOf, lastOf } from './observer.ts'
import type { DepositPicture, LackingLogs, LogsPicture, OperatorPicture } from './picture.ts'

/** Blocks that are looked through for deposits after a time in which nobody looked. */
const MOST_BLOCKS_BACK = 8192n
/** A range of more blocks than this takes an honest endpoint longer. */
const SHORT_RANGE = 64n
/** So long, or a slot where that is longer, the events of a few blocks may take. */
const LEAST_PATIENCE_MS = 1000

/** What the contract says: how many deposits it has taken, the new ones for the watched validators, and who manages them. */
export function contractQuestions(
  input: LookInput,
): Pick<WatchQuestions, 'count' | 'arrivals' | 'operators'> {
  const { network, validators } = input
  const { depositContract } = network.spec
  const pubkeys = validators.map(({ pubkey }) => pubkey)
  const arrivals = createArrivals(input)
  return {
    count: {
      needs: ['heads'],
      async ask(picture) {
        const execution = executionIn(picture)
        return execution && getDepositCount(execution.client, { depositContract, block: execution.height })
      },
    },
    arrivals: {
      needs: ['heads'],
      after: ['count'],
      async ask(picture, { depositsTo: from, depositsTaken: taken }) {
        const { node, execution } = healthyIn(picture)
        const [first, ...others] = execution
        if (node[0] === undefined || first === undefined) return undefined
        return arrivals([first, ...others], { from, taken, count: knownOf(picture.count) })
      },
    },
    operators: {
      needs: ['heads'],
      due: (picture) => !isOfNow(lastOf(picture.operators), executionIn(picture), epochIn(picture, network)),
      async ask(picture) {
        const epoch = epochIn(picture, network)
        const execution = executionIn(picture)
        if (execution === undefined || epoch === undefined) return undefined
        const { client } = execution
        return {
          epoch,
          by: client.label,
          operators: await askOperators(client, { pubkeys, depositContract }),
        }
      },
    },
  }
}

type Execution = HealthyOne<ExecutionClient>
/** Blocks after `from` up to `to`, and how many deposits the contract had taken at both ends, where that is known. */
type Range = { from: bigint; to: bigint; taken: bigint | undefined; count: bigint | undefined }
/**
 * While the first endpoint doesn't give the events: who lacked them when they were asked for last, and how far others gave
 * them in its place. `told` are those deposits, which the first one names once more when it gives them.
 */
type Gap = {
  lacking: readonly LackingLogs[]
  read: Pick<Range, 'from' | 'taken'>
  told: ReadonlySet<string>
  isUnread: boolean
}

/**
 * Asks for the deposits for the watched validators in blocks that no look has seen, up to the head of the first endpoint.
 * While the contract has taken no more of them nothing is asked for; `count` is how many it had taken in that very block, so
 * that none is passed over that came with a later one. Events count where there are as many as the contract has taken since,
 * one number after the other. An endpoint that doesn't give them is replaced by the next one, and asked again, by the pace of
 * what that took: what others gave in its place is told, and stays open until it bears that out itself.
 */
function createArrivals({ effects: { clock }, network, validators, isOwnTransaction }: LookInput) {
  const { slotMs, spec } = network
  const address = spec.depositContract
  /** How many there were when all were looked for, and by whom. */
  let counted: { to: bigint | undefined; by: string } | undefined
  let gap: Gap | undefined
  const pace = createStatePace(clock)
  const countAt = (client: ExecutionClient, block: bigint) =>
    getDepositCount(client, { depositContract: address, block })

  const read = async (
    { client }: Execution,
    { from, to, taken, count }: Range,
  ): Promise<DepositLog[] | LackingLogs> => {
    const oldest = to > MOST_BLOCKS_BACK ? to - MOST_BLOCKS_BACK : 0n
    const fromBlock = from + 1n > oldest ? from + 1n : oldest
    const mostMs = to - from > SHORT_RANGE ? patienceOf(slotMs) : Math.max(slotMs, LEAST_PATIENCE_MS)
    const bounded = boundEndpoint(client, { clock, mostMs }).client
    const name = endpointName(client.label)
    try {
      const made = await getDepositLogs(bounded, { address, fromBlock, toBlock: to })
      if (count === undefined) return made
      const before =
        fromBlock === from + 1n ? (taken ?? (await unlessSilent(countAt(bounded, from)))) : undefined
      if (areAllDeposits(made, { before, taken: count })) return made
      const given = formatCount(BigInt(made.length))
      return {
        name,
        why: `${name} gives ${given} deposit events, not those up to the contract's count of ${formatCount(count)}.`,
      }
    } catch (thrown) {
      if (!(thrown instanceof ClientError)) throw thrown
      return { name, why: failureWords(thrown) }
    }
  }

  const watchedIn = (logs: readonly DepositLog[], told: ReadonlySet<string>) => {
    const found = new Map<Hex, DepositPicture[]>()
    for (const { event, block: blockSlot, hash: transactionHash } of logs) {
      const pubkey = validators.find((each) => sameHex(event.pubkey, each.pubkey))?.pubkey
      if (pubkey === undefined || told.has(`${event.index} ${transactionHash}`)) continue
      const { index, amountGwei } = event
      const isOwn = isOwnTransaction(transactionHash)
      const before = found.get(pubkey) ?? []
      found.set(pubkey, [...before, { index, blockSlot, amountGwei, transactionHash, isOwn }])
    }
    return found
  }

  return async (
    [first, ...others]: readonly [Execution, ...Execution[]],
    {
      from,
      taken,
      count,
    }: { from: bigint | undefined; taken: bigint | undefined; count: bigint | undefined },
  ): Promise<Arrivals | undefined> => {
    const { height: to, isOwn } = first
    const { label: by } = first.client
    const whole = (deposits: Arrivals['deposits'] = new Map()): Arrivals => {
      counted = { to: count, by }
      if (isOwn) gap = undefined
      return { deposits, lacking: [], to, taken: count }
    }
    if (from === undefined || from === to) return whole()
    if (to < from) return undefined
    // Whoever is asked in the place of an own one is measured by nothing: its count is its own word.
    const range = { from, to, taken, count: isOwn ? count : undefined }
    const isNews = count === undefined || count !== counted?.to || counted.by !== by
    const mayAskAgain = gap === undefined || pace.isOver(SLOTS_BETWEEN_STATES * slotMs)
    if (!isNews && gap === undefined) return whole()
    const before: Gap = gap ?? { lacking: [], read: { from, taken }, told: new Set(), isUnread: false }
    const open = (deposits: Arrivals['deposits'], now: Gap): Arrivals => {
      gap = now
      return { deposits, ...openOf(now, range) }
    }
    const given = (one: Execution, asked: Range) => pace.ask(() => read(one, asked))
    const lacking: LackingLogs[] = []
    if (mayAskAgain) {
      const own = await given(first, range)
      if (!('why' in own)) return whole(watchedIn(own, before.told))
      lacking.push(own)
    }
    const isOpen = before.isUnread ? mayAskAgain : isNews
    if (!isOpen) return open(before.isUnread ? undefined : new Map(), before)
    for (const one of others.filter(({ height }) => height >= to)) {
      const logs = await given(one, { ...range, ...before.read })
      if ('why' in logs) {
        lacking.push(logs)
        continue
      }
      counted = { to: count, by }
      const told = new Set([...before.told, ...logs.map(({ event, hash }) => `${event.index} ${hash}`)])
      const lackedBy = mayAskAgain ? lacking : before.lacking
      const now = { lacking: lackedBy, read: { from: to, taken: range.count }, told, isUnread: false }
      return open(watchedIn(logs, before.told), now)
    }
    return open(undefined, { ...before, lacking: mayAskAgain ? lacking : before.lacking, isUnread: true })
  }
}

/** What is open while the first endpoint lacks the events. */
function openOf({ lacking, isUnread, read }: Gap, { count }: Range): LogsPicture {
  const unread = count === undefined || read.taken === undefined ? undefined : count - read.taken
  return { lacking, ...(isUnread && { unread: { fromBlock: read.from + 1n, count: unread } }) }
}

/** Who manages the rewards of each of these validators, and who is queued to. Left out is of whom nobody says it. */
async function askOperators(
  client: ExecutionClient,
  { pubkeys, depositContract }: { pubkeys: readonly Hex[]; depositContract: Hex },
): Promise<ReadonlyMap<Hex, OperatorPicture>> {
  const found = new Map<Hex, OperatorPicture>()
  for (const pubkey of pubkeys) {
    const asked = { depositContract, pubkey }
    const replies = await unlessSilent(
      Promise.all([getOperator(client, asked), getQueuedOperator(client, asked)]),
    )
    if (replies === undefined) continue
    const [operator, queued] = replies
    // Nobody has deposited for it yet: the first operator is no change.
    if (operator === ZERO_ADDRESS) continue
    found.set(pubkey, queued === undefined ? { operator } : { operator, queued })
  }
  return found
}
