import { getAddress } from 'viem/utils'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const LAST_RESERVED = 0xffffn
const DEAD_ENDS = new Set([
  '0x4242424242424242424242424242424242424242',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  '0x000000000000000000000000000000000000dead',
])

/**
 * Why a typed address is not accepted, or undefined when it is.
 * Only the EIP-55 form passes: its capital letters are the checksum that catches a typing mistake.
 */
export function checkAddress(text: string): string | undefined {
  if (!text.startsWith('0x')) return 'An address begins with 0x. Names are not accepted.'
  if (!ADDRESS.test(text))
    return `An address has 40 digits behind 0x; this has ${text.length - 2}, or other characters.`
  const checksummed = getAddress(text.toLowerCase())
  if (BigInt(text) <= LAST_RESERVED || DEAD_ENDS.has(text.toLowerCase())) {
    return 'Nobody holds the key to this address: what arrives there is gone.'
  }
  if (text === checksummed) return undefined
  if (text === text.toLowerCase())
    return `Capitals are its checksum. If this is your address, type ${checksummed}`
  return 'The checksum does not fit: at least one character is wrong.'
}
