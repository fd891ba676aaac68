import { getAddress } from 'viem/utils'
import { addressOf } from './credentials.ts'

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
