import { getAddress } from 'viem/utils'
import type { Hex } from '../format/hex.ts'
import { addressOf } from './credentials.ts'

/** An address with the capitals of its EIP-55 checksum, as people have it in their records. */
export function withChecksum(address: Hex): Hex {
  return getAddress(address)
}

/**
 * Where 32-byte withdrawal credentials pay out to, as a labelled value: the address with its checksum, or the whole
 * credentials where they are of a form that names none and is never paid out.
 */
export function payoutOf(credentials: string): { label: string; value: string } {
  try {
    return { label: 'pays out to', value: getAddress(addressOf(credentials)) }
  } catch {
    return { label: 'pays nobody, credentials', value: credentials }
  }
}
