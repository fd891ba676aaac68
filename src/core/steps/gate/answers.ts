import type { ForkNow } from '../../consensus/fork-outlook.ts'
import type { UnsignedTransaction } from '../../effects/effects.ts'
import type { Hex } from '../../format/hex.ts'

/**
 * A first deposit that was not sent from here, exactly as it was signed here; `contract` where it was carried out by a
 * contract account.
 */
export type SentDeposit = { hash: Hex; from: Hex; nonce: number; blockNumber: bigint; contract?: true }

/** What a transaction offers for its gas. */
type GasPrice = Pick<UnsignedTransaction, 'gasLimit' | 'maxFeePerGasWei' | 'maxPriorityFeePerGasWei'>

/** Answers that must all be good immediately before anything is signed. */
export type GateAnswers = {
  /**
   * `contract`: code stands there, so nobody can sign a transaction of it: a Safe, or another contract account.
   * `claimed`: said by the keystore's file or by the user; the signer opens the keystore and compares.
   */
  funder: { address: Hex; contract?: true; claimed?: true }
  /** `sameGenesis`: both layers still begin as they did when the chain was checked. */
  chain: { chainId: number; fork: ForkNow; fresh: boolean; sameGenesis: boolean }
  /** Whether the own node follows the chain and votes. */
  node: { good: boolean; words: string; unknown?: true }
  balance: { balanceWei: bigint; neededWei: bigint; price: GasPrice }
  nonce: { latest: number; pending: number }
  /** `claimed` where a part of it is good by the node's word alone. */
  key: { good: boolean; words: string; unknown?: true; claimed?: true; sent?: SentDeposit }
  rule: { good: boolean; words: string }
  second: { good: boolean; words: string; unknown?: true }
  dryRun: { gas: bigint; refusal: string | undefined }
  /** What a first deposit needs on top of it for a place in the active set, undefined where no amount is enough. */
  way: { topUpGwei: bigint | undefined; reported: boolean }
}

/** All of them, in the order of asking. */
export const GATE_KEYS = [
  'funder',
  'chain',
  'node',
  'balance',
  'nonce',
  'key',
  'rule',
  'second',
  'dryRun',
  'way',
] as const
