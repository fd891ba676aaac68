import { ClientError } from '../base/errors/client.ts'
import { type Hex, sameHex } from '../base/format/hex.ts'
import type { Network } from '../chain/network/network.ts'
import { addressIn, DEPOSIT_SLOTS } from '../chain/proofs/execution-proof.ts'
import { type AccountAt, proveAccount } from './execution/prove-account.ts'
import type { Anchor } from './prove-validator.ts'

/** What the deposit contract holds at a block: how many deposits it has taken, and who operates the key that was asked for. */
export type ContractAt = { taken: bigint; operator: Hex | undefined }

/**
 * Proves an account at the block of an anchor by one endpoint's Merkle proof; undefined where the block isn't signed, or the
 * endpoint offers no proof of it. A proof that doesn't hold is `fault`.
 */
export async function proveAtAnchor(
  { signed, execution }: Pick<Anchor, 'signed' | 'execution'>,
  asked: { address: Hex; slots: readonly Hex[] },
): Promise<AccountAt | { fault: string } | undefined> {
  if (signed === undefined) return undefined
  const { stateRoot, number: block } = signed.payload
  try {
    return await proveAccount(execution, { ...asked, block, stateRoot })
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}

/**
 * Proves what the deposit contract holds at the block of an anchor, by its storage; undefined where that can't be proven,
 * and where other code stands there than this program knows the storage of.
 */
export async function proveContract(
  anchor: Pick<Anchor, 'signed' | 'execution'>,
  { network, pubkey }: { network: Network; pubkey?: Hex },
): Promise<ContractAt | undefined> {
  const { spec, depositContractCodeHash } = network
  const slots = [DEPOSIT_SLOTS.count, ...(pubkey === undefined ? [] : [DEPOSIT_SLOTS.operatorOf(pubkey)])]
  const account = await proveAtAnchor(anchor, { address: spec.depositContract, slots })
  if (account === undefined || 'fault' in account) return undefined
  const [taken, operator] = account.storage
  if (taken === undefined || !sameHex(account.codeHash, depositContractCodeHash)) return undefined
  return { taken, operator: operator === undefined ? undefined : addressIn(operator) }
}
