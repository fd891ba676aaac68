import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { PAYMENT_ROWS_TEXT } from '../../src/core/pay/payment-view/rows-text.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { type Call, standingAccount } from '../support/contract-account.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { paymentIn, registerByOwners, type SavedCall } from '../support/exported-calls.ts'
import { hardTest } from '../support/hard.ts'
import { SAFE_CONTRACTS } from '../support/safe-contracts.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const FIRST = tokens(10_000n)
const TOP_UP = tokens(270_000n)
const SLOTS_UNTIL_LOOKED_AT_MS = 5000

const openWorld = worldsOfTests()

test('the contracts of the package are those that Berachain has: the same code makes the same addresses', () => {
  expect(SAFE_CONTRACTS).toEqual({
    singleton: '0xEdd160fEBBD92E350D4D398fb636302fccd67C7e',
    proxyFactory: '0x14F2982D601c9458F93bd70B218933A6f8165e7b',
    multiSend: '0xA83c336B20401Af773B6219BA5027174338D1836',
  })
})

describe('a Safe of which two of three owners sign pays', () => {
  test('the deposit and the top-up, from the files for its Transaction Builder; nothing is signed or sent from here', async () => {
    const world = await openWorld()
    const safe = await standingAccount(world)
    const saved: SavedCall[] = []
    const executions: Hex[] = []
    const { session, ending } = await registerByOwners(world, safe.address, async (one) => {
      saved.push(one)
      const { call, step } = one
      // The builder puts one call straight and several through a contract that runs them for the Safe.
      executions.push(
        step === 'deposit' ? await safe.carryOut(call) : await safe.carryOut([call], { by: 'a relayer' }),
      )
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await ownDeposits(world)).toEqual([FIRST, TOP_UP])
    expect(await Promise.all(executions.map(safe.outcome))).toEqual(['ExecutionSuccess', 'ExecutionSuccess'])
    expect(world.wire).toEqual([])

    const [file] = saved
    expect(JSON.parse(readFileSync(file?.path ?? '', 'utf8'))).toEqual({
      version: '1.0',
      chainId: String(world.devnet.descriptor.chainId),
      createdAt: expect.any(Number),
      meta: {
        name: expect.any(String),
        description: expect.any(String),
        createdFromSafeAddress: safe.address,
        createdFromOwnerAddress: '',
        checksum: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
      transactions: [
        {
          to: '0x4242424242424242424242424242424242424242',
          value: (10n ** 22n).toString(),
          data: paymentIn(session, 'deposit').data,
        },
      ],
    })
    for (const { path } of saved) expect(statSync(path).mode & 0o777).toBe(0o600)

    const row = (id: string) => file?.gate?.checks.find((check) => check.id === id)
    expect(row('sender')).toMatchObject({
      mark: 'proven',
      value: expect.stringContaining(PAYMENT_ROWS_TEXT.exported.contract.from.value),
      long: safe.address,
    })
    expect(row('nonce'), 'the nonce of an account that sends nothing itself').toBeUndefined()
    const found = viewOf('deposit', session.getState(), session).facts.find(({ id }) => id === 'found.0')
    expect(found?.value).toBe(PAYMENT_ROWS_TEXT.found({ nonce: undefined, amount: undefined }, true).value)
    expect(row('balance')?.value).toBe('1,000,000 BERA, needs 10,000')
    expect(row('dryRun')?.value).toMatch(/^accepted, about \d+ gas$/)
    expect(session.facts().deposit).toMatchObject({ contract: true, feeWei: 0n })
    const rows = viewOf('confirm', session.getState(), session).facts
    expect(rows.find(({ id }) => id === 'balance')).toMatchObject({
      mark: 'unasked',
      value: `not compared: ${PAYMENT_ROWS_TEXT.exported.contract.from.value}`,
    })
  })

  hardTest(
    'nothing while the inner call fails in a transaction that is carried out, and once after that',
    async () => {
      const world = await openWorld()
      const safe = await standingAccount(world)
      const failed: Hex[] = []
      const seen: unknown[] = []
      const { session, ending } = await registerByOwners(world, safe.address, async (saved) => {
        const { call, step } = saved
        failed.push(await safe.carryOut(call, { innerGas: 10_000n }))
        failed.push(await safe.carryOut({ ...call, value: 10n ** 30n }))
        await world.clock.resting.sleep(SLOTS_UNTIL_LOOKED_AT_MS)
        const { isShown, said } = paymentIn(saved.session, step)
        const deposits = await ownDeposits(world)
        seen.push({ isShown, notThere: said === 'not found', deposits })
        await safe.carryOut(call)
      })
      expect(ending).toEqual({ end: 'active' })
      const unpaid = { isShown: true, notThere: true }
      expect(seen).toEqual([
        { ...unpaid, deposits: [] },
        { ...unpaid, deposits: [FIRST] },
      ])
      const both = ['ExecutionFailure', 'reverted']
      expect(await Promise.all(failed.map(safe.outcome))).toEqual([...both, ...both])
      expect(await ownDeposits(world)).toEqual([FIRST, TOP_UP])
      expect(session.facts().deposit).toMatchObject({ contract: true, feeWei: 0n })
    },
  )

  hardTest('something else than was exported: it does not count, and nothing more is shown', async () => {
    const world = await openWorld()
    const safe = await standingAccount(world)
    const { session, ending } = await registerByOwners(world, safe.address, ({ call }) =>
      safe.carryOut({ ...call, value: call.value + 10n ** 18n }),
    )
    expect(ending.end).toBe('waiting')
    expect(session.facts().deposit).toBeUndefined()
    const { isExported, isShown, said } = paymentIn(session, 'deposit')
    expect({ isExported, isShown }).toEqual({ isExported: true, isShown: false })
    expect(said).toContain(PAYMENT_ROWS_TEXT.status({ is: 'other-deposit' }))
    const { fields, commands } = viewOf('deposit', session.getState(), session)
    expect({ fields, commands }).toEqual({ fields: [], commands: [] })
  })

  hardTest('the same top-up twice: the second one is found before another is prepared', async () => {
    const world = await openWorld()
    const safe = await standingAccount(world)
    const calls: Call[] = []
    const { session, ending } = await registerByOwners(world, safe.address, ({ call }) => {
      calls.push(call)
      return safe.carryOut(call)
    })
    expect(ending).toEqual({ end: 'active' })
    const [, topUp] = calls
    await world.clock.flow(async () => {
      if (topUp !== undefined) await safe.carryOut(topUp)
      await world.clock.sleep(3000)
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.dispatch({ step: 'topup', type: 'reopened' })
      await session.dispatch({ step: 'topup', type: 'chosen', text: '10000' })
      await world.clock.sleep(15_000)
    })
    const { finishedWei, isEnded } = paymentIn(session, 'topup')
    expect({ finished: finishedWei.length, isEnded }).toEqual({ finished: 2, isEnded: true })
    expect(await ownDeposits(world)).toEqual([FIRST, TOP_UP, TOP_UP])
    expect(world.journal().filter(({ type }) => type === 'topup.agreed')).toHaveLength(1)
  })

  hardTest('one of two top-ups that were abandoned: it is found as the one that it is', async () => {
    const world = await openWorld()
    const safe = await standingAccount(world)
    const values: bigint[] = []
    const { session } = await registerByOwners(world, safe.address, async ({ step, call, session }) => {
      if (step === 'deposit') return safe.carryOut(call)
      values.push(call.value)
      await session.dispatch({ step, type: 'abandoned' })
      if (values.length === 1) return session.dispatch({ step, type: 'chosen', text: '280000' })
      await safe.carryOut(call)
      await world.devnet.advanceSlot()
      return session.dispatch({ step, type: 'checkAsked' })
    })
    expect(new Set(values).size).toBe(2)
    const { valueWei, finishedWei, abandonedWei } = paymentIn(session, 'topup')
    expect(valueWei).toBe(values[1])
    expect(finishedWei).toEqual([values[1]])
    expect(abandonedWei).toEqual([values[0]])
  })

  test('the same top-up twice in one transaction: what is proposed next rests on both', async () => {
    const world = await openWorld()
    const safe = await standingAccount(world)
    const { session, ending } = await registerByOwners(world, safe.address, ({ call, step }) =>
      safe.carryOut(step === 'deposit' ? call : [call, call]),
    )
    expect(ending).toEqual({ end: 'active' })
    await world.clock.flow(async () => {
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.dispatch({ step: 'topup', type: 'reopened' })
      await session.dispatch({ step: 'topup', type: 'chosen', text: '10000' })
      await world.clock.sleep(5000)
    })
    const proposed = viewOf('topup', session.getState(), session).facts.find(({ id }) => id === 'amount')
    expect(proposed?.label).toBe('+10,000 → 560,000')
    expect(await ownDeposits(world)).toEqual([FIRST, TOP_UP, TOP_UP])
  })
})
