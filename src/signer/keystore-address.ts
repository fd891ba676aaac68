import { getAddress } from 'viem/utils'
import type { FieldReader } from '../core/format/fields.ts'
import type { Hex } from '../core/format/hex.ts'
import { readKeystore, withDescriptorWallet } from './open-wallet.ts'

/**
 * The checksummed address that a keystore claims, unproven, if it claims one; with a rehearsal's password the address of
 * the key in it. Throws as `readKeystore` and `withDescriptorWallet`.
 */
export async function keystoreAddress(request: FieldReader): Promise<{ address?: Hex }> {
  request.only(['keystore', 'passwordDescriptor'])
  if (request.has('passwordDescriptor')) {
    return withDescriptorWallet(request, {}, async ({ address }) => ({ address }))
  }
  const { claimedAddress } = readKeystore(request)
  return claimedAddress === undefined ? {} : { address: getAddress(claimedAddress) }
}
