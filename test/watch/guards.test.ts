import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import {
  GUARD_TROUBLES,
  type GuardStanding,
  LIMITS,
  type NetworkPicture,
} from '../../src/core/observe/picture.ts'
import { decideGuard, guardTroubles } from '../../src/core/pay/guard/decide.ts'
import { type GuardEvent, guardTransition } from '../../src/core/pay/guard/guard.ts'
import { toldGuard, toldWhileHeld } from '../../src/core/pay/guard/standing.ts'
import { memoryText, readMemory } from '../../src/watch/keep.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import {
  armed,
  endpoint,
  handed,
  hashOf,
  MINE,
  NONCE,
  picture,
  setup,
  terms,
  UNPROVEN,
} from '../support/guard-world.ts'
import { runsOf } from '../support/hard.ts'
import { seenValidator } from '../support/pictures.ts'

const context = { network: setup.network, wizardOptions: ['--network', 'mainnet'], limits: LIMITS }
const CANCELLATION = 5

type Look = Pick<NetworkPicture, 'guards' | 'unguarded'> &
  Partial<Pick<NetworkPicture, 'validators' | 'others'>>

const pictureOf = (over: Look): NetworkPicture => ({
  atMs: 1_800_000_000_000,
  heads: [],
  validators: [{ pubkey: MINE }],
  ...over,
})

/** The events of looks that see these guards, a minute apart; nothing is told of anything else. */
function told(...looks: readonly Look[]) {
  let memory: WatchMemory = emptyMemory(setup.network)
  return looks.map((look, at) => {
    const saw = pictureOf(look)
    const next = watchTransition(memory, { ...saw, atMs: saw.atMs + at * 60_000 }, context)
    memory = next.memory
    return next.events.filter(({ alarm }) => alarm.startsWith('guard-'))
  })
}

const seen = (guard: GuardStanding) => ({ guards: [guard], unguarded: [] })
const included: GuardEvent = {
  type: 'included',
  hash: hashOf(CANCELLATION),
  blockNumber: 12_345n,
  blockHash: `0x${'cc'.repeat(32)}`,
  feeWei: 1n,
}

const ends = new Set<string>()

