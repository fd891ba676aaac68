import { describe, expect, test } from 'vitest'
import {
  type GuardEvent,
  guardOf,
  guardTransition,
  handedMember,
  isCancelling,
  isGuardPayment,
  mayHand,
  phaseOf,
} from '../../../../src/core/pay/guard/guard.ts'
import { toldGuard } from '../../../../src/core/pay/guard/standing.ts'
import { ladderOf } from '../../../../src/core/pay/guard/terms.ts'
import { draftOf, endedOf, newestBytes } from '../../../../src/core/pay/payment/candidates.ts'
import { paymentFact } from '../../../../src/core/pay/payment/remembered.ts'
import { OF_GUARD } from '../../../../src/core/wizard/journal/guard-events.ts'
import {
  armed,
  guardAfter,
  handed,
  hashOf,
  includedIn,
  PAYER,
  RIVAL,
  SLOT,
  terms,
} from '../../../support/guard-world.ts'

const GWEI_A_TOKEN = 10n ** 9n
const ROOT = `0x${'bb'.repeat(32)}` as const
/** The second member is handed over. */
const HANDING: GuardEvent = {
  type: 'handing',
  member: 1,
  raw: '0x02',
  hash: hashOf(1),
  target: undefined,
  baseline: { blockNumber: 1n, blockHash: ROOT, balanceWei: 0n },
}
const included = (member: number): GuardEvent => includedIn(hashOf(member))

