import type { Hex } from '../format/hex.ts'
import { type AccountKind, accountKind } from '../identity/check-address.ts'
import { getCode } from './execution/call.ts'
import { getBalance } from './execution/chain.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getTransactionCount } from './execution/transactions.ts'

/** What stands at an address in the latest block, by one endpoint’s word. Throws a `ClientError`. */
export async function readAccountKind(
  client: ExecutionClient,
  { address }: { address: Hex },
): Promise<AccountKind> {
  const [code, sent, balanceWei] = await Promise.all([
    getCode(client, { address }),
    getTransactionCount(client, { address, block: 'latest' }),
    getBalance(client, { address }),
  ])
  return accountKind({ code, sent, balanceWei })
}
