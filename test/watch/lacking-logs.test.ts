import { describe, expect, test } from 'vitest'
import type { HttpReply } from '../../src/core/base/effects/effects.ts'
import { HARD } from '../support/hard.ts'
import { jsonReply } from '../support/snapshot-world.ts'
import { type Endpoint, type WatchBeside, watchBeside } from '../support/watch-beside.ts'

const failed = (code: number, message: string) =>
  jsonReply(200, { jsonrpc: '2.0', id: 0, error: { code, message } })
const LACKING: Readonly<Record<string, HttpReply>> = {
  'refuses the range': failed(-32_005, 'query returned more than 10000 results'),
  'does not have the method': failed(-32_601, 'the method eth_getLogs does not exist/is not available'),
  'fails with 500': { status: 500, headers: {}, body: new TextEncoder().encode('Internal Server Error') },
  'gives none': jsonReply(200, { jsonrpc: '2.0', id: 0, result: [] }),
  'gives too much': {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(`[${' '.repeat(5 * 1024 * 1024)}]`),
  },
}
/** Each of them, in the suite every other one, from the first or from the second on. */
const lacking = (from: 0 | 1) => Object.entries(LACKING).filter((_, at) => HARD || at % 2 === from)
const withoutLogs =
  (instead: HttpReply): Endpoint =>
  (method) =>
    method === 'eth_getLogs' ? { instead } : {}

/** Somebody deposits for the watched validator; its own execution client gives the events later. */
async function gift(it: WatchBeside) {
  it.beginStory()
  await it.user.topUp(10_000n, it.pubkey)
  await it.pass(6)
  const early = it.told.map(({ alarm, change }) => `${alarm} ${change}`)
  // By then the deposit is counted, and its alarm over.
  await it.pass(16)
  it.endpoints.own = () => ({})
  // It stands for a minute at least.
  await it.pass(60)
  const said = it.told.map(({ alarm, change }) => `${alarm} ${change}`)
  return { early, said, told: [...it.told] }
}

describe('an own execution client that, asked for deposit events,', () => {
  test.each(lacking(0))('%s: the next one gives them, and it is named', async (_, instead) => {
    const { early, said, told } = await watchBeside({ own: withoutLogs(instead), other: () => ({}) }, gift)
    expect(early.toSorted()).toEqual(['deposit-unexpected fired', 'execution-silent fired'])
    const named = told.find(({ alarm }) => alarm === 'execution-silent')
    expect(named?.title).toMatch(/127\.0\.0\.1:\d+/)
    // What the own one gives then is the same deposit: it is not told again.
    expect(said.filter((each) => each.startsWith('deposit-unexpected'))).toEqual([
      'deposit-unexpected fired',
      'deposit-unexpected cleared',
    ])
    expect(said.filter((each) => each.startsWith('execution-silent'))).toEqual([
      'execution-silent fired',
      'execution-silent cleared',
    ])
  })

  test.each(lacking(1))('%s: where no other is set, what came is told by the balance', async (_, instead) => {
    const { early, told } = await watchBeside({ own: withoutLogs(instead) }, gift)
    expect(early.toSorted()).toEqual(['deposit-unexpected fired', 'execution-silent fired'])
    expect(told.find(({ alarm }) => alarm === 'deposit-unexpected')?.title).toContain('10,000 BERA')
  })
})
