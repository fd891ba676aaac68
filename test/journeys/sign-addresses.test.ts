import { getAddress, numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ClientError } from '../../src/core/base/errors/client.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { IDENTITY_TEXT } from '../../src/core/steps/identity/text.ts'
import { SIGN_TEXT } from '../../src/core/steps/sign/text.ts'
import { challengeOf } from '../../src/core/steps/sign/typing.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { type Answer, answering } from '../support/answering.ts'
import { standingAccount } from '../support/contract-account.ts'
import { live } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { withSecond } from '../support/with-second.ts'
import { startWorld, type World } from '../support/world.ts'

const NEVER_USED = getAddress(`0x${'c0de'.repeat(10)}`)
const DELEGATED = getAddress(`0x${'7702'.repeat(10)}`)
const ONLY_PAID = getAddress(`0x${'ba1a'.repeat(10)}`)

let world: World

beforeEach(async () => {
  world = await startWorld()
})
afterEach(() => world.end())

/** A session in the sign step, with a second execution endpoint, of which the first one answers by `liar`. */
async function signing(liar: Answer = () => undefined): Promise<Session> {
  const { execution } = world.devnet.descriptor.urls
  const life = world.begin({ mutate: (effects) => answering(effects, liar, execution) })
  return world.clock.flow(async () => {
    const session = await withSecond(life, world.session(life))
    await session.start()
    await until(session, ({ genesis, identity }) => !genesis.asking && !identity.asking)
    await session.dispatch({ step: 'session', type: 'went', to: 'sign' })
    await until(session, ({ step }) => step === 'sign')
    return session
  })
}

/** Types an address with its middle; resolves to the row about it once the chain has answered. */
async function typed(session: Session, field: 'withdrawal' | 'operator', address: Hex) {
  return world.clock.flow(async () => {
    await session.dispatch({ step: 'sign', type: 'submitted', field, text: address })
    const again = challengeOf(address, session.getState().sign.challengeOffset)
    await session.dispatch({ step: 'sign', type: 'submitted', field: `${field}Again`, text: again })
    const row = () =>
      viewOf('sign', session.getState(), session).facts.find(({ id }) => id === `${field}Account`)
    await until(session, () => row() === undefined || !['asking', 'unasked'].includes(row()?.mark ?? ''))
    return row()
  })
}

const anew = (session: Session) => session.dispatch({ step: 'sign', type: 'dropped' })

test('what stands at an address that is typed is looked up, and it is compared with the other one', async () => {
  const user = await userOf(world.devnet)
  const { address: contract } = await standingAccount(world)
  const direct = world.devnet.execution.rpc
  await direct('hardhat_setCode', [DELEGATED, `0xef0100${'ab'.repeat(20)}`])
  await direct('hardhat_setBalance', [ONLY_PAID, numberToHex(3n)])
  const session = await signing()
  const rows = []
  for (const address of [user.address, ONLY_PAID, contract, DELEGATED, NEVER_USED]) {
    rows.push(await typed(session, 'withdrawal', address))
    await anew(session)
  }
  expect(rows.map((row) => `${row?.mark}: ${row?.value}`)).toEqual([
    expect.stringMatching(/^proven: /),
    expect.stringMatching(/^proven: /),
    'unknown: a contract: check it',
    'unknown: delegated: check its code',
    'unknown: never used: check it',
  ])

  const notes = () => viewOf('sign', session.getState(), session).notes.join()
  await typed(session, 'withdrawal', user.address)
  await typed(session, 'operator', user.address)
  expect(notes()).toContain(SIGN_TEXT.sameAddress)
  await anew(session)
  await typed(session, 'withdrawal', ONLY_PAID)
  await typed(session, 'operator', user.address)
  expect(notes()).toContain(SIGN_TEXT.twoAddresses)
})

test('what two endpoints do not agree on is not known, nor what one does not answer: the addresses can be signed all the same', async () => {
  const { address } = await userOf(world.devnet)
  let code = (): Promise<string> => Promise.resolve('0x60806040')
  const session = await signing(({ method, params }) =>
    method === 'eth_getCode' && params[0] === address ? code() : undefined,
  )
  expect(await typed(session, 'withdrawal', address)).toMatchObject({
    mark: 'unknown',
    value: expect.stringContaining(' · '),
  })
  await anew(session)

  code = () => Promise.reject(httpError('http.unreachable', 'http://127.0.0.1:8545', 'closed'))
  expect(await typed(session, 'withdrawal', address)).toMatchObject({ mark: 'unknown' })
  expect(await typed(session, 'operator', address)).toMatchObject({ mark: 'unknown' })
  await session.dispatch({ step: 'sign', type: 'submitted', field: 'amount', text: '10000' })
  expect(viewOf('sign', session.getState(), session).actions.map(({ key }) => key)).toContain('return')
})

