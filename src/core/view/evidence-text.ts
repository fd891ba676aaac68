import { formatCount } from '../base/format/amount.ts'
import type { Evidence, SignedBy } from '../chain/network/anchors.ts'

/** How strong the evidence of a signed block is, and which endpoints it left out. */
const signed = ({ percent, height, leftOut: names }: SignedBy): string =>
  `signed by ${percent} % of the set, block ${formatCount(height)}${leftOut(names)}`

const leftOut = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` (left out: ${names.join(', ')})`

/** What is said of the evidence that bears out the root of a proof. */
export const EVIDENCE_TEXT = {
  signed,
  /** The same words with the endpoints that a signature left out. */
  withLeftOut: (words: string, names: readonly string[]): string => `${words}${leftOut(names)}`,
  /** The set's signature where there is one, else how many endpoints hold the root, as `held` words it. */
  root: ({ anchors, signed: by }: Evidence, held: (anchors: number) => string): string =>
    by === undefined ? held(anchors) : signed(by),
}
