import { describe, expect, test } from 'vitest'
import type { MadeDeposit } from '../../../../src/core/chain/deposit/event.ts'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { THRESHOLDS } from '../../../../src/core/pay/payment/payment-picture.ts'
import { asRemembered } from '../../../../src/core/pay/payment/remembered.ts'
import { address, exportedPayment, hash, INCLUDED, SIGNED, signedPayment } from '../../../support/payments.ts'
import {
  answer,
  applied,
  type Decided,
  decided,
  GOOD,
  givenTo,
  lastOf,
  made,
  receipt,
  round,
  SLOT_MS,
  START_MS,
  silent,
} from '../../../support/rounds.ts'

const both = (over: Parameters<typeof answer>[1] = {}) => [answer('one', over), answer('two', over)]
const IN_BLOCK = { receipt: receipt(), latest: 6, finalizedNumber: 224n } as const
const GIVEN = givenTo(signedPayment(), 'one', 'two')
const IN_A_BLOCK = applied(GIVEN, [INCLUDED])
const PAID = applied(IN_A_BLOCK, [{ type: 'ended', outcome: { is: 'paid' } }])
const EXPORTED = exportedPayment()
/** Its blocks are newer than the payment. */
const SHOWING = { head: 1_000n }

const isEnded = ({ after }: Decided) => after.payment.phase === 'ended'
const givesTo = ({ broadcasts }: Decided) => broadcasts.map(({ endpoint }) => endpoint)
const isInNoBlock = ({ events }: Decided) => events.some(({ type }) => type === 'orphaned')

/** Another block is where the payment was noted. */
const REPLACED = { notedIsGone: true } as const

/** What has held since the first round, and how many slots later something follows from it. */
type Case = {
  name: Exclude<keyof typeof THRESHOLDS, 'gateHoldsMs'>
  slots: number
  state: PaymentState
  said: Parameters<typeof lastOf>[1]
  follows: (last: Decided) => boolean
}

const CASES: readonly Case[] = [
  { name: 'final', slots: 2, state: GIVEN, said: both(IN_BLOCK), follows: isEnded },
  { name: 'orphaned', slots: 5, state: IN_A_BLOCK, said: both(REPLACED), follows: isInNoBlock },
  { name: 'nonceTaken', slots: 5, state: GIVEN, said: both({ latest: 6 }), follows: isEnded },
  {
    name: 'gap',
    slots: 5,
    state: GIVEN,
    said: both({ latest: 4 }),
    follows: ({ after }) => after.memory.gapFrom === 4,
  },
  {
    name: 'stuck',
    slots: 10,
    state: GIVEN,
    said: both({ knows: true }),
    follows: ({ after }) => after.memory.isStuck,
  },
  {
    name: 'betweenAttempts',
    slots: 3,
    state: GIVEN,
    said: both(),
    follows: (one) => givesTo(one).length > 0,
  },
  {
    name: 'lag',
    slots: 2,
    state: GIVEN,
    said: [answer('one', IN_BLOCK), answer('two')],
    follows: (one) => givesTo(one).length > 0,
  },
  {
    name: 'look',
    slots: 10,
    state: EXPORTED,
    said: both(SHOWING),
    follows: ({ wanted }) => wanted.includes('keyChecks'),
  },
  {
    name: 'contradicted',
    slots: 5,
    state: asRemembered(PAID),
    said: both({ latest: 6, ...REPLACED }),
    follows: ({ events }) => events.some(({ type }) => type === 'contradicted'),
  },
]

