import { describe, expect } from 'vitest'
import { CATCHES_UP, RESTART_NODE } from '../../../../src/core/observe/findings.ts'
import { STATUS_TEXT } from '../../../../src/core/steps/status/text.ts'
import { ownNode } from '../../../support/own-node.ts'
import { pattern } from '../../../support/pattern.ts'
import type { Replay } from '../../../support/replay.ts'
import { KEYS, pastConfirm, rows, sentAs, situation, untilSlot } from '../../../support/situation.ts'
import { doubtIn, standing } from '../../../support/standing.ts'

const sent = { deposit: sentAs('first deposit, the minimum') }
const key = KEYS.registered
const RECORDED = 'registry and engine set of slots 199 to 262'

const detail = (it: Replay, id: string) => it.view('status').timeline.find((row) => row.id === id)?.detail
const ageMs = (it: Replay, id: string) => {
  const row = it.view('status').facts.find((each) => each.id === id)
  return it.session.clock.monotonicMs() - (row?.learntAtMs ?? 0)
}
const silentSince = (it: Replay) => it.view('status').waiting?.sinceMs ?? 0

async function watched(it: Replay, slot: number): Promise<void> {
  await pastConfirm(it, 'status')
  await untilSlot(it, slot)
  await it.until(({ status: { observed } }) => {
    return observed.snapshot.status === 'known' && observed.snapshot.value.consensus.slot >= BigInt(slot)
  })
}

describe('the own node stops while its validator is waited for', () => {
  const first = ownNode(RECORDED)
  situation(
    'and another endpoint goes on: nothing old is told as of now',
    { slot: 199, key, sent, withSecond: true, ...first.input, madeUp: 'that it stops at slot 241' },
    async (it) => {
      await watched(it, 241)
      expect(detail(it, 'active')).toMatch(/^in [67] slots/)
      first.stop()
      const stoppedMs = it.session.clock.monotonicMs()
      await it.pass(13)
      const view = it.view('status')
      expect(standing(it.session).contact).toBe('doubt')
      expect(doubtIn(it.session)).toMatchObject({ is: 'silent', beside: { is: 'ahead' } })
      expect(view.intro).toMatch(/: slot 24\d · epoch 30\. .*: 127\.0\.0\.1:\d+ is at block 25\d\. /)
      expect(Math.abs(silentSince(it) - stoppedMs)).toBeLessThan(2000)
      expect(detail(it, 'active')).toMatch(/^127\.0\.0\.1:\d+ is past /)
      expect(view.money.line).toMatch(/^staked 250,000 BERA /)
      expect(ageMs(it, 'status')).toBeGreaterThan(11_000)
      expect(rows(view)).toMatchObject({
        status: expect.stringMatching(/^unknown /),
        node: expect.stringMatching(/^unknown /),
      })
      expect(view.done).toBe(false)
      first.start()
      await watched(it, 258)
      expect(it.view('status').done).toBe(true)
      expect(standing(it.session)).toMatchObject({ is: 'active', contact: 'sound' })
      expect(it.view('status').waiting).toBeUndefined()
    },
  )

  const again = ownNode(RECORDED)
  situation(
    'and is started again where it was: it is given its time before it is called hanging',
    {
      slot: 199,
      key,
      sent,
      withSecond: true,
      hangsAt: 241,
      ...again.input,
      madeUp: 'that it stops at slot 241, and comes back there',
    },
    async (it) => {
      await watched(it, 241)
      again.stop()
      await it.pass(13)
      expect(doubtIn(it.session)?.is).toBe('silent')
      again.start()
      await it.pass(4)
      expect(doubtIn(it.session)).toBeUndefined()
      expect(standing(it.session).contact).toBe('sound')
      await it.pass(13)
      expect(doubtIn(it.session)?.is).toBe('still')
      expect(standing(it.session).contact).toBe('doubt')
    },
  )

  const alone = ownNode(RECORDED)
  situation(
    'and nobody else is asked: that the chain goes on is not known either',
    { slot: 199, key, sent, ...alone.input, madeUp: 'that it stops at slot 241' },
    async (it) => {
      await watched(it, 241)
      alone.stop()
      await it.pass(10)
      expect(it.view('status').intro).toMatch(/: slot \d+ · epoch \d+\. /)
      expect(doubtIn(it.session)).toMatchObject({ is: 'silent', beside: { is: 'unknown' } })
      expect(detail(it, 'active')).toBe('not known')
      expect(it.view('status').money.line).not.toContain(STATUS_TEXT.checklist.open(0))
    },
  )

  const active = ownNode(RECORDED)
  situation(
    'and it was active: that it still is stays open',
    { slot: 199, key, sent, withSecond: true, ...active.input, madeUp: 'that it stops at slot 252' },
    async (it) => {
      await watched(it, 252)
      expect(standing(it.session)).toMatchObject({ is: 'active', contact: 'sound' })
      active.stop()
      await it.pass(10)
      expect(it.view('status').done).toBe(false)
      expect(standing(it.session)).toMatchObject({ is: 'before-engine', contact: 'doubt' })
      expect(it.view('status').money.line).not.toContain(STATUS_TEXT.checklist.open(0))
    },
  )

  const engineOnly = ownNode(RECORDED)
  situation(
    'with the engine alone: its word is missing, and that is not well',
    {
      slot: 199,
      key,
      sent,
      engine: engineOnly.input.engine,
      recorded: RECORDED,
      madeUp: 'that the engine stops at slot 252',
    },
    async (it) => {
      await watched(it, 252)
      engineOnly.stop()
      await it.pass(6)
      expect(it.view('status').done).toBe(false)
      expect(standing(it.session)).toMatchObject({ is: 'before-engine', contact: 'engine-failed' })
      expect(it.view('status').money.line).not.toContain(STATUS_TEXT.checklist.open(0))
    },
  )
})