describe('the alarms of a guard', () => {
  test.each(GUARD_TROUBLES.map((id) => [id] as const))('name what keeps it from helping: %s', (id) => {
    const guard = { ...toldGuard(armed(), 'here'), troubles: [id] }
    const sound = { ...toldGuard(armed(), 'here'), ruledOut: [id] }
    const [[fired] = [], [cleared] = []] = told(seen(guard), seen(sound))
    expect(fired).toMatchObject({ alarm: `guard-${id}`, change: 'fired', validator: { pubkey: MINE } })
    expect(fired?.next).toBeTruthy()
    expect(cleared).toMatchObject({ alarm: `guard-${id}`, change: 'cleared' })
    // Each end names its own cause.
    expect(ends.has(`${cleared?.title}`)).toBe(false)
    ends.add(`${cleared?.title}`)
  })

  test.each(GUARD_TROUBLES.map((id) => [id] as const))('do not end by what no look shows: %s', (id) => {
    const guard = { ...toldGuard(armed(), 'here'), troubles: [id] }
    const others = GUARD_TROUBLES.filter((each) => each !== id)
    const [, restarted, unheard, elsewhere, failing] = told(
      seen(guard),
      seen(toldGuard(armed(), 'here')),
      seen({ ...toldGuard(armed(), 'here'), ruledOut: others }),
      seen(toldGuard(armed(), { heldBy: 'Process 7 has it.' })),
      seen({ ...toldGuard(armed(), 'nobody'), fault: 'The disk is full.' }),
    ).map((events) => events.filter(({ alarm }) => alarm === `guard-${id}`))
    expect([restarted, unheard, elsewhere, failing]).toEqual([[], [], [], []])
  })

  test('are critical where nobody holds it, and where another window has its account alone', () => {
    const [[unheld] = [], [barred] = []] = [
      ...told(seen(toldGuard(armed(), 'nobody'))),
      ...told(seen(toldGuard(armed(), { barredBy: 'Process 7 has it.' }))),
    ]
    expect(unheld).toMatchObject({ alarm: 'guard-unheld', severity: 'critical' })
    expect(barred).toMatchObject({ alarm: 'guard-unheld', severity: 'critical' })
    expect(barred?.what).toContain('Process 7 has it.')
    expect(barred?.next).not.toBe(unheld?.next)
  })

  test('end once its validator has left, by no word of somebody else', () => {
    const record = seenValidator().record
    if (record === undefined || record === 'absent') throw new Error('no record')
    const left = { ...record, validator: { ...record.validator, exitEpoch: 4n } }
    const unheld = seen(toldGuard(armed(), 'nobody'))
    const out = { ...unheld, validators: [{ pubkey: MINE, record: left }] }
    const [, foreign, [ended] = [], later] = told(unheld, { ...out, others: ['node'] }, out, out)
    expect([foreign, later]).toEqual([[], []])
    expect(ended).toMatchObject({ alarm: 'guard-unheld', change: 'cleared' })
    const givenUp = guardTransition(armed(), { type: 'given-up' }) ?? armed()
    expect(told({ ...out, ...seen(toldGuard(givenUp, 'nobody')) }).flat()).toEqual([])
  })

  test('say that another process holds it, and what it has sent once that is over', () => {
    const [[held] = []] = told(seen(toldGuard(armed(), { heldBy: 'Process 7 has it.' })))
    expect(held).toMatchObject({ alarm: 'guard-held', severity: 'info' })
    expect(held?.what).toContain('Process 7 has it.')
  })

  test('name the amount that was sent, once, and that it was paid', () => {
    const sent = toldGuard(handed(1), 'here')
    const paid = { ...sent, stand: 'over', end: 'paid', block: 12_345n } as const
    const [[fired] = [], again, [cleared] = []] = told(seen(sent), seen(sent), seen(paid))
    expect(fired).toMatchObject({ alarm: 'guard-sent', change: 'fired', severity: 'warning' })
    expect(fired?.title).toContain('20,000 BERA')
    expect(again).toEqual([])
    expect(cleared?.what).toMatch(/20,000 BERA.*12,345/)
  })

  test('say of a cancellation that it waits, which amount may be first, its block, and that nothing was paid', () => {
    const alone = handed(CANCELLATION)
    const beside = handed(CANCELLATION, handed(3))
    const inBlock = guardTransition(beside, included) ?? beside
    const ended = guardTransition(inBlock, { type: 'ended', outcome: { is: 'cancelled' } }) ?? inBlock
    const [[waits] = []] = told(seen(toldGuard(alone, 'here')))
    expect(waits?.title).toContain('being cancelled')
    expect(`${waits?.what}`).not.toContain('BERA')
    const [[mayBeFirst] = [], , [cleared] = []] = told(
      seen(toldGuard(beside, 'here')),
      seen(toldGuard(inBlock, 'here')),
      seen(toldGuard(ended, 'nobody')),
    )
    expect(mayBeFirst?.what).toContain('40,000 BERA')
    expect(cleared?.what).toContain('12,345')
    expect(cleared?.what).not.toContain('BERA')
    const [[first] = []] = told(seen(toldGuard(inBlock, 'here')))
    expect(first?.title).toContain('being cancelled')
    expect(first?.what).toContain('12,345')
  })

  test.each(['void', 'reverted'] as const)('stand while a guard is lost, also after a restart: %s', (end) => {
    const pending = { ...toldGuard(armed(), 'here'), troubles: ['nonce'] } as const
    const lost = { ...toldGuard(armed(), 'here'), stand: 'over', end } as const
    const [, [worse] = [], again, restarted] = told(seen(pending), seen(lost), seen(lost), {
      guards: [],
      unguarded: [MINE],
    })
    expect(worse).toMatchObject({ alarm: 'guard-nonce', change: 'worse', severity: 'critical' })
    expect(worse?.title).toContain('lost')
    expect([again, restarted]).toEqual([[], []])
  })

  test('say by which block the nonce of a lost guard was used', () => {
    const lost = { ...toldGuard(armed(), 'here'), stand: 'over', end: 'void', block: 871n } as const
    expect(told(seen(lost))[0]?.[0]?.what).toContain('by block 871')
  })

  test('of a lost guard end with another one, and with the place', () => {
    const lost = { ...toldGuard(armed(), 'here'), stand: 'over', end: 'void' } as const
    const [, [another] = []] = told(seen(lost), seen(toldGuard(armed(), 'here')))
    expect(another).toMatchObject({ alarm: 'guard-nonce', change: 'cleared' })
    const record = seenValidator().record
    if (record === undefined || record === 'absent') throw new Error('no record')
    const left = { ...record, validator: { ...record.validator, exitEpoch: 4n } }
    const [, place = []] = told(seen(lost), { ...seen(lost), validators: [{ pubkey: MINE, record: left }] })
    expect(place).toMatchObject([{ alarm: 'guard-nonce', change: 'cleared' }])
  })

  test('of a lost guard are told at the first look of a watch, and end with another one that is over by then', () => {
    const lost = { ...toldGuard(armed(), 'nobody'), stand: 'over', end: 'void' } as const
    const paid = { ...toldGuard(handed(1), 'nobody'), stand: 'over', end: 'paid', block: 12_345n } as const
    const [[fired] = [], again, [cleared] = []] = told(seen(lost), seen(lost), seen(paid))
    expect(fired).toMatchObject({ alarm: 'guard-nonce', change: 'fired', severity: 'critical' })
    expect(again).toEqual([])
    expect(cleared).toMatchObject({ alarm: 'guard-nonce', change: 'cleared' })
    expect(cleared?.what).toMatch(/20,000 BERA.*12,345/)
  })

  test('are none of one that was exported and never armed', () => {
    const exported = guardTransition(undefined, { type: 'exported', terms: terms() })
    const given = exported && guardTransition(exported, { type: 'void' })
    if (given === undefined) throw new Error('no guard')
    expect(told(seen(toldGuard(given, 'nobody'))).flat()).toEqual([])
  })

  test('of one that a disk keeps from being held do not alternate, and say what was sent', () => {
    const sent = { ...toldGuard(handed(1), 'here'), ruledOut: [] }
    const { ruledOut: _, ...opened } = sent
    const failing = { ...opened, holder: 'nobody', fault: 'The disk is full.' } as const
    const [[first] = [], [unheld] = [], ...later] = told(
      seen(sent),
      seen(failing),
      seen(opened),
      seen(failing),
      seen(opened),
      seen(sent),
    )
    expect(first).toMatchObject({ alarm: 'guard-sent', change: 'fired' })
    expect(unheld).toMatchObject({ alarm: 'guard-unheld', change: 'fired' })
    expect(unheld?.what).toContain('The disk is full.')
    expect(unheld?.title).not.toContain('does nothing')
    expect(later).toMatchObject([[], [], [], [{ alarm: 'guard-unheld', change: 'cleared' }]])
  })

  test('stay as they are until the guards were looked at, and end where there is none', () => {
    const held = seen(toldGuard(armed(), { heldBy: 'Process 7.' }))
    const [fired, started, none] = told(
      held,
      { guards: [], unguarded: [] },
      { guards: [], unguarded: [MINE] },
    )
    expect(fired).toHaveLength(1)
    expect(started).toEqual([])
    expect(none).toMatchObject([{ alarm: 'guard-held', change: 'cleared' }])
  })

  test('do not say that nothing is proven while the chain stands, nor in the moment in which it goes on', () => {
    const slot = (seconds: number) => BigInt(1000 + Math.max(0, seconds - 300))
    const guards = [{ ...toldGuard(armed(), 'here'), troubles: ['unproven'] } satisfies GuardStanding]
    let memory: WatchMemory = emptyMemory(setup.network)
    const fired: number[] = []
    // It stands for five minutes, and then makes a block a second.
    for (let seconds = 0; seconds <= 420; seconds += 2) {
      const heads = (['node', 'execution'] as const).map((role, place) => ({
        role,
        place,
        name: role,
        slot: slot(seconds),
      }))
      const saw = { ...pictureOf({}), heads, atMs: 1_800_000_000_000 + seconds * 1000 }
      const next = watchTransition(memory, seconds < 90 ? saw : { ...saw, guards }, context)
      memory = next.memory
      if (next.events.some(({ alarm }) => alarm === 'guard-unproven')) fired.push(seconds)
    }
    expect(fired).toHaveLength(1)
    expect(fired[0]).toBeGreaterThanOrEqual(316)
  })

  test.each(GUARD_TROUBLES.map((id) => [id] as const))('name who makes it: %s', (id) => {
    const causes = { [id]: ['second.example: no answer for 9 s', 'first.example: it is late'] }
    const [[fired] = []] = told(seen({ ...toldGuard(armed(), 'here'), troubles: [id], causes }))
    expect(fired?.what).toMatch(/second\.example.*first\.example/)
  })

  test('say how much is missing where the cap is too small', () => {
    const guard: GuardStanding = {
      ...toldGuard(armed(), 'here'),
      troubles: ['cap'],
      missingGwei: tokens(70_000n),
    }
    const [[fired] = []] = told(seen(guard))
    expect(fired?.what).toMatch(/70,000 BERA.*50,000 BERA/)
  })
})

