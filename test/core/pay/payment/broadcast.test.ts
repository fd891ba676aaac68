import { describe, expect, test } from 'vitest'
import type { CheckResult } from '../../../../src/core/pay/gate/facts.ts'
import type { PaymentBody, PaymentState, Replacement } from '../../../../src/core/pay/payment/payment.ts'
import {
  address,
  draftWith,
  exportedPayment,
  hash,
  INCLUDED,
  NONCE,
  preparing,
  replacementFor,
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
  GOOD,
  givenTo,
  lastOf,
  made,
  type Parts,
  receipt,
  round,
  START_MS,
  silent,
} from '../../../support/rounds.ts'

const both = (over: Parameters<typeof answer>[1] = {}) => [answer('one', over), answer('two', over)]
const ONE_SILENT = [answer('one'), silent('two')]
const bad = (words: string): CheckResult => ({ good: false, words })
const unknown = (words: string): CheckResult => ({ good: false, unknown: true, words })
const givesTo = ({ broadcasts }: Decided) => broadcasts.map(({ endpoint }) => endpoint)

const PAYMENT = signedPayment()
/** A payment of the account, and before it a draft with another nonce that the user abandoned. */
const AFTER_ABANDONED = stateAfter([...preparing({ nonce: NONCE + 1 }), SIGNED], {
  from: stateAfter([{ type: 'abandoned' }], { from: exportedPayment() }),
})

const replacing = (state: PaymentState, kind: Replacement['kind']): PaymentBody => ({
  type: 'replacing',
  replacement: replacementFor(state, kind),
})
const replaced = (state: PaymentState, kind: Replacement['kind']): PaymentState =>
  applied(state, [replacing(state, kind), { type: 'replaced', raw: '0x0202', hash: hash(2) }])

describe('bytes that leave for the first time', () => {
  test.each<[string, PaymentState, Parts, string]>([
    [
      'an agreement without a world',
      signedPayment({ world: undefined }),
      {},
      'older version of this program',
    ],
    [
      'a key that is bad',
      PAYMENT,
      { keyChecks: [GOOD, bad('the operator is another')] },
      'the operator is another',
    ],
    [
      'a key that is bad, whatever else is unknown',
      PAYMENT,
      { keyChecks: [unknown('?'), bad('worse')] },
      'worse',
    ],
    [
      'what was abandoned and was sent',
      AFTER_ABANDONED,
      { deposits: [made()] },
      'the transaction you abandoned was sent',
    ],
    [
      'what was abandoned and was sent, whatever else is unknown',
      AFTER_ABANDONED,
      { deposits: [made()], keyChecks: [unknown('?')] },
      'the transaction you abandoned was sent',
    ],
  ])('are held back by %s', (_, state, parts, why) => {
    const { draft } = state.payment.phase === 'under-way' ? state.payment : { draft: draftWith() }
    const at = decided(state, round(both({ latest: draft.transaction.nonce })), parts)
    expect(at).toMatchObject({
      told: { is: 'held-back', why: expect.stringContaining(why) },
      events: [{ type: 'held-back', reason: expect.stringContaining(why) }],
      broadcasts: [],
      after: { payment: { heldBack: expect.stringContaining(why) } },
    })
    const again = lastOf(at.after, both({ latest: draft.transaction.nonce }), { slots: [1, 4, 20], parts })
    expect(again).toMatchObject({ events: [], broadcasts: [], wanted: [] })
  })

  test.each<[string, PaymentState, Parts, Parameters<typeof answer>[1], string]>([
    ['the key is unknown', PAYMENT, { keyChecks: [unknown('no proof yet')] }, {}, 'no proof yet'],
    [
      'a pool holds another transaction with the nonce',
      PAYMENT,
      {},
      { pending: 6 },
      'another transaction with nonce 5 is in the mempool',
    ],
    [
      'it is not known who made a deposit for the key after the abandoned draft',
      AFTER_ABANDONED,
      { deposits: [made({ sender: undefined })] },
      { latest: 6 },
      'it is not known whether the transaction you abandoned was sent',
    ],
    [
      'an endpoint does not tell its deposits',
      AFTER_ABANDONED,
      { deposits: { one: [], two: 'unknown' } },
      { latest: 6 },
      'it is not known whether the transaction you abandoned was sent',
    ],
    [
      'one endpoint alone says that the abandoned draft was sent',
      AFTER_ABANDONED,
      { deposits: { one: [made()], two: [] } },
      { latest: 6 },
      'the transaction you abandoned may have been sent',
    ],
  ])('wait while %s', (_, state, parts, said, why) => {
    const at = decided(state, round(both(said)), parts)
    expect(at).toMatchObject({ told: { is: 'world-unknown', why }, events: [], broadcasts: [] })
    expect(decided(at.after, round(both(said), { atSlot: 1 }), parts).wanted).toContain('keyChecks')
  })

  test('leave for all endpoints at once where everything holds', () => {
    expect(givesTo(decided(PAYMENT, round(both())))).toEqual(['one', 'two'])
    const at = decided(AFTER_ABANDONED, round(both({ latest: 6 })))
    expect(at).toMatchObject({ wanted: ['deposits', 'keyChecks'], told: { is: 'handed-over' } })
    expect(givesTo(at)).toEqual(['one', 'two'])
  })

  test('wait for a silent endpoint, unless the whole gate was open with it a moment ago', () => {
    expect(decided(PAYMENT, round(ONE_SILENT))).toMatchObject({
      told: { is: 'world-unknown', why: 'two must answer' },
      wanted: [],
      broadcasts: [],
    })
    const open = round(ONE_SILENT, { gateOpenAtMs: START_MS })
    expect(decided(PAYMENT, open)).toMatchObject({ wanted: ['keyChecks'] })
    expect(givesTo(decided(PAYMENT, open))).toEqual(['one', 'two'])
    expect(decided(PAYMENT, open, { keyChecks: [bad('it is not so any more')] })).toMatchObject({
      told: { is: 'held-back' },
      broadcasts: [],
    })
  })

  test('are looked at once more for a speed-up, which is another transaction', () => {
    const sped = replaced(givenTo(PAYMENT, 'one', 'two'), 'speed-up')
    const at = decided(sped, round(both()))
    expect(at.wanted).toEqual(['keyChecks'])
    expect(bytesGiven(at.broadcasts)).toEqual([
      ['one', hash(2)],
      ['two', hash(2)],
    ])
    expect(decided(sped, round(both()), { keyChecks: [bad('no')] })).toMatchObject({
      events: [{ type: 'held-back', reason: 'no' }],
      broadcasts: [],
    })
  })

  test('are looked at once more for a speed-up that the same look would have covered', () => {
    const given = lastOf(PAYMENT, both(), { slots: [0] }).after
    const sped = replaced(given, 'speed-up')
    const recent = { ...sped, memory: { ...sped.memory, recheckedAtMs: START_MS } }
    expect(decided(recent, round(both(), { atSlot: 1 })).wanted).toEqual(['keyChecks'])
  })
})

