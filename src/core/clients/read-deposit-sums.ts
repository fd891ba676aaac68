import { failureWords } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { formatCount, type Gwei } from '../base/format/amount.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import type { Hex } from '../base/format/hex.ts'
import type { ChainSpec } from '../chain/network/network.ts'
import { unlessSilent } from './ask-as-service.ts'
import { getBlockNumber } from './execution/blocks.ts'
import { getDepositCount } from './execution/call.ts'
import type { ExecutionClient } from './execution/client.ts'
import { areAllDeposits, type DepositLog, getDepositLogs } from './execution/deposit-logs.ts'
import { LARGEST_RANGE } from './execution/get-logs.ts'

/** What all deposit events of a contract come to. Nothing of it says who has a place. */
export type DepositSums = {
  /** The block up to which they were read. */
  block: bigint
  deposits: number
  /** Deposits of the genesis, which have no event. */
  genesis: bigint
  keys: number
  sumGwei: Gwei
  /** How many keys were given as much as asks for a place, whatever became of it. */
  keysAtThreshold: number
  /** Who gave them: one endpoint, or two that give the same. */
  by: readonly string[]
  /** Why an endpoint was left out that doesn't give them all; safe to draw. */
  leftOut: string | undefined
}

/**
 * Reads all deposit events up to the head (`eth_getLogs`) from every endpoint and adds them up by key. The contract numbers
 * them without a gap, so one that doesn't give them all is left out, with the reason, and the other one's count. `unknown`:
 * nobody gives them all, or both give different ones. `tell` hears how many questions it takes before they are asked.
 * Throws a `ClientError` when no endpoint answers.
 */
export async function readDepositSums(
  { execution, second }: { execution: ExecutionClient; second?: ExecutionClient | undefined },
  spec: Pick<ChainSpec, 'depositContract' | 'activationBalanceGwei'>,
  tell: (about: { block: bigint; questions: bigint }) => void,
): Promise<DepositSums | { unknown: string }> {
  const all = second === undefined ? [execution] : [execution, second]
  const heads = await Promise.all(all.map((client) => unlessSilent(getBlockNumber(client))))
  const known = heads.filter((head) => head !== undefined)
  const block = known.reduce(
    (low, head) => (head < low ? head : low),
    known[0] ?? (await getBlockNumber(execution)),
  )
  tell({ block, questions: block / LARGEST_RANGE + 1n })
  const replies = await Promise.all(
    all.map((client) => eventsOf(client, { address: spec.depositContract, block })),
  )
  const failures = replies.flatMap((reply) => ('unknown' in reply ? [reply.unknown] : []))
  const [own, other] = replies.flatMap((reply) => ('unknown' in reply ? [] : [reply]))
  if (own === undefined) return { unknown: failures.join(' ') }
  if (other !== undefined && !isSame(own, other))
    return { unknown: `${own.by} and ${other.by} give other deposits` }
  const by = other === undefined ? [own.by] : [own.by, other.by]
  return { ...sumsOf(own, spec), block, by, leftOut: failures[0] }
}

type Events = { by: string; logs: readonly DepositLog[]; taken: bigint }

/** The events of one endpoint; `unknown` where it refuses, or their numbers have a gap or end before the contract's count. */
async function eventsOf(
  client: ExecutionClient,
  { address, block }: { address: Hex; block: bigint },
): Promise<Events | { unknown: string }> {
  const by = endpointName(client.label)
  try {
    const [taken, logs] = await Promise.all([
      getDepositCount(client, { depositContract: address, block }),
      getDepositLogs(client, { address, fromBlock: 0n, toBlock: block }),
    ])
    if (areAllDeposits(logs, { taken })) return { by, logs, taken }
    const unknown = `${by} gives ${formatCount(BigInt(logs.length))} deposit events, not those up to its count of ${formatCount(taken)}.`
    return { unknown }
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    return { unknown: failureWords(thrown) }
  }
}

function isSame(a: Events, b: Events): boolean {
  return (
    a.taken === b.taken &&
    a.logs.length === b.logs.length &&
    a.logs.every(({ log, block, hash }, place) => {
      const other = b.logs[place]
      return other?.log.data === log.data && other.block === block && other.hash === hash
    })
  )
}

function sumsOf(
  { logs, taken }: Events,
  { activationBalanceGwei }: Pick<ChainSpec, 'activationBalanceGwei'>,
): Omit<DepositSums, 'block' | 'by' | 'leftOut'> {
  const ofKeys = new Map<string, Gwei>()
  for (const { event } of logs) {
    const key = event.pubkey.toLowerCase()
    ofKeys.set(key, (ofKeys.get(key) ?? 0n) + event.amountGwei)
  }
  const sums = [...ofKeys.values()]
  return {
    deposits: logs.length,
    genesis: taken - BigInt(logs.length),
    keys: sums.length,
    sumGwei: sums.reduce((sum, each) => sum + each, 0n),
    keysAtThreshold: sums.filter((each) => each >= activationBalanceGwei).length,
  }
}
