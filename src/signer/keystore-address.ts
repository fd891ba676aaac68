import type { FieldReader } from '../core/format/fields.ts'
import type { Hex } from '../core/format/hex.ts'
import { openWallet } from './open-wallet.ts'
import type { RequestContext } from './request-context.ts'

/** The checksummed address of the key in a keystore. Throws as `openWallet`. */
export async function keystoreAddress(
  request: FieldReader,
  context: RequestContext,
): Promise<{ address: Hex }> {
  request.only(['keystore', 'passwordDescriptor'])
  const account = await openWallet(request, context)
  return { address: account.address }
}
