import { expect, test } from 'vitest'
import type { Setup } from '../../../src/core/facts.ts'
import type { Gwei } from '../../../src/core/format/amount.ts'
import type { Hex } from '../../../src/core/format/hex.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../../src/core/network/presets.ts'
import { initialIdentity } from '../../../src/core/steps/identity/machine.ts'
import type { IdentityState } from '../../../src/core/steps/identity/state.ts'
import { identityView } from '../../../src/core/steps/identity/view.ts'

const SETUP: Setup = {
  network: MAINNET,
  homePath: '/home',
  endpoints: LOCAL_ENDPOINTS,
  journalDirectory: '/state',
  lockDirectories: [],
  outputDirectory: '/out',
}
const OPERATOR: Hex = `0x${'0a'.repeat(20)}`
const CREDENTIALS: Hex = `0x01${'00'.repeat(11)}${'0b'.repeat(20)}`
const HASH: Hex = `0x${'0c'.repeat(32)}`
const known = <T>(value: T) => ({ status: 'known', value, source: 'x', atMs: 0 }) as const

/** A key that the contract has our operator for and no state knows, with a deposit of this journal that may be out. */
function problemWith(accepted: boolean, own: Partial<NonNullable<IdentityState['own']>> = {}) {
  const amountGwei = (10n ** 13n) as Gwei
  const seen: IdentityState['seen'] = {
    ...initialIdentity.seen,
    operator: known({ operator: OPERATOR, blockNumber: 90n }),
    beacon: known({
      index: undefined,
      withdrawalCredentials: undefined,
      status: undefined,
      exiting: false,
      provenSlot: 90n,
    }),
    history: known({
      operator: OPERATOR,
      setBy: { blockNumber: 5n, transactionHash: HASH },
      deposits: [{ blockNumber: 5n, amountGwei, withdrawalCredentials: CREDENTIALS, accepted }],
      headBlock: 90n,
    }),
    node: known({
      syncing: false,
      headSlot: 90n,
      executionBlock: 90n,
      advanced: true,
      secondsToAdvance: 2,
      beside: { is: 'unknown' },
    }),
  }
  const state: IdentityState = {
    ...initialIdentity,
    seen,
    own: { operator: OPERATOR, withdrawalCredentials: CREDENTIALS, out: true, ...own },
  }
  return identityView(state, { status: 'open' }, SETUP).problem
}

test('a key whose only deposit was burnt is not called used by our own deposit', () => {
  expect(problemWith(false)?.title).toBe('Stop: a deposit for this key was burnt already.')
  expect(problemWith(false)?.next.join()).toContain('start again with --state NEW_FOLDER')
})

test('one that the chain takes, or one that rescues a burnt key, stops nothing', () => {
  expect(problemWith(true)).toBeUndefined()
  expect(problemWith(false, { rescue: true })).toBeUndefined()
})
