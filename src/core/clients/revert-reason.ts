import { decodeContractError } from '../deposit/abi.ts'
import type { UnsignedTransaction } from '../effects/effects.ts'
import { ClientError } from '../errors/client.ts'
import type { Hex } from '../format/hex.ts'
import { call } from './execution/call.ts'
import type { ExecutionClient } from './execution/client.ts'

/**
 * Why the contract refused a mined transaction, in words: the same call again, as of its block. Throws nothing that
 * an endpoint can cause: what cannot be found out is said so.
 */
export async function revertReason(
  client: ExecutionClient,
  { transaction, from }: { transaction: UnsignedTransaction; from: Hex },
  blockNumber: bigint,
): Promise<string> {
  const { to, valueWei, data } = transaction
  try {
    await call(client, { from, to, valueWei, data, block: blockNumber })
    return 'The contract refused it then; now it would not.'
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.data === undefined) return 'The contract gave no reason.'
    return decodeContractError(thrown.data)?.words ?? 'The contract gave a reason that is not known here.'
  }
}
