import type { IdentityAnswers } from '../../src/core/steps/identity/state.ts'

/** An answer to a question of a step, as it stands there. */
export const known = <T>(value: T) => ({ status: 'known', value, source: 'x', atMs: 0 }) as const

/** A node that follows its chain, at slot 90. */
export const GOING_NODE: IdentityAnswers['node'] = {
  syncing: false,
  headSlot: 90n,
  executionBlock: 90n,
  advanced: true,
  secondsToAdvance: 2,
  beside: { is: 'unknown' },
}
