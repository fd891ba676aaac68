import type { Hex } from '../format/hex.ts'

/** Forks whose beacon state has the 17 fields of Electra. */
const SAME_AS_ELECTRA: ReadonlySet<string> = new Set<Hex>(['0x05000000', '0x05010000', '0x06000000'])

/**
 * Whether the layout of a state of this fork is known: Electra, Electra1 and Fulu. A state of any other fork could
 * be hashed by a guess only, so it is not.
 */
export function isKnownLayout(currentVersion: Hex): boolean {
  return SAME_AS_ELECTRA.has(currentVersion.toLowerCase())
}
