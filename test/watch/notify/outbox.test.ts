import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../src/core/base/errors/base.ts'
import type { Severity, WatchEvent } from '../../../src/core/view/alarm-event.ts'
import { quietUntilMs } from '../../../src/watch/notify/config.ts'
import type { DeliveryResult } from '../../../src/watch/notify/deliver.ts'
import { decodeOutbox, encodeOutbox } from '../../../src/watch/notify/open-outbox.ts'
import {
  EMPTY_OUTBOX,
  nextWakeMs,
  type Outbox,
  type OutboxCommand,
  type OutboxInput,
  type OutboxRules,
  outboxTransition,
  resumeOutbox,
} from '../../../src/watch/notify/outbox.ts'
import type { Message } from '../../../src/watch/notify/text.ts'
import { watchEvent } from '../../support/alarm-world.ts'

/** 12:00 in UTC. */
const NOON_MS = Date.UTC(2026, 10, 22, 12)
const HOUR_MS = 3_600_000
const NIGHT = { fromMinute: 22 * 60, toMinute: 7 * 60, timeZone: 'UTC' }
const MIDNIGHT_MS = NOON_MS + 12 * HOUR_MS

function rulesOf(over: Partial<OutboxRules> = {}): OutboxRules {
  return { channels: [{ name: 'a', least: 'info', quiet: true }], quiet: undefined, most: 10, ...over }
}

/** An outbox that is led by hand. */
function led(rules: OutboxRules, nowMs = NOON_MS) {
  const sent: string[] = []
  const said: unknown[] = []
  let outbox: Outbox = resumeOutbox(EMPTY_OUTBOX, rules).outbox
  let last: Message | undefined
  const give = (input: OutboxInput, atMs: number) => {
    const next = outboxTransition(outbox, input, rules, atMs)
    outbox = next.outbox
    for (const command of next.commands) {
      if (command.type === 'say') said.push(command.saying)
      else {
        last = command.message
        sent.push(`${command.message.event.sequence} ${command.message.event.change}`)
      }
    }
  }
  return {
    sent,
    said,
    happen: (event: WatchEvent, atMs = nowMs) => give({ type: 'happened', event }, atMs),
    answer(outcome: DeliveryResult, atMs = nowMs) {
      if (last === undefined) throw new Error('nothing is under way')
      give({ type: 'answered', channel: 'a', message: last, outcome }, atMs)
    },
    wake: (atMs: number) => give({ type: 'woke' }, atMs),
    wakeMs: (atMs = nowMs) => nextWakeMs(outbox, rules, atMs),
    queue: () => outbox.queues.a,
    lastMessage: () => last,
  }
}

const DELIVERED: DeliveryResult = { result: 'delivered' }
const FAILED: DeliveryResult = { result: 'failed', reason: 'no' }
const REFUSED: DeliveryResult = { result: 'refused', reason: 'no' }
const of = (id: string, sequence: number, over: Partial<WatchEvent> = {}) =>
  watchEvent(sequence, { id, ...over })

describe('what a channel is told', () => {
  test('names an amount only while its last block is ahead in the moment in which it is sent', () => {
    const box = led(rulesOf())
    const until = { epoch: 5n, slot: 957n, atMs: NOON_MS + 60_000 }
    const next = 'bearings --validator 0x01 --topup 20000'
    box.happen(
      of('x', 1, { alarm: 'drops-out', severity: 'critical', what: 'A top-up of 20,000', next, until }),
    )
    expect(box.lastMessage()?.event).toMatchObject({ next, until })
    box.answer(FAILED)
    box.wake(NOON_MS + 59_999)
    expect(box.lastMessage()?.event).toMatchObject({ next, until })
    box.answer(FAILED, NOON_MS + 59_999)
    box.wake(NOON_MS + 120_000)
    const late = box.lastMessage()?.event
    expect(late?.until).toBeUndefined()
    expect(late?.alarm).toBe('drops-out')
    expect(`${late?.what} ${late?.next}`).not.toMatch(/20,000|--topup/)
    expect(late?.what).toContain(' block 957, ')
    expect(late).toMatchObject({ id: 'x', sequence: 1, change: 'fired', severity: 'critical' })
    box.answer(DELIVERED, NOON_MS + 120_000)
    expect(box.queue()?.waiting).toEqual([])
  })

  test('leaves out what is less bad than it asks for, and the end of what it was never told of', () => {
    const box = led(rulesOf({ channels: [{ name: 'a', least: 'warning', quiet: true }] }))
    box.happen(of('x', 1, { severity: 'info' }))
    box.happen(of('x', 2, { change: 'cleared', severity: 'info' }))
    expect(box.sent).toEqual([])
  })

  test('ends what was told, whatever severity the end has', () => {
    const box = led(rulesOf({ channels: [{ name: 'a', least: 'critical', quiet: true }] }))
    box.happen(of('x', 1, { severity: 'critical' }))
    box.answer(DELIVERED)
    box.happen(of('x', 2, { change: 'cleared', severity: 'info' }))
    expect(box.sent).toEqual(['1 fired', '2 cleared'])
  })
})

