import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { KeyState, KeyVerdict } from './key-state.ts'

/**
 * What becomes of a first deposit for a key. `free`: it registers the key. `rescue`: an earlier one was burnt and set the
 * operator that is meant here: only a deposit that names no operator registers the key. `used`: the operator is another
 * one, and the contract refuses a first deposit. `waits`: a deposit for the key is in a block and not counted yet.
 */
export type FirstDepositVerdict = 'free' | 'rescue' | 'used' | 'waits' | 'registered' | 'left' | 'unknown'

/** What a first deposit with this operator comes to, for the verdict over the key; `operator` is undefined where none is named. */
export function firstDepositVerdict(
  key: KeyState,
  verdict: KeyVerdict,
  operator: Hex | undefined,
): FirstDepositVerdict {
  switch (verdict) {
    case 'unknown':
      return 'unknown'
    case 'unused':
      return 'free'
    case 'waiting':
      return 'waits'
    case 'registered':
    case 'exiting':
      return 'registered'
    case 'exited':
    case 'withdrawn':
      return 'left'
    case 'lost':
      return isOperator(key, operator) ? 'rescue' : 'used'
  }
}

function isOperator({ operator }: KeyState, meant: Hex | undefined): boolean {
  return meant !== undefined && !('unknown' in operator) && sameHex(operator.value, meant)
}