describe('a cancellation', () => {
  const cancelled = replaced(givenTo(PAYMENT, 'one', 'two'), 'cancellation')

  test.each<[string, PaymentState, Parts]>([
    ['what was agreed to holds no more', cancelled, { keyChecks: [bad('no')] }],
    ['the payment is held back', applied(cancelled, [{ type: 'held-back', reason: 'no' }]), {}],
    ['nothing is known of the world', cancelled, { keyChecks: [unknown('?')] }],
  ])('is never held back where %s', (_, state, parts) => {
    const at = decided(state, round(ONE_SILENT), parts)
    expect(at).toMatchObject({ wanted: [], told: { is: 'handed-over' } })
    expect(bytesGiven(at.broadcasts)).toEqual([
      ['one', hash(2)],
      ['two', hash(2)],
    ])
  })
})

describe('what was given out', () => {
  /** How the attempts of a payment that no endpoint ever takes are written down, one every three slots. */
  const attempts = (endpoints: readonly string[], count: number) => {
    let state = PAYMENT
    return Array.from({ length: count }, (_, at) => {
      const said = endpoints.map((endpoint) => answer(endpoint))
      const { events, after } = decided(state, round(said, { atSlot: at * 3 }))
      state = after
      return events.flatMap((event) =>
        event.type === 'handed-over' || event.type === 'handed-again'
          ? [`${event.type === 'handed-over' ? 'line' : 'none'} ${event.attempt} ${event.endpoint}`]
          : [],
      )
    })
  }

  test('has a line in the journal for each endpoint, then for attempts that are powers of two', () => {
    expect(attempts(['one'], 17).flat()).toEqual([
      'line 1 one',
      'line 2 one',
      'none 3 one',
      'line 4 one',
      ...[5, 6, 7].map((at) => `none ${at} one`),
      'line 8 one',
      ...[9, 10, 11, 12, 13, 14, 15].map((at) => `none ${at} one`),
      'line 16 one',
      'none 17 one',
    ])
    expect(attempts(['one', 'two'], 3)).toEqual([
      ['line 1 one', 'line 2 two'],
      ['none 3 one', 'line 4 two'],
      ['none 5 one', 'none 6 two'],
    ])
  })

  test('has a new line where an endpoint gets it for the first time, whatever the attempt', () => {
    const first = decided(PAYMENT, round([answer('one'), answer('two', { knows: true })])).after
    const again = decided(first, round([answer('one'), answer('two', { knows: true })], { atSlot: 3 })).after
    const both3 = decided(again, round(both(), { atSlot: 6 }))
    expect(both3.events).toEqual([
      { type: 'handed-again', attempt: 3, endpoint: 'one' },
      { type: 'handed-over', attempt: 4, endpoint: 'two' },
    ])
  })

  test('is not given again within three slots, to each endpoint by itself', () => {
    const first = decided(PAYMENT, round([answer('one'), answer('two', { knows: true })])).after
    const next = decided(first, round(both(), { atSlot: 1 }))
    expect(givesTo(next)).toEqual(['two'])
    expect(givesTo(decided(next.after, round(both(), { atSlot: 2 })))).toEqual([])
    expect(givesTo(decided(next.after, round(both(), { atSlot: 3 })))).toEqual(['one'])
  })

  test('is given at once in other bytes', () => {
    const given = decided(PAYMENT, round(both())).after
    const sped = replaced(given, 'speed-up')
    expect(bytesGiven(decided(sped, round(both(), { atSlot: 1 })).broadcasts)).toEqual([
      ['one', hash(2)],
      ['two', hash(2)],
    ])
  })

  test('is written down before it leaves: whoever reads the journal knows that it may have', () => {
    const { events, broadcasts, after } = decided(PAYMENT, round(both()))
    expect(broadcasts).toHaveLength(events.length)
    expect(after.payment).toMatchObject({
      attempts: 2,
      broadcasts: [
        { endpoint: 'one', hash: SIGNED.hash, times: 1, result: 'waits' },
        { endpoint: 'two', hash: SIGNED.hash, times: 1, result: 'waits' },
      ],
    })
  })

  test('is not held back by a bad look where one endpoint has it in a block already', () => {
    const said = [answer('one', { receipt: receipt(), latest: 6 }), answer('two')]
    const given = givenTo(PAYMENT, 'one', 'two')
    const at = lastOf(given, said, { slots: [0, 2], parts: { keyChecks: [bad('no')] } })
    expect(at).toMatchObject({ told: { is: 'held-back', why: 'no' }, events: [], broadcasts: [] })
  })

  test('is not held back by a bad look while the block that had it is only gone for a moment', () => {
    const included = applied(givenTo(PAYMENT, 'one', 'two'), [INCLUDED])
    const at = decided(included, round(both()), { keyChecks: [bad('no')] })
    expect(at).toMatchObject({ events: [], broadcasts: [] })
  })

  test('is given again where a pool holds the nonce: that may be ours', () => {
    const given = givenTo(PAYMENT, 'one')
    expect(givesTo(decided(given, round(both({ pending: 6 }))))).toEqual(['one', 'two'])
  })
})

