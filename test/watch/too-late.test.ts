import { expect, test } from 'vitest'
import { formatCount, tokens } from '../../src/core/base/format/amount.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { POOLS_TEXT } from '../../src/core/chain/network/pools.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { createHeadJudge } from '../../src/core/observe/judge-heads.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import {
  type AheadPicture,
  type HeadPicture,
  LIMITS,
  type NetworkPicture,
} from '../../src/core/observe/picture.ts'
import { withdrawalCredentials } from '../../src/devnet/scenarios.ts'
import { inDanger } from '../../src/watch/drops-out.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { helpNotKnown, placeNotKnown } from '../../src/watch/words.ts'
import { pubkey, validatorOf } from '../core/chain/consensus/model.ts'

const context = { network: MAINNET, wizardOptions: ['--network', 'mainnet'], limits: LIMITS }
const { slotsPerEpoch } = MAINNET.spec
const SEVEN = { pubkey: pubkey(7), name: 'seven' }
const NOT_KNOWN = helpNotKnown(SEVEN, { lastGoodBlock: 0n, head: 0n }).title
const VAULT = withdrawalCredentials(MAINNET.pools?.vault ?? '0x')
const START_MS = 1_800_000_000_000
const OUT = 11n
const BOUNDARY = OUT * slotsPerEpoch
const LAST = BOUNDARY - 3n

/** What the state of slot 2000 said: it drops out at epoch 11, unless 20,000 come in time. */
const SAID: AheadPicture = {
  slot: 2000n,
  epoch: 2000n / slotsPerEpoch,
  dropsOutAtEpoch: OUT,
  activeAtEpoch: undefined,
  rescue: {
    leastTopUpGwei: tokens(20_000n),
    lessGwei: undefined,
    lastGoodBlock: LAST,
    sendByBlock: LAST - 6n,
  },
  oneDepositGwei: tokens(10_000n),
  liftGwei: tokens(10_000n),
  place: undefined,
  isWhole: true,
  isReported: false,
}

/** A look at `head` whose set is still that of slot 2000; the record is the one of `recordAt`. */
function look(
  head: bigint,
  recordAt: bigint | undefined,
  over: Partial<NetworkPicture> = {},
): NetworkPicture {
  const validator = {
    ...validatorOf({ pubkey: pubkey(7), activationEpoch: 0n }),
    exitEpoch: FAR_FUTURE_EPOCH,
  }
  const record =
    recordAt === undefined
      ? {}
      : {
          record: {
            index: 7,
            validator,
            balanceGwei: tokens(300_000n),
            slot: recordAt,
            epoch: recordAt / slotsPerEpoch,
          },
        }
  return {
    atMs: START_MS + Number(head) * MAINNET.slotMs,
    heads: [{ role: 'node', place: 0, name: 'own', slot: head }],
    validators: [{ pubkey: pubkey(7), name: 'seven', ...record, ahead: SAID }],
    ...over,
  }
}

function told(looks: readonly NetworkPicture[]) {
  let memory = emptyMemory(MAINNET)
  const events = looks.flatMap((picture) => {
    const next = watchTransition(memory, picture, context)
    memory = next.memory
    return next.events
  })
  return { events, alarms: memory.alarms, alarm: memory.alarms.find(({ alarm }) => alarm === 'drops-out') }
}

test('an alarm names an amount to pay up to its last block, and not from that on', () => {
  expect(told([look(LAST - 1n, LAST - 1n)]).alarm).toMatchObject({ nextIs: 'command' })
  for (const head of [LAST, LAST + 1n, BOUNDARY - 1n]) {
    const { alarm, events } = told([look(LAST - 1n, LAST - 1n), look(head, head)])
    expect(alarm?.nextIs).toBeUndefined()
    expect(events.at(-1)?.until).toBeUndefined()
    expect(alarm?.what).toContain(` ${formatCount(LAST)}, `)
    expect(events.map(({ change }) => change)).toEqual(['fired', 'worse'])
  }
})

test('an alarm about a staking pool’s validator names the door of its pool, and no amount to send here', () => {
  const seen = look(LAST - 1n, LAST - 1n)
  const validators = seen.validators.map((each) =>
    typeof each.record === 'object'
      ? {
          ...each,
          record: { ...each.record, validator: { ...each.record.validator, withdrawalCredentials: VAULT } },
        }
      : each,
  )
  const { alarm } = told([{ ...seen, validators }])
  expect(alarm).toMatchObject({ severity: 'critical', next: POOLS_TEXT.onlyItsDoor })
  expect(alarm?.nextIs).toBeUndefined()
})

