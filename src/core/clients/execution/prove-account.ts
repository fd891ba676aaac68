import { hex, list, record } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import { verifyAccount, verifyStorage } from '../../chain/proofs/execution-proof.ts'
import { PROOF } from '../limits.ts'
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
