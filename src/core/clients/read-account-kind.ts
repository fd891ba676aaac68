import type { Hex } from '../format/hex.ts'
import { type AccountKind, accountKind } from '../identity/account-kind.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBalance } from './execution/get-balance.ts'
import { getCode } from './execution/get-code.ts'
import { getTransactionCount } from './execution/get-transaction-count.ts'

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
