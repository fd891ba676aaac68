import { getAddress, isAddress } from 'viem/utils'
import { depositError } from '../../base/errors/deposit.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, isHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'

const PREFIX = '0x010000000000000000000000'

/**
 * An address as a person gives it, lower case in the answer: 0x and 40 hex digits, either all lower case or with
 * a right EIP-55 checksum, never the zero address. Throws `deposit.bad-address`.
 */
export function parseAddress(text: string): Hex {
  const lower = text.toLowerCase()
  const found = safeText(text, 100)
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw depositError('deposit.bad-address', { found, expected: '0x and 40 hex digits' })
  }
  if (text !== lower && !isAddress(text, { strict: true })) {
    throw depositError('deposit.bad-address', {
      found,
      expected: 'capitals as in its EIP-55 checksum: a digit is mistyped',
    })
  }
  if (lower === ZERO_ADDRESS)
    throw depositError('deposit.bad-address', { found, expected: 'an address other than zero' })
  return lower as Hex
}

/**
 * Withdrawal credentials that pay out to `address`: 0x01, 11 zero bytes, the 20 bytes.
 * Throws `deposit.bad-address`.
 */
export function credentialsOf(address: string): Hex {
  return `${PREFIX}${parseAddress(address).slice(2)}` as Hex
}

/**
 * Returns the address that 32-byte credentials pay out to, lower case. Only the one form that `credentialsOf` makes is
 * accepted. Throws `deposit.bad-credentials`.
 */
export function addressOf(credentials: string): Hex {
  const lower = credentials.toLowerCase()
  const address = `0x${lower.slice(PREFIX.length)}`
  if (!isHex(lower, 32) || !lower.startsWith(PREFIX) || address === ZERO_ADDRESS) {
    throw depositError('deposit.bad-credentials', safeText(credentials, 100))
  }
  return address as Hex
}

/** Returns an address with the capitals of its EIP-55 checksum, as people have it in their records. */
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

/** The chain that a deposit is signed for. `genesisForkVersion` is 4 bytes, `genesisValidatorsRoot` 32. */
export type DepositChain = { genesisForkVersion: Hex; genesisValidatorsRoot: Hex }

/** What the validator key signs: 48 bytes, 32 bytes, uint64 gwei. */
export type DepositMessage = { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: Gwei }

/** A message, its 96-byte signature and the chain that it is for. */
export type SignedDeposit = DepositMessage & DepositChain & { signature: Hex }
