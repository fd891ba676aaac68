import { describe, expect, test } from 'vitest'
import type { Event } from '../../src/core/state.ts'
import type { StepView } from '../../src/core/steps/step-view.ts'
import { PANEL_START, type PanelEvent } from '../../src/hooks/step-panel.ts'
import { stepTurn } from '../../src/plain/step-turn.ts'
import { topUpView } from '../support/views.ts'

type Stake = { block: bigint; balanceGwei: bigint }

/** The top-up, to be agreed to for a validator as it was known at a block. */
function offering({ block, balanceGwei }: Stake): StepView {
  const plan = { to: `0x${'42'.repeat(20)}`, valueWei: 1n, data: '0x' } as const
  const stakeToBeGwei = balanceGwei
  const world = { about: 'validator', block, balanceGwei, stakeToBeGwei, outcome: 'keeps-place' } as const
  const agreed = { step: 'topup', type: 'agreed', plan, world } as Event
  return { ...topUpView, actions: [{ key: 'return', label: 'send', typed: 'send 1', does: [agreed] }] }
}

/** What Enter does below a page that was printed of the first stake, now that the second one is known. */
async function entered(printed: Stake, known: Stake) {
  const told: PanelEvent[] = []
  const turn = stepTurn({
    view: offering(printed),
    now: () => offering(known),
    badge: { kind: 'rehearsal', label: 'Rehearsal' },
    panel: PANEL_START,
    tell: (event) => void told.push(event),
    dispatch: async () => true,
    quit: () => undefined,
    wayBack: undefined,
  })
  const { say = [] } = await turn.answer({ text: '', begunAtMs: 9_000, atOnce: false }, 0)
  return { told, say }
}

describe('what was printed is agreed to', () => {
  const printed = { block: 10n, balanceGwei: 5n }
  const changed = { told: [], say: ['This has changed since it was printed: nothing was done.'] }

  test('while every later look says the same', async () => {
    const { told, say } = await entered(printed, { ...printed, block: 12n })
    expect({ told, say }).toEqual({ told: [{ type: 'confirm', key: 'return' }], say: [] })
  })

  test('and not where a look knows less than was printed, or says another stake', async () => {
    expect(await entered(printed, { ...printed, block: 9n })).toEqual(changed)
    expect(await entered(printed, { block: 12n, balanceGwei: 6n })).toEqual(changed)
  })
})
