import { describe, expect, test } from 'vitest'
import { decide, TABLE } from '../../../../src/core/pay/payment/decide.ts'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { both, CASES, CONTRACT, GIVEN, IN_BLOCK, type Rounds, USED } from '../../../support/decide-cases.ts'
import {
  draftWith,
  exportedPayment,
  hash,
  INCLUDED,
  NONCE,
  replacementFor,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'
import {
  answer,
  applied,
  bytesGiven,
  type Decided,
  decided,
  lastOf,
  made,
  round,
  START_MS,
  silent,
} from '../../../support/rounds.ts'

const rowAt = (name: string) => TABLE.find((row) => row.name.startsWith(name))?.name

const last = ({ state, said, slots = [0], parts = {} }: Rounds): Decided =>
  lastOf(state, said, { slots, parts })

describe('the table that decides', () => {
  test.each(CASES.map((one) => [`${one.row}: ${one.is}`, one] as const))('%s', (_, one) => {
    const { told, wanted = [], events = [], given = [], memory = {} } = one.follows
    const at = last(one)
    expect(at.row).toBe(rowAt(one.row) ?? 'no such row')
    expect(at).toMatchObject({ told, wanted, events })
    expect(bytesGiven(at.broadcasts).map(([endpoint]) => endpoint)).toEqual(given)
    const { payment } = at.after
    if (payment.phase !== 'ended') expect(at.after.memory).toMatchObject(memory)
    expect(last({ ...one, ...one.unless }).row).not.toBe(at.row)
  })

  test('has a case of each of its rows; the row that wants the deposits decides on its way', () => {
    const wanting = 'the deposits for the key tell who used the nonce'
    const rows = new Set([...CASES.map(({ row }) => row), wanting].map(rowAt))
    expect(rows).toEqual(new Set(TABLE.map(({ name }) => name)))
  })

  test('asks for the deposits where a nonce is used, and always for a contract account', () => {
    const wantedOf = (state: PaymentState, over: Parameters<typeof answer>[1]) =>
      last({ state, said: both(over) }).wanted
    expect(wantedOf(GIVEN, USED)).toEqual(['deposits'])
    expect(wantedOf(CONTRACT, {})[0]).toBe('deposits')
    expect(wantedOf(GIVEN, {})).toEqual(['keyChecks'])
  })

  test('tells the error of an endpoint where nothing else is known', () => {
    const { after } = last({ state: GIVEN, said: [silent('one'), silent('two')] })
    expect(after.tracking).toMatchObject({ status: 'failed', source: 'one' })
  })

  test('says nothing of a payment that was not agreed to, or has ended for certain', () => {
    const paid = stateAfter([INCLUDED, { type: 'ended', outcome: { is: 'paid' } }], { from: GIVEN })
    for (const state of [stateAfter([]), paid])
      expect(last({ state, said: both(IN_BLOCK) })).toMatchObject({
        events: [],
        broadcasts: [],
        told: undefined,
      })
  })

  test('asks first, and says nothing else with it, where a replacement is to be exported', () => {
    const imported = applied(exportedPayment(), [SIGNED])
    const replacement = replacementFor(imported, 'speed-up')
    const speeding = applied(imported, [{ type: 'replacing', replacement }])
    expect(decide(speeding, round(both()))).toStrictEqual({ wants: 'deposits' })
  })

  test('tells nothing where there is nobody to ask, or no row holds', () => {
    for (const decision of [decide(GIVEN, round([])), decide(GIVEN, round(both()), { table: [] })]) {
      const { events, broadcasts } = decision as Exclude<typeof decision, { wants: unknown }>
      expect(events).toMatchObject([{ type: 'watched', tracking: GIVEN.tracking }])
      expect(broadcasts).toEqual([])
    }
  })

  test('has a name for each row, which says when it holds', () => {
    for (const { name } of TABLE) expect(name).toMatch(/^[a-z].{25,}/)
  })
})

describe('what a round tells beside its row', () => {
  const HELD_BACK = applied(GIVEN, [{ type: 'held-back', reason: 'more arrived' }])
  const givenJustNow = (state: PaymentState): PaymentState => ({
    ...state,
    memory: {
      ...state.memory,
      broadcastAtMs: { [`one ${SIGNED.hash}`]: START_MS, [`two ${SIGNED.hash}`]: START_MS },
    },
  })

  test('is that the bytes stay where they are held back', () => {
    expect(last({ state: HELD_BACK, said: both() })).toMatchObject({
      told: { is: 'held-back', why: 'more arrived' },
      broadcasts: [],
    })
  })

  test('is that nobody used the nonce, while it is too early to give the bytes again', () => {
    expect(last({ state: givenJustNow(GIVEN), said: both() })).toMatchObject({ told: { is: 'unused' } })
  })

  test('is that a call whose block is gone is not there', () => {
    const paid = applied(CONTRACT, [
      { type: 'found', from: SENDER, nonce: NONCE, hash: hash(8), valueWei: 1n, data: undefined },
      { ...INCLUDED, hash: hash(8) },
    ])
    expect(last({ state: paid, said: both() }).told).toEqual({ is: 'not-there' })
  })

  test('names the first endpoint whose pool has it', () => {
    const sourceOf = (...said: Rounds['said']) => last({ state: GIVEN, said }).after.tracking
    expect(sourceOf(answer('one'), answer('two', { knows: true }))).toMatchObject({ source: 'two' })
    expect(sourceOf(...both({ knows: true }))).toMatchObject({ source: 'one' })
  })

  test('forgets a gap once the nonce is reached, and that it is stuck once it was never given', () => {
    const gap = { ...GIVEN, memory: { ...GIVEN.memory, gapFrom: 3 } }
    expect(last({ state: gap, said: both() }).after.memory.gapFrom).toBeUndefined()
  })

  test('is that the wait for a block is long, though nobody has it', () => {
    const { after } = last({ state: GIVEN, said: both(), slots: [0, 4, 8, 12] })
    expect(after.memory.isStuck).toBe(true)
  })

  test('keeps in sight that a pool had it, while its cancellation is to be exported', () => {
    const cancelling = applied(applied(exportedPayment(), [SIGNED]), [
      {
        type: 'replacing',
        replacement: replacementFor(applied(exportedPayment(), [SIGNED]), 'cancellation'),
      },
    ])
    const seen = { ...cancelling, memory: { ...cancelling.memory, inMempool: true } }
    expect(last({ state: seen, said: both() }).after.memory.inMempool).toBe(true)
    expect(last({ state: cancelling, said: both({ knows: true }) }).after.memory.inMempool).toBe(true)
    expect(last({ state: cancelling, said: both() }).after.memory.inMempool).toBe(false)
  })

  test('names the highest of the next nonces, where all are too low', () => {
    const said = [answer('one', { latest: 3 }), answer('two', { latest: 4 })]
    expect(last({ state: signedPayment(), said, slots: [0, 5] }).after.memory.gapFrom).toBe(4)
  })

  test('names the first deposit that may be the payment', () => {
    const unnamed = [8, 9].map((nth) => made({ hash: hash(nth), sender: undefined }))
    const { after } = last({ state: GIVEN, said: both(USED), parts: { deposits: unnamed } })
    expect(after.memory.otherDeposit).toEqual({ hash: hash(8) })
  })
})

describe('the time that something takes', () => {
  test('is doubled with each block that was orphaned', () => {
    const lost = applied(GIVEN, [INCLUDED])
    const again = { ...lost, memory: { ...lost.memory, losses: 1 } }
    const at = (slot: number) =>
      last({ state: again, said: both({ knows: true, notedIsGone: true }), slots: [0, slot] }).events
    expect(at(9)).toEqual([])
    expect(at(10)).toEqual([{ type: 'orphaned' }])
  })

  test('is five slots till a nonce that is too high is called that', () => {
    const gapAt = (slot: number) =>
      last({ state: signedPayment(), said: both({ latest: 3 }), slots: [0, slot] }).after.memory.gapFrom
    expect([gapAt(4), gapAt(5)]).toEqual([undefined, 3])
  })

  test('is ten slots, and a block made that late, till a payment that waits is stuck', () => {
    const stuckAt = (...rounds: readonly (readonly [slot: number, head: bigint])[]) =>
      rounds.reduce((state, [atSlot, head]) => {
        const looked = round(both({ knows: true, head }), { atSlot })
        return decided(state, looked).after
      }, GIVEN).memory.isStuck
    expect(stuckAt([0, 1n], [3, 2n], [12, 2n])).toBe(false)
    expect(stuckAt([0, 1n], [3, 2n], [12, 9n])).toBe(true)
    expect(stuckAt([0, 1n], [3, 2n], [9, 8n])).toBe(false)
  })
})

describe('a block that is called refused first, and then carried out', () => {
  test('is written down before the end', () => {
    const refused = both({
      ...IN_BLOCK,
      receipt: { ...IN_BLOCK.receipt, status: 'reverted' },
      finalizedNumber: 0n,
    })
    const before = decided(GIVEN, round(refused)).after
    const { events } = decided(before, round(both(IN_BLOCK), { atSlot: 2 }))
    expect(events).toEqual([INCLUDED, { type: 'ended', outcome: { is: 'paid' } }])
  })
})

describe('what was agreed to and holds no more', () => {
  test('keeps the payment back, too, while its speed-up is to be exported', () => {
    const imported = applied(exportedPayment(), [SIGNED])
    const speeding = applied(imported, [
      { type: 'replacing', replacement: replacementFor(imported, 'speed-up') },
    ])
    const at = last({ state: speeding, said: both(), parts: { keyChecks: [{ good: false, words: 'no' }] } })
    expect(at.events).toEqual([{ type: 'held-back', reason: 'no' }])
    expect(at.broadcasts).toEqual([])
  })
})

describe('what was on the chain already when it was agreed to', () => {
  test('is not shown to be sent while an endpoint is not known to show that block', () => {
    const { payment } = CONTRACT
    if (payment.phase !== 'exported') throw new Error('it is not exported')
    const { draft } = payment
    const sent = { ...draft, baseline: { ...draft.baseline, seenSentAt: draft.baseline.blockNumber + 1n } }
    const adopted: PaymentState = { ...CONTRACT, payment: { ...payment, draft: sent } }
    const shownAt = (state: PaymentState, ...heads: readonly (bigint | undefined)[]) => {
      const said = heads.map((head, nth) => answer(`${nth}`, { head }))
      const { told, after } = last({ state, said })
      return [told?.is, after.memory.shown !== undefined]
    }
    expect(shownAt(adopted, 201n, 200n)).toEqual(['looking', false])
    expect(shownAt(adopted, undefined, 201n)).toEqual(['looking', false])
    expect(shownAt(adopted, 201n, 202n)).toEqual(['not-there', true])
    expect(shownAt(CONTRACT, 200n, undefined)).toEqual(['not-there', true])
  })
})

describe('with one endpoint alone', () => {
  const one = (over: Parameters<typeof answer>[1]) => [answer('one', over)]
  const later = made({ hash: hash(9), sender: { from: SENDER, nonce: NONCE + 1 } })

  test.each<[string, Rounds['parts'], string, readonly string[]]>([
    ['its own deposit', { deposits: [made()] }, 'the nonce, or the contract account, made', ['found']],
    ['a later one of the account', { deposits: [later] }, 'the nonce is lost, and a later one', ['found']],
    [
      'one by nobody knows whom',
      { deposits: [made({ sender: undefined })] },
      'the nonce is used, and a deposit',
      [],
    ],
    ['none', { deposits: [] }, 'the nonce is lost to another', ['ended']],
  ])('a used nonce is decided by %s', (name, parts, row, events) => {
    const slots = name === 'its own deposit' ? [0] : [0, 5]
    const at = last({ state: GIVEN, said: one({ latest: 7 }), slots, ...(parts && { parts }) })
    expect(at.row).toBe(rowAt(row))
    expect(at.events.map(({ type }) => type)).toEqual(events)
  })
})

describe('while no endpoint says that the nonce is used', () => {
  const deposits = [made()]
  const aside = { ...GIVEN, abandoned: [draftWith({ signer: 'external', nonce: NONCE + 3 })] }

  test('a deposit that is said to be of it is not taken for the payment', () => {
    const at = last({ state: aside, said: both(), parts: { deposits } })
    expect(at.wanted).toContain('deposits')
    expect(at.events.map(({ type }) => type)).not.toContain('found')
  })

  test('a deposit by nobody knows whom does not keep the bytes here', () => {
    const unnamed = [made({ sender: undefined })]
    expect(last({ state: aside, said: both(), parts: { deposits: unnamed } }).told).not.toEqual({
      is: 'deposit-there',
    })
  })
})
