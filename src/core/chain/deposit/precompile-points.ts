import { createHash } from 'node:crypto'
import type { Gwei } from '../../base/format/amount.ts'

/** The fields of a deposit as plain bytes; `amountGwei` a uint64. */
export type PlainDeposit = {
  pubkey: Uint8Array
  withdrawalCredentials: Uint8Array
  amountGwei: Gwei
  signature: Uint8Array
  genesisForkVersion: Uint8Array
  genesisValidatorsRoot: Uint8Array
}

const FIELD_MODULUS = BigInt(
  '0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab',
)
const TAG = Buffer.from('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_', 'ascii')

/**
 * The 32 bytes that a deposit's signature covers, with SHA-256 and nothing else. Written apart from the SSZ code
 * on purpose: a wrong domain must not pass both opinions.
 */
export function plainSigningRoot(deposit: PlainDeposit): Buffer {
  const amount = Buffer.alloc(32)
  amount.writeBigUInt64LE(deposit.amountGwei)
  const pubkeyRoot = sha256(deposit.pubkey, Buffer.alloc(16))
  const message = sha256(sha256(pubkeyRoot, deposit.withdrawalCredentials), sha256(amount, Buffer.alloc(32)))
  const forkData = sha256(deposit.genesisForkVersion, Buffer.alloc(28), deposit.genesisValidatorsRoot)
  return sha256(message, Buffer.from([3, 0, 0, 0]), forkData.subarray(0, 28))
}

/**
 * hash_to_field of RFC 9380 for BLS12381G2_XMD:SHA-256_SSWU_RO with the NUL tag: two elements of Fp2, each as
 * the 128 bytes (c0 ‖ c1, 64 each) that the execution precompiles take (EIP-2537).
 */
export function hashToField(message: Uint8Array): [Buffer, Buffer] {
  const uniform = expandMessage(message, 256)
  const coordinate = (index: number) => {
    const value = BigInt(`0x${uniform.subarray(index * 64, index * 64 + 64).toString('hex')}`) % FIELD_MODULUS
    return Buffer.from(value.toString(16).padStart(128, '0'), 'hex')
  }
  return [Buffer.concat([coordinate(0), coordinate(1)]), Buffer.concat([coordinate(2), coordinate(3)])]
}

/** expand_message_xmd of RFC 9380, section 5.3.1, with SHA-256. */
function expandMessage(message: Uint8Array, byteLength: number): Buffer {
  const tag = Buffer.concat([TAG, Buffer.from([TAG.length])])
  const length = Buffer.from([byteLength >> 8, byteLength & 0xff])
  const first = sha256(Buffer.alloc(64), message, length, Buffer.from([0]), tag)
  const blocks: Buffer[] = []
  let previous = Buffer.alloc(32)
  for (let counter = 1; counter <= byteLength / 32; counter++) {
    const mixed = first.map((byte, index) => byte ^ previous.readUInt8(index))
    previous = Buffer.from(sha256(mixed, Buffer.from([counter]), tag))
    blocks.push(previous)
  }
  return Buffer.concat(blocks)
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