describe('the own node hangs while its validator is waited for', () => {
  situation(
    'and another endpoint goes on: it is named, with what to do',
    {
      slot: 199,
      key,
      sent,
      withSecond: true,
      hangsAt: 241,
      recorded: RECORDED,
      madeUp: 'that the own node stays at slot 241',
    },
    async (it) => {
      await watched(it, 241)
      await it.pass(13)
      const view = it.view('status')
      expect(standing(it.session)).toMatchObject({ contact: 'doubt' })
      expect(doubtIn(it.session)).toMatchObject({ is: 'still', slot: 241n, beside: { is: 'ahead' } })
      expect(rows(view).node).toMatch(
        pattern`^refused this key, .* slot 241 for 1\d s, .*127\.0\.0\.1:\d+ .*block 25\d: ${RESTART_NODE}$`,
      )
      expect(detail(it, 'active')).toMatch(/^127\.0\.0\.1:\d+ is past /)
      expect(view.money.line).toMatch(/^staked [\d,]+ BERA at /)
    },
  )
})

describe('an engine that catches up beside the watched validator', () => {
  let votes = true
  situation(
    'does not vote: neither good nor bad',
    {
      slot: 199,
      key,
      sent,
      recorded: RECORDED,
      madeUp: 'catching_up of the engine from slot 252 on',
      engine: ({ path }, reply) =>
        path !== '/status' || reply === 'close' || votes
          ? undefined
          : { ...reply, body: reply.body.replace('"catching_up":false', '"catching_up":true') },
    },
    async (it) => {
      await watched(it, 252)
      votes = false
      await it.pass(4)
      const view = it.view('status')
      expect(rows(view).node).toMatch(pattern`^unknown this key, ${CATCHES_UP}, `)
      expect(standing(it.session)).toMatchObject({ is: 'active', contact: 'catching-up' })
      expect(view.money.line).toMatch(/^staked 250,000 BERA /)
    },
  )
})
