import { DEPOSIT_TOPIC } from '../deposit/abi.ts'
import { decodeDepositLog } from '../deposit/event.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import type { Network } from '../network/network.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBlockNumber } from './execution/get-block-number.ts'
import { getLogs } from './execution/get-logs.ts'

/** The deposits for one key in blocks after the given one, up to the head, by the endpoint's word. */
export async function depositsSince(
  client: ExecutionClient,
  { network, pubkey, block }: { network: Network; pubkey: Hex; block: bigint },
): Promise<{ block: bigint; amountGwei: bigint }[]> {
  const address = network.spec.depositContract
  const toBlock = await getBlockNumber(client)
  const fromBlock = block < 0n ? 0n : block + 1n
  if (toBlock < fromBlock) return []
  const logs = await getLogs(client, { address, topic: DEPOSIT_TOPIC, fromBlock, toBlock })
  return logs.flatMap((log) => {
    const event = decodeDepositLog(log, address)
    const isOurs = event !== undefined && sameHex(event.pubkey, pubkey)
    return isOurs && log.blockNumber !== undefined
      ? [{ block: log.blockNumber, amountGwei: event.amountGwei }]
      : []
  })
}
