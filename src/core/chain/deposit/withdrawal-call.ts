import type { Wei } from '../../base/format/amount.ts'
import { type Hex, isHex } from '../../base/format/hex.ts'
import type { WithdrawalRequest } from '../consensus/state.ts'

/** The contract that takes withdrawal requests on every chain that has it (EIP-7002). */
export const REQUESTS_CONTRACT: Hex = '0x00000961Ef480Eb55e80D19ad83579A64c007002'

const PUBKEY_BYTES = 48
const CALL_BYTES = 56
const LOG_BYTES = 76
const ADDRESS_DIGITS = 40
const PUBKEY_DIGITS = 96
const AMOUNT_DIGITS = 16

/** What a request calls the contract with: public key (48 bytes), amount in gwei (8, big-endian); 0 asks for the exit. */
export function encodeWithdrawalCall({ pubkey, amountGwei }: Omit<WithdrawalRequest, 'sourceAddress'>): Hex {
  const digits = amountGwei.toString(16).padStart(AMOUNT_DIGITS, '0')
  if (!isHex(pubkey, PUBKEY_BYTES) || amountGwei < 0n || digits.length > AMOUNT_DIGITS)
    throw new RangeError('a request has a public key of 48 bytes and an amount of 8')
  return `0x${pubkey.slice(2).toLowerCase()}${digits}`
}

/** Reads such a call back; undefined for bytes that are none. */
export function decodeWithdrawalCall(data: Hex): Omit<WithdrawalRequest, 'sourceAddress'> | undefined {
  if (!isHex(data, CALL_BYTES)) return undefined
  const digits = data.slice(2).toLowerCase()
  return {
    pubkey: `0x${digits.slice(0, PUBKEY_DIGITS)}`,
    amountGwei: BigInt(`0x${digits.slice(PUBKEY_DIGITS)}`),
  }
}

/** Reads the data of the log that the contract writes for a request: sender (20 bytes), then the call; undefined: none. */
export function requestOfLog(data: Hex): WithdrawalRequest | undefined {
  if (!isHex(data, LOG_BYTES)) return undefined
  const digits = data.slice(2).toLowerCase()
  const call = decodeWithdrawalCall(`0x${digits.slice(ADDRESS_DIGITS)}`)
  return call && { sourceAddress: `0x${digits.slice(0, ADDRESS_DIGITS)}`, ...call }
}

const LEAST_FEE_WEI = 1n
const FEE_FRACTION = 17n
/** No excess above this has a fee that anybody could pay: e^60 wei are 100 million tokens. */
const MOST_EXCESS = 60n * FEE_FRACTION

/** The fee of a request in wei after so many requests above the target of two a block (`fake_exponential` of EIP-7002). */
export function requestFeeWei(excess: bigint): Wei {
  let output = 0n
  let accumulator = LEAST_FEE_WEI * FEE_FRACTION
  for (let step = 1n; accumulator > 0n; step += 1n) {
    output += accumulator
    accumulator = (accumulator * excess) / (FEE_FRACTION * step)
  }
  return output / FEE_FRACTION
}

/** The largest excess with such a fee; undefined for one that the rule never gives, or that is beyond all money. */
export function excessOfFee(feeWei: Wei): bigint | undefined {
  let [low, high] = [0n, MOST_EXCESS]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (requestFeeWei(middle) <= feeWei) low = middle
    else high = middle - 1n
  }
  return requestFeeWei(low) === feeWei ? low : undefined
}

/** So many requests more than the contract's target may come before one is in a block: the fee is about 6.6 times as high. */
export const ROOM_REQUESTS = 32n

/** What is paid with a request, in wei: what the contract asks after `ROOM_REQUESTS` more. What is too much is kept. */
export function feeWithRoomWei(excess: bigint): Wei {
  return requestFeeWei(excess + ROOM_REQUESTS)
}