describe('a guard', () => {
  test('hands dearer members over, each once, and none after one is in a block', () => {
    const first = handed(1)
    expect(phaseOf(first)).toBe('handed-over')
    expect([0, 1, 2, 5].map((member) => mayHand(first, member))).toEqual([false, false, true, true])
    const second = handed(3, first)
    expect(newestBytes(second.send)).toMatchObject({ kind: 'rung', hash: hashOf(3) })
    expect(handedMember(second)).toBe(3)
    const inBlock = guardTransition(second, included(1)) ?? second
    expect(phaseOf(inBlock)).toBe('in-block')
    expect(mayHand(inBlock, 4)).toBe(false)
    const again = guardTransition(inBlock, { type: 'orphaned' }) ?? inBlock
    expect(mayHand(again, 4)).toBe(true)
  })

  test('is paid by the very member that is in a block', () => {
    const state = handed(3, handed(1))
    const events: GuardEvent[] = [included(3), { type: 'ended', outcome: { is: 'paid' } }]
    const ended = guardAfter(state, ...events)
    expect(phaseOf(ended)).toBe('over')
    expect(paymentFact(ended.send)?.valueWei).toBe(40_000n * 10n ** 18n)
    expect(mayHand(ended, 4)).toBe(false)
  })

  test('tells the amount that is in a block, not the larger one that was handed over after it', () => {
    const state = handed(3, handed(1))
    expect(toldGuard(state, 'here')).toMatchObject({ amountGwei: 40_000n * GWEI_A_TOKEN, hash: hashOf(3) })
    const inBlock = guardTransition(state, included(1)) ?? state
    const told = { amountGwei: 20_000n * GWEI_A_TOKEN, hash: hashOf(1) }
    expect(toldGuard(inBlock, 'here')).toMatchObject(told)
    const paid = guardTransition(inBlock, { type: 'ended', outcome: { is: 'paid' } }) ?? inBlock
    expect(toldGuard(paid, 'nobody')).toMatchObject(told)
  })

  test('is over by its cancellation, and hands nothing over after it', () => {
    const state = handed(5, handed(3))
    expect(isCancelling(state)).toBe(true)
    const events: GuardEvent[] = [included(5), { type: 'ended', outcome: { is: 'cancelled' } }]
    const ended = guardAfter(state, ...events)
    expect(endedOf(ended.send)?.outcome.is).toBe('cancelled')
  })

  test('takes no member whose bytes are not those that were armed, and no void once something is out', () => {
    const state = armed()
    const target = { outAtEpoch: 1n, lastBlock: 1n, provenBlock: 1n }
    const baseline = { blockNumber: 1n, blockHash: ROOT, balanceWei: 0n }
    const other: GuardEvent = { type: 'handing', member: 1, raw: '0x02', hash: hashOf(7), target, baseline }
    expect(guardTransition(state, other)).toBe(state)
    expect(phaseOf(guardTransition(handed(1), { type: 'void' }) ?? state)).toBe('handed-over')
    expect(phaseOf(guardTransition(state, { type: 'void' }) ?? state)).toBe('over')
  })

  test('is given up before anything is out: it hands nothing over, and makes room for another one', () => {
    const given = guardAfter(armed(), { type: 'given-up' })
    expect([phaseOf(given), mayHand(given, 1), mayHand(given, 5)]).toEqual(['given-up', false, false])
    expect(toldGuard(given, 'nobody')).toMatchObject({ stand: 'over', end: 'given-up' })
    expect(guardTransition(given, HANDING)).toBe(given)
    expect(guardTransition(handed(1), { type: 'given-up' })).toEqual(handed(1))
    const next = terms({ validator: { ...terms().validator, pubkey: RIVAL } })
    const again = guardAfter(given, { type: 'armed', terms: next, hashes: [hashOf(9)] })
    expect([phaseOf(again), again.terms, again.hashes]).toEqual(['armed', next, [hashOf(9)]])
  })

  test('is exported before it is armed, and neither twice', () => {
    const own = terms()
    const exported = guardTransition(undefined, { type: 'exported', terms: own })
    expect(exported).toMatchObject({ terms: own, hashes: [], target: undefined, isVoid: false })
    if (exported === undefined) return
    expect(phaseOf(exported)).toBe('exported')
    const { hashes } = armed()
    const signed = guardAfter(exported, { type: 'armed', terms: own, hashes })
    expect([phaseOf(signed), signed.hashes]).toEqual(['armed', hashes])
    const others: GuardEvent[] = [
      { type: 'exported', terms: terms({ nonce: 9 }) },
      { type: 'armed', terms: terms({ nonce: 9 }), hashes: [hashOf(9)] },
    ]
    for (const state of [signed, handed(3)])
      for (const event of others) expect(guardTransition(state, event)).toBe(state)
    expect(guardTransition(exported, { type: 'exported', terms: terms({ nonce: 9 }) })).toBe(exported)
    expect(phaseOf(armed({ rungsGwei: [] }))).toBe('armed')
  })

  test('is none before it was exported or armed', () => {
    for (const event of [HANDING, included(1), { type: 'void' } as const])
      expect(guardTransition(undefined, event)).toBeUndefined()
    expect(guardOf([])).toBeUndefined()
  })

  test('is the same as long as nothing follows from an event', () => {
    const state = handed(3)
    for (const event of [HANDING, { type: 'void' }, { type: 'contradicted' }] as const)
      expect(guardTransition(state, event)).toBe(state)
    expect(guardTransition(armed(), included(1))).toEqual(armed())
  })

  test('knows which member is out, and which amount', () => {
    expect(handedMember(armed())).toBeUndefined()
    const state = handed(5, handed(3, handed(1)))
    expect(handedMember(state)).toBe(5)
    expect(handedMember(state, { kind: 'rung' })).toBe(3)
    expect(handedMember(handed(4), { kind: 'rung' })).toBe(4)
    expect(handedMember(handed(5), { kind: 'rung' })).toBeUndefined()
    expect(isCancelling(handed(3))).toBe(false)
  })

  test('becomes the payment of the amount that was first out, with all that was agreed to', () => {
    const own = terms()
    const ladder = ladderOf(own)
    const first = ladder[3]?.transaction
    if (first === undefined) throw new Error('there are five amounts')
    expect(newestBytes(handed(3).send)).toMatchObject({
      kind: 'payment',
      hash: hashOf(3),
      transaction: first,
    })
    const { to, valueWei, data, gasLimit, maxFeePerGasWei, nonce } = first
    const blockNumber = SLOT + 1_000n
    const world = { about: 'validator', block: blockNumber, balanceGwei: 0n, stakeToBeGwei: undefined }
    expect(draftOf(handed(3).send)).toEqual({
      agreement: {
        plan: { to, valueWei, data },
        world: { ...world, outcome: 'drops-out' },
        terms: { from: PAYER, nonce, feeLimitWei: gasLimit * maxFeePerGasWei, deposits: [] },
      },
      signer: 'keystore',
      from: PAYER,
      transaction: first,
      baseline: { blockNumber, blockHash: ROOT, balanceWei: 0n },
    })
    expect(draftOf(handed(4, handed(3)).send)?.transaction).toEqual(first)
    expect(newestBytes(handed(5).send)?.kind).toBe('cancellation')
    expect(draftOf(handed(5).send)?.transaction).toEqual(ladder[0]?.transaction)
    expect(handed(5, handed(3)).target).toEqual(handed(3).target)
  })

  test('keeps in its journal what the chain made of it, and nothing that a round only saw', () => {
    const kept = ['handed-over', 'found', 'included', 'orphaned', 'ended', 'contradicted']
    const all = [...kept, 'agreed', 'prepared', 'signed', 'replaced', 'watched', 'handed', 'upheld']
    const isKept = (type: string) => isGuardPayment({ type } as Parameters<typeof isGuardPayment>[0])
    expect(all.filter(isKept)).toEqual(kept)
  })

  test('is read from its journal as it was written, and its end is asked of the chain again', () => {
    const own = terms()
    const hashes = armed().hashes
    const baseline = { blockNumber: SLOT, blockHash: ROOT, balanceWei: 7n }
    const events: GuardEvent[] = [
      { type: 'exported', terms: own },
      { type: 'armed', terms: own, hashes },
      {
        type: 'handing',
        member: 2,
        raw: '0x0201',
        hash: hashOf(2),
        target: { outAtEpoch: 5n, lastBlock: 9n, provenBlock: 8n },
        baseline,
      },
      { type: 'handed-over', attempt: 1, endpoint: 'first' },
      { type: 'handing', member: 5, raw: '0x0202', hash: hashOf(5), target: undefined, baseline },
      included(5),
      { type: 'ended', outcome: { is: 'cancelled' } },
    ]
    const read = events.map((event) => {
      const { type, data } = OF_GUARD.encode(event)
      return OF_GUARD.decode(type, JSON.parse(JSON.stringify(data)))
    })
    expect(read).toEqual(events)
    const state = guardOf(read)
    expect(state?.terms).toEqual(own)
    expect(endedOf(state?.send ?? armed().send)?.remembered).toBe(true)
  })

  test.each(['guard.other', 'topup.agreed', 'deposit.included', 'void'])('has no event %s', (type) => {
    expect(() => OF_GUARD.decode(type, {})).toThrow()
  })
})
