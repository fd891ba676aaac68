import type { WithdrawalRequest } from '../../core/consensus/block.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../core/format/hex.ts'
import type { ExecutionLog } from '../execution/types.ts'

/** A deposit event as the contract wrote it. */
export type DepositEvent = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: bigint
  signature: Hex
  index: bigint
}

/** What the logs of one block ask of the consensus side, each in the order of the block. */
export type BlockEvents = { deposits: DepositEvent[]; withdrawalRequests: WithdrawalRequest[] }

const DEPOSIT_TOPIC = '0x68af751683498a9f9be59fe8b0d52a64dd155255d85cdb29fea30b1e3f891d46'
const WITHDRAWAL_REQUESTS = '0x00000961ef480eb55e80d19ad83579a64c007002'
const REQUEST_BYTES = 76

/** Reads the deposits and withdrawal requests (EIP-7002) out of a block's logs. */
export function readBlockEvents(logs: readonly ExecutionLog[], depositContract: Hex): BlockEvents {
  const from = (address: string) => logs.filter((log) => log.address.toLowerCase() === address.toLowerCase())
  return {
    deposits: from(depositContract)
      .filter((log) => log.topics[0] === DEPOSIT_TOPIC)
      .map((log) => readDeposit(hexToBytes(log.data))),
    withdrawalRequests: from(WITHDRAWAL_REQUESTS).map((log) => readRequest(hexToBytes(log.data))),
  }
}

/** The five fields of the event; only our own contract writes it, so their places are sure. */
function readDeposit(data: Uint8Array): DepositEvent {
  return {
    pubkey: bytesAt(data, 0),
    withdrawalCredentials: bytesAt(data, 1),
    amountGwei: word(data, 2 * 32),
    signature: bytesAt(data, 3),
    index: word(data, 4 * 32),
  }
}

/** A dynamic field of ABI data: its head holds the place of its length, its content follows. */
function bytesAt(data: Uint8Array, field: number): Hex {
  const start = Number(word(data, field * 32))
  const length = Number(word(data, start))
  return bytesToHex(data.subarray(start + 32, start + 32 + length))
}

function word(data: Uint8Array, offset: number): bigint {
  return BigInt(bytesToHex(data.subarray(offset, offset + 32)))
}

/** Sender (20 bytes), public key (48) and amount in gwei (8, big-endian). */
function readRequest(data: Uint8Array): WithdrawalRequest {
  if (data.length !== REQUEST_BYTES) throw new RangeError('a withdrawal request is 76 bytes')
  return {
    sourceAddress: bytesToHex(data.subarray(0, 20)),
    pubkey: bytesToHex(data.subarray(20, 68)),
    amountGwei: BigInt(bytesToHex(data.subarray(68))),
  }
}
