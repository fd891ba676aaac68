import { expect, test } from 'vitest'
import { asOfNow } from '../../../../src/core/pay/guard/ask-commands.ts'
import { picture, provenSet, setup } from '../../../support/guard-world.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const snapshot = provenSet()
const provenMs = Number(snapshot.proof.block.timestampSeconds) * 1000
const contextAt = (nowMs: number) => ({
  effects: { clock: { ...virtualClock(nowMs), monotonicMs: () => nowMs } },
  setup,
})
/** What a guard sees of a set that was of its moment when it was read, so long after its block. */
const seenAfter = (delayMs: number) =>
  picture({ set: asOfNow({ snapshot, isRecent: true }, contextAt(provenMs + delayMs)) })

test('a set that is kept while the chain stands still is of now for 30 seconds, and proves nothing after that', () => {
  const fresh = seenAfter(30_000)
  expect(fresh).toMatchObject({ proven: snapshot, need: { is: 'out' } })
  expect(fresh.choice).toBeDefined()
  const aged = seenAfter(31_000)
  expect(aged).toMatchObject({ proven: undefined, need: { is: 'unknown' }, choice: undefined })
})

test('a set that was old when it was read is of now once the clock says so, and what is unknown stays unknown', () => {
  expect(asOfNow({ snapshot, isRecent: false }, contextAt(provenMs))).toMatchObject({ isRecent: true })
  expect(asOfNow({ unknown: 'silent' }, contextAt(provenMs))).toEqual({ unknown: 'silent' })
})