test('an execution client that does not answer is not blamed for its rules', async () => {
  let isSilent = false
  const session = await signing(() =>
    isSilent ? Promise.reject(httpError('http.unreachable', 'http://127.0.0.1:8545', 'closed')) : undefined,
  )
  const address = getAddress(await userOf(world.devnet).then(({ address: own }) => own))
  await typed(session, 'withdrawal', address)
  await typed(session, 'operator', address)
  const view = await world.clock.flow(async () => {
    await session.dispatch({ step: 'sign', type: 'submitted', field: 'amount', text: '10000' })
    isSilent = true
    const events = viewOf('sign', session.getState(), session).actions.find(({ key }) => key === 'return')
    for (const event of Array.isArray(events?.does) ? events.does : []) await session.dispatch(event)
    await until(session, ({ sign }) => sign.observed.precompile.status === 'failed')
    return viewOf('sign', session.getState(), session)
  })
  const row = view.facts.find(({ id }) => id === 'precompile')
  const unreachable = new ClientError('unreachable', {
    service: 'execution RPC',
    endpoint: world.devnet.descriptor.urls.execution,
    what: '',
  })
  expect(row?.value).toBe(unreachable.shortMessage)
  expect(row?.next).toBe(unreachable.nextSteps[0])
})

test('a signature of which a payment is made cannot be edited: no key says so, and a sentence does', async () => {
  const { session, ending } = await live(world, world.begin())
  expect(ending).toEqual({ end: 'active' })
  const view = viewOf('sign', session.getState(), session)
  expect(view.actions.map(({ key }) => key)).toEqual(['return', 's', 'r'])
  expect(view.intro).toContain(SIGN_TEXT.intro.inUse)
})

test('what has left the wallet is told on the steps before the payments, too', async () => {
  const { session } = await live(world, world.begin())
  const told = () =>
    (['genesis', 'identity', 'sign', 'deposit', 'confirm'] as const).map(
      (step) => viewOf(step, session.getState(), session).money.line,
    )
  expect(new Set(told())).toEqual(new Set([STEP_TEXT.sendsNothing(STEP_TEXT.left.paid('280,000 BERA'))]))
  expect(viewOf('identity', session.getState(), session).verdict?.text).toBe(IDENTITY_TEXT.good.deposited)
})

test('before anything is signed the whole way is told, and what the account that pays holds; where nobody tells it, it is unknown', async () => {
  let isSilent = false
  const session = await signing(({ method }) =>
    isSilent && method === 'eth_getBalance'
      ? Promise.reject(httpError('http.unreachable', 'http://127.0.0.1:8545', 'closed'))
      : undefined,
  )
  const { address } = await userOf(world.devnet)
  await typed(session, 'withdrawal', address)
  await typed(session, 'operator', address)
  const money = () =>
    world.clock.flow(async () => {
      await until(session, ({ sign }) =>
        Object.values(sign.funds).every(({ status }) => status === 'known' || status === 'failed'),
      )
      const { facts } = viewOf('sign', session.getState(), session)
      return facts
        .filter(({ id }) => id === 'way' || id === 'account')
        .map(({ mark, value }) => `${mark}: ${value}`)
    })
  expect(await money()).toEqual([
    expect.stringMatching(/^proven: 280,000\.\d+ BERA with fees: 10,000 \+ top-up 270,000; place \d+ of \d+/),
    'proven: holds 1,000,000 BERA: enough',
  ])

  isSilent = true
  await session.dispatch({ step: 'sign', type: 'submitted', field: 'amount', text: '20000' })
  expect(await money()).toEqual([
    expect.stringMatching(/^proven: 280,000\.\d+ BERA with fees: 20,000 \+ top-up 260,000; place /),
    expect.stringMatching(/^unknown: .* http:\/\/\S+ /),
  ])
  expect(viewOf('sign', session.getState(), session).actions.map(({ key }) => key)).toContain('return')
})