describe('what must hold for long', () => {
  test.each(CASES.map((one) => [one.name, one] as const))('%s: follows at its limit', (name, one) => {
    const { slots, state, said, follows } = one
    expect(THRESHOLDS[name]).toBe(slots)
    const every = Array.from({ length: slots + 1 }, (_, at) => at)
    expect(follows(lastOf(state, said, { slots: [0, slots] }))).toBe(true)
    expect(follows(lastOf(state, said, { slots: [0, slots - 1] }))).toBe(false)
    expect(follows(lastOf(state, said, { slots: every.slice(0, -1) }))).toBe(false)
    const atMs = START_MS + slots * SLOT_MS - 1
    const before = decided(state, round(said)).after
    expect(follows(decided(before, round(said, { atMs })))).toBe(false)
    expect(follows(decided(before, round(said, { atMs: atMs + 1 })))).toBe(true)
  })

  test.each(CASES.filter(({ name }) => ['final', 'orphaned', 'nonceTaken', 'gap', 'lag'].includes(name)))(
    '$name: begins anew where it did not hold in between',
    ({ slots, state, said, follows }) => {
      const quiet = [silent('one'), silent('two')]
      const before = decided(state, round(said)).after
      const between = decided(before, round(quiet, { atSlot: slots - 1 })).after
      expect(follows(decided(between, round(said, { atSlot: slots })))).toBe(false)
    },
  )

  test('has a case of each threshold', () => {
    const names = [...CASES.map(({ name }) => name), 'gateHoldsMs'].toSorted()
    expect(names).toEqual(Object.keys(THRESHOLDS).toSorted())
  })

  test('a look at the world counts for ten slots while the same bytes are given again', () => {
    const said = both(SHOWING)
    const first = applied(decided(signedPayment(), round(said)).after, [
      { type: 'handed', endpoint: 'one', hash: SIGNED.hash, result: 'taken' },
      { type: 'handed', endpoint: 'two', hash: SIGNED.hash, result: 'no-reply' },
    ])
    const at = (atSlot: number) => decided(first, round(said, { atSlot }))
    expect(at(9)).toMatchObject({
      wanted: ['deposits'],
      broadcasts: [{ endpoint: 'one' }, { endpoint: 'two' }],
    })
    expect(at(10).wanted).toEqual(['keyChecks'])
  })

  test.each<[string, MadeDeposit[] | 'unknown']>([
    ['shows another deposit for the key', [made({ sender: { from: address(9), nonce: 1 } })]],
    ['shows one whose account it does not tell', [made({ sender: undefined })]],
    ['does not tell the deposits', 'unknown'],
  ])('a look at the world does not count where an endpoint %s', (_, deposits) => {
    const said = both(SHOWING)
    const first = applied(decided(signedPayment(), round(said)).after, [
      { type: 'handed', endpoint: 'one', hash: SIGNED.hash, result: 'taken' },
    ])
    const parts = { deposits: { one: [], two: deposits } }
    const again = decided(first, round(said, { atSlot: 4 }), parts)
    expect(again.wanted).toEqual(['deposits', 'keyChecks'])
    const unknown = { good: false, unknown: true, words: 'not told' } as const
    const held = decided(first, round(said, { atSlot: 4 }), { ...parts, keyChecks: [unknown] })
    expect(held.broadcasts).toEqual([])
  })

  test('an orphaned block is waited for twice as long the next time', () => {
    const once = lastOf(IN_A_BLOCK, both(REPLACED), { slots: [0, 5] }).after
    const again = decided(once, round([answer('one', IN_BLOCK), silent('two')], { atSlot: 6 })).after
    expect(isInNoBlock(lastOf(again, both(REPLACED), { slots: [7, 16] }))).toBe(false)
    expect(isInNoBlock(lastOf(again, both(REPLACED), { slots: [7, 17] }))).toBe(true)
  })

  test('another block is final only once it was read twice itself', () => {
    const blockHash = hash(225)
    const other = both({ ...IN_BLOCK, receipt: receipt({ blockHash }) })
    const first = lastOf(GIVEN, both(IN_BLOCK), { slots: [0, 1] }).after
    expect(isEnded(lastOf(first, other, { slots: [2, 3] }))).toBe(false)
    expect(isEnded(lastOf(first, other, { slots: [2, 4] }))).toBe(true)
  })

  test('a nonce is too high only by rounds in which no others of the account wait before it', () => {
    const waiting = both({ latest: 4, pending: 5 })
    const before = lastOf(GIVEN, waiting, { slots: [0, 5] }).after
    const gapAt = (...slots: readonly number[]) =>
      lastOf(before, both({ latest: 4 }), { slots }).after.memory.gapFrom
    expect(gapAt(6, 10)).toBeUndefined()
    expect(gapAt(6, 11)).toBe(4)
  })

  test('what waits for its nonce does not wait for a block', () => {
    const before = lastOf(GIVEN, both({ latest: 4 }), { slots: [0, 12] }).after
    const isStuckAt = (...slots: readonly number[]) =>
      lastOf(before, both({ knows: true }), { slots }).after.memory.isStuck
    expect(isStuckAt(13, 22)).toBe(false)
    expect(isStuckAt(13, 23)).toBe(true)
  })

  test('the gate excuses a silent endpoint for 120 seconds', () => {
    const said = [answer('one'), silent('two')]
    const at = (ageMs: number) =>
      decided(signedPayment(), round(said, { gateOpenAtMs: START_MS - ageMs }), { keyChecks: [GOOD] })
    expect(THRESHOLDS.gateHoldsMs).toBe(120_000)
    expect(givesTo(at(120_000))).toEqual(['one', 'two'])
    expect(at(120_001)).toMatchObject({
      told: { is: 'world-unknown', why: 'two must answer' },
      broadcasts: [],
    })
  })

  test('nothing is stuck that has just been given out for the first time', () => {
    const quiet = [silent('one'), silent('two')]
    const waited = lastOf(signedPayment(), quiet, { slots: [0, 12] }).after
    const given = decided(waited, round(both(), { atSlot: 13 }))
    expect(givesTo(given)).toEqual(['one', 'two'])
    expect(given.after.memory.isStuck).toBe(false)
    expect(lastOf(given.after, both({ knows: true }), { slots: [14, 22] }).after.memory.isStuck).toBe(false)
    expect(lastOf(given.after, both({ knows: true }), { slots: [14, 23] }).after.memory.isStuck).toBe(true)
  })
})
