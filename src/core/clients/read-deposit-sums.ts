import { formatCount, type Gwei } from '../base/format/amount.ts'
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
  /** How many endpoints gave them: 1 or 2. */
  endpoints: number
}

/**
 * Reads all deposit events up to the head (`eth_getLogs`), from a second endpoint too where there is one that answers, and adds
 * them up by key. The contract numbers them without a gap: `unknown` says where an endpoint leaves one out, or both give
 * different ones. `tell` hears how many questions it takes before they are asked. Throws a `ClientError` when the first endpoint does not answer.
 */
export async function readDepositSums(
  { execution, second }: { execution: ExecutionClient; second?: ExecutionClient | undefined },
  spec: Pick<ChainSpec, 'depositContract' | 'activationBalanceGwei'>,
  tell: (about: { block: bigint; questions: bigint }) => void,
): Promise<DepositSums | { unknown: string }> {
  const [head, there] = await Promise.all([
    getBlockNumber(execution),
    second === undefined ? undefined : unlessSilent(getBlockNumber(second)),
  ])
  const block = there === undefined || head < there ? head : there
  tell({ block, questions: block / LARGEST_RANGE + 1n })
  const asked = { address: spec.depositContract, block }
  const [own, other] = await Promise.all([
    eventsOf(execution, asked),
    second === undefined || there === undefined ? undefined : unlessSilent(eventsOf(second, asked)),
  ])
  if ('unknown' in own) return own
  if (other !== undefined && 'unknown' in other) return other
  if (other !== undefined && !isSame(own, other)) {
    return { unknown: `${execution.label} and ${second?.label ?? ''} give other deposits` }
  }
  return { ...sumsOf(own, spec), block, endpoints: other === undefined ? 1 : 2 }
}

type Events = { logs: readonly DepositLog[]; taken: bigint }

/** The events of one endpoint; `unknown` where their numbers have a gap, or end before the contract's count. */
async function eventsOf(
  client: ExecutionClient,
  { address, block }: { address: Hex; block: bigint },
): Promise<Events | { unknown: string }> {
  const [taken, logs] = await Promise.all([
    getDepositCount(client, { depositContract: address, block }),
    getDepositLogs(client, { address, fromBlock: 0n, toBlock: block }),
  ])
  if (areAllDeposits(logs, { taken })) return { logs, taken }
  const unknown = `${client.label} gives ${formatCount(BigInt(logs.length))} deposit events, not those up to its count of ${formatCount(taken)}`
  return { unknown }
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
): Omit<DepositSums, 'block' | 'endpoints'> {
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
