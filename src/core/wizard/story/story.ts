import type { Next } from '../../base/format/next.ts'

/** How a story ended for the user's validator: with a place, without one, or not yet. */
export type StoryEnd = 'kept' | 'out' | 'open'

/** What one story teaches, in sentences. */
export type StoryText = {
  /** What there is to learn. */
  teaches: string
  /** What to wait for, and how long that takes. */
  waits: string
  /**
   * What saved the validator and the money, or would have; `anew`: where another key was taken; `out`: behind how much more
   * stake would have kept the place.
   */
  saved: { kept: string; open: Next; anew?: string; out?: string }
  same: string
  different: string
}

/** Numbers of the mainnet that stand beside those of the rehearsal. */
export type MainnetNumbers = { places: number; epoch: string; delay: string }
