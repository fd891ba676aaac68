import { depositError } from '../../base/errors/deposit.ts'
import { isRecord } from '../../base/format/decode.ts'
import { readFields, readJson } from '../../base/format/fields.ts'
import { type Hex, isHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import { safeText } from '../../base/format/text.ts'
import { addressOf, type SignedDeposit } from './credentials.ts'

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

/** Tells what a text is, by its form alone. Its reader checks every field. Never throws. */
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

/** What travels from the machine that holds the key to the one that holds the wallet. No secrets. */
export type DepositFile = SignedDeposit & {
  /** Name of the network, for people. */
  network: string
  executionChainId: number
  operator: Hex
}

const FORMAT = 'bearings-deposit'
const VERSION = 1
const MAX_CHARACTERS = 16_384
const FIELDS = {
  file: ['format', 'version', 'network', 'message', 'signature', 'operator'],
  network: ['name', 'executionChainId', 'genesisValidatorsRoot', 'genesisForkVersion'],
  message: ['pubkey', 'withdrawalCredentials', 'amountGwei'],
} as const

/** Returns the text of a deposit file: indented JSON, version 1, the amount as a decimal text in gwei. */
export function writeDepositFile(deposit: DepositFile): string {
  const { genesisValidatorsRoot, genesisForkVersion, pubkey, withdrawalCredentials } = deposit
  const content = {
    format: FORMAT,
    version: VERSION,
    network: {
      name: deposit.network,
      executionChainId: deposit.executionChainId,
      genesisValidatorsRoot,
      genesisForkVersion,
    },
    message: { pubkey, withdrawalCredentials, amountGwei: deposit.amountGwei.toString() },
    signature: deposit.signature,
    operator: deposit.operator,
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/**
 * Reads a deposit file strictly: every field present, of one form, none besides. The signature is not checked
 * here: the caller verifies it under its own pinned network. Throws `deposit.bad-file` and
 * `deposit.bad-credentials`.
 */
export function parseDepositFile(text: string): DepositFile {
  const file = readFields(wholeText(text), {
    path: '',
    fail: (problem) => depositError('deposit.bad-file', problem),
  })
  if (file.text('format') !== FORMAT) file.fail('format', FORMAT)
  if (file.index('version') !== VERSION) file.fail('version', String(VERSION))
  file.only(FIELDS.file)
  const network = file.object('network')
  network.only(FIELDS.network)
  const message = file.object('message')
  message.only(FIELDS.message)
  const withdrawalCredentials = message.hex('withdrawalCredentials', 32)
  addressOf(withdrawalCredentials)
  const operator = file.hex('operator', 20)
  if (operator === ZERO_ADDRESS) file.fail('operator', 'an address other than zero')
  return {
    network: safeText(network.text('name'), 60),
    executionChainId: network.index('executionChainId'),
    genesisValidatorsRoot: network.hex('genesisValidatorsRoot', 32),
    genesisForkVersion: network.hex('genesisForkVersion', 4),
    pubkey: message.hex('pubkey', 48),
    withdrawalCredentials,
    amountGwei: message.uint64('amountGwei'),
    signature: file.hex('signature', 96),
    operator,
  }
}

function wholeText(text: string): unknown {
  const odd = (found: string, expected: string) =>
    depositError('deposit.bad-file', { field: 'the whole text', found, expected })
  if (text.length > MAX_CHARACTERS)
    throw odd(`${text.length} characters`, `at most ${MAX_CHARACTERS} characters`)
  const input = inputOf(text)
  const name = input.kind === 'deposit-file' ? undefined : nameInput(input)
  if (name !== undefined) throw odd(name, 'a deposit file of this program')
  return readJson(text, () => odd(`"${safeText(text, 60)}"`, 'JSON'))
}
