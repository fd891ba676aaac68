import { type Hash, keccak256 } from 'viem'
import beaconRoots from '../../../contracts/artifacts/BeaconRoots.json' with { type: 'json' }
import depositContract from '../../../contracts/artifacts/DepositContract.json' with { type: 'json' }
import withdrawalRequests from '../../../contracts/artifacts/WithdrawalRequests.json' with { type: 'json' }
import type { Hex } from '../../core/base/format/hex.ts'

/** Addresses of the system contracts, lower case, as the real network has them. */
export const DEPOSIT_CONTRACT: Hex = '0x4242424242424242424242424242424242424242'
/** EIP-4788. */
export const BEACON_ROOTS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
/** EIP-7002. */
export const WITHDRAWAL_REQUESTS: Hex = '0x00000961ef480eb55e80d19ad83579a64c007002'
/** EIP-7251. There is none here; a client names it all the same. */
export const CONSOLIDATION_REQUESTS: Hex = '0x0000bbddc7ce488642fb579f8b00f3a590007251'
/** EIP-2935. Without use here, and its storage would grow with every block. */
export const BLOCK_HASHES: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935'

/** Runtime code of our own contracts, from `contracts/artifacts`. */
export const DEPOSIT_CONTRACT_CODE = depositContract.runtimeBytecode as Hex
export const BEACON_ROOTS_CODE = beaconRoots.runtimeBytecode as Hex
export const WITHDRAWAL_REQUESTS_CODE = withdrawalRequests.runtimeBytecode as Hex

/** Number of timestamps that the rehearsal's beacon roots contract remembers; the real one has 8191. */
export const ROOTS_RING = 256

/** keccak256 of the rehearsal's deposit contract code: what a client of that network pins instead of the real one's. */
export function depositContractCodeHash(): Hash {
  return keccak256(DEPOSIT_CONTRACT_CODE)
}

/** Returns a number as a 32-byte word. */
export function word(value: bigint | number): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Any number as an RPC quantity: no leading zeros. */
export function rpcQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}
