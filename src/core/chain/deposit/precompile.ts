import { createHash } from 'node:crypto'
import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { readG1, readG2, words } from './plain-points.ts'

/** The fields of a deposit as plain bytes; `amountGwei` a uint64. */
type PlainDeposit = {
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
function hashToField(message: Uint8Array): [Buffer, Buffer] {
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

export type PrecompileVerdict =
  | { verdict: 'accepted' }
  | { verdict: 'refused'; reason: 'pubkey-encoding' | 'signature-encoding' | 'not-in-subgroup' | 'pairing' }
  | { verdict: 'unknown'; words: string }

/** One `eth_call` without a sender; rejects when the call fails. */
export type PrecompileCall = (to: Hex, data: Hex) => Promise<Hex>

/** The deposit as hex; same fields as the first opinion takes. */
export type PrecompileDeposit = { [Field in keyof Omit<PlainDeposit, 'amountGwei'>]: Hex } & {
  amountGwei: Gwei
}

const address = (last: string): Hex => `0x${last.padStart(40, '0')}`
const G2_ADD = address('0d')
const PAIRING_CHECK = address('0f')
const MAP_FP2_TO_G2 = address('11')

const G1_X =
  0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn
const G1_Y =
  0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n
const MINUS_G1_Y =
  0x114d1d6855d545a8aa7d76c8cf2e21f267816aef1db507c96655b9d5caac42364e6f38ba0ecb751bad54dcd6b939c2can

/**
 * Returns the second opinion: asks the BLS12-381 precompiles of an execution client (EIP-2537, since Prague) whether a
 * deposit's signature verifies. Signing root, hash to field and point decompression are plain code here, shared
 * with nothing. A refused call counts as "no" only after the same precompile has answered a known question
 * rightly; else the verdict is unknown. Never rejects.
 */
export async function verifyByPrecompile(
  deposit: PrecompileDeposit,
  call: PrecompileCall,
): Promise<PrecompileVerdict> {
  const plain = toPlain(deposit)
  if (plain === undefined) return { verdict: 'unknown', words: 'A field of the deposit has a wrong length.' }
  const pubkey = readG1(plain.pubkey)
  if (!('point' in pubkey)) return { verdict: 'refused', reason: 'pubkey-encoding' }
  const signature = readG2(plain.signature)
  if (!('point' in signature)) return { verdict: 'refused', reason: 'signature-encoding' }
  try {
    const message = await hashToG2(plainSigningRoot(plain), call)
    const pairs = Buffer.concat([pubkey.point, message, words([G1_X, MINUS_G1_Y]), signature.point])
    return await checkPairing(pairs, message, call)
  } catch {
    return {
      verdict: 'unknown',
      words: 'The execution client did not answer the signature operations (precompiles) correctly.',
    }
  }
}

async function hashToG2(message: Uint8Array, call: PrecompileCall): Promise<Buffer> {
  const [first, second] = hashToField(message)
  const mapped = (data: Buffer) => callOrThrow(call, { to: MAP_FP2_TO_G2, data, byteLength: 256 })
  const [a, b] = await Promise.all([mapped(first), mapped(second)])
  return callOrThrow(call, { to: G2_ADD, data: Buffer.concat([a, b]), byteLength: 256 })
}

async function checkPairing(pairs: Buffer, known: Buffer, call: PrecompileCall): Promise<PrecompileVerdict> {
  const reply = await pairing(pairs, call)
  if (reply === undefined) {
    if (!(await answersKnown(known, call))) throw new Error('the pairing precompile does not work')
    const again = await pairing(pairs, call)
    return again === undefined ? { verdict: 'refused', reason: 'not-in-subgroup' } : toVerdict(again)
  }
  return toVerdict(reply)
}

function toVerdict(holds: boolean): PrecompileVerdict {
  return holds ? { verdict: 'accepted' } : { verdict: 'refused', reason: 'pairing' }
}

/** e(G1, Q)·e(−G1, Q) = 1 holds for every Q of the subgroup, and the hashed message is one. */
async function answersKnown(point: Buffer, call: PrecompileCall): Promise<boolean> {
  const yes = Buffer.concat([words([G1_X, G1_Y]), point, words([G1_X, MINUS_G1_Y]), point])
  return (await pairing(yes, call)) === true
}

/** undefined when the call fails; throws when the reply is no answer of that precompile. */
async function pairing(data: Buffer, call: PrecompileCall): Promise<boolean | undefined> {
  const reply = await call(PAIRING_CHECK, `0x${data.toString('hex')}`).catch(() => undefined)
  if (reply === undefined) return undefined
  const value = /^0x0{63}[01]$/.exec(reply)?.[0]
  if (value === undefined) throw new Error('not an answer of the pairing precompile')
  return value.endsWith('1')
}

async function callOrThrow(
  call: PrecompileCall,
  question: { to: Hex; data: Buffer; byteLength: number },
): Promise<Buffer> {
  const reply = await call(question.to, `0x${question.data.toString('hex')}`)
  const bytes = Buffer.from(reply.slice(2), 'hex')
  if (bytes.length !== question.byteLength) throw new Error('not an answer of the precompile')
  return bytes
}

function toPlain(deposit: PrecompileDeposit): PlainDeposit | undefined {
  const bytes = (hex: Hex) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
  const plain = {
    pubkey: bytes(deposit.pubkey),
    withdrawalCredentials: bytes(deposit.withdrawalCredentials),
    amountGwei: deposit.amountGwei,
    signature: bytes(deposit.signature),
    genesisForkVersion: bytes(deposit.genesisForkVersion),
    genesisValidatorsRoot: bytes(deposit.genesisValidatorsRoot),
  }
  const lengths = [
    plain.withdrawalCredentials.length === 32,
    plain.genesisForkVersion.length === 4,
    plain.genesisValidatorsRoot.length === 32,
    plain.amountGwei >= 0n && plain.amountGwei < 2n ** 64n,
  ]
  return lengths.every(Boolean) ? plain : undefined
}
