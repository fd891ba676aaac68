import { describe, expect, test } from 'vitest'
import {
  actOf,
  isUrgentNow,
  limitsOfGuard,
  memoryAfter,
  NOTHING_SEEN,
} from '../../../../src/core/pay/guard/hold.ts'
import type { EndpointLook, GuardLook } from '../../../../src/core/pay/guard/picture.ts'
import { THRESHOLDS } from '../../../../src/core/pay/payment/payment-picture.ts'
import {
  armed,
  EPOCH,
  endpoint,
  guardAfter,
  handed,
  hashOf,
  includedIn,
  inSet,
  MINE,
  NONCE,
  picture,
  provenSet,
  SLOT,
  UNPROVEN,
  VALIDATORS,
  withMine,
} from '../../../support/guard-world.ts'

/** The rival is gone. */
const KEPT: Partial<GuardLook> = {
  set: { snapshot: provenSet({ validators: VALIDATORS.slice(0, 3) }), isRecent: true },
}
const CANCELLATION = 5
const WAITS = { does: 'wait', keptBack: [] } as const
const both = (nonce: EndpointLook['nonce']): Partial<GuardLook> => ({
  endpoints: ['first', 'second'].map((name) => endpoint(name, { nonce })),
})
const USED = both({ latest: NONCE + 1, pending: NONCE + 1, final: NONCE + 1 })

describe('what is remembered from one look to the next', () => {
  const seen = { ...NOTHING_SEEN, since: SLOT }
  const heard = { isHeard: true }

  test('is when the danger was first proven, as long as nothing else is known', () => {
    expect(memoryAfter(seen, picture({}, { since: SLOT }), heard).since).toBe(SLOT)
    expect(memoryAfter(seen, picture(UNPROVEN), heard).since).toBe(SLOT)
    expect(memoryAfter(seen, picture(KEPT), heard).since).toBeUndefined()
  })

  test('is since when nothing is proven', () => {
    const first = memoryAfter(seen, picture({ ...UNPROVEN, atMs: 10 }), heard)
    expect(first.unprovenMs).toBe(10)
    const next = memoryAfter(first, picture({ ...UNPROVEN, atMs: 20 }), heard)
    expect(next.unprovenMs).toBe(10)
    expect(memoryAfter(next, picture({ atMs: 30 }), heard).unprovenMs).toBeUndefined()
  })

  test('is since when nobody is heard', () => {
    const first = memoryAfter(seen, picture({ atMs: 10 }), { isHeard: false })
    expect(first.unheardMs).toBe(10)
    const next = memoryAfter(first, picture({ atMs: 20 }), { isHeard: false })
    expect(next.unheardMs).toBe(10)
    expect(memoryAfter(next, picture({ atMs: 30 }), heard).unheardMs).toBeUndefined()
  })
})

test('no byte of a guard is given out by a look before the newest one', () => {
  expect(limitsOfGuard(THRESHOLDS)).toEqual({ ...THRESHOLDS, look: 0 })
})

describe('what is written down of a slot', () => {
  const own = { isTakenBack: false }
  const back = { isTakenBack: true }

  test('is the member and its boundary, or the cancellation, as it was decided', () => {
    const target = { outAtEpoch: 1n, lastBlock: 2n, provenBlock: 3n }
    expect(actOf(picture(), { does: 'hand', member: 3, target }, own)).toEqual({
      do: 'hand',
      member: 3,
      target,
    })
    const state = handed(3)
    const cancels = { does: 'cancel', member: CANCELLATION, why: 'saved' } as const
    expect(actOf(picture({}, { state }), cancels, own)).toEqual({
      do: 'hand',
      member: CANCELLATION,
      target: undefined,
    })
    expect(actOf(picture(), WAITS, own)).toEqual({ do: 'nothing' })
    expect(actOf(picture(), { does: 'dry-run', member: 3 }, own)).toEqual({ do: 'nothing' })
  })

  test('is the cancellation where its owner takes it back, as long as nothing of it is in a block', () => {
    const cancellation = { do: 'hand', member: CANCELLATION, target: undefined }
    expect(actOf(picture(), WAITS, back)).toEqual(cancellation)
    expect(actOf(picture({}, { state: handed(3) }), WAITS, back)).toEqual(cancellation)
    for (const state of [
      guardAfter(handed(3), includedIn(hashOf(3))),
      handed(CANCELLATION),
      handed(CANCELLATION, handed(3)),
    ])
      expect(actOf(picture({}, { state }), WAITS, back)).toEqual({ do: 'nothing' })
  })

  test('is that it ends once a proven set shows that its validator has left', () => {
    const acts = (over: Partial<GuardLook>, state = armed()) => actOf(picture(over, { state }), WAITS, own)
    expect(acts(withMine({ exitEpoch: EPOCH }))).toEqual({ do: 'given-up' })
    // Until it is out a block that is replaced may still take its exit back.
    expect(acts(withMine({ exitEpoch: EPOCH + 1n }))).toEqual({ do: 'nothing' })
    const unproven = VALIDATORS.map((one) => (one.pubkey === MINE ? { ...one, exitEpoch: EPOCH } : one))
    expect(acts(inSet({ validators: unproven, anchors: 1 }))).toEqual({ do: 'nothing' })
    expect(acts(withMine({ exitEpoch: EPOCH }), handed(3))).toEqual({ do: 'nothing' })
  })

  test('is that it is void where every endpoint calls the block final that used its nonce', () => {
    const acts = (over: Partial<GuardLook>, state = armed()) => actOf(picture(over, { state }), WAITS, own)
    expect(acts(USED)).toEqual({ do: 'void' })
    expect(actOf(picture(USED), WAITS, back)).toEqual({ do: 'void' })
    expect(acts(both({ latest: NONCE + 1, pending: NONCE + 1, final: NONCE }))).toEqual({ do: 'nothing' })
    const one = { endpoints: [...(USED.endpoints ?? []).slice(0, 1), endpoint('second')] }
    expect(acts(one)).toEqual({ do: 'nothing' })
    const silent = {
      endpoints: [...(USED.endpoints ?? []).slice(0, 1), { endpoint: 'second', unknown: 'no answer' }],
    }
    expect(acts(silent)).toEqual({ do: 'nothing' })
    expect(acts({ endpoints: [] })).toEqual({ do: 'nothing' })
    expect(acts(USED, handed(3))).toEqual({ do: 'nothing' })
  })
})

test('the set is proven with every block while the place is in danger, not known, or an amount waits', () => {
  expect(isUrgentNow(picture())).toBe(true)
  expect(isUrgentNow(picture(UNPROVEN))).toBe(true)
  expect(isUrgentNow(picture(KEPT))).toBe(false)
  expect(isUrgentNow(picture(KEPT, { state: handed(3) }))).toBe(true)
})