describe('an exported transaction', () => {
  const EXPORTED = exportedPayment()
  const shown = (state: PaymentState) => decided(state, round(both())).after
  const isShown = ({ memory }: PaymentState) => memory.shown !== undefined
  const IMPORTED = applied(EXPORTED, [SIGNED])
  const exporting = (kind: Replacement['kind']) => applied(IMPORTED, [replacing(IMPORTED, kind)])
  const ELSE = made({ hash: hash(6), sender: { from: address(9), nonce: 1 } })

  test('is shown with the hash to sign, once all was asked', () => {
    const at = decided(EXPORTED, round(both()))
    expect(at.wanted).toEqual(['deposits', 'keyChecks', 'toExport'])
    expect(at.after.memory.shown).toEqual({ digest: hash(77) })
    expect(at).toMatchObject({ told: { is: 'unused' }, events: [], broadcasts: [] })
  })

  test.each<[string, Parts, Parameters<typeof answer>[1], object]>([
    [
      'the account is held by another window',
      { toExport: { accountHeld: false, digest: hash(77) } },
      {},
      { is: 'in-use' },
    ],
    ['a pool has its nonce', {}, { pending: 6 }, { is: 'world-unknown' }],
    [
      'the deposits of an endpoint are unknown',
      { deposits: { one: [], two: 'unknown' } },
      {},
      { is: 'deposits-unknown' },
    ],
    ['the world is unknown', { keyChecks: [unknown('?')] }, {}, { is: 'world-unknown', why: '?' }],
    ['the world is bad', { keyChecks: [bad('no')] }, {}, { is: 'held-back', why: 'no' }],
    ['somebody else deposited', { deposits: [ELSE] }, {}, { is: 'other-deposit' }],
    [
      'it was carried out already, by one endpoint',
      { deposits: { one: [made()], two: [] } },
      {},
      { is: 'looking' },
    ],
  ])('is not shown where %s', (_, parts, said, told) => {
    const at = decided(EXPORTED, round(both(said)), parts)
    expect(isShown(at.after)).toBe(false)
    expect(at.told).toMatchObject(told)
  })

  test('is not shown while an endpoint is silent', () => {
    expect(decided(EXPORTED, round(ONE_SILENT))).toMatchObject({ told: { is: 'one-silent' }, wanted: [] })
    expect(decided(EXPORTED, round(ONE_SILENT, { gateOpenAtMs: START_MS })).wanted).toEqual([])
  })

  test.each<[string, Parts, boolean, object]>([
    ['stays where the world is unknown by now', { keyChecks: [unknown('?')] }, true, { is: 'unused' }],
    [
      'stays where an endpoint does not tell its deposits',
      { deposits: { one: [], two: 'unknown' } },
      true,
      {},
    ],
    [
      'leaves the screen where the world is bad',
      { keyChecks: [bad('no')] },
      false,
      { is: 'held-back', why: 'no' },
    ],
    ['leaves the screen where somebody else deposited', { deposits: [ELSE] }, false, { is: 'other-deposit' }],
  ])('%s', (_, parts, stays, told) => {
    const at = decided(shown(EXPORTED), round(both(), { atSlot: 10 }), parts)
    expect(isShown(at.after)).toBe(stays)
    expect(at.told).toMatchObject(told)
  })

  test('comes back once the deposit of somebody else is gone, and not once it is held back', () => {
    const gone = decided(shown(EXPORTED), round(both(), { atSlot: 1 }), { deposits: [ELSE] }).after
    expect(gone.memory.otherDeposit).toEqual({ hash: hash(6) })
    const back = decided(gone, round(both(), { atSlot: 2 })).after
    expect(isShown(back)).toBe(true)
    expect(back.memory.otherDeposit).toBeUndefined()
    const held = decided(shown(EXPORTED), round(both(), { atSlot: 10 }), { keyChecks: [bad('no')] })
    expect(held.events).toEqual([{ type: 'held-back', reason: 'no' }])
    const later = decided(held.after, round(both(), { atSlot: 20 }))
    expect(later).toMatchObject({ told: { is: 'held-back', why: 'no' }, events: [] })
    expect(isShown(later.after)).toBe(false)
  })

  test('without a world is never shown', () => {
    const at = decided(exportedPayment({ world: undefined }), round(both()))
    expect(at).toMatchObject({ told: { is: 'held-back' }, events: [{ type: 'held-back' }] })
    expect(isShown(at.after)).toBe(false)
  })

  test('of a contract account is shown without a nonce', () => {
    const contract = exportedPayment({ signer: 'contract' })
    const at = decided(contract, round(both({ latest: 9, pending: 11 })))
    expect(at.told).toEqual({ is: 'not-there' })
    expect(isShown(at.after)).toBe(true)
  })

  test.each<[string, Parts, Parameters<typeof answer>[1]]>([
    ['where the world is bad', { keyChecks: [bad('no')] }, { knows: true }],
    ['where the world is unknown', { keyChecks: [unknown('?')] }, { knows: true }],
    ['while the payment waits in a pool', {}, { knows: true, pending: 6 }],
  ])('is shown as a cancellation %s', (_, parts, said) => {
    expect(isShown(decided(exporting('cancellation'), round(both(said)), parts).after)).toBe(true)
  })

  test('is shown as a speed-up only while what was agreed to holds, and that is written down once', () => {
    const sped = exporting('speed-up')
    expect(isShown(decided(sped, round(both({ knows: true }))).after)).toBe(true)
    const unsure = decided(sped, round(both({ knows: true })), { keyChecks: [unknown('?')] })
    expect(isShown(unsure.after)).toBe(false)
    expect(unsure.events).toEqual([])
    const worse = decided(sped, round([answer('one', { knows: true }), answer('two')]), {
      keyChecks: [bad('no')],
    })
    expect(isShown(worse.after)).toBe(false)
    expect(worse.events).toEqual([{ type: 'held-back', reason: 'no' }])
    expect(worse.broadcasts).toEqual([])
  })

  test('is not shown as a replacement while the block that had the payment is only gone for a moment', () => {
    const included = applied(exporting('cancellation'), [INCLUDED])
    expect(isShown(decided(included, round(both({ knows: true }))).after)).toBe(false)
  })

  test('of which the bytes came here is given to every endpoint that lacks it', () => {
    const at = decided(IMPORTED, round([answer('one', { knows: true, pending: 6 }), answer('two')]))
    expect(givesTo(at)).toEqual(['two'])
    expect(at.told).toEqual({ is: 'handed-over' })
  })
})
