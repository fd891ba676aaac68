import type { Hex } from '../../format/hex.ts'

/** A deposit for the key that is not known to be the payment. */
export type OtherDeposit = { hash: Hex | undefined }

/** What the rounds have shown so far of one payment. */
export type Watch = {
  /** Since when something has held in every round, on our own clock. */
  since: Partial<Record<Clock, number>>
  /** The block that `since.inBlock` is about. */
  blockHash: Hex | undefined
  /** When bytes were last given to an endpoint, by its name and their hash. */
  givenAtMs: Readonly<Record<string, number>>
  /** When all that was agreed to was last seen to hold. */
  worldAtMs: number | undefined
  /** How often a block was orphaned. */
  losses: number
  inMempool: boolean
  /** In no block for so long that replacing it is offered. */
  isStuck: boolean
  /** The account’s next nonce, where that of the payment is too high. */
  gapFrom: number | undefined
  /** It is safe to show what is exported, with the hash that is signed. */
  shown: { digest: Hex } | undefined
  otherDeposit: OtherDeposit | undefined
}

export type Clock = 'inBlock' | 'orphaned' | 'nonceLost' | 'behind' | 'lagging' | 'waiting' | 'contradicted'

export const NOTHING_WATCHED: Watch = {
  since: {},
  blockHash: undefined,
  givenAtMs: {},
  worldAtMs: undefined,
  losses: 0,
  inMempool: false,
  isStuck: false,
  gapFrom: undefined,
  shown: undefined,
  otherDeposit: undefined,
}

/** Where the search for a payment stands. */
export type Told =
  | { is: 'in-block'; block: bigint; reverted: boolean; alone: boolean }
  | { is: 'orphaned' | 'in-mempool' | 'handed-over' | 'nonce-used' | 'disagree' | 'deposit-there' }
  | {
      is: 'lags' | 'others-wait' | 'one-silent' | 'in-use' | 'in-pool' | 'deposits-unknown' | 'other-deposit'
    }
  | { is: 'unused' | 'not-there' | 'looking' }
  | { is: 'behind'; next: number; nonce: number }
  | { is: 'world-unknown' | 'held-back'; why: string }
  | { is: 'upheld'; block: bigint | undefined; outcome: 'paid' | 'cancelled' | 'reverted' | 'nonce-taken' }
  | { is: 'remembered-silent'; endpoints: readonly string[] }
  | { is: 'remembered-disputed' | 'remembered-contradicted' }