describe('quiet hours', () => {
  const rules = rulesOf({ quiet: NIGHT })

  test('hold back what is not critical, and let it go when they are over', () => {
    const box = led(rules, MIDNIGHT_MS)
    box.happen(of('x', 1))
    box.happen(of('y', 2, { severity: 'critical' }))
    expect(box.sent).toEqual(['2 fired'])
    box.answer(DELIVERED)
    expect(box.wakeMs()).toBe(MIDNIGHT_MS + 7 * HOUR_MS)
    box.wake(MIDNIGHT_MS + 7 * HOUR_MS)
    expect(box.sent).toEqual(['2 fired', '1 fired'])
  })

  test('leave out what began and ended in them', () => {
    const box = led(rules, MIDNIGHT_MS)
    box.happen(of('x', 1))
    box.happen(of('x', 2, { change: 'repeated' }))
    box.happen(of('x', 3, { change: 'cleared' }))
    box.wake(MIDNIGHT_MS + 8 * HOUR_MS)
    expect([box.sent, box.wakeMs()]).toEqual([[], undefined])
  })

  test('keep the last word on what goes on', () => {
    const box = led(rules, MIDNIGHT_MS)
    box.happen(of('x', 1))
    box.happen(of('x', 2, { change: 'repeated' }))
    box.wake(MIDNIGHT_MS + 8 * HOUR_MS)
    expect(box.sent).toEqual(['2 repeated'])
  })

  test('let through what becomes critical, and its end', () => {
    const box = led(rules, MIDNIGHT_MS)
    box.happen(of('x', 1))
    box.happen(of('x', 2, { change: 'worse', severity: 'critical' }))
    box.answer(DELIVERED)
    box.happen(of('x', 3, { change: 'cleared', severity: 'info' }))
    expect(box.sent).toEqual(['2 worse', '3 cleared'])
  })

  test('do not hold back anything where a channel does not want that', () => {
    const box = led({ ...rules, channels: [{ name: 'a', least: 'info', quiet: false }] }, MIDNIGHT_MS)
    box.happen(of('x', 1))
    expect(box.sent).toEqual(['1 fired'])
  })

  test.each([
    ['21:59', undefined],
    ['22:00', 9 * HOUR_MS],
    ['06:59', 60_000],
    ['07:00', undefined],
  ])('at %s are over after %s ms', (time, left) => {
    const atMs = Date.parse(`2026-11-22T${time}:00Z`)
    expect(quietUntilMs(NIGHT, atMs)).toBe(left === undefined ? undefined : atMs + left)
  })

  test('go by the clock of their time zone, in summer and in winter', () => {
    const berlin = { ...NIGHT, timeZone: 'Europe/Berlin' }
    const endOf = (day: string) => quietUntilMs(berlin, Date.parse(`${day}T03:00:00Z`))
    expect(endOf('2026-07-01')).toBe(Date.parse('2026-07-01T05:00:00Z'))
    expect(endOf('2026-12-01')).toBe(Date.parse('2026-12-01T06:00:00Z'))
  })
})

