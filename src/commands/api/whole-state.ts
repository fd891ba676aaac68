import type { NodeClient } from '../../core/clients/node/client.ts'
import { getBlockProposerProof } from '../../core/clients/node/get-block-proposer-proof.ts'
import { sameHex } from '../../core/format/hex.ts'
import type { BeaconState } from '../../core/proofs/beacon-state.ts'
import type { ProofVerdict } from '../../core/proofs/verify.ts'
import type { Claim } from './anchor.ts'

/**
 * A whole state as something to be proven: its hash tree root, computed here, must be the state root of the header of
 * its slot. Throws a `ClientError`.
 */
export async function stateClaim(client: NodeClient, state: BeaconState): Promise<Claim> {
  const moment = { slot: state.slot }
  const { header, claimedRoot } = await getBlockProposerProof(client, { moment })
  const verdict = async (): Promise<ProofVerdict> => {
    const [{ useFastHasher }, { stateRoot }] = await Promise.all([
      import('../../core/deposit/fast-hasher.ts'),
      import('../../core/proofs/state-root.ts'),
    ])
    await useFastHasher()
    const same = sameHex(await stateRoot(state, rest), header.stateRoot)
    return same ? { ok: true } : { ok: false, reason: 'does-not-reach-the-root' }
  }
  return { header, claimedRoot, moment, verdict }
}

/** Lets a signal through between two parts of the work. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
