import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/core/wizard/session.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest, runsOf } from '../support/hard.ts'
import { atLine, expectOnePaymentEach } from '../support/kills.ts'
import type { Life } from '../support/life.ts'
import { type Ending, register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import {
  type Carry,
  type Commanded,
  carryCommands,
  sessionWithoutKeystore,
} from '../support/wallet-machine.ts'
import { type LifeOptions, startWorld, type World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

type Elsewhere = { ending: Ending; session: Session }

/** A registration whose setup names no keystore, with a wallet on another machine. */
function registerElsewhere(world: World, carry: Carry, life: Life = world.begin()): Promise<Elsewhere> {
  return world.clock.flow(async () => {
    const session = await sessionWithoutKeystore(world, life)
    await carryCommands(world, session, carry)
    return { session, ending: await register(world, session) }
  })
}

const paste: Carry = ({ sign }) => sign()

/** The wallet sends by itself; nothing is brought back. */
const sendThere =
  (world: World, over: Partial<Commanded> = {}): Carry =>
  async ({ sign }) => {
    const user = await userOf(world.devnet)
    // The one that was sent before a restart may still wait for its block.
    await user.rpc('eth_sendRawTransaction', [await sign(over)]).catch(() => undefined)
    return undefined
  }

/** Both payments are on the chain once, as planned, from one account with two numbers. */
async function expectPaidOnce(world: World): Promise<void> {
  const user = await userOf(world.devnet)
  const planned = ['deposit', 'topup'].map((step) => {
    const plan = world.journal().findLast(({ type }) => type === `${step}.agreed`)?.data.plan
    return BigInt((plan as { valueWei: string }).valueWei) / 10n ** 9n
  })
  expect(await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey)).toEqual(planned)
  expect(Number(await user.rpc('eth_getTransactionCount', [user.address, 'pending']))).toBe(2)
}

const lines = (world: World, type: string) => world.journal().filter((line) => line.type === type)

describe('without a keystore a registration is paid from a wallet on another machine', () => {
  test('with the signed bytes pasted for one, and the path of a file that holds them for the other', async () => {
    const world = await openWorld()
    const { ending } = await registerElsewhere(world, async ({ step, sign }) => {
      if (step === 'deposit') return sign()
      const path = join(world.directory, 'topup.signed')
      writeFileSync(path, `${await sign()}\n`)
      return path
    })
    expect(ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })

  hardTest('although the wallet sends it by itself', async () => {
    const world = await openWorld()
    const { ending, session } = await registerElsewhere(world, sendThere(world))
    expect(ending).toEqual({ end: 'active' })
    await expectPaidOnce(world)
    expect(world.wire).toEqual([])
    expect(lines(world, 'deposit.found')).toHaveLength(1)
    expect(session.facts().deposit?.hash).toBe(lines(world, 'deposit.found')[0]?.data.hash)
  })
})

hardTest('the deposit is signed elsewhere by choice, the top-up by the keystore', async () => {
  const world = await openWorld()
  const ending = await world.clock.flow(async () => {
    const session = await world.session(world.begin())
    let chosen = false
    session.subscribe(({ step }) => {
      if (step !== 'deposit' || chosen) return
      chosen = true
      void session.dispatch({ step, type: 'signerChosen', external: true })
    })
    await carryCommands(world, session, paste)
    return register(world, session)
  })
  expect(ending).toEqual({ end: 'active' })
  await expectOnePaymentEach(world)
  const places = ['deposit', 'topup'].flatMap((step) =>
    lines(world, `${step}.prepared`).map(({ data }) => (data.draft as { signer: string }).signer),
  )
  expect(places).toEqual(['external', 'keystore'])
})

describe('bytes from the wallet machine', () => {
  const EDITS: readonly [field: string, over: Partial<Commanded>][] = [
    ['chain id', { chainId: 1 }],
    ['nonce', { nonce: 7 }],
    ['receiver', { to: '0x4242424242424242424242424242424242424243' }],
    ['value', { value: 10_001n * 10n ** 18n }],
    ['calldata', { data: '0x' }],
    ['gas limit', { gas: 499_999n }],
    ['highest fee per gas', { maxFeePerGas: 10n ** 12n }],
    ['highest tip per gas', { maxPriorityFeePerGas: 1n }],
  ]

  test('that are edited in any field are refused by its name, and nothing is lost by it', async () => {
    const world = await openWorld()
    const refusals: string[] = []
    let live: Session | undefined
    const carry: Carry = async ({ step, sign }) => {
      const session = live
      if (session === undefined) throw new Error('no session')
      for (const [field, over] of step === 'deposit' ? EDITS : []) {
        await session.dispatch({ step, type: 'imported', text: await sign(over) })
        const named = `another ${field} than`
        await until(session, (state) => state.deposit.failure?.shortMessage.includes(named) === true)
        refusals.push(field)
        expect(session.getState().deposit.payment).toMatchObject({ phase: 'exported', candidates: [] })
      }
      return sign()
    }
    const { ending } = await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, world.begin())
      live = session
      await carryCommands(world, session, carry)
      return { ending: await register(world, session) }
    })
    expect(refusals).toEqual(EDITS.map(([field]) => field))
    expect(ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })
})