describe('what is not taken', () => {
  test('is tried again after one second, then after twice as long, and never after more than five minutes', () => {
    const box = led(rulesOf())
    box.happen(of('x', 1))
    const pauses: number[] = []
    let nowMs = NOON_MS
    for (let round = 0; round < 12; round += 1) {
      box.answer(FAILED, nowMs)
      const next = box.wakeMs(nowMs) ?? 0
      pauses.push((next - nowMs) / 1000)
      nowMs = next
      box.wake(nowMs)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    expect(box.said).toHaveLength(1)
  })

  test('is left alone as long as the service asks, for an hour at most', () => {
    const box = led(rulesOf())
    box.happen(of('x', 1))
    box.answer({ ...FAILED, retryAfterMs: 90_000 })
    expect(box.wakeMs()).toBe(NOON_MS + 90_000)
    box.wake(NOON_MS + 90_000)
    box.answer({ ...FAILED, retryAfterMs: 9e9 })
    expect(box.wakeMs()).toBe(NOON_MS + HOUR_MS)
  })

  test('is not left alone for longer because a clock was set back', () => {
    const box = led(rulesOf())
    box.happen(of('x', 1))
    box.answer(FAILED)
    box.wake(NOON_MS - 48 * HOUR_MS)
    expect(box.sent).toEqual(['1 fired', '1 fired'])
  })

  test('is dropped after five refusals, and the next one says so', () => {
    const box = led(rulesOf())
    box.happen(of('x', 1))
    box.happen(of('y', 2))
    for (let round = 0; round < 5; round += 1) {
      box.answer(REFUSED, NOON_MS + round * HOUR_MS)
      box.wake(NOON_MS + (round + 1) * HOUR_MS)
    }
    expect(box.sent.slice(-2)).toEqual(['1 fired', '2 fired'])
    expect(box.lastMessage()?.droppedBefore).toBe(1)
    expect(box.said.at(-1)).toMatchObject({ what: 'dropped', why: 'refused' })
  })
})

describe('where too many wait', () => {
  test('repetitions are dropped first, then what is not critical, and never what is under way', () => {
    const box = led(rulesOf({ most: 3 }))
    box.happen(of('x', 1))
    box.happen(of('c', 2, { severity: 'critical' }))
    box.happen(of('x', 3, { change: 'repeated' }))
    box.happen(of('d', 4, { severity: 'critical' }))
    box.happen(of('y', 5))
    box.happen(of('e', 6, { severity: 'critical' }))
    expect(box.queue()?.waiting.map(({ sequence }) => sequence)).toEqual([1, 4, 6])
    expect(box.said.map((saying) => (saying as { title: string }).title)).toEqual(
      [3, 5, 2].map((sequence) => watchEvent(sequence).title),
    )
    box.answer(DELIVERED)
    expect(box.lastMessage()?.droppedBefore).toBe(3)
    box.answer(DELIVERED)
    expect(box.lastMessage()?.droppedBefore).toBe(0)
  })
})

function thrownBy(work: () => unknown): BaseError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof BaseError) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}

describe('the file of the outbox', () => {
  test('holds everything that waits, and is refused by name where it is not what was written', () => {
    const box = led(rulesOf({ quiet: NIGHT }), MIDNIGHT_MS)
    const until = { epoch: 7n, slot: 1400n, atMs: MIDNIGHT_MS }
    box.happen(of('x', 1, { next: 'Do it.', until, severity: 'critical' }))
    box.happen(of('y', 2))
    const queue = box.queue()
    if (queue === undefined) throw new Error('no queue')
    const outbox = { queues: { a: queue }, taken: ['1 fired x'] }
    const read = decodeOutbox(encodeOutbox(outbox), '/p')
    expect(read).toEqual({ ...outbox, queues: { a: { ...queue, underWay: false } } })
    const damaged = encodeOutbox(outbox).replace('"mainnet"', '7')
    expect(() => decodeOutbox(damaged, '/p')).toThrow(/cannot be read[\s\S]*network/)
    expect(() => decodeOutbox('{', '/p')).toThrow(/cannot be read/)
  })

  test('is refused in words that can be drawn where a channel has a name that no configuration has', () => {
    const box = led(rulesOf())
    box.happen(of('x', 1))
    const queue = box.queue()
    if (queue === undefined) throw new Error('no queue')
    for (const name of ['\u001b[2J', '\ud800', '\u202e', 'a'.repeat(41)]) {
      const written = encodeOutbox({ queues: { [name]: { ...queue, dropped: -1 } }, taken: [] })
      const read = () => decodeOutbox(written, '/p')
      expect(read).toThrow(BaseError)
      const { shortMessage, details } = thrownBy(read)
      expect([shortMessage, ...details].join(' ')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    }
  })

  test('keeps nothing for a channel that is gone, and says how much that was', () => {
    const box = led(rulesOf())
    box.happen(of('x', 1))
    const queue = box.queue()
    if (queue === undefined) throw new Error('no queue')
    const resumed = resumeOutbox({ queues: { gone: queue }, taken: [] }, rulesOf())
    expect(Object.keys(resumed.outbox.queues)).toEqual(['a'])
    expect(resumed.sayings).toEqual([{ what: 'channel-gone', channel: 'gone', count: 1 }])
  })
})

type Act =
  | { act: 'happen'; alarm: number; change: WatchEvent['change']; severity: Severity }
  | { act: 'answer'; outcome: DeliveryResult }
  | { act: 'wait'; ms: number }
  | { act: 'restart' }

const outcomes = fc.constantFrom<DeliveryResult>(DELIVERED, DELIVERED, FAILED, REFUSED, {
  ...FAILED,
  retryAfterMs: 60_000,
})
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    act: fc.constant('happen' as const),
    alarm: fc.nat(4),
    change: fc.constantFrom('fired' as const, 'repeated' as const, 'worse' as const, 'cleared' as const),
    severity: fc.constantFrom<Severity>('critical', 'warning', 'info'),
  }),
  fc.record({ act: fc.constant('answer' as const), outcome: outcomes }),
  fc.record({ act: fc.constant('wait' as const), ms: fc.nat(6 * HOUR_MS) }),
  fc.constant({ act: 'restart' as const }),
)

