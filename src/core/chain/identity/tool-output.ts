import { execError } from '../../base/errors/exec.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, isHex } from '../../base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import { safeText } from '../../base/format/text.ts'

/** A deposit as the node tool prints it. */
export type ToolDeposit = { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: Gwei; signature: Hex }

/** A validator key in the three forms of the node tool. */
export type ToolKeys = { address: string; uncompressedBase64: string; pubkey: Hex }

const CREATE = 'deposit create-validator'
const KEYS = 'deposit validator-keys'
const ROOT = 'genesis validator-root'
const UINT64_MAX = (1n << 64n) - 1n

/**
 * Reads what `deposit create-validator` prints: labelled lines with a decimal amount, or JSON with a hex amount as
 * in the public guide. Each field exactly once. Throws a `tool.*` error for anything else.
 */
export function readToolDeposit(stdout: string): ToolDeposit {
  const fields = stdout.includes('{') ? jsonFields(stdout) : labelledFields(stdout)
  return {
    pubkey: hexField(CREATE, 'pubkey', fields.get('pubkey'), 48),
    withdrawalCredentials: hexField(CREATE, 'credentials', fields.get('credentials'), 32),
    amountGwei: amountField(fields.get('amount')),
    signature: hexField(CREATE, 'signature', fields.get('signature'), 96),
  }
}

/** Reads the three labelled blocks of `deposit validator-keys`. Throws a `tool.*` error. */
export function readToolKeys(stdout: string): ToolKeys {
  const lines = stdout.split('\n').map((line) => line.trim())
  const after = (label: RegExp, field: string): string => {
    const at = lines.findIndex((line) => label.test(line))
    return at < 0 ? unreadable(KEYS, field, undefined) : (lines[at + 1] ?? '')
  }
  const address = after(/^Comet Address:$/, 'address')
  const uncompressedBase64 = after(/^Comet Pubkey \(Uncompressed Base64\):$/, 'uncompressed key')
  const pubkey = after(/^Eth\/Beacon Pubkey \(Compressed 48-byte Hex\):$/, 'compressed key')
  if (!/^[0-9A-F]{40}$/.test(address)) unreadable(KEYS, 'address', address)
  if (!/^[A-Za-z0-9+/]{128}$/.test(uncompressedBase64))
    unreadable(KEYS, 'uncompressed key', uncompressedBase64)
  return { address, uncompressedBase64, pubkey: hexField(KEYS, 'compressed key', pubkey, 48) }
}

/** Reads the one line of `genesis validator-root`. Throws a `tool.*` error. */
export function readToolRoot(stdout: string): Hex {
  return hexField(ROOT, 'root', stdout.trim(), 32)
}

/** Reads the JSON line of `status`. Throws a `tool.*` error. */
export function readToolStatus(stdout: string): unknown {
  try {
    return parseStrictJson(stdout.trim(), { maxDepth: 8 })
  } catch (fault) {
    if (fault instanceof JsonFault) return unreadable('status', 'the whole', fault.message)
    throw fault
  }
}

/** Reads the names below `Available Commands:` of a `help`; none where that does not stand there. */
export function readToolHelp(stdout: string): ReadonlySet<string> {
  const [, list = ''] = /^Available Commands:\n((?: {2}.*\n?)*)/m.exec(stdout) ?? []
  return new Set([...list.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = '']) => name))
}

function labelledFields(stdout: string): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const line of stdout.split('\n')) {
    const [, label, value] = /^(pubkey|credentials|amount|signature):\s*"?([^\s"]+)"?\s*$/.exec(line) ?? []
    if (label === undefined) continue
    if (fields.has(label)) unreadable(CREATE, label, 'the same field twice')
    fields.set(label, value)
  }
  return fields
}

function jsonFields(stdout: string): Map<string, unknown> {
  try {
    const json = parseStrictJson(stdout.slice(stdout.indexOf('{')), { maxDepth: 4 })
    return new Map(Object.entries(json as Record<string, unknown>))
  } catch (fault) {
    if (fault instanceof JsonFault) return unreadable(CREATE, 'the whole', fault.message)
    throw fault
  }
}

function hexField(command: string, field: string, value: unknown, byteLength: number): Hex {
  return isHex(value, byteLength) ? (value.toLowerCase() as Hex) : unreadable(command, field, value)
}

/** 0x tells hex from decimal; nothing else is guessed. */
function amountField(value: unknown): bigint {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || !/^(?:0x(?:0|[1-9a-f][0-9a-f]{0,15})|0|[1-9]\d{0,19})$/i.test(text)) {
    return unreadable(CREATE, 'amount', value)
  }
  const amount = BigInt(text)
  return amount <= UINT64_MAX ? amount : unreadable(CREATE, 'amount', value)
}

function unreadable(command: string, field: string, found: unknown): never {
  throw execError('tool.unreadable', command, field, found === undefined ? 'nothing' : safeText(found, 80))
}
