import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { PayingStep, PaymentState, Replacement } from '../../src/core/pay/payment/payment.ts'
import { paymentActions } from '../../src/core/pay/payment-view/actions.ts'
import { PAYMENT_ROWS_TEXT } from '../../src/core/pay/payment-view/rows-text.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { fieldsOf, keepingPool } from '../support/keeping-pool.ts'
import { atLine } from '../support/kills.ts'
import type { Life } from '../support/life.ts'
import { type Ending, register } from '../support/register.ts'
import { madeOf, standOf } from '../support/stand-of.ts'
import { userOf } from '../support/user-of.ts'
import { carryCommands, sessionWithoutKeystore } from '../support/wallet-machine.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

const UNASKED = { world: undefined, deposits: undefined, isFollowed: false }

const paymentOf = (session: Session, step: PayingStep): PaymentState =>
  step === 'deposit' ? session.getState().deposit : session.getState().topup.send

/** Presses the keys of a payment that stands still, `times` times. */
function pressWhenStalled(session: Session, step: PayingStep, kind: Replacement['kind'], times = 1): void {
  const press = (pressed: 'b' | 'x' | 'return') => {
    const does = paymentActions(paymentOf(session, step), step, UNASKED).find(
      ({ key }) => key === pressed,
    )?.does
    if (!Array.isArray(does)) throw new Error(`${pressed} does nothing`)
    for (const event of does) void session.dispatch(event)
  }
  let asked = 0
  let agreed = 0
  session.subscribe(() => {
    const payment = paymentOf(session, step)
    const { memory, quote } = payment
    const { replacements, included } = madeOf(payment)
    if (included !== undefined) return
    if (memory.isStuck && quote === undefined && asked < times && replacements.length === asked) {
      asked += 1
      press(kind === 'speed-up' ? 'b' : 'x')
    }
    if (quote?.price.status === 'known' && agreed < asked) {
      agreed += 1
      press('return')
    }
  })
}

type Way = 'the keystore' | 'a wallet elsewhere'

async function registerReplacing(
  world: World,
  life: Life,
  { step, kind, way, times = 1 }: { step: PayingStep; kind: Replacement['kind']; way: Way; times?: number },
): Promise<{ ending: Ending; session: Session }> {
  return world.clock.flow(async () => {
    const session =
      way === 'the keystore' ? await world.session(life) : await sessionWithoutKeystore(world, life)
    if (way !== 'the keystore') await carryCommands(world, session, ({ sign }) => sign())
    pressWhenStalled(session, step, kind, times)
    return { session, ending: await register(world, session) }
  })
}

async function paid(world: World): Promise<bigint[]> {
  const { pubkey } = await userOf(world.devnet)
  return depositsOf(world.devnet.descriptor.urls.execution, pubkey)
}

/** Nothing left this machine that the journal did not hold by then. */
const expectDurable = (world: World) => expect(world.wire.filter(({ durable }) => !durable)).toEqual([])

const WAYS: readonly Way[] = ['the keystore', 'a wallet elsewhere']
const FIRST_OF = { deposit: 0, topup: 1 } as const

const RAISED = WAYS.flatMap((way) => (['deposit', 'topup'] as const).map((step) => [way, step] as const))

