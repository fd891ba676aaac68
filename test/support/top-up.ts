import type { Signer } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'

type SignRequest = Parameters<Signer['signTransaction']>[0]

/** A top-up of 240,000 tokens by an account, to be signed with a typed password. */
export function topUpRequest(keystore: string, from: Hex): SignRequest {
  return {
    keystore,
    from,
    transaction: {
      chainId: 31337,
      nonce: 7,
      to: `0x${'42'.repeat(20)}`,
      valueWei: 240_000n * 10n ** 18n,
      data: encodeTopUp({ pubkey: `0x${'a7'.repeat(48)}` }),
      gasLimit: 150_000n,
      maxFeePerGasWei: 3_000_000_000n,
      maxPriorityFeePerGasWei: 1_000_000_000n,
    },
    prompt: { network: 'Dress rehearsal', token: 'BERA', speedsUp: false, arrived: '' },
  }
}
