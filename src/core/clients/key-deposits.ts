import { DEPOSIT_TOPIC } from '../deposit/abi.ts'
import { type DepositEvent, decodeDepositLog, type MadeDeposit } from '../deposit/event.ts'
import { gwei, gweiToWei } from '../format/amount.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBlockNumber } from './execution/get-block-number.ts'
import { getLogs } from './execution/get-logs.ts'
import { getTransactionByHash } from './execution/get-transaction-by-hash.ts'
import type { Log } from './execution/log.ts'

/** One deposit for a key, in a block. */
type KeyDepositLog = { log: Log; event: DepositEvent; block: bigint }

/**
 * The deposits for one key in a range of blocks, by the endpoint's word: `Deposit` has no indexed field, so all are read
 * and matched. `ofAll` is how many there were for anybody. Throws a `ClientError`.
 */
export async function keyDepositsIn(
  client: ExecutionClient,
  asked: { address: Hex; pubkey: Hex; fromBlock: bigint; toBlock: bigint },
): Promise<{ deposits: KeyDepositLog[]; ofAll: number }> {
  const { address, pubkey, fromBlock, toBlock } = asked
  const logs = await getLogs(client, { address, topic: DEPOSIT_TOPIC, fromBlock, toBlock })
  const deposits = logs.flatMap((log) => {
    const event = decodeDepositLog(log, address)
    if (event === undefined || log.blockNumber === undefined) return []
    return sameHex(event.pubkey, pubkey) ? [{ log, event, block: log.blockNumber }] : []
  })
  return { deposits, ofAll: logs.length }
}

/** The same in blocks after the given one, up to the head. Throws a `ClientError`. */
export async function keyDepositsAfter(
  client: ExecutionClient,
  { address, pubkey, block }: { address: Hex; pubkey: Hex; block: bigint },
): Promise<KeyDepositLog[]> {
  const fromBlock = block < 0n ? 0n : block + 1n
  const toBlock = await getBlockNumber(client)
  return (await keyDepositsIn(client, { address, pubkey, fromBlock, toBlock })).deposits
}

/** The same with the transactions that made them, where the endpoint has those. Throws a `ClientError`. */
export async function madeDepositsAfter(
  client: ExecutionClient,
  asked: { address: Hex; pubkey: Hex; block: bigint },
): Promise<MadeDeposit[]> {
  const { address } = asked
  const deposits = await keyDepositsAfter(client, asked)
  return Promise.all(
    deposits.map(async ({ log, event, block }) => {
      const hash = log.transactionHash
      const found = hash === undefined ? undefined : await getTransactionByHash(client, { hash })
      const sender = found === undefined ? undefined : { from: found.from, nonce: found.nonce }
      const input = found?.to !== undefined && sameHex(found.to, address) ? found.input : undefined
      return { hash, block, valueWei: gweiToWei(gwei(event.amountGwei)), event, input, sender }
    }),
  )
}

/** Whether a block holds a deposit that a transaction made, by the endpoint's word. Throws a `ClientError`. */
export async function holdsDeposit(
  client: ExecutionClient,
  asked: { address: Hex; blockNumber: bigint; blockHash: Hex; hash: Hex },
): Promise<boolean> {
  const { address, blockNumber: block, blockHash, hash } = asked
  const logs = await getLogs(client, { address, topic: DEPOSIT_TOPIC, fromBlock: block, toBlock: block })
  return logs.some(
    (log) => sameHex(log.transactionHash ?? '', hash) && sameHex(log.blockHash ?? '', blockHash),
  )
}
