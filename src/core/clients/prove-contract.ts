import { endpointName } from '../base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../base/format/hex.ts'
import type { Network } from '../chain/network/network.ts'
import { addressIn, DEPOSIT_SLOTS } from '../chain/proofs/execution-proof.ts'
import { unlessSilent } from './ask-as-service.ts'
import { type AccountAt, proveAccount } from './execution/prove-account.ts'
import type { Anchor } from './prove-validator.ts'

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
