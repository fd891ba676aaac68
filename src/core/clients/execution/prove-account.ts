import { ClientError } from '../../base/errors/client.ts'
import { hex, list, quantity, record } from '../../base/format/decode.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { ExecutionPayload } from '../../chain/light/beacon-block.ts'
import type { Network } from '../../chain/network/network.ts'
import {
  addressIn,
  areAllReceipts,
  DEPOSIT_SLOTS,
  type ReceiptLog,
  verifyAccount,
  verifyStorage,
} from '../../chain/proofs/execution-proof.ts'
import { unlessSilent } from '../ask-as-service.ts'
import { LIST, PROOF } from '../json-rpc.ts'
import type { Anchor } from '../prove-validator.ts'
import { encodeQuantity } from './blocks.ts'
import type { ExecutionClient } from './client.ts'

/** An account at one block, with the storage that was asked for, in order. Amounts in wei. */
type AccountAt = { nonce: bigint; balanceWei: bigint; codeHash: Hex; storage: readonly bigint[] }

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

type ProofAnchor = Pick<Anchor, 'signed' | 'execution' | 'second' | 'leftOut'>

/** What the deposit contract holds at a block: how many deposits it has taken, and who operates the key that was asked for. */
export type ContractAt = { taken: bigint; operator: Hex | undefined }

/**
 * Proves an account at the block of an anchor by the Merkle proof of one of its endpoints; undefined where the block isn't
 * signed, or none offers a proof that holds. Whoever gives one that doesn't is left out by name.
 */
export async function proveAtAnchor(
  { signed, execution, second, leftOut }: ProofAnchor,
  asked: { address: Hex; slots: readonly Hex[] },
): Promise<AccountAt | undefined> {
  if (signed === undefined) return undefined
  const { stateRoot, number: block } = signed.payload
  for (const client of second === undefined ? [execution] : [execution, second]) {
    const found = await unlessSilent(proveAccount(client, { ...asked, block, stateRoot }))
    if (found === undefined) continue
    if (!('fault' in found)) return found
    const words = `${endpointName(client.label)} gives a false proof: ${found.fault}`
    if (!leftOut.includes(words)) leftOut.push(words)
  }
  return undefined
}

/**
 * Proves what the deposit contract holds at the block of an anchor, by its storage; undefined where that can't be proven,
 * and where other code stands there than this program knows the storage of.
 */
export async function proveContract(
  anchor: ProofAnchor,
  { network, pubkey }: { network: Network; pubkey?: Hex },
): Promise<ContractAt | undefined> {
  const { spec, depositContractCodeHash } = network
  const slots = [DEPOSIT_SLOTS.count, ...(pubkey === undefined ? [] : [DEPOSIT_SLOTS.operatorOf(pubkey)])]
  const account = await proveAtAnchor(anchor, { address: spec.depositContract, slots })
  if (account === undefined) return undefined
  const [taken, operator] = account.storage
  if (taken === undefined || !sameHex(account.codeHash, depositContractCodeHash)) return undefined
  return { taken, operator: operator === undefined ? undefined : addressIn(operator) }
}
