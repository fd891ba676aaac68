import { isRecord } from '../../base/format/decode.ts'
import { type Hex, isHex } from '../../base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'

/** What people have at hand that isn't a deposit, and what it is called in an error. */
const OTHERS = {
  'ethereum-deposit': 'a deposit file of an Ethereum tool',
  'validator-keystore': 'a validator keystore (EIP-2335) of an Ethereum tool',
  'wallet-keystore': 'the keystore of a wallet',
  'key-file': 'the private key file of a node',
  genesis: 'a genesis file',
  'safe-batch': 'a batch for the Transaction Builder of a Safe',
} as const

/** What a pasted text or the text of a file is, by its form alone. */
export type Input =
  | { kind: 'deposit-file' | 'tool-output' | 'unknown' }
  | { kind: keyof typeof OTHERS; value: unknown }
  /** `isLink` for the address of a page of a block explorer. */
  | { kind: 'hash'; hash: Hex; isLink: boolean }
  | { kind: 'hex'; hex: Hex }

const HASH_IN_LINK = /^https?:\/\/\S*?(0x[0-9a-f]{64})(?![0-9a-f])/i

/** Tells what a text is. Only its form is looked at: whoever reads it as that checks every field. Never throws. */
export function inputOf(text: string): Input {
  const bare = text.trim()
  const [, linked] = HASH_IN_LINK.exec(bare) ?? []
  if (linked !== undefined) return { kind: 'hash', hash: linked.toLowerCase() as Hex, isLink: true }
  const digits = bare.replace(/\s+/g, '').toLowerCase()
  const hex = digits.startsWith('0x') ? digits : `0x${digits}`
  if (isHex(hex) && digits !== '')
    return isHex(hex, 32) ? { kind: 'hash', hash: hex, isLink: false } : { kind: 'hex', hex }
  if (/"format"\s*:/.test(bare)) return { kind: 'deposit-file' }
  const value = jsonOf(bare)
  const kind = kindOfJson(value)
  if (kind !== undefined) return { kind, value }
  return { kind: /signature"?\s*:/.test(bare) && /pubkey"?\s*:/.test(bare) ? 'tool-output' : 'unknown' }
}

/** Returns what an input is called in a sentence; undefined where nothing is known of it. */
export function nameInput(input: Input): string | undefined {
  switch (input.kind) {
    case 'deposit-file':
      return 'a deposit file'
    case 'tool-output':
      return 'the output of the node tool'
    case 'hash':
      return input.isLink ? 'a link to a transaction' : 'a transaction hash'
    case 'hex':
    case 'unknown':
      return undefined
    default:
      return OTHERS[input.kind]
  }
}

function jsonOf(text: string): unknown {
  try {
    return /^[[{]/.test(text) ? parseStrictJson(text) : undefined
  } catch (fault) {
    if (fault instanceof JsonFault) return undefined
    throw fault
  }
}

function kindOfJson(value: unknown): keyof typeof OTHERS | undefined {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : []
  if (isRecord(first) && 'deposit_data_root' in first) return 'ethereum-deposit'
  if (!isRecord(value)) return undefined
  if ('crypto' in value || 'Crypto' in value)
    return value.version === 4 ? 'validator-keystore' : 'wallet-keystore'
  if ('priv_key' in value) return 'key-file'
  if ('app_state' in value) return 'genesis'
  return Array.isArray(value.transactions) ? 'safe-batch' : undefined
}
