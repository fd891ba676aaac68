import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { viewOf } from '../../src/compose/fact-lines.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import type { Session } from '../../src/core/session.ts'
import { draftOf, planOf } from '../../src/core/steps/payment/candidates.ts'
import type { Payer, PaymentState } from '../../src/core/steps/payment/payment.ts'
import { contractAccount } from '../support/contract-account.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { type Ending, register } from '../support/register.ts'
import { standOf } from '../support/stand-of.ts'
import { userOf } from '../support/user-of.ts'
import { sessionWithoutKeystore } from '../support/wallet-machine.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

type Batch = { to: string; value: string; data: Hex }
type Saved = { step: Payer; path: string; call: Batch; session: Session }

/** A registration paid by a contract account: each file that is saved is given to its owners, once. */
function registerBy(
  world: World,
  owners: (saved: Saved) => Promise<void>,
): Promise<{ session: Session; ending: Ending }> {
  return world.clock.flow(async () => {
    const { address } = await contractAccount(world.devnet)
    const session = await sessionWithoutKeystore(world, world.begin())
    const done = new Set<string>()
    const once = (name: string, does: () => void) => {
      if (done.has(name)) return
      done.add(name)
      does()
    }
    session.subscribe((state) => {
      for (const step of ['deposit', 'topup'] as const) {
        const payment: PaymentState = step === 'deposit' ? state.deposit : state.topup.send
        if (state.step === step && viewOf(step, state, session).activeField === 'payer')
          void session.dispatch({ step, type: 'senderTyped', text: address })
        if (payment.watch.shown !== undefined && standOf(payment) === 'exported')
          once(`${step} ${payment.ordinal}`, () => void session.dispatch({ step, type: 'saveAsked' }))
        const path = payment.savedPath
        if (path === undefined) continue
        once(path, () => {
          const { transactions } = JSON.parse(readFileSync(path, 'utf8')) as { transactions: Batch[] }
          const [call] = transactions
          if (call !== undefined) void world.clock.during(() => owners({ step, path, call, session }))
        })
      }
    })
    return { session, ending: await register(world, session) }
  })
}

const paid = async (world: World) => {
  const { pubkey } = await userOf(world.devnet)
  return depositsOf(world.devnet.descriptor.urls.execution, pubkey)
}

describe('a contract account pays', () => {
  test('the deposit and the top-up, carried out by its owners; nothing is signed or sent from here', async () => {
    const world = await openWorld()
    const files: string[] = []
    const { session, ending } = await registerBy(world, async ({ path, call }) => {
      files.push(path)
      const safe = await contractAccount(world.devnet)
      await safe.carryOut({ value: BigInt(call.value), data: call.data })
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await paid(world)).toHaveLength(2)
    expect(world.wire).toEqual([])
    expect(session.facts().deposit).toMatchObject({ contract: true, feeWei: 0n })
    const rows = viewOf('confirm', session.getState(), session).facts
    expect(rows.find(({ id }) => id === 'balance')).toMatchObject({
      mark: 'unasked',
      value: 'a contract account: says nothing',
    })
    for (const path of files) expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('by a file that the Transaction Builder reads', async () => {
    const world = await openWorld()
    let saved: Saved | undefined
    const { session } = await registerBy(world, async (one) => {
      saved ??= one
    })
    const draft = draftOf(session.getState().deposit)
    expect(JSON.parse(readFileSync(saved?.path ?? '', 'utf8'))).toEqual({
      version: '1.0',
      chainId: String(world.devnet.descriptor.chainId),
      createdAt: expect.any(Number),
      meta: {
        name: expect.any(String),
        description: expect.any(String),
        createdFromSafeAddress: draft?.from,
        createdFromOwnerAddress: '',
      },
      transactions: [
        {
          to: '0x4242424242424242424242424242424242424242',
          value: (10n ** 22n).toString(),
          data: draft?.transaction.data,
        },
      ],
    })
    const view = viewOf('deposit', session.getState(), session)
    expect([view.fields, view.commands]).toEqual([[], []])
  })

  test('something else than was handed out: it does not count, and nothing more is shown', async () => {
    const world = await openWorld()
    const { session, ending } = await registerBy(world, async ({ call }) => {
      const safe = await contractAccount(world.devnet)
      await safe.carryOut({ value: BigInt(call.value) + 10n ** 18n, data: call.data })
    })
    expect(ending.end).toBe('waiting')
    expect(session.facts().deposit).toBeUndefined()
    const { deposit } = session.getState()
    expect([standOf(deposit), deposit.watch.shown]).toEqual(['exported', undefined])
    expect(deposit.tracking).toMatchObject({ value: { is: 'other-deposit' } })
  })

  test('the same top-up twice: the second one is found before another is prepared', async () => {
    const world = await openWorld()
    let topUp: Batch | undefined
    const { session, ending } = await registerBy(world, async ({ step, call }) => {
      const safe = await contractAccount(world.devnet)
      if (step === 'topup') topUp = call
      await safe.carryOut({ value: BigInt(call.value), data: call.data })
    })
    expect(ending).toEqual({ end: 'active' })
    const safe = await contractAccount(world.devnet)
    await world.clock.flow(async () => {
      await safe.carryOut({ value: BigInt(topUp?.value ?? 0), data: topUp?.data ?? '0x' })
      await world.clock.sleep(3000)
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.dispatch({ step: 'topup', type: 'reopened' })
      await session.dispatch({ step: 'topup', type: 'chosen', text: '10000' })
      await world.clock.sleep(15_000)
    })
    const { finished, send } = session.getState().topup
    expect(finished).toHaveLength(2)
    expect(standOf(send)).toBe('paid')
    expect(await paid(world)).toHaveLength(3)
    expect(world.journal().filter(({ type }) => type === 'topup.agreed')).toHaveLength(1)
  })

  test('one of two top-ups that were given up: it is found as the one that it is', async () => {
    const world = await openWorld()
    const values: bigint[] = []
    const { session } = await registerBy(world, async ({ step, call, session }) => {
      const safe = await contractAccount(world.devnet)
      if (step === 'deposit') return safe.carryOut({ value: BigInt(call.value), data: call.data })
      values.push(BigInt(call.value))
      await session.dispatch({ step, type: 'abandoned' })
      if (values.length === 1) {
        await session.dispatch({ step, type: 'chosen', text: '280000' })
        return
      }
      await safe.carryOut({ value: BigInt(call.value), data: call.data })
      await world.devnet.advanceSlot()
      await session.dispatch({ step, type: 'checkAsked' })
    })
    expect(new Set(values).size).toBe(2)
    const { send, finished } = session.getState().topup
    expect(planOf(send)?.valueWei).toBe(values[1])
    expect(finished.map(({ valueWei }) => valueWei)).toEqual([values[1]])
    expect(send.abandoned.map(({ transaction }) => transaction.valueWei)).toEqual([values[0]])
  })
})
