import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import { liveOf } from '../../src/core/pay/payment/candidates.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { TOPUP_TEXT } from '../../src/core/steps/topup/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { SECOND } from '../support/adopting.ts'
import { answering } from '../support/answering.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { emptyPool } from '../support/empty-pool.ts'
import { hardTest } from '../support/hard.ts'
import { atSending, dieWhileRegistering } from '../support/kills.ts'
import { strangerPays } from '../support/other-hands.ts'
import { anyNumbers } from '../support/pattern.ts'
import { beginWithSecond, decided, sessionOfKind, silentAt } from '../support/real-money.ts'
import { type Ending, register } from '../support/register.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { madeOf, standOf } from '../support/stand-of.ts'
import { until } from '../support/two-machines.ts'
import { withSecond } from '../support/with-second.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const PAID_ONCE = [tokens(10_000n), tokens(270_000n)]

const openWorld = worldsOfTests()

type Begun = { session: Session; ending: Promise<Ending> }

/** A process with two endpoints; while `swallows`, bytes that are handed over come to nothing. */
function begin(world: World, swallows = () => false): Promise<Begun> {
  const life = world.begin({
    request(asked) {
      if (swallows() && sentBytes(asked) !== undefined) throw httpError('http.timeout', asked.url, 15_000)
    },
  })
  return world.clock.flow(async () => {
    const session = await withSecond(life, world.session(life))
    const ending = register(world, session)
    ending.catch(() => undefined)
    return { session, ending }
  })
}

const topUpView = ({ session }: Begun) => viewOf('topup', session.getState(), session)

/** A top-up that an endpoint got when it was agreed to, if it got it at all; a stranger has paid since then. */
async function agreedAndPaidByAnother(): Promise<{ world: World; begun: Begun }> {
  const world = await openWorld()
  await dieWhileRegistering(world, { dies: atSending(2, 'before') })
  await world.clock.flow(() => strangerPays(world, world.clock.sleep))
  const begun = await begin(world)
  await world.clock.flow(() => world.clock.sleep(30_000))
  return { world, begun }
}

describe('a top-up that was handed to a dead endpoint, and paid from another wallet before the next start', () => {
  test('does not leave any more, says so, and is agreed to anew where it still fits', async () => {
    const { world, begun } = await agreedAndPaidByAnother()
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    const { problem, actions } = topUpView(begun)
    expect(problem?.id).toBe('payment.held-back')
    expect(problem?.lines[0]).toMatch(anyNumbers(GATE_TEXT.agreed.arrived('270,000 BERA', 1n)))
    expect(actions.map(({ key }) => key)).toEqual(expect.arrayContaining(['x', 'o']))
    await begun.session.dispatch({ step: 'topup', type: 'reopened' })
    await begun.session.dispatch({ step: 'topup', type: 'checkAsked' })
    expect(await world.clock.flow(() => begun.ending)).toEqual({ end: 'active' })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  })

  hardTest('is cancelled all the same: a cancellation is never held back', async () => {
    const { world, begun } = await agreedAndPaidByAnother()
    const { session } = begun
    await world.clock.flow(async () => {
      await session.dispatch({ step: 'topup', type: 'quoteAsked', kind: 'cancellation' })
      await until(session, ({ topup }) => topup.send.quote?.price.status === 'known')
      const { quote } = session.getState().topup.send
      if (quote?.price.status !== 'known') throw new Error('there is no price')
      const { transaction } = quote.price.value
      await session.dispatch({
        step: 'topup',
        type: 'replacing',
        replacement: { kind: 'cancellation', transaction },
      })
      await until(session, ({ topup }) => standOf(topup.send) === 'cancelled')
    })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  })
})

hardTest(
  'an endpoint that names another chain once, after a payment was signed, is named; agreed to anew, it is paid once',
  async () => {
    const world = await openWorld()
    const isSigned = () => world.journal().some(({ type }) => type === 'deposit.signed')
    let lies = 1
    const mutate = (effects: Effects) =>
      answering(
        effects,
        ({ method }) => {
          if (method !== 'eth_chainId' || !isSigned() || lies === 0) return undefined
          lies -= 1
          return Promise.resolve('0x1234')
        },
        SECOND,
      )
    await world.clock.flow(async () => {
      const session = await sessionOfKind(world, beginWithSecond(world, { mutate }), 'real')
      const ending = register(world, decided(session))
      ending.catch(() => undefined)
      await until(session, ({ deposit }) => liveOf(deposit)?.heldBack !== undefined)
      expect(world.wire).toHaveLength(0)
      const { problem, actions } = viewOf('deposit', session.getState(), session)
      expect(problem).toMatchObject({
        money: 'untouched',
        lines: PAYMENT_TEXT.problems.heldBack(GATE_TEXT.second.otherChain('second.test', 4660), {
          isOut: false,
          key: 'o',
        }).lines,
      })
      expect(actions.map(({ key }) => key)).toContain('o')
      await session.dispatch({ step: 'deposit', type: 'reopened' })
      await session.dispatch({ step: 'deposit', type: 'checkAsked' })
      expect(await ending).toEqual({ end: 'active' })
    })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  },
)

