import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import {
  askedMs,
  createObserver,
  knownOf,
  lastOf,
  type Picture,
  type Questions,
  wavesOf,
} from '../../../src/core/observe/observer.ts'

type Three = { first: number; second: number; third: number }
type Asked = { answer?: Partial<Three> }

const silent = () =>
  new ClientError('timeout', { service: 'node API', endpoint: 'http://127.0.0.1:1', what: 'its head' })

/** A clock that goes on by one with each question that is put to it. */
function ticking() {
  let now = 0
  return { clock: { monotonicMs: () => ++now } }
}

/** Three questions, each resting on the one before, which are answered by what the look is given. */
function chained(log: (keyof Three)[] = []): Questions<Three, Asked> {
  const said =
    (key: keyof Three) =>
    async (_: Picture<Three>, { answer }: Asked) => {
      log.push(key)
      const value = answer?.[key]
      if (value === undefined) throw silent()
      return value
    }
  return {
    third: { needs: ['second'], ask: said('third') },
    first: { ask: said('first') },
    second: { after: ['first'], ask: said('second') },
  }
}

describe('a look', () => {
  it('asks what a question rests on before it, each once, however the table is ordered', async () => {
    const log: (keyof Three)[] = []
    const observer = createObserver(chained(log), ticking())
    const picture = await observer.look({ answer: { first: 1, second: 2, third: 3 } })
    expect(log).toEqual(['first', 'second', 'third'])
    expect([knownOf(picture.first), knownOf(picture.second), knownOf(picture.third)]).toEqual([1, 2, 3])
  })

  it('asks after a silence, does not ask what rests on one, and says of both why and since when', async () => {
    const log: (keyof Three)[] = []
    const observer = createObserver(chained(log), ticking())
    await observer.look({ answer: { first: 1, second: 2, third: 3 } })
    log.length = 0
    const once = await observer.look({ answer: { third: 4 } })
    expect(log).toEqual(['first', 'second'])
    expect([knownOf(once.second), knownOf(once.third)]).toEqual([undefined, undefined])
    expect([lastOf(once.second), lastOf(once.third)]).toEqual([2, 3])
    const { second, third } = await observer.look({ answer: { first: 5 } })
    const since = (part: typeof second) =>
      part !== undefined && 'unknown' in part ? part.unknown : undefined
    expect(since(second)?.sinceMs).toBe(askedMs(once.second))
    expect(since(second)?.lastMs).toBeGreaterThan(askedMs(once.second) ?? 0)
    expect(since(third)?.fault).toBeInstanceOf(ClientError)
    const again = await observer.look({ answer: { first: 6, second: 7, third: 8 } })
    expect([lastOf(again.first), knownOf(again.third)]).toEqual([6, 8])
  })

  it('keeps what is not due as it is known', async () => {
    const log: (keyof Three)[] = []
    const questions = chained(log)
    const observer = createObserver<Three, Asked>(
      { ...questions, second: { ...questions.second, due: ({ second }) => knownOf(second) === undefined } },
      ticking(),
    )
    await observer.look({ answer: { first: 1, second: 2, third: 3 } })
    const { second } = await observer.look({ answer: { first: 1, second: 9, third: 3 } })
    expect(knownOf(second)).toBe(2)
    expect(log.filter((key) => key === 'second')).toHaveLength(1)
  })

  it('does not wait for a question beside it, and does not ask it twice at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    let asked = 0
    let mostAtOnce = 0
    let atOnce = 0
    const observer = createObserver<{ slow: number; quick: number }, undefined>(
      {
        slow: {
          beside: true,
          async ask() {
            asked += 1
            atOnce += 1
            mostAtOnce = Math.max(mostAtOnce, atOnce)
            const value = asked === 1 ? await promise : asked
            atOnce -= 1
            return value
          },
        },
        quick: { after: ['slow'], ask: async ({ slow }) => knownOf(slow) ?? 0 },
      },
      ticking(),
    )
    await observer.look(undefined)
    await observer.look(undefined)
    const { slow, quick } = await observer.look(undefined)
    expect([slow, knownOf(quick), asked]).toEqual([undefined, 0, 1])
    resolve(41)
    // What was due meanwhile is asked once, for the newest look.
    await observer.whole()
    expect([asked, knownOf(observer.picture().slow)]).toEqual([2, 2])
    await observer.look(undefined)
    await observer.whole()
    expect([asked, knownOf(observer.picture().slow), mostAtOnce]).toEqual([3, 3, 1])
  })

  it('asks of two questions beside it the one that rests on the other after that', async () => {
    const slow = Promise.withResolvers<number>()
    const log: string[] = []
    const observer = createObserver<{ one: number; two: number; three: number }, undefined>(
      {
        two: {
          beside: true,
          needs: ['one'],
          async ask({ one }) {
            log.push('two')
            return (knownOf(one) ?? 0) + 1
          },
        },
        one: {
          beside: true,
          ask() {
            log.push('one')
            return slow.promise
          },
        },
        three: { ask: async () => 3 },
      },
      ticking(),
    )
    expect(knownOf((await observer.look(undefined)).three)).toBe(3)
    expect(log).toEqual(['one'])
    slow.resolve(1)
    await observer.whole()
    expect([log, knownOf(observer.picture().two)]).toEqual([['one', 'two'], 2])
  })

  it('ends with a fault that is none of an endpoint, at once or in the look after the question beside it', async () => {
    const fault = new RangeError('a bug')
    const failing = (beside: object) => ({
      one: {
        ...beside,
        ask(): Promise<number> {
          return Promise.reject(fault)
        },
      },
    })
    await expect(createObserver(failing({}), ticking()).look(undefined)).rejects.toBe(fault)
    const observer = createObserver(failing({ beside: true }), ticking())
    await observer.look(undefined)
    await observer.whole()
    await expect(observer.look(undefined)).rejects.toBe(fault)
  })

  it('finds questions that wait for one another before anything is asked', () => {
    const { first, ...others } = chained()
    const circle: Questions<Three, Asked> = { ...others, first: { ...first, after: ['third'] } }
    expect(() => createObserver(circle, ticking())).toThrow(/wait for one another: third, second, first/)
  })

  it('asks any table in its waves: nothing before what it rests on, nothing twice, all that can be at once', async () => {
    const table = fc.integer({ min: 1, max: 9 }).chain((size) =>
      fc.tuple(
        ...Array.from({ length: size }, (_, place) =>
          fc.record({
            needs: fc.uniqueArray(fc.nat(), { maxLength: 3 }).map((all) => below(all, place)),
            after: fc.uniqueArray(fc.nat(), { maxLength: 3 }).map((all) => below(all, place)),
            isSilent: fc.boolean(),
          }),
        ),
      ),
    )
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const ended = new Map<string, number>()
        const begun = new Map<string, number>()
        let wave = 0
        const questions = Object.fromEntries(
          rows.map(({ needs, after, isSilent }, place) => [
            `q${place}`,
            {
              needs,
              after,
              async ask() {
                expect(begun.has(`q${place}`)).toBe(false)
                for (const other of [...needs, ...after]) expect(begun.has(other)).toBe(ended.has(other))
                begun.set(`q${place}`, wave)
                await new Promise(setImmediate)
                wave += 1
                ended.set(`q${place}`, wave)
                if (isSilent) throw silent()
                return place
              },
            },
          ]),
        ) as Questions<Record<string, number>, undefined>
        const picture = await createObserver(questions, ticking()).look(undefined)
        for (const [place, { needs, isSilent }] of rows.entries()) {
          const isLacking = needs.some((need) => knownOf(picture[need]) === undefined)
          expect(begun.has(`q${place}`)).toBe(!isLacking)
          expect(knownOf(picture[`q${place}`])).toBe(isLacking || isSilent ? undefined : place)
        }
        const waves = wavesOf(questions)
        expect(waves.flat().sort()).toEqual(rows.map((_, place) => `q${place}`).sort())
      }),
      { numRuns: 200 },
    )
  })
})

const below = (numbers: readonly number[], place: number): string[] =>
  place === 0 ? [] : [...new Set(numbers.map((each) => `q${each % place}`))]
