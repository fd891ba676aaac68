import { DEPOSIT_TOPIC } from '../deposit/abi.ts'
import { type DepositEvent, decodeDepositLog } from '../deposit/event.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBlockNumber } from './execution/get-block-number.ts'
import { getLogs } from './execution/get-logs.ts'
import type { Log } from './execution/log.ts'

/**
 * The deposits for one key in blocks after the given one, up to the head, by the endpoint's word: `Deposit` has no
 * indexed field, so all are read and matched. Throws a `ClientError`.
 */
export async function keyDepositsAfter(
  client: ExecutionClient,
  { address, pubkey, block }: { address: Hex; pubkey: Hex; block: bigint },
): Promise<{ log: Log; event: DepositEvent; block: bigint }[]> {
  const fromBlock = block < 0n ? 0n : block + 1n
  const toBlock = await getBlockNumber(client)
  const logs = await getLogs(client, { address, topic: DEPOSIT_TOPIC, fromBlock, toBlock })
  return logs.flatMap((log) => {
    const event = decodeDepositLog(log, address)
    if (event === undefined || log.blockNumber === undefined) return []
    return sameHex(event.pubkey, pubkey) ? [{ log, event, block: log.blockNumber }] : []
  })
}
