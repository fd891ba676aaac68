import { describe, expect, test } from 'vitest'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import type { ReplyOrError } from '../../../../src/core/pay/payment/round.ts'
import { signedPayment } from '../../../support/payments.ts'
import { answer, decided, givenTo, round, silent } from '../../../support/rounds.ts'

const GIVEN = givenTo(signedPayment(), 'own', 'other')

const own = (head: number) => answer('own', { knows: true, head: BigInt(head) })
const other = (head: number) => answer('other', { knows: true, head: BigInt(head) })

/** One round a slot; what was known of stuck and of the newest blocks after each. */
function watched(
  saidAt: (slot: number) => readonly ReplyOrError[],
  slots: number,
  from: PaymentState = GIVEN,
) {
  let state = from
  return Array.from({ length: slots + 1 }, (_, slot) => {
    state = decided(state, round(saidAt(slot), { atSlot: slot })).after
    const { isStuck, doubt } = state.memory
    return { slot, isStuck, stands: doubt?.beside.is }
  })
}

const firstStuck = (rounds: ReturnType<typeof watched>) => rounds.find(({ isStuck }) => isStuck)?.slot

describe('a payment that waits for a block', () => {
  test('is stuck after ten slots with blocks that lack it', () => {
    expect(firstStuck(watched((slot) => [own(slot), other(slot)], 12))).toBe(10)
  })

  test.each([1, 4, 9])(
    'may be replaced once the chain stands, where the last block came %i slots later',
    (at) => {
      const rounds = watched((slot) => [own(Math.min(slot, at)), other(Math.min(slot, at))], 25)
      expect(rounds.find(({ stands }) => stands === 'same')?.slot).toBe(at + 11)
      expect(firstStuck(rounds)).toBe(at + 11)
    },
  )

  test.each([
    ['that never answers', () => silent('own')],
    ['that falls silent', (slot: number) => (slot < 3 ? own(slot) : silent('own'))],
  ])('is stuck by time alone at an own endpoint %s, whatever the other one shows', (_, said) => {
    const rounds = watched((slot) => [said(slot), other(7)], 12)
    expect(rounds.flatMap(({ stands }) => stands ?? [])).toEqual([])
    expect(firstStuck(rounds)).toBe(10)
  })

  test('waits anew once there are blocks again, and is stuck ten slots later', () => {
    const head = (slot: number) => Math.max(5, slot - 30)
    const rounds = watched((slot) => [own(head(slot)), other(head(slot))], 50)
    expect(rounds.find(({ slot, stands }) => slot > 30 && stands === undefined)?.slot).toBe(36)
    expect(rounds.filter(({ slot, isStuck }) => slot > 35 && isStuck)[0]?.slot).toBe(46)
  })

  test('stays stuck where the own endpoint falls silent while the chain stands', () => {
    const rounds = watched((slot) => [slot < 20 ? own(Math.min(slot, 5)) : silent('own'), other(5)], 30)
    expect(rounds.slice(16).map(({ isStuck }) => isStuck)).toEqual(Array.from({ length: 15 }, () => true))
  })

  test('does not wait anew because an own node goes on that hung alone', () => {
    const rounds = watched((slot) => [own(slot < 20 ? 5 : slot), other(slot + 20)], 25)
    expect(rounds[19]).toMatchObject({ stands: 'ahead', isStuck: true })
    expect(rounds.slice(20).every(({ isStuck, stands }) => isStuck && stands === undefined)).toBe(true)
  })
})
