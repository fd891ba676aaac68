import { createHash } from 'node:crypto'
import { PublicKey, Signature } from '@chainsafe/blst'
import type { Gwei } from '../../base/format/amount.ts'
import { hexToBytes } from '../../base/format/hex.ts'

/** An encoded point read strictly, or why not. `words` for points are EIP-2537's: 64 bytes a field element. */
export type ReadPoint = { point: Buffer } | { problem: 'encoding' | 'not-on-curve' | 'infinity' }

type Fp2 = readonly [bigint, bigint]

const P = BigInt(
  '0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab',
)
const HALF = (P - 1n) / 2n
const COMPRESSED = 0x80
const INFINITY = 0x40
const LARGER = 0x20

/**
 * Reads a 48-byte compressed G1 point (ZCash encoding): compression bit set, x below p, canonical flags, on the
 * curve y² = x³ + 4. Infinity is refused: no validator may have it. The subgroup is left to the precompile.
 */
export function readG1(bytes: Uint8Array): ReadPoint {
  const flags = bytes[0] ?? 0
  const problem = flagProblem(bytes, 48)
  if (problem !== undefined) return { problem }
  const x = unflagged(bytes)
  if (x >= P) return { problem: 'encoding' }
  const y = power(mod(x * x * x + 4n), (P + 1n) / 4n)
  if (mod(y * y) !== mod(x * x * x + 4n)) return { problem: 'not-on-curve' }
  const larger = (flags & LARGER) !== 0
  return { point: words([x, y > HALF === larger ? y : mod(-y)]) }
}

/**
 * Reads a 96-byte compressed G2 point: x as c1 ‖ c0, on the curve y² = x³ + 4(1 + u). The answer is c0 before c1,
 * as EIP-2537 has it. Infinity is refused.
 */
export function readG2(bytes: Uint8Array): ReadPoint {
  const flags = bytes[0] ?? 0
  const problem = flagProblem(bytes, 96)
  if (problem !== undefined) return { problem }
  const x: Fp2 = [toBigInt(bytes.subarray(48)), unflagged(bytes.subarray(0, 48))]
  if (x[0] >= P || x[1] >= P) return { problem: 'encoding' }
  const cube = multiply(multiply(x, x), x)
  const y = squareRoot([mod(cube[0] + 4n), mod(cube[1] + 4n)])
  if (y === undefined) return { problem: 'not-on-curve' }
  const larger = (flags & LARGER) !== 0
  const signed = isLarger(y) === larger ? y : ([mod(-y[0]), mod(-y[1])] as const)
  return { point: words([...x, ...signed]) }
}

/** Field elements as EIP-2537 takes them: 64 bytes each, big-endian. */
export function words(elements: readonly bigint[]): Buffer {
  return Buffer.from(elements.map((element) => element.toString(16).padStart(128, '0')).join(''), 'hex')
}

function flagProblem(bytes: Uint8Array, length: number): 'encoding' | 'infinity' | undefined {
  const flags = bytes[0] ?? 0
  if (bytes.length !== length || (flags & COMPRESSED) === 0) return 'encoding'
  if ((flags & INFINITY) === 0) return undefined
  const canonical = flags === (COMPRESSED | INFINITY) && bytes.subarray(1).every((byte) => byte === 0)
  return canonical ? 'infinity' : 'encoding'
}

function unflagged(bytes: Uint8Array): bigint {
  return toBigInt(bytes) & (2n ** 381n - 1n)
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function mod(value: bigint): bigint {
  const rest = value % P
  return rest < 0n ? rest + P : rest
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = mod(base)
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

function multiply(a: Fp2, b: Fp2): Fp2 {
  return [mod(a[0] * b[0] - a[1] * b[1]), mod(a[0] * b[1] + a[1] * b[0])]
}

/** By the norm: for p ≡ 3 (mod 4), with i² = −1. undefined when there is no root. */
function squareRoot(a: Fp2): Fp2 | undefined {
  const norm = power(mod(a[0] * a[0] + a[1] * a[1]), (P + 1n) / 4n)
  const inverseOfTwo = (P + 1n) / 2n
  for (const candidate of [mod((a[0] + norm) * inverseOfTwo), mod((a[0] - norm) * inverseOfTwo)]) {
    const real = power(candidate, (P + 1n) / 4n)
    const imaginary = real === 0n ? power(mod(-a[0]), (P + 1n) / 4n) : mod(a[1] * power(2n * real, P - 2n))
    const root: Fp2 = [real, imaginary]
    const square = multiply(root, root)
    if (square[0] === a[0] && square[1] === a[1]) return root
  }
  return undefined
}

function isLarger(y: Fp2): boolean {
  return y[1] === 0n ? y[0] > HALF : y[1] > HALF
}

/** Why a strict reader refuses an encoded point; undefined when it takes it. */
export type PointProblem = 'encoding' | 'not-on-curve' | 'not-in-subgroup' | 'infinity'

/**
 * Whether 48 bytes are a public key as the node reads it: canonical compressed encoding, on the curve, in the
 * subgroup, not infinity (IETF BLS draft, KeyValidate). No signature is checked here.
 */
export function publicKeyProblem(pubkey: string): PointProblem | undefined {
  return problemOf(() => PublicKey.fromBytes(hexToBytes(pubkey), true))
}

/** Whether 96 bytes are a signature as the node reads it: canonical, on the curve, in the subgroup, not infinity. */
export function signatureProblem(signature: string): PointProblem | undefined {
  return problemOf(() => Signature.fromBytes(hexToBytes(signature), true, true))
}

function problemOf(read: () => unknown): PointProblem | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return named(error instanceof Error ? error.message : '')
  }
}

function named(message: string): PointProblem {
  if (/infinity/i.test(message)) return 'infinity'
  if (/not in group/i.test(message)) return 'not-in-subgroup'
  if (/not on curve/i.test(message)) return 'not-on-curve'
  return 'encoding'
}

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
