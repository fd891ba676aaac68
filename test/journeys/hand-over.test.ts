import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import type { BroadcastResult, PayingStep, PaymentState } from '../../src/core/pay/payment/payment.ts'
import { PAYMENT_ROWS_TEXT } from '../../src/core/pay/payment-view/rows-text.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { atLine, atSending, dieWhileRegistering, expectOnePaymentEach } from '../support/kills.ts'
import { anyNumbers } from '../support/pattern.ts'
import { type Ending, register } from '../support/register.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { madeOf } from '../support/stand-of.ts'
import { until } from '../support/two-machines.ts'
import { withSecond } from '../support/with-second.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const STEPS = ['deposit', 'topup'] as const
const LONG_MS = 20_000

const openWorld = worldsOfTests()

const paymentOf = (session: Session, step: PayingStep): PaymentState =>
  step === 'deposit' ? session.getState().deposit : session.getState().topup.send

/** What the step's screen says of the payment: its rows by id, its keys and its money. */
function screenOf(session: Session, step: PayingStep) {
  const view = viewOf(step, session.getState(), session)
  return {
    rows: Object.fromEntries(view.facts.map(({ id, mark, value }) => [id, `${mark} ${value}`])),
    keys: view.actions.map(({ key }) => key),
    money: view.money.line,
    waiting: view.waiting,
    view,
  }
}

type Fault = (asked: HttpRequest) => void

/** A registration of which the requests fail as `fault` says, once the bytes of the step are signed. */
function registration(world: World, step: PayingStep, input: { second: boolean; fault: Fault }) {
  let live: Session | undefined
  const isSigned = () => live !== undefined && madeOf(paymentOf(live, step)).hash !== undefined
  const life = world.begin({
    request(asked) {
      if (isSigned()) input.fault(asked)
    },
  })
  const begun = world.clock.flow(async () => {
    const session = input.second ? await withSecond(life, world.session(life)) : await world.session(life)
    live = session
    return { session, ending: register(world, session) }
  })
  return {
    /** The screen as soon as the payment is so. */
    when: (holds: (payment: PaymentState) => boolean) =>
      world.clock.flow(async () => {
        const { session, ending } = await begun
        ending.catch(() => undefined)
        await until(session, () => holds(paymentOf(session, step)))
        return screenOf(session, step)
      }),
    /** Once it is signed, and then some time later. */
    later: (delayMs: number) =>
      world.clock.flow(async () => {
        const { session, ending } = await begun
        ending.catch(() => undefined)
        await until(session, isSigned)
        await world.clock.sleep(delayMs)
        return session
      }),
    end: (): Promise<Ending> => world.clock.flow(async () => (await begun).ending),
  }
}

/** The row of an endpoint that did this with the bytes. */
function handedAs(result: BroadcastResult, times = 1): string {
  const { mark, value } = PAYMENT_ROWS_TEXT.handed({ endpoint: '', hash: '0x', times, result })
  return `${mark} ${value}`
}

describe('the own execution client stops between the signature and the handing over', () => {
  test.each(one(STEPS, 0))(
    'the second one, alive, is given the bytes, and each step is paid once: %s',
    async (step) => {
      const world = await openWorld()
      const { execution } = world.devnet.descriptor.urls
      let isDown = true
      const taken: string[] = []
      const journey = registration(world, step, {
        second: true,
        fault(asked) {
          if (isDown && asked.url.startsWith(execution))
            throw httpError('http.unreachable', execution, 'ECONNREFUSED')
          if (isDown && sentBytes(asked) !== undefined) taken.push(asked.url)
        },
      })
      const { rows, money } = await journey.when((payment) =>
        madeOf(payment).handed.some(({ result }) => result === 'taken'),
      )
      expect(taken.length, 'times that the second endpoint was given the bytes').toBe(1)
      expect(rows).toMatchObject({
        'handed.0': handedAs('unreachable', 0),
        'handed.1': handedAs('taken'),
      })
      expect(rows.hash).toBe(`proven ${PAYMENT_ROWS_TEXT.signed(1).value}`)
      expect(money).toMatch(anyNumbers(PAYMENT_TEXT.money.mayHaveLeft('1 BERA').line))
      await journey.later(LONG_MS)
      isDown = false
      expect(await journey.end()).toEqual({ end: 'active' })
      await expectOnePaymentEach(world)
    },
  )
})