test('an alarm whose boundary is past ends by the own record, though no newer set was read', () => {
  const { events } = told([look(2001n, 2001n), look(BOUNDARY, BOUNDARY)])
  expect(events.map(({ alarm, change }) => `${alarm} ${change}`)).toEqual([
    'drops-out fired',
    'drops-out cleared',
  ])
})

test('an alarm whose boundary is past says that the place is not known, where the record is not', () => {
  for (const recordAt of [undefined, BOUNDARY - 1n]) {
    const { alarm, events } = told([look(2001n, 2001n), look(BOUNDARY + 32n, recordAt)])
    expect(alarm?.title).toBe(placeNotKnown(SEVEN, { outAtEpoch: OUT, readSlot: undefined }).title)
    expect(`${alarm?.what} ${alarm?.next}`).not.toMatch(/top-up of|--topup/)
    expect(alarm?.nextIs).toBeUndefined()
    expect(events.filter(({ change }) => change === 'cleared')).toEqual([])
  }
})

test('a set that is older than its own boundary fires nothing', () => {
  expect(told([look(BOUNDARY + 32n, BOUNDARY + 32n)]).alarms).toEqual([])
})

const { slotMs } = MAINNET
const other = (over: { slot: bigint } | { farOff: bigint }): HeadPicture => ({
  role: 'execution',
  place: 1,
  name: 'other',
  ...over,
})

/** Looks a slot apart while the own head is what `headAt` says and somebody else's is what `besideAt` says. */
function looks(slots: number, headAt: (at: number) => bigint, besideAt: (at: number) => HeadPicture[]) {
  return Array.from({ length: slots }, (_, at) => {
    const head = headAt(at)
    const own = { role: 'node', place: 0, name: 'own', slot: head } as const
    const atMs = START_MS + Number(LAST - 40n) * slotMs + at * slotMs
    return look(head, head, { atMs, heads: [own, ...besideAt(at)] })
  })
}

const goesOn = (at: number) => LAST - 40n + BigInt(at)
const hangs = (at: number) => (at < 5 ? goesOn(at) : goesOn(5))
const namesAnAmount = ({ alarm }: ReturnType<typeof told>) =>
  alarm?.nextIs === 'command' || /A top-up of|--topup/.test(`${alarm?.what} ${alarm?.next}`)

test('while the own head stands still, time says from when on an alarm names no amount to pay any more', () => {
  for (const beside of [
    () => [],
    (at: number) => [other({ farOff: goesOn(at * 3) })],
    (at: number) => [other({ farOff: goesOn(at) + 10n ** 12n })],
  ]) {
    expect(namesAnAmount(told(looks(30, hangs, beside)))).toBe(true)
    const after = told(looks(41, hangs, beside))
    expect(namesAnAmount(after)).toBe(false)
    expect(after.alarm?.title).toBe(NOT_KNOWN)
    const dropsOut = after.events.filter(({ alarm }) => alarm === 'drops-out')
    expect(dropsOut.at(-1)).toMatchObject({ change: 'worse', severity: 'critical' })
    expect(dropsOut.at(-1)?.until).toBeUndefined()
  }
})

test('an alarm names no amount whose last block time has passed, from the first slot without a new head', () => {
  for (let before = 1n; before <= 12n; before += 1n) {
    const head = LAST - before
    const startMs = START_MS + Number(head) * slotMs
    for (let slots = 0; slots <= 14; slots += 1) {
      const all = Array.from({ length: slots + 1 }, (_, at) =>
        look(head, head, { atMs: startMs + at * slotMs }),
      )
      const after = told(all)
      const isAhead = head + BigInt(slots) < LAST
      expect([before, slots, namesAnAmount(after)]).toEqual([before, slots, isAhead])
      expect([before, slots, after.alarm?.what]).toEqual([
        before,
        slots,
        expect.stringMatching(isAhead ? /Send it (?:now|by block)/ : /it is old/),
      ])
    }
  }
})

