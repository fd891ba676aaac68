import { bytesToHex, type Hex, hexToBytes } from '../format/hex.ts'
import type { DepositChain } from './deposit.ts'
import { ForkDataType } from './ssz.ts'

/**
 * The domain tag of the hash to G2 that the chain's consensus engine signs with: NUL, not Ethereum's POP
 *. With any other tag the first deposit is burnt.
 */
export const BLS_DOMAIN_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'

const DOMAIN_DEPOSIT = '0x03000000'

/**
 * The 32-byte signing domain of deposits: 0x03000000 and the first 28 bytes of the fork data root, always with
 * the genesis fork version (consensus spec, compute_domain). Throws a RangeError on anything but hex.
 */
export function depositDomain(chain: DepositChain): Hex {
  const root = ForkDataType.hashTreeRoot({
    currentVersion: hexToBytes(chain.genesisForkVersion),
    genesisValidatorsRoot: hexToBytes(chain.genesisValidatorsRoot),
  })
  return `${DOMAIN_DEPOSIT}${bytesToHex(root.subarray(0, 28)).slice(2)}` as Hex
}