hardTest(
  'a top-up that no endpoint confirmed does not leave again after a stranger paid meanwhile',
  async () => {
    const world = await openWorld()
    let isDown = true
    const begun = await begin(
      world,
      () => isDown && world.journal().some(({ type }) => type === 'topup.signed'),
    )
    await world.clock.flow(async () => {
      await until(begun.session, ({ topup }) =>
        madeOf(topup.send).handed.some(({ result }) => result === 'no-reply'),
      )
      await strangerPays(world, world.clock.sleep)
    })
    const waiting = topUpView(begun)
    expect(waiting.notes.join(' ')).toMatch(
      / 270,000 BERA .* block \d+, from 0x[0-9a-f]{40}, |^270,000 BERA .* block \d+, from 0x[0-9a-f]{40}, /,
    )
    expect(waiting.money.line).toContain(TOPUP_TEXT.money.arrived('270,000 BERA'))
    expect(waiting.actions.map(({ key }) => key)).toContain('x')
    await world.clock.flow(() => world.clock.sleep(15_000))
    isDown = false
    await world.clock.flow(() => world.clock.sleep(15_000))
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    expect(topUpView(begun).problem?.lines[0]).toMatch(/270,000 BERA more arrived/)
  },
)

describe('a top-up on real money that was agreed to and handed to endpoints that are dead,', () => {
  type Monday = 'both are dead' | 'one takes it and loses it'
  type Wednesday = 'both answer' | 'the first dies again' | 'the second dies again'

  const TRACKED: Readonly<Record<Wednesday, RegExp>> = {
    'both answer': /^held back: 270,000 BERA more arrived in block \d+, not by this payment$/,
    'the first dies again': /^before it is sent: 127\.0\.0\.1:\d+ must answer$/,
    'the second dies again': /^before it is sent: second\.test must answer$/,
  }

  /** Agreed to, signed and handed over; then the program is closed, and a stranger pays. */
  async function agreedAndClosed(monday: Monday): Promise<World> {
    const world = await openWorld()
    const isSigned = () => world.journal().some(({ type }) => type === 'topup.signed')
    const life = beginWithSecond(world, {
      mutate: (effects) => ({
        ...effects,
        http: {
          async request(asked) {
            const isDead = monday === 'both are dead' || asked.url.startsWith(SECOND)
            if (isDead && isSigned() && sentBytes(asked) !== undefined)
              throw httpError('http.timeout', asked.url, 15_000)
            const reply = await effects.http.request(asked)
            if (isSigned() && sentBytes(asked) !== undefined) await emptyPool(world.devnet.execution)
            return reply
          },
        },
      }),
    })
    await world.clock.flow(async () => {
      const session = await sessionOfKind(world, life, 'real')
      register(world, decided(session)).catch(() => undefined)
      await until(session, ({ topup }) => madeOf(topup.send).handed.length === 2)
      await session.clock.sleep(1000)
      life.kill()
      await life.died
      await strangerPays(world, world.clock.sleep)
    })
    return world
  }

  const DAYS: readonly [Monday, Wednesday][] = [
    ['both are dead', 'both answer'],
    ['both are dead', 'the first dies again'],
    ['both are dead', 'the second dies again'],
    ['one takes it and loses it', 'both answer'],
    ['one takes it and loses it', 'the second dies again'],
  ]

  hardTest.each(DAYS)(
    '%s, paid from another wallet, and opened again while %s: nothing more leaves',
    async (monday, wednesday) => {
      const world = await agreedAndClosed(monday)
      const { execution } = world.devnet.descriptor.urls
      const dead = {
        'both answer': undefined,
        'the first dies again': execution,
        'the second dies again': SECOND,
      }[wednesday]
      let mayDie = dead !== undefined
      const left = world.wire.length
      await world.clock.flow(async () => {
        let isChecked = false
        const isDead = () => mayDie && isChecked
        const mutate = (effects: Effects) => silentAt(effects, dead ?? SECOND, isDead)
        const session = await sessionOfKind(world, beginWithSecond(world, { mutate }), 'real')
        session.subscribe(({ step }) => {
          isChecked ||= step !== 'genesis'
        })
        const ending = register(world, decided(session))
        ending.catch(() => undefined)
        await session.clock.sleep(60_000)
        const shown = () => viewOf('topup', session.getState(), session)
        const tracked = shown().facts.find(({ id }) => id === 'tracking')?.value
        expect(tracked).toMatch(TRACKED[wednesday])
        expect(world.wire).toHaveLength(left)
        mayDie = false
        await session.clock.sleep(20_000)
        const { problem, notes } = shown()
        expect(problem?.lines[0]).toMatch(anyNumbers(GATE_TEXT.agreed.arrived('270,000 BERA', 1n)))
        expect(notes.join('\n')).not.toContain('b offers more')
        await session.dispatch({ step: 'topup', type: 'reopened' })
        await session.dispatch({ step: 'topup', type: 'checkAsked' })
        expect(await ending).toEqual({ end: 'active' })
      })
      expect(world.wire).toHaveLength(left)
      expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    },
  )
})
