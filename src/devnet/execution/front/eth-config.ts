import { crc32 } from 'node:zlib'
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  CONSOLIDATION_REQUESTS,
  DEPOSIT_CONTRACT,
  rpcQuantity,
  WITHDRAWAL_REQUESTS,
} from '../contracts.ts'
import type { FrontAnswer } from '../types.ts'
import type { FrontContext } from './methods.ts'

const PRECOMPILES = [
  'ECREC',
  'SHA256',
  'RIPEMD160',
  'ID',
  'MODEXP',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'BLAKE2F',
  'KZG_POINT_EVALUATION',
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_PAIRING_CHECK',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_MAP_FP2_TO_G2',
]

/**
 * `eth_config` (EIP-7910): Prague from the first block on, and the next fork where this client names one. The contracts are the
 * network's, not Ethereum's.
 */
export function ethConfig(context: FrontContext): FrontAnswer {
  const { nextForkSeconds: at } = context
  const next = at === undefined ? null : forkConfig(context, [at])
  return { result: { current: forkConfig(context, []), next, last: next } }
}

/** What holds from the last of these forks on; without one, from the first block on. */
function forkConfig({ chainId, genesisHash }: FrontContext, forkSeconds: readonly number[]) {
  return {
    activationTime: forkSeconds.at(-1) ?? 0,
    blobSchedule: { baseFeeUpdateFraction: 5_007_716, max: 9, target: 6 },
    chainId: rpcQuantity(chainId),
    forkId: forkId(genesisHash, forkSeconds),
    precompiles: Object.fromEntries(
      PRECOMPILES.map((name, index) => [name, `0x${(index + 1).toString(16).padStart(40, '0')}`]),
    ),
    systemContracts: {
      BEACON_ROOTS_ADDRESS: BEACON_ROOTS,
      CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: CONSOLIDATION_REQUESTS,
      DEPOSIT_CONTRACT_ADDRESS: DEPOSIT_CONTRACT,
      HISTORY_STORAGE_ADDRESS: BLOCK_HASHES,
      WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: WITHDRAWAL_REQUESTS,
    },
  }
}

/** The fork hash of EIP-6122: a checksum over the genesis hash and the time of each fork after it. */
function forkId(genesisHash: string, forkSeconds: readonly number[]): string {
  const times = forkSeconds.map((seconds) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(seconds))
    return bytes
  })
  const sum = crc32(Buffer.concat([Buffer.from(genesisHash.slice(2), 'hex'), ...times]))
  return `0x${sum.toString(16).padStart(8, '0')}`
}
