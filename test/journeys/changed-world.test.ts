import { expect, test } from 'vitest'
import { ClientError } from '../../src/core/base/errors/client.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Next } from '../../src/core/base/format/next.ts'
import { namesKey } from '../../src/core/base/format/next.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import type { Problem } from '../../src/core/view/view.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { Event } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { type Answer, answering } from '../support/answering.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest } from '../support/hard.ts'
import type { Life } from '../support/life.ts'
import { type Ending, register } from '../support/register.ts'
import { userOf } from '../support/user-of.ts'
import type { LifeOptions, World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

type Moment = 'before the word is typed' | 'while the password is typed' | 'while the first password is typed'

/** The signature before which it happens. */
const SIGNATURE_OF: Partial<Record<Moment, number>> = {
  'while the first password is typed': 1,
  'while the password is typed': 2,
}

/** A registration with two endpoints in which something happens once, right at a moment of the top-up. */
async function registerWith(
  moment: Moment,
  happens: (world: World, sleep: World['clock']['sleep'], shown: string) => Promise<void>,
): Promise<{ world: World; ending: Ending; session: Session; amounts: bigint[]; refusals: string[] }> {
  const world = await openWorld()
  let signatures = 0
  let shown = ''
  const mutate: LifeOptions['mutate'] = (effects) => ({
    ...effects,
    signer: {
      ...effects.signer,
      signTransaction: async (request) => {
        signatures += 1
        if (signatures === SIGNATURE_OF[moment]) await happens(world, world.clock.resting.sleep, shown)
        return effects.signer.signTransaction(request)
      },
    },
  })
  const life = world.begin({ mutate })
  const refusals: string[] = []
  const { session, ending } = await world.clock.flow(async () => {
    const begun = await withSecond(life, world.session(life))
    begun.subscribe((state) => {
      const { deposit, topup } = state
      if (state.step === 'topup') shown = viewOf('topup', state, begun).commands[0] ?? shown
      const failure = deposit.failure ?? topup.send.failure
      if (failure !== undefined) refusals.push([failure.shortMessage, ...failure.details].join(' '))
    })
    const pay = () => happens(world, begun.clock.sleep, shown)
    const late = moment === 'before the word is typed' ? lateWord(begun, pay) : begun
    return { session: begun, ending: await register(world, late) }
  })
  const { pubkey } = await userOf(world.devnet)
  const amounts = await depositsOf(world.devnet.descriptor.urls.execution, pubkey)
  return { world, ending, session, amounts, refusals }
}

/** The same session, in whose top-up something happens between the look at the screen and the typed word. */
function lateWord(session: Session, happens: () => Promise<void>): Session {
  let happened = false
  return {
    ...session,
    async dispatch(event: Event) {
      if (event.step === 'topup' && event.type === 'agreed' && !happened) {
        happened = true
        await happens()
      }
      return session.dispatch(event)
    },
  }
}

async function withSecond(life: Life, opening: Promise<Session>): Promise<Session> {
  const { setup } = await opening
  const secondExecution = setup.endpoints.execution.replace('127.0.0.1', 'localhost')
  return createSession(
    life.effects,
    { ...setup, endpoints: { ...setup.endpoints, secondExecution } },
    openAlarms,
  )
}

test('a first deposit that the same wallet made while the password was typed is not sent again', async () => {
  const { world, ending, amounts, refusals } = await registerWith(
    'while the first password is typed',
    async (world, sleep) => {
      await world.clock.during(async () => (await userOf(world.devnet)).firstDeposit(10_000n))
      await sleep(3000)
    },
  )
  expect(refusals[0]).toContain(GATE_TEXT.closed.changed('').short)
  expect(amounts).toEqual([tokens(10_000n), tokens(270_000n)])
  expect(ending).toEqual({ end: 'active' })
  expect(world.journal().filter(({ type }) => type === 'deposit.signed')).toEqual([])
})

const UNREACHABLE = new ClientError('unreachable', {
  service: 'execution RPC',
  endpoint: 'http://127.0.0.1:8545',
  what: '',
})

/** What stops the first deposit where the execution endpoint answers by `answer` once it is agreed to. */
async function problemBy(answer: Answer): Promise<Problem | undefined> {
  const world = await openWorld()
  const { execution } = world.devnet.descriptor.urls
  let agreed = false
  const mutate: LifeOptions['mutate'] = (effects) =>
    answering(effects, (call, truth) => (agreed ? answer(call, truth) : undefined), execution)
  const life = world.begin({ mutate })
  const problems: Problem[] = []
  await world.clock.flow(async () => {
    const session = await world.session(life)
    session.subscribe((state) => {
      agreed ||= state.deposit.payment.phase === 'agreed'
      const { problem } = viewOf('deposit', state, session)
      if (state.step === 'deposit' && problem !== undefined) problems.push(problem)
    })
    await register(world, session)
  })
  return problems[0]
}

test('final checks that an endpoint does not answer once the payment is agreed to say each way on once', async () => {
  const problem = await problemBy(() =>
    Promise.reject(httpError('http.unreachable', 'http://127.0.0.1:8545', 'closed')),
  )
  expect(problem?.lines).toContainEqual(expect.stringMatching(/^balance: .* http:\/\/127\.0\.0\.1:\d+ /))
  expect(problem?.next).toEqual([...UNREACHABLE.nextSteps, STEP_TEXT.verdict.askAgain])
})

hardTest('final checks that fail once the payment is agreed to say what to do about it', async () => {
  const problem = await problemBy(({ method }) =>
    method === 'eth_getBalance' ? Promise.resolve('0x1') : undefined,
  )
  expect(problem).toMatchObject({
    title: GATE_TEXT.closed.checks([], []).short,
    lines: [expect.stringMatching(/^balance: .* short$/)],
  })
  expect(problem?.next).toHaveLength(1)
  expect(problem?.next[0]).toSatisfy((step: Next) => namesKey(step, 'r'))
})
