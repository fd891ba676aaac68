import { parse } from 'smol-toml'
import { networkUnreadable } from '../errors/network.ts'
import { safeText } from '../format/text.ts'
import type { ChainSpec } from './chain-spec.ts'
import { decodeNetwork } from './decode-network.ts'
import { specFields } from './spec-fields.ts'

/**
 * Reads a chain's `spec.toml` as the node reads it. Amounts come out in gwei, times in Unix seconds.
 *
 * Throws a `NetworkError` when the text is not TOML or when a field that matters is missing, odd or contradicts
 * another one; the field is named.
 */
export function readSpecToml(text: string): ChainSpec {
  return decodeNetwork('spec.toml', specFields, parseToml(text))
}

function parseToml(text: string): unknown {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (fault) {
    const [firstLine] = String(fault instanceof Error ? fault.message : fault).split('\n')
    throw networkUnreadable('spec.toml', 'TOML', safeText(firstLine ?? ''))
  }
}
