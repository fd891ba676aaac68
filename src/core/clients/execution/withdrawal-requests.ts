import type { Wei } from '../../base/format/amount.ts'
import { type Decoder, refuse } from '../../base/format/decode.ts'
import { type Hex, isHex } from '../../base/format/hex.ts'
import type { QueuedRequest } from '../../chain/consensus/leave-outlook.ts'
import { REQUESTS_CONTRACT, requestOfLog } from '../../chain/deposit/withdrawal-call.ts'
import type { ExecutionClient } from './client.ts'
import { readLogs } from './get-logs.ts'

const feeWord: Decoder<Wei> = (value, path) =>
  isHex(value, 32) ? BigInt(value) : refuse(path, 'a fee in one word', value)

/** Returns what the contract of EIP-7002 asks for a withdrawal request in the next block, in wei. Throws a `ClientError`. */
export function getRequestFee(client: ExecutionClient): Promise<Wei> {
  const params = [{ to: REQUESTS_CONTRACT, data: '0x' }, 'latest']
  return client.rpc({ method: 'eth_call', params, decode: feeWord })
}

/** A withdrawal request of a block, by the log that the contract wrote for it. */
export type FoundRequest = QueuedRequest & { transactionHash: Hex }

/**
 * All withdrawal requests of anybody in a range of blocks, both ends included, in order: the contract of EIP-7002 writes
 * a log without topics for each, of 76 bytes. Throws a `ClientError` as `getLogs`, and for a log in another form.
 */
export async function getWithdrawalRequests(
  client: ExecutionClient,
  { fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint },
): Promise<FoundRequest[]> {
  const filter = { address: REQUESTS_CONTRACT, fromBlock, toBlock }
  const found = await readLogs(client, filter, (logs, list) =>
    logs.map((log, at) => {
      const path = `${list}[${at}]`
      const { data, blockNumber: blockSlot, transactionHash } = log
      const request = requestOfLog(data)
      if (request === undefined) return refuse(`${path}.data`, 'a withdrawal request of 76 bytes', data)
      if (blockSlot === undefined) return refuse(`${path}.blockNumber`, 'a block', blockSlot)
      if (transactionHash === undefined)
        return refuse(`${path}.transactionHash`, 'a transaction', transactionHash)
      return { log, request: { ...request, blockSlot, transactionHash } }
    }),
  )
  return found.map(({ request }) => request)
}
