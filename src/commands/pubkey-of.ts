import { badUsage } from '../core/errors/usage.ts'
import type { NodeSetup } from '../core/facts.ts'
import { type Hex, isHex } from '../core/format/hex.ts'
import { safeText } from '../core/format/text.ts'
import { readHome } from '../core/identity/home.ts'
import type { Call } from './command.ts'
import { requireHome } from './require-home.ts'

/**
 * The validator a command is about: --pubkey, else the key of the home, which the signer child derives. Throws
 * `usage.option`, `usage.no-home`, a `HomeError`, a `FileError`, or what the signer child says.
 */
export async function pubkeyOf(call: Call, setup: NodeSetup): Promise<Hex> {
  const { homePath, network } = setup
  const { pubkey } = call.options
  if (isHex(pubkey, 48)) return pubkey.toLowerCase() as Hex
  if (pubkey !== undefined) {
    const sentence = '--pubkey is no public key.'
    throw badUsage({ sentence, found: safeText(pubkey, 120), next: 'Give 48 bytes of 0x hexadecimal.' })
  }
  await requireHome(call, setup, 'Or give the public key of the validator itself: --pubkey 0x and 96 digits.')
  const { keyFile, remoteSigner } = await readHome(call.effects, { homePath, network })
  if (remoteSigner === '') {
    const { keyTypePrefix } = network.names
    return (await call.effects.signer.inspect({ keyFile, keyTypePrefix })).pubkey
  }
  const sentence = 'A remote signer holds the key of this home.'
  throw badUsage({ sentence, next: 'Give its public key with --pubkey.' })
}