describe('a process that dies while a wallet elsewhere is to sign', () => {
  /** Lets one process live until it dies, then another one to the end. */
  async function dieAndResume(options: LifeOptions, first: Carry, then: Carry, world: World): Promise<void> {
    const life = world.begin(options)
    const end = await world.clock.flow(() =>
      Promise.race([registerElsewhere(world, first, life).then(({ ending }) => ending.end), life.died]),
    )
    if (end === 'active') throw new Error('the process did not die')
    const { ending } = await registerElsewhere(world, then)
    expect(ending).toEqual({ end: 'active' })
  }

  const POINTS = ['deposit', 'topup'].flatMap((step) => [
    [`${step}.prepared`, 'before'] as const,
    [`${step}.prepared`, 'torn'] as const,
    [`${step}.prepared`, 'after'] as const,
    [`${step}.signed`, 'before'] as const,
    [`${step}.signed`, 'torn'] as const,
    [`${step}.signed`, 'after'] as const,
    [`${step}.handed-over`, 'after'] as const,
  ])

  hardTest.each(POINTS)('at the line %s (%s) is followed by one that pays once', async (type, cut) => {
    const world = await openWorld()
    await dieAndResume({ dies: atLine(type, cut) }, paste, paste, world)
    await expectOnePaymentEach(world)
  })

  hardTest.each(['deposit', 'topup'] as const)(
    'over the %s finds what the wallet sent meanwhile, and shows no command again',
    async (step) => {
      const world = await openWorld()
      const life = world.begin()
      const shownAgain: string[] = []
      const first: Carry = async (handed) => {
        if (handed.step !== step) return handed.sign()
        await sendThere(world)(handed)
        life.kill()
        return undefined
      }
      await world.clock.flow(() => Promise.race([registerElsewhere(world, first, life), life.died]))
      await world.clock.flow(() => world.clock.sleep(5000))
      const { ending } = await registerElsewhere(world, async (handed) => {
        shownAgain.push(handed.step)
        return handed.sign()
      })
      expect(ending).toEqual({ end: 'active' })
      expect(shownAgain).not.toContain(step)
      await expectPaidOnce(world)
    },
  )

  hardTest.each(['before', 'torn', 'after'] as const)(
    'at the line that says it was found (%s) is followed by one that finds it again',
    async (cut) => {
      const world = await openWorld()
      await dieAndResume({ dies: atLine('topup.found', cut) }, sendThere(world), sendThere(world), world)
      await expectPaidOnce(world)
    },
  )
})

hardTest(
  'processes that die with any request, while the wallet answers or sends by itself, pay once',
  async () => {
    const lives = fc.array(fc.record({ requests: fc.integer({ min: 1, max: 300 }), sends: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(lives, fc.boolean(), async (deaths, sendsLast) => {
        const world = await startWorld()
        try {
          for (const { requests, sends } of deaths) {
            let left = requests
            const life = world.begin({
              request() {
                left -= 1
                if (left === 0) life.kill()
              },
            })
            const carry = sends ? sendThere(world) : paste
            await world.clock.flow(() => Promise.race([registerElsewhere(world, carry, life), life.died]))
            life.kill()
            await life.died
          }
          const { ending } = await registerElsewhere(world, sendsLast ? sendThere(world) : paste)
          expect(ending).toEqual({ end: 'active' })
          await expectPaidOnce(world)
          expect(world.wire.filter(({ durable }) => !durable)).toEqual([])
        } finally {
          await world.end()
        }
      }),
      { numRuns: runsOf({ suite: 1, hard: 60 }), seed: 11, endOnFailure: true },
    )
  },
)