test.each(one(RAISED, 1))(
  'a payment from %s that stands still is raised, and the dearer one wins: %s',
  async (way, step) => {
    const world = await openWorld()
    const pool = keepingPool((place) => place === FIRST_OF[step])
    const { ending, session } = await registerReplacing(world, world.begin(pool), {
      step,
      kind: 'speed-up',
      way,
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await paid(world)).toHaveLength(2)
    const { hash, replacements, included } = madeOf(paymentOf(session, step))
    const [first, second] = [pool.kept[0], replacements[0]?.raw]
    expect(keccak256(first ?? '0x')).toBe(hash)
    expect(included?.hash).toBe(replacements[0]?.hash)
    expectRaised(first, second)
    expectDurable(world)
  },
)

describe.each(one(WAYS, 1))('a payment from %s that stands still', (way) => {
  test('is cancelled, and the empty transfer wins: nothing is paid', async () => {
    const world = await openWorld()
    const pool = keepingPool((place) => place === 0)
    const { ending, session } = await registerReplacing(world, world.begin(pool), {
      step: 'deposit',
      kind: 'cancellation',
      way,
    })
    expect(ending).toMatchObject({
      end: 'refused',
      step: 'deposit',
      problem: { title: PAYMENT_TEXT.problems.cancelled.title },
    })
    expect(standOf(session.getState().deposit)).toBe('cancelled')
    expect(session.facts().deposit).toBeUndefined()
    expect(await paid(world)).toEqual([])
    const { address } = await userOf(world.devnet)
    const cancellation = fieldsOf(madeOf(session.getState().deposit).replacements[0]?.raw ?? '0x')
    expect(cancellation).toMatchObject({ nonce: 0, value: 0n, to: address.toLowerCase() })
    expectDurable(world)
  })
})

/** Both fees are an eighth higher at least; everything else is equal. */
function expectRaised(first: Hex | undefined, second: Hex | undefined): void {
  const [before, after] = [fieldsOf(first ?? '0x'), fieldsOf(second ?? '0x')]
  for (const field of ['nonce', 'to', 'value', 'data'] as const) expect(after[field]).toEqual(before[field])
  for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
    expect(after[fee] * 8n).toBeGreaterThanOrEqual(before[fee] * 9n)
}

describe('a process that dies over a replacement is followed by one that knows both', () => {
  const POINTS = (['replacing', 'replaced'] as const).flatMap((type) =>
    (['before', 'torn', 'after'] as const).map((cut) => [type, cut] as const),
  )

  hardTest.each(POINTS)('bump: at the line %s (%s)', async (type, cut) => {
    const world = await openWorld()
    const pool = keepingPool((place) => place === 0)
    const order = { step: 'deposit', kind: 'speed-up', way: 'the keystore' } as const
    const life = world.begin({ ...pool, dies: atLine(`deposit.${type}`, cut) })
    await world.clock.flow(() => Promise.race([registerReplacing(world, life, order), life.died]))
    const { ending } = await registerReplacing(world, world.begin(pool), order)
    expect(ending).toEqual({ end: 'active' })
    expect(await paid(world)).toHaveLength(2)
    expectDurable(world)
  })

  hardTest('bump signed and not sent: the first one wins, and the step is done once', async () => {
    const world = await openWorld()
    const pool = keepingPool((place) => place === 0)
    const order = { step: 'deposit', kind: 'speed-up', way: 'the keystore' } as const
    const life = world.begin({ ...pool, dies: atLine('deposit.replaced', 'after') })
    await world.clock.flow(() => Promise.race([registerReplacing(world, life, order), life.died]))
    const user = await userOf(world.devnet)
    await user.rpc('eth_sendRawTransaction', [pool.kept[0]])
    await world.clock.flow(() => world.clock.sleep(5000))
    const { ending, session } = await registerReplacing(world, world.begin(), order)
    expect(ending).toEqual({ end: 'active' })
    expect(session.facts().deposit?.hash).toBe(keccak256(pool.kept[0] ?? '0x'))
    expect(await paid(world)).toHaveLength(2)
  })

  hardTest('cancellation sent, deposit wins while nobody looks: it is reported as deposited', async () => {
    const world = await openWorld()
    const pool = keepingPool((place) => place <= 1)
    const order = { step: 'deposit', kind: 'cancellation', way: 'the keystore' } as const
    const life = world.begin({
      ...pool,
      dies: (moment) => (moment.act === 'send' && fieldsOf(moment.raw).value === 0n ? 'after' : undefined),
    })
    await world.clock.flow(() => Promise.race([registerReplacing(world, life, order), life.died]))
    const user = await userOf(world.devnet)
    await user.rpc('eth_sendRawTransaction', [pool.kept[0]])
    await world.clock.flow(() => world.clock.sleep(5000))
    const { ending, session } = await registerReplacing(world, world.begin(), order)
    expect(ending).toEqual({ end: 'active' })
    expect(standOf(session.getState().deposit)).toBe('paid')
    expect(await paid(world)).toHaveLength(2)
  })
})

hardTest('a top-up in whose place the wallet paid another amount is told with what was paid', async () => {
  const world = await openWorld()
  const pool = keepingPool((place) => place === 1)
  const user = await userOf(world.devnet)
  const { ending, session } = await world.clock.flow(async () => {
    const session = await world.session(world.begin(pool))
    let isPaid = false
    session.subscribe(() => {
      if (isPaid || pool.kept.length === 0) return
      isPaid = true
      void user.topUp(280_000n)
    })
    return { session, ending: await register(world, session) }
  })
  expect(ending).toEqual({ end: 'active' })
  const { verdict, money, facts } = viewOf('topup', session.getState(), session)
  expect(verdict).toMatchObject({
    mark: 'refused',
    text: PAYMENT_TEXT.verdict.paidOther({ paid: '280,000 BERA', agreed: '270,000 BERA' }),
  })
  expect(money.line).toBe(STEP_TEXT.left.paid('10,000 BERA + 280,000 BERA'))
  expect(facts.find(({ id }) => id === 'found.0')).toMatchObject({
    mark: 'refused',
    value: PAYMENT_ROWS_TEXT.found({ nonce: undefined, amount: '280,000 BERA' }, false).value,
  })
})

hardTest('a top-up is told with its own amount after a restart, whatever would be proposed now', async () => {
  const world = await openWorld()
  const pool = keepingPool((place) => place === 1)
  const lines = new Set<string>()
  const first = world.begin({ ...pool, dies: atLine('topup.handed-over', 'after') })
  await world.clock.flow(async () => {
    const session = await world.session(first)
    void session.dispatch({ step: 'topup', type: 'chosen', text: '300000' })
    await Promise.race([register(world, session), first.died])
  })
  await world.clock.flow(async () => {
    const session = await world.session(world.begin())
    session.subscribe((state) => {
      if (state.topup.snapshot.status === 'known') lines.add(viewOf('topup', state, session).money.line)
    })
    return register(world, session)
  })
  expect([...lines].join('\n')).toContain('300,000 BERA is signed')
  expect([...lines].join('\n')).not.toContain('270,000')
})