/** What one look meets: who is silent, whether the set is proven, and whether the holder was just started or failed. */
type Moment = { silent: readonly boolean[]; isProven: boolean; holder: 'started' | 'looks' | 'fails' }

const moments = fc.array(
  fc.record({
    silent: fc.tuple(fc.boolean(), fc.boolean()),
    isProven: fc.boolean(),
    holder: fc.constantFrom<Moment['holder']>('started', 'looks', 'looks', 'looks', 'fails'),
  }),
  { minLength: 2, maxLength: 120 },
)

/** Causes that last: what the second endpoint says of nonce, balance and fee, and of the rules in force. */
const CAUSES = {
  nonce: { nonce: { latest: NONCE + 1, pending: NONCE + 1, final: NONCE } },
  balance: { balanceWei: 1n },
  fork: {},
} as const
type Cause = keyof typeof CAUSES

function guardAt({ silent, isProven, holder }: Moment, causes: readonly Cause[]): GuardStanding {
  const opened = toldGuard(armed(), 'here')
  if (holder === 'started') return opened
  if (holder === 'fails') return { ...opened, holder: 'nobody', fault: 'The disk is full.' }
  const said = [endpoint('first'), endpoint('second', Object.assign({}, ...causes.map((id) => CAUSES[id])))]
  const seenNow = picture({
    ...(isProven ? {} : UNPROVEN),
    endpoints: said.map((one, at) => (silent[at] ? { endpoint: one.endpoint, unknown: 'silent' } : one)),
    forks: isProven ? { isKnown: !causes.includes('fork'), ahead: [] } : undefined,
  })
  const decision = decideGuard(seenNow)
  const troubles = guardTroubles(seenNow, decision, { unprovenMs: undefined, unheardMs: undefined })
  return toldWhileHeld({ picture: seenNow, decision, troubles })
}

test('no alarm of a guard ends while its cause holds, and none fires twice in a minute', () => {
  const causes = fc.subarray<Cause>(['nonce', 'balance', 'fork'])
  fc.assert(
    fc.property(moments, causes, (looks, lasting) => {
      let memory: WatchMemory = emptyMemory(setup.network)
      const firedMs = new Map<string, number>()
      for (const [at, moment] of looks.entries()) {
        const atMs = 1_800_000_000_000 + at * setup.network.slotMs
        // Each process begins with what the one before has written.
        memory = readMemory(memoryText(memory), 'watch.json', setup.network)
        const now = { ...pictureOf(seen(guardAt(moment, lasting))), atMs }
        const next = watchTransition(memory, now, context)
        memory = next.memory
        for (const { alarm, change } of next.events) {
          if (change === 'cleared') expect(lasting.map((id) => `guard-${id}`)).not.toContain(alarm)
          if (change !== 'fired') continue
          expect(atMs - (firedMs.get(alarm) ?? 0)).toBeGreaterThanOrEqual(60_000)
          firedMs.set(alarm, atMs)
        }
      }
    }),
    { numRuns: runsOf({ suite: 100, hard: 3000 }) },
  )
})
