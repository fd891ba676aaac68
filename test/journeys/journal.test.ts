import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tellFailure } from '../../src/commands/command.ts'
import { driveRehearsal } from '../../src/compose/drive-rehearsal.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { fileSystemError } from '../../src/core/base/errors/file.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import { type Entry, encodeEntry, sealEntry } from '../../src/core/wizard/journal/entry.ts'
import { createSession } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { EXIT } from '../../src/output/io.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { hardTest, runsOf, sampled } from '../support/hard.ts'
import { atLine, dieWhileRegistering, expectOnePaymentEach } from '../support/kills.ts'
import { live, type Reading, register } from '../support/register.ts'
import { startWorld, type World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** A world in which a process died after a line of its journal. */
async function diedAfter(type: string): Promise<{ world: World; path: string }> {
  const world = await openWorld()
  await dieWhileRegistering(world, { dies: atLine(type, 'after') })
  return { world, path: world.journalPath() ?? '' }
}

const REFUSED_JOURNAL = {
  end: 'refused',
  step: 'identity',
  problem: { id: expect.stringMatching(/^journal\./), money: 'unknown' },
}
const HELD = {
  end: 'refused',
  step: 'genesis',
  problem: { id: 'journal.held', money: 'unknown' },
}
/** The journal opens beside the first step, which may be left before: here it is read until the journal is refused. */
const UNTIL_HELD: Reading = {
  reads: ({ step, journal }) => step === 'genesis' && journal.status !== 'refused',
}

describe('a journal that is not as it was written', () => {
  test.each(sampled([0.2, 0.5, 0.9], 2))(
    'is refused with one byte changed at %d of it, and nothing is sent',
    async (part) => {
      const { world, path } = await diedAfter('deposit.signed')
      const bytes = readFileSync(path)
      const at = Math.floor(bytes.length * part)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      writeFileSync(path, bytes)
      const { ending } = await live(world, world.begin())
      expect(ending).toMatchObject(REFUSED_JOURNAL)
      expect(world.wire).toEqual([])
      expect(readFileSync(path)).toEqual(bytes)
    },
  )

  test.each<[string, (last: Entry) => string]>([
    ['of a newer format', () => '{"v":3,"written":"otherwise"}'],
    [
      'of an event that only a newer version knows',
      ({ seq, t, sum }) =>
        encodeEntry(
          sealEntry({ v: 2, seq: seq + 1, t, type: 'deposit.moved', data: { to: 'elsewhere' }, prev: sum }),
        ),
    ],
  ])('is refused with one more line %s, and what is under way stays as it is', async (_, lineAfter) => {
    const { world, path } = await diedAfter('deposit.signed')
    const [last] = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-1)
    appendFileSync(path, `${lineAfter(JSON.parse(`${last}`) as Entry)}\n`)
    const written = readFileSync(path)
    const { ending } = await live(world, world.begin())
    expect(ending).toMatchObject(REFUSED_JOURNAL)
    expect(ending).toMatchObject({ problem: { id: expect.stringMatching(/^journal\.(newer|unknown)$/) } })
    expect(world.wire).toEqual([])
    expect(readFileSync(path)).toEqual(written)
  })

  hardTest('from before the top-up leads to no second one', async () => {
    const { world, path } = await diedAfter('topup.ended')
    const lines = readFileSync(path, 'utf8').split('\n')
    const place = lines.findIndex((line) => line.includes('"topup.agreed"'))
    writeFileSync(path, `${lines.slice(0, place).join('\n')}\n`)
    const { ending } = await live(world, world.begin())
    expect(ending).toEqual({ end: 'active' })
    expect(new Set(world.wire.map(({ raw }) => raw)).size).toBe(2)
  })
})

const onFullDisk = (effects: Effects): Effects => ({
  ...effects,
  store: {
    ...effects.store,
    openAppend: (path) => Promise.reject(fileSystemError(path, 'ENOSPC')),
  },
})

test('a rehearsal on a full disk ends with one code, wherever it meets it', async () => {
  const world = await openWorld()
  const life = world.begin({ mutate: onFullDisk })
  const session = await world.session(life)
  const { signal } = new AbortController()
  const driven = await world.clock.flow(() => driveRehearsal(session, { signal }, () => undefined))
  await session.stop()
  expect(driven).toMatchObject({ code: EXIT.unknown, end: 'file.no-space' })
  const io = { out: () => undefined, err: () => undefined, signal }
  const asked = { io, json: false, name: 'rehearse', effects: life.effects } as const
  expect(await tellFailure(fileSystemError('/state', 'ENOSPC'), asked)).toBe(EXIT.unknown)
})

test('a journal that the full disk does not take says which file, and to make room for it', async () => {
  const world = await openWorld()
  const { ending } = await live(world, world.begin({ mutate: onFullDisk }))
  expect(ending).toMatchObject({
    ...REFUSED_JOURNAL,
    problem: {
      id: 'file.no-space',
      money: 'unknown',
      lines: expect.arrayContaining([expect.stringMatching(/^path: .+journal\.jsonl$/)]),
    },
  })
})

describe('two processes that work on the same key', () => {
  test('the second is refused while the first one lives, and goes on when it is gone', async () => {
    const world = await openWorld()
    const first = world.begin()
    await live(world, first)
    const second = world.begin()
    const { session, ending } = await live(world, second, UNTIL_HELD)
    expect(ending).toMatchObject(HELD)
    expect(viewOf('identity', session.getState(), session).money.line).toBe(
      STEP_TEXT.sendsNothing(STEP_TEXT.left.unknown),
    )
    for (const life of [first, second]) life.kill()
    await Promise.all([first.died, second.died])
    expect((await live(world, world.begin())).ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })

  hardTest('with a state directory each: the second is refused before it has a journal', async () => {
    const world = await openWorld()
    const { session } = await live(world, world.begin())
    const journalDirectory = join(world.directory, 'another-state')
    const second = createSession(world.begin().effects, { ...session.setup, journalDirectory }, openAlarms)
    const ending = await world.clock.flow(() => register(world, second, UNTIL_HELD))
    expect(ending).toMatchObject(HELD)
    expect(second.getState().journal).toEqual({
      status: 'refused',
      error: expect.objectContaining({
        code: 'journal.held',
        shortMessage: expect.stringMatching(/ \d+ on .+ UTC \(.+\.lock\)\.$/),
      }),
    })
    expect(existsSync(journalDirectory)).toBe(false)
    await expectOnePaymentEach(world)
  })

  hardTest('begun in the same moment, one of them sends', async () => {
    const world = await openWorld()
    const both = await Promise.all([live(world, world.begin()), live(world, world.begin())])
    expect(both.map(({ ending }) => ending.end).sort()).toEqual(['active', 'refused'])
    await expectOnePaymentEach(world)
  })
})

test('a process that dies with any request, again and again, still pays once for each step', async () => {
  const lives = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(lives, async (deaths) => {
      const world = await startWorld()
      try {
        for (const requests of deaths) await liveFor(world, requests)
        expect((await live(world, world.begin())).ending).toEqual({ end: 'active' })
        await expectOnePaymentEach(world)
      } finally {
        await world.end()
      }
    }),
    { numRuns: runsOf({ suite: 2, hard: 60 }), seed: 4, endOnFailure: true },
  )
})

/** Lets a process go on until it has made that many requests; the last one happens, unheard. */
async function liveFor(world: World, requests: number): Promise<void> {
  let left = requests
  const life = world.begin({
    request() {
      left -= 1
      if (left === 0) life.kill()
    },
  })
  await world.clock.flow(() => Promise.race([live(world, life), life.died]))
  life.kill()
  await life.died
}