test('while the own head stands still, the time that is left runs on', () => {
  const { alarm } = told(looks(31, hangs, () => []))
  expect(alarm?.title).toContain('in 13 slots, 26 s')
  expect(alarm?.nextIs).toBe('command')
  expect(alarm?.until?.atMs).toBe(START_MS + Number(LAST) * slotMs)
})

test('a node that was restarted and follows old blocks gives no amount its time back', () => {
  const follows = (at: number) => (at < 50 ? hangs(at) : goesOn(5 + (at - 50) * 2))
  const further = (at: number) => [other({ farOff: goesOn(at) })]
  const after = told(looks(55, follows, further))
  expect(namesAnAmount(after)).toBe(false)
  expect(after.events.filter(({ alarm, change }) => alarm === 'drops-out' && change === 'cleared')).toEqual(
    [],
  )
})

test('where somebody else stands at the same block the chain is halted, and the last block stays ahead', () => {
  const halted = told(looks(60, hangs, (at) => [other({ slot: hangs(at) })]))
  expect(halted.events.map(({ alarm }) => alarm)).toContain('chain-halted')
  expect(namesAnAmount(halted)).toBe(true)
})

test('a node that hangs while somebody who is left out goes on is not said to be alone', () => {
  const { alarms } = told(looks(41, hangs, (at) => [other({ farOff: goesOn(at * 3) })]))
  const hanging = alarms.find(({ alarm }) => alarm === 'node-hanging')
  expect(hanging?.what).toContain('other names block')
  expect(hanging?.next).toContain('restart')
})

test('while the own node hangs in a chain that catches up after a halt, it is too late in the slot in which it is', () => {
  const halts = 10
  const back = halts + 60
  const hangsFrom = back + 10
  // Two blocks a slot from the halt on, until it is on its line again.
  const caughtUp = (at: number) => (at <= back ? Math.min(at, halts) : Math.min(at, halts + 2 * (at - back)))
  const slotAt = (at: number) => LAST - 70n + BigInt(caughtUp(at))
  const judge = createHeadJudge(MAINNET)
  let memory = emptyMemory(MAINNET)
  let lateAt: number | undefined
  for (let at = 0; at < 140; at += 1) {
    const own = slotAt(Math.min(at, hangsFrom))
    const atMs = START_MS + at * slotMs
    const others = [1, 2].map(
      (place): HeadPicture => ({ ...other({ slot: slotAt(at) }), place, name: `o:${place}` }),
    )
    const liar = { ...other({ slot: 10n ** 12n }), place: 3, name: 'liar' }
    const said: HeadPicture[] = [{ role: 'node', place: 0, name: 'own', slot: own }, ...others, liar]
    const heads = judge(said, { known: memory.heads, nowMs: atMs })
    memory = watchTransition(memory, look(own, own, { atMs, heads }), context).memory
    const alarm = memory.alarms.find((each) => each.alarm === 'drops-out')
    if (alarm?.what.startsWith('It is too late')) lateAt ??= at
  }
  const firstLate = Array.from({ length: 140 }, (_, at) => at).find((at) => slotAt(at) >= LAST)
  expect(lateAt).toBe(firstLate)
  expect(memory.alarms.map(({ alarm, subject }) => `${alarm} ${subject}`)).toContain(
    'endpoint-far-off execution/liar',
  )
})

test('who words a deadline on a page is told how time runs on from the first slot without a new head', () => {
  const nearLast = (at: number) => LAST - 9n + BigInt(Math.min(at, 4))
  const dangerAt = (until: number) => {
    let memory = emptyMemory(MAINNET)
    let found: ReturnType<typeof inDanger>
    for (let at = 0; at <= until; at += 1) {
      const head = nearLast(at)
      const picture = look(head, head, { atMs: START_MS + at * slotMs })
      memory = watchTransition(memory, picture, context).memory
      found = inDanger({ pubkey: pubkey(7), name: 'seven' }, { memory, picture, context })
    }
    return found
  }
  expect(dangerAt(4)).toMatchObject({ epoch: OUT, now: LAST - 5n, instead: undefined })
  expect(dangerAt(7)).toMatchObject({ now: LAST - 2n, instead: undefined })
  // The head is not old enough to be called a hang, and time is past the last block.
  expect(dangerAt(9)).toMatchObject({
    now: LAST,
    instead: { title: NOT_KNOWN },
  })
})
