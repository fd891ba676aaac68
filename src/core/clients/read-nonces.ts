import type { Hex } from '../format/hex.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getTransactionCount } from './execution/get-transaction-count.ts'

/** The next nonce of an account, up to the head and with what waits in the pool. Throws a `ClientError`. */
export async function readNonces(
  client: ExecutionClient,
  { address }: { address: Hex },
): Promise<{ latest: number; pending: number }> {
  const [latest, pending] = await Promise.all([
    getTransactionCount(client, { address, block: 'latest' }),
    getTransactionCount(client, { address, block: 'pending' }),
  ])
  return { latest, pending }
}
