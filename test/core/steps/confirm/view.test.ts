import { expect, test } from 'vitest'
import type { Gwei } from '../../../../src/core/base/format/amount.ts'
import type { Facts, Setup } from '../../../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { CONFIRM_TEXT } from '../../../../src/core/steps/confirm/facts.ts'
import {
  type ConfirmEvent,
  type ConfirmState,
  confirmTransition,
  initialConfirm,
} from '../../../../src/core/steps/confirm/machine.ts'
import { confirmView } from '../../../../src/core/steps/confirm/view.ts'

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
    observed: {
      ...initialConfirm.observed,
      beacon: { status: 'known', value: beacon, source: 'x', atMs: 0 },
    },
  }
  const { problem, notes } = confirmView(state, {}, SETUP)
  expect(problem).toBeUndefined()
  expect(notes).toEqual([CONFIRM_TEXT.notFinal])
})

test('of a validator that is proven to leave nothing says that its deposit may be lost', () => {
  const known = <T>(value: T) => ({ status: 'known', value, source: 'x', atMs: 0 }) as const
  const blockRoot = `0x${'0a'.repeat(32)}` as const
  const proofs = { index: 7, slot: 9n, blockRoot, balanceGwei: (10n ** 13n) as Gwei }
  const worst = (fault: { is: 'leaving' } | { is: 'other-record' } | undefined, holds = true) => {
    const observed = {
      ...initialConfirm.observed,
      proofs: known({ ...proofs, fault }),
      anchor: known({ holds, blockRoot }),
    }
    return confirmView({ ...initialConfirm, observed }, {}, SETUP).money.worst
  }
  const left = 'worst case: none left. The place is lost, the stake is not.'
  expect(worst({ is: 'leaving' })).toBe(left)
  expect(worst({ is: 'leaving' }, false)).not.toBe(left)
  expect(worst({ is: 'other-record' })).not.toBe(left)
})

test('the wait for proofs counts from when they were asked, the wait for the deposit from when it began', () => {
  const told = (state: ConfirmState, ...events: ConfirmEvent[]) =>
    events.reduce((before, event) => confirmTransition(before, event)[0], state)
  const waits = (sinceMs: number): ConfirmEvent => ({ step: 'confirm', type: 'waiting', sinceMs })
  const entered: ConfirmEvent = { step: 'confirm', type: 'entered' }
  const retried: ConfirmEvent = { step: 'confirm', type: 'retried' }
  const adopted: Facts = {
    validator: {
      origin: 'adopted',
      withdrawalCredentials: `0x01${'00'.repeat(31)}`,
      leastBalanceGwei: 0n,
      operator: `0x${'00'.repeat(20)}`,
    },
  }
  const early = told(initialConfirm, entered, waits(0))
  for (const again of [retried, entered]) {
    const later = told(early, again, waits(240_000))
    expect(confirmView(later, adopted, SETUP).waiting).toEqual({ label: 'for the proofs', sinceMs: 240_000 })
    expect(confirmView(later, {}, SETUP).waiting).toMatchObject({ sinceMs: 0 })
  }
})
