import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getBlockNumber } from '../../clients/execution/get-block-number.ts'
import { getLogs } from '../../clients/execution/get-logs.ts'
import { getTransactionByHash } from '../../clients/execution/get-transaction-by-hash.ts'
import { DEPOSIT_TOPIC } from '../../deposit/abi.ts'
import { decodeDepositLog } from '../../deposit/event.ts'
import { gwei, gweiToWei } from '../../format/amount.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import type { Prepared } from './state.ts'

/** A deposit for the key, and the transaction that made it, as far as the endpoint tells. */
export type MadeDeposit = {
  hash: Hex | undefined
  valueWei: bigint
  sender: { from: Hex; nonce: number } | undefined
}

/**
 * The deposits for a key since a payment was prepared, by the contract's events: `Deposit` has no indexed field, so all
 * are read and matched (safety #74, K30). Throws a `ClientError`.
 */
export async function depositsSince(
  client: ExecutionClient,
  { prepared, pubkey }: { prepared: Prepared; pubkey: Hex },
): Promise<MadeDeposit[]> {
  const address = prepared.transaction.to
  const fromBlock = prepared.baseline.blockNumber + 1n
  const toBlock = await getBlockNumber(client)
  const logs = await getLogs(client, { address, topic: DEPOSIT_TOPIC, fromBlock, toBlock })
  const mine = logs.flatMap((log) => {
    const event = decodeDepositLog(log, address)
    return event !== undefined && sameHex(event.pubkey, pubkey) ? [{ log, event }] : []
  })
  return Promise.all(
    mine.map(async ({ log, event }) => {
      const hash = log.transactionHash
      const found = hash === undefined ? undefined : await getTransactionByHash(client, { hash })
      const sender = found === undefined ? undefined : { from: found.from, nonce: found.nonce }
      return { hash, valueWei: gweiToWei(gwei(event.amountGwei)), sender }
    }),
  )
}

/** Whether a deposit was made by the prepared transaction's account with its number. */
export function isBy({ sender }: MadeDeposit, { from, transaction }: Prepared): boolean {
  return sender !== undefined && sameHex(sender.from, from) && sender.nonce === transaction.nonce
}
