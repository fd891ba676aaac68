import { describe, expect, test } from 'vitest'
import { ClientError, type ClientFault } from '../../../src/core/base/errors/client.ts'
import { type OfferBook, offersOf } from '../../../src/core/chain/network/offered.ts'
import { askOptional } from '../../../src/core/clients/ask-as-service.ts'

const URL_ = 'http://127.0.0.1:3500'

const fails = (fault: ClientFault) => () =>
  Promise.reject(new ClientError(fault, { service: 'node API', endpoint: URL_, what: '/x' }))

/** One session with one node; `ask` counts the questions that reached it. */
function session() {
  const book: OfferBook = new Map()
  let times = 0
  return {
    times: () => times,
    ask: (answer: () => Promise<number | undefined>, name = 'x', url = URL_) =>
      askOptional(offersOf(book, url), name, () => {
        times += 1
        return answer()
      }),
  }
}

describe('a question that an endpoint need not answer', () => {
  test('gives the answer, and is asked again', async () => {
    const { ask, times } = session()
    expect(await ask(async () => 7)).toEqual({ offer: 'yes', value: 7 })
    expect(await ask(async () => 8)).toEqual({ offer: 'yes', value: 8 })
    expect(times()).toBe(2)
  })

  test.each([
    ['undefined', async () => undefined],
    ['not-offered', fails('not-offered')],
  ])('is not asked again after %s', async (_what, answer) => {
    const { ask, times } = session()
    expect(await ask(answer)).toEqual({ offer: 'no' })
    expect(await ask(async () => 7)).toEqual({ offer: 'no' })
    expect(times()).toBe(1)
  })

  test('is remembered for this question at this endpoint alone', async () => {
    const { ask } = session()
    await ask(fails('not-offered'))
    expect(await ask(async () => 7, 'y')).toEqual({ offer: 'yes', value: 7 })
    expect(await ask(async () => 7, 'x', 'http://127.0.0.1:3501')).toEqual({ offer: 'yes', value: 7 })
  })

  test.each(['timeout', 'failed', 'malformed', 'not-ready', 'unreachable'] as const)(
    'is asked again after %s, which says nothing as long as it was never answered',
    async (fault) => {
      const { ask } = session()
      expect(await ask(fails(fault))).toMatchObject({ offer: 'unheard' })
      expect(await ask(async () => 7)).toEqual({ offer: 'yes', value: 7 })
      await expect(ask(fails(fault))).rejects.toMatchObject({ fault })
    },
  )

  test('does not hide a fault of the program', async () => {
    const { ask } = session()
    await expect(ask(() => Promise.reject(new TypeError('oops')))).rejects.toThrow(TypeError)
  })
})
