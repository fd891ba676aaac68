import { expect, test } from 'vitest'
import type { Setup } from '../../../src/core/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../../src/core/network/presets.ts'
import { type ConfirmState, initialConfirm } from '../../../src/core/steps/confirm/machine.ts'
import { confirmView } from '../../../src/core/steps/confirm/view.ts'

const SETUP: Setup = {
  network: MAINNET,
  homePath: '/home',
  endpoints: LOCAL_ENDPOINTS,
  journalDirectory: '/state',
  lockDirectories: [],
  outputDirectory: '/out',
}

test('while a deposit that was remembered as final is looked for again, the record of the key is no alarm', () => {
  const beacon = {
    index: 7,
    withdrawalCredentials: `0x${'01'.repeat(32)}`,
    balanceGwei: 10n ** 13n,
    status: 'pending_initialized',
    exiting: false,
  } as const
  const state: ConfirmState = {
    ...initialConfirm,
    seen: { ...initialConfirm.seen, beacon: { status: 'known', value: beacon, source: 'x', atMs: 0 } },
  }
  const { problem, notes } = confirmView(state, {}, SETUP)
  expect(problem).toBeUndefined()
  expect(notes).toEqual([
    'The chain does not say that the first deposit is final. Esc goes back to the step that looks for it.',
  ])
})
