import { keccak256, stringToBytes } from 'viem'
import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import type { Hex } from '../../base/format/hex.ts'
import { WALLET_TEXT } from './text.ts'

/**
 * A file for the Transaction Builder of a Safe: one call, by its plain value (wei) and calldata, with the checksum by which
 * the builder sees that nobody changed it. `createdAtMs` is the wall clock.
 */
export function safeBatch(
  { chainId, to, valueWei, data }: Pick<UnsignedTransaction, 'chainId' | 'to' | 'valueWei' | 'data'>,
  safe: Hex,
  { name, createdAtMs }: { name: string; createdAtMs: number },
): string {
  const meta = {
    name,
    description: WALLET_TEXT.safe,
    createdFromSafeAddress: safe,
    createdFromOwnerAddress: '',
  }
  const transactions = [{ to, value: valueWei.toString(), data }]
  const batch = { version: '1.0', chainId: String(chainId), createdAt: createdAtMs, meta, transactions }
  const checksum = keccak256(stringToBytes(builderForm({ ...batch, meta: { ...meta, name: null } })))
  return `${JSON.stringify({ ...batch, meta: { ...meta, checksum } }, undefined, 2)}\n`
}

type Json = string | number | null | readonly Json[] | { readonly [key: string]: Json }

/** What the builder makes its checksum of: of an object its sorted keys, then each value and a comma. */
function builderForm(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(builderForm).join(',')}]`
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const keys = entries.map(([key]) => key)
  return `{${JSON.stringify(keys)}${entries.map(([, each]) => `${builderForm(each)},`).join('')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