describe('whatever happens', () => {
  test('every event arrives in order or is said to be dropped, and nothing waits beyond the bound', () => {
    const rules = rulesOf({ quiet: NIGHT, most: 4 })
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 60 }), (story) => {
        const run = outboxRun(rules)
        for (const act of story) run.do(act)
        run.finish()
        // Whatever was put in line arrived in its order, or was dropped aloud; nothing else was ever sent.
        expect(run.arrived).toEqual(run.lined.filter((sequence) => run.arrived.includes(sequence)))
        expect(run.lined.length).toBe(run.arrived.length + run.droppedInLine())
        expect(run.mostWaiting).toBeLessThanOrEqual(rules.most)
        expect(run.criticalHeld).toEqual([])
      }),
    )
  })
})

/** Plays a story on the pure outbox with one channel, and keeps its own account of it. */
function outboxRun(rules: OutboxRules) {
  let outbox = resumeOutbox(EMPTY_OUTBOX, rules).outbox
  let nowMs = NOON_MS
  let sequence = 0
  let underWay: Message | undefined
  const lined: number[] = []
  const arrived: number[] = []
  const droppedTitles: string[] = []
  const criticalHeld: number[] = []
  let mostWaiting = 0
  const give = (input: OutboxInput) => {
    const next = outboxTransition(outbox, input, rules, nowMs)
    outbox = next.outbox
    next.commands.forEach(take)
    const { waiting = [], held = [] } = outbox.queues.a ?? {}
    mostWaiting = Math.max(mostWaiting, waiting.length + held.length)
    for (const event of waiting) if (!lined.includes(event.sequence)) lined.push(event.sequence)
    for (const event of held)
      if (event.severity === 'critical' && event.change !== 'cleared') criticalHeld.push(event.sequence)
  }
  const take = (command: OutboxCommand) => {
    if (command.type === 'deliver') {
      expect(underWay).toBeUndefined()
      underWay = command.message
    } else if (command.saying.what === 'dropped') droppedTitles.push(command.saying.title)
  }
  const answer = (outcome: DeliveryResult) => {
    const message = underWay
    if (message === undefined) return
    underWay = undefined
    if (outcome.result === 'delivered') arrived.push(message.event.sequence)
    give({ type: 'answered', channel: 'a', message, outcome })
  }
  return {
    lined,
    arrived,
    criticalHeld,
    get mostWaiting() {
      return mostWaiting
    },
    droppedInLine: () => lined.filter((each) => droppedTitles.includes(watchEvent(each).title)).length,
    do(act: Act) {
      if (act.act === 'happen') {
        sequence += 1
        const { change, severity } = act
        give({
          type: 'happened',
          event: watchEvent(sequence, { id: `alarm ${act.alarm}`, change, severity }),
        })
      } else if (act.act === 'answer') answer(act.outcome)
      else if (act.act === 'wait') {
        nowMs += act.ms
        give({ type: 'woke' })
      } else {
        underWay = undefined
        outbox = resumeOutbox(decodeOutbox(encodeOutbox(outbox), '/p'), rules).outbox
        give({ type: 'woke' })
      }
    },
    /** Everything that waits is delivered in the end. */
    finish() {
      for (let round = 0; round < 100; round += 1) {
        answer(DELIVERED)
        const next = nextWakeMs(outbox, rules, nowMs)
        if (next === undefined && underWay === undefined) return
        nowMs = Math.max(nowMs, next ?? nowMs)
        give({ type: 'woke' })
      }
      throw new Error('it never ends')
    },
  }
}
