import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { liveOf, paymentBytes, timesSent } from '../../src/core/pay/payment/candidates.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { fieldsOf } from '../support/keeping-pool.ts'
import { atSignature } from '../support/kills.ts'
import { strangerPays } from '../support/other-hands.ts'
import { register } from '../support/register.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { standOf } from '../support/stand-of.ts'
import { until } from '../support/two-machines.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** As long as a long password takes: many times the pause between two attempts. */
const AT_THE_PROMPT_MS = 60_000

const FIRST_WEI = gweiToWei(tokens(10_000n))

/** How the prompt for the cancellation's password ends. */
type AtPrompt = 'signs' | 'leaves' | 'dies'

/** A machine whose endpoint takes the bytes of a payment and loses them, as long as `loses`. */
function losing(world: World, atPrompt: () => AtPrompt, loses: (valueWei: bigint) => boolean = () => true) {
  const given: Hex[] = []
  const lifeOptions = {
    mutate: (effects: Effects): Effects => ({
      ...effects,
      http: {
        async request(request) {
          const raw = sentBytes(request)
          if (raw === undefined || fieldsOf(raw).value === 0n) return effects.http.request(request)
          given.push(raw)
          if (!loses(fieldsOf(raw).value)) return effects.http.request(request)
          const { id } = JSON.parse(request.body ?? '{}') as { id: number }
          const body = JSON.stringify({ jsonrpc: '2.0', id, result: keccak256(raw) })
          const headers = { 'content-type': 'application/json' }
          return { status: 200, headers, body: new TextEncoder().encode(body) }
        },
      },
      signer: {
        ...effects.signer,
        async signTransaction(request) {
          if (request.transaction.valueWei > 0n) return effects.signer.signTransaction(request)
          await world.clock.resting.sleep(AT_THE_PROMPT_MS)
          if (atPrompt() === 'leaves') throw walletError('keystore.wrong-password')
          return effects.signer.signTransaction(request)
        },
      },
    }),
  }
  // The second signature is that of the cancellation.
  const dies = atPrompt() === 'dies' ? atSignature(2, 'before') : undefined
  return {
    given,
    begin: () => world.begin({ ...lifeOptions, ...(dies === undefined ? {} : { dies }) }),
    goOn: () => world.begin(lifeOptions),
  }
}

/** Agrees to cancel the first deposit once it waits for long. */
async function agreeToCancel(session: Session): Promise<void> {
  await until(session, ({ deposit }) => deposit.memory.isStuck)
  await session.dispatch({ step: 'deposit', type: 'quoteAsked', kind: 'cancellation' })
  await until(session, ({ deposit }) => deposit.quote?.price.status === 'known')
  const { quote } = session.getState().deposit
  if (quote?.price.status !== 'known') throw new Error('there is no price')
  const { transaction } = quote.price.value
  const replacement = { kind: 'cancellation', transaction } as const
  await session.dispatch({ step: 'deposit', type: 'replacing', replacement })
}

/** A first deposit that every endpoint has lost, with the consent to cancel it in the journal. */
async function consentToCancel(atPrompt: () => AtPrompt, loses?: () => boolean) {
  const world = await openWorld()
  const machine = losing(world, atPrompt, loses)
  const life = machine.begin()
  const session = await world.clock.flow(async () => {
    const begun = await world.session(life)
    register(world, begun).catch(() => undefined)
    await Promise.race([agreeToCancel(begun), life.died])
    return begun
  })
  expect(world.journal().map(({ type }) => type)).toContain('deposit.replacing')
  return { world, machine, life, session, sentBefore: machine.given.length }
}

const keysOf = (session: Session) =>
  viewOf('deposit', session.getState(), session).actions.map(({ key, typed }) => [key, typed])

describe('after the consent to cancel', () => {
  test('nothing of the payment leaves while the password is typed, and the cancellation is sent', async () => {
    const { world, machine, session, sentBefore } = await consentToCancel(() => 'signs')
    await world.clock.flow(() => until(session, ({ deposit }) => standOf(deposit) === 'cancelled'))
    expect(machine.given.length).toBe(sentBefore)
    expect(await ownDeposits(world)).toEqual([])
  })

  test('nothing of the payment leaves once the prompt is left, until a word sends it again', async () => {
    let isLost = true
    const { world, machine, session, sentBefore } = await consentToCancel(
      () => 'leaves',
      () => isLost,
    )
    await world.clock.flow(async () => {
      await until(session, ({ deposit }) => deposit.failure !== undefined)
      await world.clock.sleep(AT_THE_PROMPT_MS)
    })
    expect(machine.given.length).toBe(sentBefore)
    expect(viewOf('deposit', session.getState(), session).problem?.id).toBe('payment.not-canceled')
    expect(keysOf(session)).toEqual(
      expect.arrayContaining([
        ['x', undefined],
        ['a', 'send again'],
      ]),
    )
    isLost = false
    await world.clock.flow(async () => {
      await session.dispatch({ step: 'deposit', type: 'sending-again' })
      await until(session, ({ deposit }) => standOf(deposit) === 'paid')
    })
    expect(machine.given.length).toBeGreaterThan(sentBefore)
  })

  test('a process that begins after a crash at the prompt sends nothing of the payment', async () => {
    const { world, machine, life, sentBefore } = await consentToCancel(() => 'dies')
    await life.died
    const session = await world.clock.flow(async () => {
      const begun = await world.session(machine.goOn())
      register(world, begun).catch(() => undefined)
      await until(begun, ({ deposit }) => liveOf(deposit) !== undefined)
      await world.clock.sleep(AT_THE_PROMPT_MS)
      return begun
    })
    expect(machine.given.length).toBe(sentBefore)
    expect(paymentBytes(session.getState().deposit)?.kind).toBe('payment')
    expect(keysOf(session)).toEqual(expect.arrayContaining([['a', 'send again']]))
    expect(await ownDeposits(world)).toEqual([])
  })
})

test('a top-up that its endpoint lost is not given to it again once another account has paid for the key', async () => {
  const world = await openWorld()
  const machine = losing(
    world,
    () => 'signs',
    (valueWei) => valueWei > FIRST_WEI,
  )
  const given = () => machine.given.filter((raw) => fieldsOf(raw).value > FIRST_WEI).length
  await world.clock.flow(async () => {
    const session = await world.session(machine.begin())
    register(world, session).catch(() => undefined)
    await until(session, ({ topup }) => timesSent(topup.send) > 0)
    await strangerPays(world, world.clock.sleep)
  })
  const before = given()
  await world.clock.flow(() => world.clock.sleep(AT_THE_PROMPT_MS))
  expect(given()).toBe(before)
  expect(await ownDeposits(world)).toEqual([tokens(10_000n), tokens(270_000n)])
})
