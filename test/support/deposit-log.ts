import { encodeAbiParameters } from 'viem'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { DEPOSIT_TOPIC } from '../../src/core/chain/deposit/abi.ts'

export const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
export const word = (value: bigint | number): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
export const quantity = (value: bigint | number): Hex => `0x${BigInt(value).toString(16)}`

/** The log of a deposit of 10,000 tokens for a key, as an execution endpoint gives it; `at` is its index. */
export const depositLog = (address: Hex, pubkey: Hex, { block, at }: { block: number; at: number }) => ({
  address,
  topics: [DEPOSIT_TOPIC],
  data: encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }, { type: 'uint64' }],
    [pubkey, zeros(32), 10_000_000_000_000n, zeros(96), BigInt(at)],
  ),
  blockNumber: quantity(block),
  blockHash: word(block),
  transactionHash: word(1000 + at),
  logIndex: '0x0',
  removed: false,
})
