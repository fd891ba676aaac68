import { describe, expect, test } from 'vitest'
import { fileSystemError } from '../../../../src/core/base/errors/file.ts'
import { guardError } from '../../../../src/core/base/errors/guard.ts'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Following } from '../../../../src/core/pay/gate/following.ts'
import type { KnownGuard } from '../../../../src/core/pay/guard/book.ts'
import { GUARD_TEXT } from '../../../../src/core/pay/guard/text.ts'
import { findGuard, runGuardPage } from '../../../../src/core/steps/topup/guard-commands.ts'
import { guardPageTransition, initialGuardPage } from '../../../../src/core/steps/topup/guard-page.ts'
import type { TopUpEvent } from '../../../../src/core/steps/topup/machine.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'
import {
  armed,
  guardAfter,
  handed,
  hashOf,
  includedIn,
  MINE,
  NONCE,
  PAYER,
  setup,
} from '../../../support/guard-world.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const GUARD: KnownGuard = { from: PAYER, nonce: NONCE, path: 'guard-5', state: armed() }
const PAYER_2 = `0x${'71'.repeat(20)}` as const
const READ = { step: 'topup', looks: true, type: 'readGuard', scope: 'here' } as const

/** A step whose guards some reads do not reach; what it was told. */
function stepWith({ fails, guards = [GUARD] }: { fails: (nth: number) => boolean; guards?: KnownGuard[] }) {
  const told: TopUpEvent[] = []
  const read: TopUpEvent[] = []
  let nth = 0
  const clock = virtualClock()
  const book = {
    async here() {
      nth += 1
      if (fails(nth)) throw fileSystemError('/state', 'EMFILE')
      return guards
    },
    holderOf: async () => 'nobody',
    open: async () => ({ heldBy: 'Process 7 holds it.' }),
  }
  const context = {
    effects: { clock },
    setup,
    signal: new AbortController().signal,
    guards: () => book,
    facts: () => ({ identity: { pubkey: MINE } }),
    dispatch: async (event: TopUpEvent) => void (event.type === 'guardsRead' ? read : told).push(event),
  } as unknown as Parameters<typeof findGuard>[0]
  return { context, told, read, clock }
}
const standing = expect.objectContaining({ pubkey: MINE, stand: 'armed', holder: 'nobody' })
const UNREAD = { path: '/state/guard/journal.jsonl', why: 'Not complete.' }
const failure = expect.objectContaining({ code: 'file.failed' })

describe('a guard that lies here', () => {
  test('is told to who comes back, as soon as it can be read', async () => {
    const { context, told, clock } = stepWith({ fails: (nth) => nth <= 3 })
    const beganMs = clock.nowMs()
    await findGuard(context)
    expect(told).toEqual([{ step: 'topup', type: 'guardTold', here: standing, isOver: false }])
    expect(clock.nowMs() - beganMs).toBe(3 * setup.network.slotMs)
  })

  test('is told beside all that are over, whatever account they are of, and beside one that cannot be read', async () => {
    const paid = guardAfter(handed(3), includedIn(hashOf(3)))
    const guards: KnownGuard[] = [
      { ...GUARD, state: paid },
      { ...GUARD, from: PAYER_2, state: armed({ from: PAYER_2 }) },
      { from: PAYER, nonce: 6, path: '/state/guard', state: undefined, named: [], unread: UNREAD },
    ]
    const { context, read } = stepWith({ fails: () => false, guards })
    await findGuard(context)
    expect(read).toMatchObject([
      {
        type: 'guardsRead',
        guards: {
          guards: [
            { from: PAYER, amountGwei: tokens(40_000n) },
            { from: PAYER_2, stand: 'armed' },
          ],
          isWhole: false,
        },
      },
    ])
  })

  test('is not told where there is none', async () => {
    const { context, told } = stepWith({ fails: () => false, guards: [] })
    await findGuard(context)
    expect(told).toEqual([])
  })

  test('is read for its page, and what fails is told there', async () => {
    const following = {} as Following
    const once = stepWith({ fails: (nth) => nth === 1 })
    await runGuardPage(READ, once.context, following)
    expect(once.told).toEqual([{ step: 'topup', type: 'guardTold', here: standing, isOver: false, failure }])
    const always = stepWith({ fails: () => true })
    await runGuardPage(READ, always.context, following)
    expect(always.told).toEqual([
      { step: 'topup', type: 'guardTold', here: undefined, isOver: false, failure },
    ])
  })

  test('is not called read where the last look at it failed', async () => {
    const { context, told } = stepWith({ fails: (nth) => nth === 2, guards: [] })
    await runGuardPage(READ, context, {} as Following)
    expect(told).toEqual([{ step: 'topup', type: 'guardTold', here: undefined, isOver: false, failure }])
  })

  test('stays as it is known while it cannot be read', () => {
    const [known] = guardPageTransition(initialGuardPage, {
      step: 'topup',
      type: 'guardTold',
      here: 'none',
      isOver: false,
    })
    const [after] = guardPageTransition(known, {
      step: 'topup',
      type: 'guardTold',
      here: undefined,
      isOver: false,
      failure: errorFacts(guardError('guard.refused', GUARD_TEXT.refused.notRead)),
    })
    expect(after.here).toBe('none')
  })
})
