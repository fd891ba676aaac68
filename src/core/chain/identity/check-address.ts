import { createHash } from 'node:crypto'
import { getAddress } from 'viem/utils'
import type { Wei } from '../../base/format/amount.ts'
import { invisibleFault } from '../../base/format/drawable.ts'
import type { Hex } from '../../base/format/hex.ts'
import { secretFault } from '../../base/format/text.ts'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** An address with the short name of its chain (EIP-3770). */
const ON_A_CHAIN = /^([a-z0-9-]{1,32}):0x[0-9a-f]{40}$/i
const LAST_RESERVED = 0xffffn
const DEAD_ENDS = new Set([
  '0x4242424242424242424242424242424242424242',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  '0x000000000000000000000000000000000000dead',
])

/**
 * Why a typed address is not accepted, or undefined when it is.
 * Only the EIP-55 form passes: its capital letters are the checksum that catches a typing mistake.
 */
export function checkAddress(text: string): string | undefined {
  const secret = secretFault(text)
  if (secret !== undefined) return `${secret} An address has 40 characters behind 0x.`
  const unseen = invisibleFault(text)
  if (unseen !== undefined) return unseen
  const [, chain] = ON_A_CHAIN.exec(text) ?? []
  if (chain !== undefined)
    return `${chain}: in front names a chain, as a Safe writes it. Check that the account exists on this chain too, then give the address alone.`
  if (text === '') return 'The field is empty. Type the address.'
  if (!text.startsWith('0x')) return 'An address begins with 0x. Names are not accepted.'
  if (!ADDRESS.test(text))
    return `An address has 40 characters 0–9 a–f behind 0x; this has ${text.length - 2}, or other characters.`
  const checksummed = getAddress(text.toLowerCase())
  if (BigInt(text) <= LAST_RESERVED || DEAD_ENDS.has(text.toLowerCase())) {
    return 'Nobody holds the key to this address: what arrives there is gone.'
  }
  if (text === checksummed) return undefined
  if (text === text.toLowerCase())
    return `Capitals are its checksum. If this is your address, type ${checksummed}`
  return 'The checksum does not fit: at least one character is wrong.'
}

/**
 * What stands at an address: an account that has sent transactions, one that has only received, one whose code is
 * delegated to a contract (EIP-7702), a contract, or nothing that was ever used.
 */
export type AccountKind = 'sender' | 'receiver' | 'delegated' | 'contract' | 'unused'

/** What the code of an account begins with that delegates to a contract (EIP-7702). */
const DELEGATION = '0xef0100'

/** Whether code makes its address a contract: an account that only delegates still has its key. */
export function isContractCode(code: Hex): boolean {
  return code !== '0x' && !code.toLowerCase().startsWith(DELEGATION)
}

/** The kind of account that has this code, has sent so many transactions and holds so much. */
export function accountKind({
  code,
  sent,
  balanceWei,
}: {
  code: Hex
  sent: number
  balanceWei: Wei
}): AccountKind {
  if (isContractCode(code)) return 'contract'
  if (code !== '0x') return 'delegated'
  if (sent > 0) return 'sender'
  return balanceWei > 0n ? 'receiver' : 'unused'
}

/** Public keys whose private keys stand in public repositories and examples. */
const PUBLISHED: ReadonlySet<Hex> = new Set<Hex>([
  '0xa9e6b518aa2d9e4acbc011c1d6e2c55192f08b682bf2aa0a84527fe645b34ca270ab15f9cc9637b61d01fca50e1167bd',
  '0xa4c94ee89dfdcfc1644d172ee3a501d14ba4083c738cc25771730fd9b64d73e562d596c801667f0ce4f98fcbc258f495',
  '0xa5fea986aab7ba87384841e39d3a73f8db2ecd3d3c517c1073333076f3f6ee2eb76d96ada768180961d039063e7c1d74',
  '0xae2da7c698f6d940d8b32dc9e8af8180e0eafe1ed132c9dfc8230531d220a125e925a07e575152978944ffec9f2952dc',
  '0xaa32ae0b68312c2d9f4a030d931de4d68adf19265392a472360e8b0052b56e687e0d4a15a936e7f540c57c8339d49090',
  '0x8424401a2fd7d0ad2bb712a48424450d6f72b224108f63d7bee6c9da9c0589b46ce3010cc360f5eb8c5819c4f407f194',
  '0xa1a88dd135eaa6c71deb21cb9a6a685a8379c3f8f742502c9cbd905edc58be443e206a129ae15f1313bcdd1da1b75a08',
  '0x942d8c55ae245ed5ec9a41bab8a5c184c42f495860cdaa996c910e371f751fcf84b5d26cc0e1af0121cdb941ee8ee9bf',
  '0xb2c365232c0abd13ee4ba4b108f31fe7e9fcef359043bc8b92e539cf38f2ce6daaedc12939194039b54fbf789908cc49',
  '0x91383b37973aff58e54b3f98a0eb11b06c18015033d55da9a96984528c8662d24493057b2696694c3b58fbfe8a7726c8',
])

const GROUP_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const SMALL = 2n ** 64n
/** 32 random bytes have some 30 different values; fewer than 12 never happens by chance. */
const LEAST_DIFFERENT_BYTES = 12
const INTEROP_KEYS = 1024

/** Whether the private half of this public key stands in a public place. */
export function isPublishedPubkey(pubkey: Hex): boolean {
  return PUBLISHED.has(pubkey)
}

/**
 * Whether a key is known to others or can be guessed: published somewhere, a tiny number or the
 * negative of one, a pattern of few or evenly spaced bytes, or one of Ethereum's interop test keys.
 * `secretKey` is the 32-byte scalar; nothing of it is kept.
 */
export function isPublishedKey(pubkey: Hex, secretKey: Uint8Array): boolean {
  const scalar = BigInt(`0x${Buffer.from(secretKey).toString('hex')}`)
  if (isPublishedPubkey(pubkey) || scalar < SMALL || GROUP_ORDER - scalar < SMALL) return true
  return isPattern(secretKey) || isInteropKey(scalar)
}

function isPattern(secretKey: Uint8Array): boolean {
  if (new Set(secretKey).size < LEAST_DIFFERENT_BYTES) return true
  const steps = new Set<number>()
  secretKey.forEach((byte, index) => {
    if (index > 0) steps.add((byte - (secretKey[index - 1] ?? 0) + 256) % 256)
  })
  return steps.size === 1
}

/** Interop test keys: the SHA-256 of a small little-endian number, read as a little-endian number. */
function isInteropKey(scalar: bigint): boolean {
  const seed = Buffer.alloc(32)
  for (let index = 0; index < INTEROP_KEYS; index++) {
    seed.writeUInt32LE(index)
    const digest = createHash('sha256').update(seed).digest().reverse()
    if (BigInt(`0x${digest.toString('hex')}`) % GROUP_ORDER === scalar) return true
  }
  return false
}
