import { ByteVectorType, ContainerType, UintBigintType } from '@chainsafe/ssz'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToHex, type Hex, hexToBytes } from '../../base/format/hex.ts'
import type { DepositChain, DepositMessage } from './credentials.ts'

const Bytes4 = new ByteVectorType(4)
const Bytes32 = new ByteVectorType(32)
const Bytes48 = new ByteVectorType(48)
const Uint64 = new UintBigintType(8)

/** What a first deposit's signature stands for (consensus spec, DepositMessage). */
const DepositMessageType = new ContainerType({
  pubkey: Bytes48,
  withdrawalCredentials: Bytes32,
  amount: Uint64,
})

/** Consensus spec, ForkData. */
const ForkDataType = new ContainerType({ currentVersion: Bytes4, genesisValidatorsRoot: Bytes32 })

/** Consensus spec, SigningData. */
const SigningDataType = new ContainerType({ objectRoot: Bytes32, domain: Bytes32 })

/** hash_tree_root of the DepositMessage, 32 bytes. Throws a RangeError on anything but hex. */
export function messageRoot(message: DepositMessage): Hex {
  const root = DepositMessageType.hashTreeRoot({
    pubkey: hexToBytes(message.pubkey),
    withdrawalCredentials: hexToBytes(message.withdrawalCredentials),
    amount: message.amountGwei,
  })
  return bytesToHex(root)
}

/** Returns the 32 bytes that the validator key signs: hash_tree_root(SigningData{message root, deposit domain}). */
export function signingRoot(message: DepositMessage, chain: DepositChain): Hex {
  const root = SigningDataType.hashTreeRoot({
    objectRoot: hexToBytes(messageRoot(message)),
    domain: hexToBytes(depositDomain(chain)),
  })
  return bytesToHex(root)
}

/**
 * The domain tag of the hash to G2 that the chain's consensus engine signs with: NUL, not Ethereum's POP
 *. With any other tag the first deposit is burnt.
 */
export const BLS_DOMAIN_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'

const DOMAIN_DEPOSIT = '0x03000000'

/**
 * Returns the 32-byte signing domain of deposits: 0x03000000 and the first 28 bytes of the fork data root, always with
 * the genesis fork version (consensus spec, compute_domain). Throws a RangeError on anything but hex.
 */
export function depositDomain(chain: DepositChain): Hex {
  const root = ForkDataType.hashTreeRoot({
    currentVersion: hexToBytes(chain.genesisForkVersion),
    genesisValidatorsRoot: hexToBytes(chain.genesisValidatorsRoot),
  })
  return `${DOMAIN_DEPOSIT}${bytesToHex(root.subarray(0, 28)).slice(2)}` as Hex
}

/**
 * Signs a deposit message with a 32-byte secret key (big-endian scalar) under the NUL tag: 96 bytes, compressed,
 * the same ones every time. Runs only where the key is: in the signer child. Throws when the key is out of range.
 * (IETF BLS signature draft, min-pk.)
 */
export function signDepositMessage(secretKey: Uint8Array, message: DepositMessage, chain: DepositChain): Hex {
  const curve = bls12_381.longSignatures
  const tag = new TextEncoder().encode(BLS_DOMAIN_TAG)
  const point = curve.hash(hexToBytes(signingRoot(message, chain)), tag)
  return bytesToHex(curve.Signature.toBytes(curve.sign(point, secretKey)))
}
