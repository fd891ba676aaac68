import { ClientError } from '../../base/errors/client.ts'
import { hex, list, quantity, record } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ExecutionPayload } from '../../chain/light/beacon-block.ts'
import {
  areAllReceipts,
  type ReceiptLog,
  verifyAccount,
  verifyStorage,
} from '../../chain/proofs/execution-proof.ts'
import { LIST, PROOF } from '../json-rpc.ts'
import { encodeQuantity } from './blocks.ts'
import type { ExecutionClient } from './client.ts'

/** An account at one block, with the storage that was asked for, in order. Amounts in wei. */
export type AccountAt = { nonce: bigint; balanceWei: bigint; codeHash: Hex; storage: readonly bigint[] }

const proofFields = record({
  accountProof: list(hex()),
  storageProof: list(record({ proof: list(hex()) })),
})

/**
 * Proves an account and its storage at a block whose state root is known (`eth_getProof`, EIP-1186): nothing that the
 * endpoint says counts but the proof. `fault` says why it isn't one. Full nodes prove the newest 128 blocks. Throws a
 * `ClientError`.
 */
export async function proveAccount(
  client: ExecutionClient,
  asked: { address: Hex; slots: readonly Hex[]; block: bigint; stateRoot: Hex },
): Promise<AccountAt | { fault: string }> {
  const { address, slots, block, stateRoot } = asked
  const params = [address, slots, encodeQuantity(block)]
  const reply = await client.rpc({ method: 'eth_getProof', params, decode: proofFields, limits: PROOF })
  const account = verifyAccount({ stateRoot, address, proof: reply.accountProof })
  if ('fault' in account) return account
  const { nonce, balanceWei, codeHash, storageRoot } = account
  const storage: bigint[] = []
  for (const [at, slot] of slots.entries()) {
    const value = verifyStorage({ storageRoot, slot, proof: reply.storageProof[at]?.proof ?? [] })
    if (typeof value !== 'bigint') return value
    storage.push(value)
  }
  return { nonce, balanceWei, codeHash, storage }
}

const receiptFields = list(
  record({
    type: quantity,
    status: quantity,
    cumulativeGasUsed: quantity,
    logsBloom: hex(256),
    logs: list(record({ address: hex(20), topics: list(hex(32)), data: hex() })),
  }),
)

/**
 * Returns all logs of a signed block, proven to be complete by its receipts root (`eth_getBlockReceipts`); undefined where
 * the endpoint doesn't give receipts that hash to it.
 */
export async function proveLogs(
  client: ExecutionClient,
  { number, receiptsRoot }: Pick<ExecutionPayload, 'number' | 'receiptsRoot'>,
): Promise<readonly ReceiptLog[] | undefined> {
  const params = [encodeQuantity(number)]
  try {
    const found = await client.rpc({
      method: 'eth_getBlockReceipts',
      params,
      decode: receiptFields,
      limits: LIST,
    })
    const receipts = found.map((one) => ({ ...one, type: Number(one.type), status: Number(one.status) }))
    return areAllReceipts(receiptsRoot, receipts) ? receipts.flatMap(({ logs }) => logs) : undefined
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}
