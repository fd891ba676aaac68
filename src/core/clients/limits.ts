/** How long a question may take, how much may come back, and how often it's asked again. */
export type AskLimits = { deadlineMs: number; maxBytes: number; retries: number }
export const READ = { deadlineMs: 8000, maxBytes: 1024 * 1024, retries: 2 } as const
/** What an endpoint need not have: its answer is never waited for long. */
export const OPTIONAL = { deadlineMs: 3000, maxBytes: 1024 * 1024, retries: 0 } as const
/** Lists of validators. */
export const LIST = { deadlineMs: 8000, maxBytes: 4 * 1024 * 1024, retries: 2 } as const
/** Merkle proofs: the node builds a tree for each. */
export const PROOF = { deadlineMs: 20_000, maxBytes: 1024 * 1024, retries: 2 } as const
/** A whole beacon state. */
export const STATE = { deadlineMs: 20_000, idleMs: 10_000, maxBytes: 64 * 1024 * 1024, retries: 1 } as const
/** A list of the whole registry, which is never held whole: a million validators are half a gigabyte. */
export const REGISTRY = {
  deadlineMs: 180_000,
  idleMs: 10_000,
  maxBytes: 1024 * 1024 * 1024,
  retries: 1,
} as const
/** A signed transaction: never sent again by itself. */
export const BROADCAST = { deadlineMs: 15_000, maxBytes: 1024 * 1024, retries: 0 } as const

/**
 * Reads the body of a 200 while it arrives. Made anew for each attempt. What it finds wrong it throws: a `JsonFault`
 * or a `FieldFault`.
 */
export type Intake = {
  write(piece: Uint8Array): void
  /** The JSON value of the body, without what was read out of it on the way. */
  end(): unknown
  receivedBytes(): number
}
