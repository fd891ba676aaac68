import { describe, expect, test } from 'vitest'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { formatGwei } from '../../src/core/base/format/amount.ts'
import { STANDING_TEXT } from '../../src/core/chain/key-state/standing-text.ts'
import { EVIDENCE_TEXT } from '../../src/core/view/text.ts'
import { namedWorld, userKeyOfNobody } from '../support/named-world.ts'
import { anyNumbers, pattern } from '../support/pattern.ts'
import { runCommandWith } from '../support/run-command.ts'

const SIGNED = EVIDENCE_TEXT.signed({ percent: 100, height: 7n, by: '', leftOut: [] })

const { effects, look, row, newcomer, withoutState } = namedWorld()

describe('the outlook', () => {
  test('is told with a look and with a plan, and how far it is proven', async () => {
    const ended = await look(status, ['--validator', '0', '--json'])
    expect(row(ended, 'outlook')).toMatchObject({ mark: 'proven' })
    expect(row(ended, 'outlook')?.value).toMatch(/ 5 epoch boundaries/)
    expect(row(ended, 'set')).toMatchObject({ mark: 'proven' })
    expect(row(ended, 'set')?.value).toMatch(pattern` slot \d+, ${anyNumbers(SIGNED)}$`)
    const plan = await look(topUpPlanCommand, ['--validator', '0', '--json'])
    expect(row(plan, 'outlook')).toMatchObject({ mark: 'proven', value: row(ended, 'outlook')?.value })
  })

  test('is reported, not proven, where the node does not offer its state', async () => {
    const ended = await look(topUpPlanCommand, ['--validator', '0', '--json'], withoutState())
    expect(row(ended, 'set')).toMatchObject({ mark: 'unasked' })
    expect(row(ended, 'set')?.value).toContain('reported, not proven')
    expect(row(ended, 'record')?.value).toMatch(pattern`^proven .*${anyNumbers(SIGNED)}$`)
  })
})

describe('a plan for a validator of a staking pool', () => {
  test.each([[[]], [['--amount', '10000']]])('says no, whatever the amount: %j', async (amount) => {
    const ended = await look(topUpPlanCommand, ['--validator', '5', ...amount, '--json'])
    expect(ended.code).toBe(1)
    const outcome = amount.length === 0 ? {} : { outcome: 'gift' }
    expect(ended.json()).toMatchObject({ impossible: 'pool', ...outcome })
  })
})

describe('a plan for a key that is still to be made', () => {
  const plan = (...argv: string[]) => look(topUpPlanCommand, [...argv, '--json'])

  test('needs no home: it says what a place needs in all', async () => {
    const ended = await plan()
    expect(ended.code).toBe(0)
    const { wholeWayGwei } = ended.json() as unknown as { wholeWayGwei: string }
    expect(BigInt(wholeWayGwei)).toBeGreaterThan(270_000n * 10n ** 9n)
    expect(row(ended, 'entry')).toMatchObject({ mark: 'proven' })
    const all = formatGwei(BigInt(wholeWayGwei))
    expect(ended.json().sentence).toBe(`A place needs ${all} BERA in all now.`)
    expect((await plan('--amount', all)).code).toBe(0)
    const less = await plan('--amount', formatGwei(BigInt(wholeWayGwei) - 1n))
    expect([less.code, less.json().sentence]).toEqual([1, expect.stringContaining(` ${all} BERA `)])
  })

  test('asks nobody whom nobody named', async () => {
    const ended = await runCommandWith(
      topUpPlanCommand,
      ['--network', 'mainnet', '--home', '/nowhere', '--json'],
      effects(),
    )
    expect(ended.code).toBe(2)
    expect(ended.words).toMatch(/--execution URL .*--node URL/)
  })
})

describe('what exactly one amount does', () => {
  const planOf = async (amount: string, validator?: string) =>
    look(topUpPlanCommand, ['--validator', validator ?? (await newcomer()), '--amount', amount, '--json'])

  test('is that it keeps a place: rank, margin, epoch', async () => {
    const plan = await planOf('270,000')
    expect(plan.code).toBe(0)
    expect(row(plan, 'outcome')).toMatchObject({ mark: 'proven', value: expect.any(String) })
    expect(row(plan, 'place')?.value).toMatch(/^12th for 12 places, 10,000 BERA above the cutoff$/)
    expect(row(plan, 'activation')?.value).toMatch(/^active from epoch \d+ on$/)
    expect(row(plan, 'stake')?.value).toMatch(/^280,000 BERA, effective 280,000$/)
    expect(plan.json()).toMatchObject({ amountGwei: '270000000000000', outcome: 'keeps-place' })
  })

  test('is that the validator would be out at once', async () => {
    const plan = await planOf('240000')
    expect(plan.code).toBe(1)
    expect(row(plan, 'outcome')).toMatchObject({ mark: 'refused' })
    expect(row(plan, 'outcome')?.value).toMatch(pattern`^.* epoch \d+; ${STANDING_TEXT.outForEver}`)
    expect(row(plan, 'place')?.value).toMatch(/^13th for 12 places/)
    expect(plan.json()).toMatchObject({ outcome: 'lost-at-once' })
  })

  test('is that it stays below the threshold, which loses nothing', async () => {
    const plan = await planOf('100,000.000000001')
    expect(plan.code).toBe(0)
    expect(row(plan, 'outcome')).toMatchObject({
      mark: 'unasked',
      value: expect.stringMatching(/ 110,000 BERA, 140,000 /),
    })
  })

  test('is that it is burnt, where the chain does not know the key', async () => {
    const plan = await planOf('260000', userKeyOfNobody())
    expect(plan.code).toBe(1)
    expect(row(plan, 'outcome')).toMatchObject({ mark: 'refused' })
    expect(plan.json()).toMatchObject({ outcome: 'burnt' })
  })

  test.each([
    ['9999', 'The least is 10,000 BERA'],
    ['10000001', 'The most is 10,000,000 BERA'],
    ['1,00,000', 'Type digits'],
    ['1e6', 'Type digits'],
    ['', 'Type digits'],
  ])('is nothing where it is no amount: %j', async (amount, words) => {
    const { code, err } = await look(topUpPlanCommand, ['--validator', '0', `--amount=${amount}`])
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  test('is that what is above the maximum comes back', async () => {
    const plan = await planOf('9,999,000', '0')
    expect(plan.code).toBe(1)
    expect(row(plan, 'outcome')?.value).toMatch(/ BERA .* 10,000,000$/)
  })
})
