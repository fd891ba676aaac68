import type { Gwei, Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'

/** What the word `guard` agrees to. */
export type GuardAgreed = {
  capGwei: Gwei
  untilSeconds: bigint
  slotsToHuman: number
  from: Hex
  nonce: number
  /** The most that any member may cost. */
  feeLimitWei: Wei
}
