import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpUnreachable } from '../../../../src/core/base/errors/http.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import {
  depositGate,
  type FundsInput,
  type GateInput,
  type Liar,
  signFunds,
} from '../../../support/gate-world.ts'
import { jsonReply } from '../../../support/snapshot-world.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

const WEI = 10n ** 18n

let devnet: Devnet
let directory: string
let end: () => Promise<void>

beforeAll(async () => {
  const started = await testDevnet({ seed: 'whole-way', scenario: 'set-full' })
  devnet = started.devnet
  directory = started.directory
  end = started.end
  await pass(devnet, 5)
})
afterAll(() => end())

/** The account holds this much, by every answer. */
const holding =
  (balanceWei: bigint): Liar =>
  async ({ body = '' }) => {
    if (!body.includes('"eth_getBalance"')) return undefined
    const { id } = JSON.parse(body) as { id: number }
    return jsonReply(200, { jsonrpc: '2.0', id, result: `0x${balanceWei.toString(16)}` })
  }

const rows = (liar: Liar, more: Partial<GateInput> = {}) => depositGate({ devnet, directory, liar, ...more })

const noState =
  (status: number): Liar =>
  async ({ url }) =>
    url.includes('/eth/v2/debug/beacon/states/')
      ? jsonReply(status, { code: status, message: 'endpoint x is not yet implemented' })
      : undefined

describe('before the first deposit', () => {
  test('a balance that suffices for it alone is told what the whole way lacks, and closes nothing', async () => {
    const { balance, way } = await rows(holding(10_002n * WEI))
    expect(balance).toMatch(/^proven 10,002 BERA, needs 10,000 \+ fee up to 0\.\d+$/)
    expect(way).toMatch(/^unknown 280,000\.\d+ BERA in all; 269,998\.\d+ short for a top-up of 270,000$/)
  })

  test('the whole way is counted with the fees of both, to the last digit', async () => {
    const said = async (balanceWei: bigint) => (await rows(holding(balanceWei))).way ?? ''
    const enough = await said(1_000_000n * WEI)
    expect(enough).toMatch(
      /^proven 280,000\.\d+ BERA in all, with a top-up of 270,000: the account holds it$/,
    )
    const [, whole = '', part = ''] = /([\d,]+)\.(\d+) BERA/.exec(enough) ?? []
    const allWei = BigInt(whole.replaceAll(',', '')) * WEI + BigInt(part.padEnd(18, '0'))
    expect(await said(allWei)).toBe(enough)
    expect(await said(allWei - 1n)).toContain('; 0.000000000000000001 short for a top-up of 270,000')
  })

  test('a balance that lacks one wei is not rounded to what is needed', async () => {
    const { balance: words = '' } = await rows(holding(10_000n * WEI))
    const [, part = ''] = /needs 10,000 \+ fee up to 0\.(\d+)/.exec(words) ?? []
    const neededWei = 10_000n * WEI + BigInt(part.padEnd(18, '0'))
    const { balance } = await rows(holding(neededWei - 1n))
    expect(balance).toContain('; 0.000000000000000001 short')
  })

  test('a set that nobody proves is said to be reported', async () => {
    const { way } = await rows(noState(500))
    expect(way).toMatch(/^unknown 280,000\.\d+ BERA in all, .*; the set is reported, not proven$/)
  })
})

const funds = (liar: Liar | undefined, more: Partial<FundsInput> = {}) =>
  signFunds({ devnet, directory, ...(liar === undefined ? {} : { liar }), ...more })

/** An execution client that answers all but this method. */
const silentOn =
  (method: string): Liar =>
  async ({ body = '' }) => {
    if (!body.includes(`"${method}"`)) return undefined
    throw httpUnreachable('http://127.0.0.1:8545', 'closed')
  }

const NODE_IS_SILENT: Liar = async ({ url }) => {
  if (!url.includes('/eth/')) return undefined
  throw httpUnreachable('http://127.0.0.1:3500', 'closed')
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
    expect(some.account).toMatch(
      /^unknown holds 10,002 BERA: 269,998\.\d+ short of all, enough for the first deposit$/,
    )
    const none = await funds(holding(5n * WEI))
    expect(none.account).toMatch(
      /^unknown holds 5 BERA: 279,995\.\d+ short of all, and short of the first deposit$/,
    )
  })

  test('an amount that needs no top-up has one fee, and a part of a fee that lacks is short', async () => {
    const { way = '', account } = await funds(holding(300_000n * WEI), { amount: '300000' })
    expect(way).toMatch(/^proven 300,000\.\d+ BERA with fees: 300,000, no top-up; place /)
    expect(account).toMatch(
      /^unknown holds 300,000 BERA: 0\.\d+ short of all, and short of the first deposit/,
    )
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
    expect(way).toMatch(/^unknown 280,000\.\d+ BERA with fees: .*; the set is reported, not proven$/)
    expect(account).toBe('unknown holds 1,000,000 BERA: enough')
  })

  test('without a keystore it is not known which account pays', async () => {
    const { account } = await funds(undefined, { withoutKeystore: true })
    expect(account).toBe('unknown not known yet: step 4 asks for the paying account')
  })
})
