import { describe, expect, test } from 'vitest'
import { httpError } from '../../../../src/core/base/errors/http.ts'
import type { Liar } from '../../../support/gate-world.ts'
import { pattern } from '../../../support/pattern.ts'

import { holding, noState, wholeWay } from '../../../support/whole-way.ts'

const WEI = 10n ** 18n
const { rows, funds } = wholeWay()

/** What is said of an account that is short of the whole way, and enough for the first deposit or short of it, too. */
const shortBy = (holds: string, short: RegExp, first: 'enough' | 'short') =>
  first === 'enough'
    ? pattern`^unknown [^:]* ${holds} BERA: ${short} [^;]*, enough `
    : pattern`^unknown [^:]* ${holds} BERA: ${short} [^;]*, and short `

/** An execution client that answers all but this method. */
const silentOn =
  (method: string): Liar =>
  async ({ body = '' }) => {
    if (!body.includes(`"${method}"`)) return undefined
    throw httpError('http.unreachable', 'http://127.0.0.1:8545', 'closed')
  }

const NODE_IS_SILENT: Liar = async ({ url }) => {
  if (!url.includes('/eth/')) return undefined
  throw httpError('http.unreachable', 'http://127.0.0.1:3500', 'closed')
}

describe('before the first deposit is signed', () => {
  test('the page says what the whole way costs, beside what the account that pays holds', async () => {
    const { way, account } = await funds(holding(1_000_000n * WEI))
    expect(way).toMatch(
      /^proven 280,000\.\d+ BERA with fees: 10,000 \+ top-up 270,000; place \d+ of \d+, cutoff [\d,]+$/,
    )
    expect(account).toBe('proven holds 1,000,000 BERA: enough')
  })

  test('it is the amount that the gate of the deposit names', async () => {
    const { way: signing = '' } = await funds(undefined)
    const { way: sending = '' } = await rows(async () => undefined)
    const amountIn = (words: string) => /280,000\.\d+/.exec(words)?.[0]
    expect([amountIn(signing), amountIn(sending)]).toEqual([amountIn(sending), amountIn(sending)])
    expect(amountIn(sending)).toBeDefined()
  })

  test('what is short is named, and whether the first deposit can be paid at all: a remark that stops nothing', async () => {
    const some = await funds(holding(10_002n * WEI))
    expect(some.account).toMatch(shortBy('10,002', /269,998\.\d+/, 'enough'))
    const none = await funds(holding(5n * WEI))
    expect(none.account).toMatch(shortBy('5', /279,995\.\d+/, 'short'))
  })

  test('an amount that needs no top-up has one fee, and a part of a fee that lacks is short', async () => {
    const { way = '', account } = await funds(holding(300_000n * WEI), { amount: '300000' })
    expect(way).toMatch(/^proven 300,000\.\d+ BERA with fees: 300,000, no top-up; place /)
    expect(account).toMatch(shortBy('300,000', /0\.\d+/, 'short'))
  })

  test('a node that is silent leaves the whole way unknown: what the account holds is said, and compared with nothing', async () => {
    const { way, account } = await funds(NODE_IS_SILENT)
    expect(way).toMatch(/^unknown .*does not answer/)
    expect(account).toBe('unknown holds 1,000,000 BERA')
  })

  test('fees that nobody names, and a balance that is not told, are unknown too', async () => {
    const noFee = await funds(silentOn('eth_maxPriorityFeePerGas'))
    expect(noFee.way).toMatch(/^unknown 280,000 BERA and the fees: 10,000 \+ top-up 270,000; place /)
    expect(noFee.price).toMatch(/^unknown .*does not answer/)
    expect(noFee.account).toBe('unknown holds 1,000,000 BERA')
    const noBalance = await funds(silentOn('eth_getBalance'))
    expect(noBalance.way).toMatch(/^proven 280,000\./)
    expect(noBalance.account).toMatch(/^unknown .*does not answer/)
  })

  test('a set that nobody proves is said to be reported, and is no yes to an account that holds it all', async () => {
    const { way, account } = await funds(noState(500))
    expect(way).toMatch(/^unknown 280,000\.\d+ BERA .*; .*; /)
    expect(account).toBe('unknown holds 1,000,000 BERA: enough')
  })

  test('without a keystore it is not known which account pays', async () => {
    const { account } = await funds(undefined, { withoutKeystore: true })
    expect(account).toMatch(/^unknown [^\d]* 4 /)
  })
})
