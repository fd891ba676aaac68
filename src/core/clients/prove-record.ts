import type { Validator } from '../consensus/state.ts'
import { verifyValidatorFields } from '../proofs/verify.ts'
import type { NodeClient } from './node/client.ts'
import { getValidators } from './node/get-validators.ts'
import type { ValidatorProof } from './prove-validator.ts'

/**
 * The record of a proven validator with every field as the proof binds it: the `claimed` one where it fits, else what
 * the node says of the proof's own slot. undefined where neither fits. Throws a `ClientError`.
 */
export async function proveRecord(
  node: NodeClient,
  { proof, claimed }: { proof: ValidatorProof; claimed: Validator },
): Promise<Validator | undefined> {
  const { pubkeyProof, slot, pubkey } = proof
  const fits = (fields: Validator) => verifyValidatorFields({ fields, pubkeyProof }).ok
  if (fits(claimed)) return claimed
  const [then] = await getValidators(node, { state: slot, ids: [pubkey] })
  return then !== undefined && fits(then.validator) ? then.validator : undefined
}