describe('an endpoint that has heard of the bytes from the other one', () => {
  hardTest('says that it has them already: that is told as what it is, and decides nothing', async () => {
    const world = await openWorld()
    const journey = registration(world, 'deposit', { second: true, fault: () => undefined })
    const { rows, money } = await journey.when((payment) => {
      const { handed } = madeOf(payment)
      return handed.length === 2 && handed.every(({ result }) => result !== 'waits')
    })
    expect(Object.keys(rows)).toContain('handed.0')
    expect(new Set([rows['handed.0'], rows['handed.1']])).toEqual(
      new Set([handedAs('taken'), handedAs('has-it')]),
    )
    expect(money).toMatch(anyNumbers(PAYMENT_TEXT.money.mayHaveLeft('1 BERA').line))
    expect(await journey.end()).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })
})

describe('a process that dies over signed bytes is followed by one whose own endpoint is away', () => {
  /** The session of the next process some time after it has read the journal. */
  async function next(world: World, input: { second: boolean }) {
    const { execution } = world.devnet.descriptor.urls
    let isDown = true
    const life = world.begin({
      request({ url }) {
        if (isDown && url.startsWith(execution))
          throw httpError('http.unreachable', execution, 'ECONNREFUSED')
      },
    })
    const begun = world.clock.flow(async () => {
      // The chain of a journal is read from the endpoint: it goes away right after.
      isDown = false
      const session = input.second ? await withSecond(life, world.session(life)) : await world.session(life)
      session.subscribe((_, event) => {
        if (event.step === 'session' && event.type === 'opened') isDown = true
      })
      const ending = register(world, session)
      ending.catch(() => undefined)
      await until(session, ({ journal }) => journal.status === 'open')
      await world.clock.sleep(LONG_MS)
      return { session, ending }
    })
    const { session, ending } = await begun
    return {
      session,
      end: () =>
        world.clock.flow(() => {
          isDown = false
          return ending
        }),
    }
  }

  test('that were not handed over, by the journal: nothing has left, and no other endpoint decides alone', async () => {
    const world = await openWorld()
    await dieWhileRegistering(world, { dies: atLine('deposit.signed', 'after') })
    const { session, end } = await next(world, { second: true })
    const { rows, money, keys } = screenOf(session, 'deposit')
    expect(world.wire).toEqual([])
    expect(rows.hash).toBe(`proven ${PAYMENT_ROWS_TEXT.signed(0).value}`)
    expect(rows.tracking).toMatch(
      anyNumbers(
        PAYMENT_ROWS_TEXT.status({ is: 'world-unknown', why: GATE_TEXT.held.silent('127.0.0.1:1') }),
      ),
    )
    expect(money).toMatch(anyNumbers(PAYMENT_TEXT.money.signed('1 BERA').line))
    expect(keys).not.toContain('b')
    expect(await end()).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })

  hardTest('that were being handed over, by the journal: they may have left', async () => {
    const world = await openWorld()
    await dieWhileRegistering(world, { dies: atSending(1, 'before') })
    const { session, end } = await next(world, { second: false })
    const { rows, money } = screenOf(session, 'deposit')
    expect(rows.hash).toBe(`proven ${PAYMENT_ROWS_TEXT.signed(1).value}`)
    expect(rows['handed.0']).toBe(handedAs('no-reply'))
    expect(money).toMatch(anyNumbers(PAYMENT_TEXT.money.mayHaveLeft('1 BERA').line))
    expect(await end()).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })
})

describe('the seconds of a wait', () => {
  hardTest('go on from one look to the next', async () => {
    const world = await openWorld()
    const { execution } = world.devnet.descriptor.urls
    const journey = registration(world, 'deposit', {
      second: false,
      fault(asked) {
        if (sentBytes(asked) !== undefined) throw httpError('http.timeout', execution, 15_000)
      },
    })
    const session = await journey.later(LONG_MS)
    const { waiting } = screenOf(session, 'deposit')
    expect(waiting?.label).toBe(PAYMENT_TEXT.waiting.chain)
    const waitedMs = world.clock.monotonicMs() - (waiting?.sinceMs ?? Number.NaN)
    expect(waitedMs).toBeGreaterThan(LONG_MS - 1000)
  })

  hardTest('begin with the wait: none has passed right after a payment was agreed to', async () => {
    const world = await openWorld()
    const life = world.begin()
    const waits = await world.clock.flow(async () => {
      const session = await world.session(life)
      const seen: (number | undefined)[] = []
      session.subscribe((state, event) => {
        if (event.step !== 'deposit' || event.type !== 'agreed') return
        const { waiting } = viewOf('deposit', state, session)
        seen.push(waiting === undefined ? -1 : waiting.sinceMs)
      })
      // The checks of the gate were answered some seconds before Enter.
      const patient = {
        ...session,
        dispatch: async (event: Parameters<Session['dispatch']>[0]) => {
          if (event.step === 'deposit' && event.type === 'agreed') await world.clock.sleep(5000)
          return session.dispatch(event)
        },
      }
      await register(world, patient)
      return seen
    })
    expect(waits).toEqual([undefined])
  })
})
