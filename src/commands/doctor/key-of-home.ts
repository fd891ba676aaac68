import { BaseError } from '../../core/base/errors/base.ts'
import type { NodeSetup } from '../../core/chain/facts.ts'
import { keyPlaceOf } from '../../core/chain/identity/home-files.ts'
import type { Call } from '../command.ts'

/**
 * Returns the public half of the key of a home, which the signer child derives; undefined where the home or its key cannot be
 * read: its own lines say why.
 */
export async function keyOfHome({ effects }: Call, { homePath, network }: NodeSetup) {
  try {
    const { keyFile, remoteSigner } = await keyPlaceOf(effects, { homePath })
    if (remoteSigner !== '') return undefined
    const { keyTypePrefix } = network.names
    return await effects.signer.inspect({ keyFile, keyTypePrefix })
  } catch (thrown) {
    if (thrown instanceof BaseError) return undefined
    throw thrown
  }
}
