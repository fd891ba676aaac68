import { describe, expect, test } from 'vitest'

import { holding, noState, wholeWay } from '../../../support/whole-way.ts'

const WEI = 10n ** 18n
const { rows } = wholeWay()

describe('before the first deposit', () => {
  test('a balance that suffices for it alone is told what the whole way lacks, and closes nothing', async () => {
    const { balance, way } = await rows(holding(10_002n * WEI))
    expect(balance).toMatch(/^proven 10,002 BERA, needs 10,000 \+ fee up to 0\.\d+$/)
    expect(way).toMatch(/^unknown 280,000\.\d+ BERA in all; 269,998\.\d+ short for a top-up of 270,000$/)
  })

  test('the whole way is counted with the fees of both, to the last digit', async () => {
    const said = async (balanceWei: bigint) => (await rows(holding(balanceWei))).way ?? ''
    const enough = await said(1_000_000n * WEI)
    expect(enough).toMatch(/^proven 280,000\.\d+ BERA [^;]* 270,000: [^;]*$/)
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
    expect(way).toMatch(/^unknown 280,000\.\d+ BERA [^;]*; [^;\d]*$/)
  })
})
