import { formatCount } from '../base/format/amount.ts'
import type { Evidence, SignedBy } from '../chain/network/anchors.ts'

/** Says how strong the evidence of a signed block is, and which endpoints it left out. */
export function signedWords({ percent, height, leftOut }: SignedBy): string {
  const left = leftOut.length === 0 ? '' : ` (left out: ${leftOut.join(', ')})`
  return `signed by ${percent} % of the set, block ${formatCount(height)}${left}`
}

/** Says what bears out the root of a proof: the set's signature, or as many endpoints as \`held\` words. */
export const evidenceWords = ({ anchors, signed }: Evidence, held: (anchors: number) => string): string =>
  signed === undefined ? held(anchors) : signedWords(signed)
