import { isError } from '../../base/errors/base.ts'
import { refuse } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import { DEPOSIT_TOPIC } from '../../chain/deposit/abi.ts'
import { type DepositEvent, decodeDepositLog } from '../../chain/deposit/event.ts'
import type { ExecutionClient } from './client.ts'
import { type Log, readLogs } from './get-logs.ts'

/** A deposit that a transaction of a block made. */
export type DepositLog = { log: Log; event: DepositEvent; block: bigint; hash: Hex }

/**
 * All deposits for anybody in a range of blocks, both ends included, in order, each one read (`eth_getLogs`). The
 * contract writes each in one form, names its transaction and gives it an index of its own: a reply with one that is not
 * so, or that comes twice, is wrong as a whole, since leaving it out could hide a payment. Throws a `ClientError` as
 * `getLogs`, and for such a reply.
 */
export function getDepositLogs(
  client: ExecutionClient,
  asked: { address: Hex; fromBlock: bigint; toBlock: bigint },
): Promise<DepositLog[]> {
  const filter = { ...asked, topic: DEPOSIT_TOPIC }
  return readLogs(client, filter, (logs, list) => {
    const indexes = new Set<bigint>()
    return logs.map((log, at) => {
      const path = `${list}[${at}]`
      const deposit = readDeposit(log, { address: asked.address, path })
      const { index } = deposit.event
      if (indexes.has(index)) refuse(`${path}.data`, 'each deposit once', index)
      indexes.add(index)
      return deposit
    })
  })
}

/**
 * Whether these are all deposits up to the contract's count `taken`, one index after the other; from the one with index
 * `before` on, where that is known.
 */
export function areAllDeposits(
  logs: readonly DepositLog[],
  { before, taken }: { before?: bigint | undefined; taken: bigint },
): boolean {
  const first = before ?? logs[0]?.event.index ?? taken
  const isInOrder = logs.every(({ event }, place) => event.index === first + BigInt(place))
  return isInOrder && first + BigInt(logs.length) === taken
}

/**
 * The Deposit event in a log, as it stands in a reply; undefined for another event or contract. Throws a `FieldFault`
 * for one that is not in the contract's form.
 */
export function depositEventIn(
  log: Log,
  { address, path }: { address: Hex; path: string },
): DepositEvent | undefined {
  try {
    return decodeDepositLog(log, address)
  } catch (thrown) {
    if (!isError(thrown, 'deposit')) throw thrown
    return refuse(`${path}.data`, 'a Deposit event as the contract writes it', log.data)
  }
}

function readDeposit(log: Log, place: { address: Hex; path: string }): DepositLog {
  const { path } = place
  const { blockNumber: block, transactionHash: hash } = log
  const event = depositEventIn(log, place)
  if (event === undefined) return refuse(`${path}.topics`, DEPOSIT_TOPIC, log.topics[0])
  if (block === undefined) return refuse(`${path}.blockNumber`, 'a block', block)
  if (hash === undefined) return refuse(`${path}.transactionHash`, 'a transaction', hash)
  return { log, event, block, hash }
}
