import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { leaveCommand } from '../../src/commands/leave.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeWithdrawalCall, REQUESTS_CONTRACT } from '../../src/core/chain/deposit/withdrawal-call.ts'
import type { RequestFate } from '../../src/core/pay/leave/fates.ts'
import { leavePicture } from '../../src/core/pay/leave/picture.ts'
import { LEAVE_TEXT } from '../../src/core/pay/leave/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import {
  askKey,
  proveAdopted,
  sessionOfValidator,
  typeAddress,
  withSecondEndpoint,
} from '../support/adopting.ts'
import { CAST_IS_PACKAGED, castOf } from '../support/cast.ts'
import { HARD } from '../support/hard.ts'
import { press } from '../support/press.ts'
import { type Ended, runCommandWith } from '../support/run-command.ts'
import { expectSpoken } from '../support/same-words.ts'
import { standing } from '../support/standing.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
let user: Awaited<ReturnType<typeof userOf>>

beforeEach(async () => {
  world = await startWorld({ scenario: 'free-places' })
  user = await userOf(world.devnet)
})
afterEach(() => world.end())

const slots = (count: number) => world.clock.flow(() => world.clock.sleep(count * 1000))

type Mutate = (effects: Effects) => Effects

const leave = (argv: readonly string[], mutate: Mutate = (effects) => effects): Promise<Ended> =>
  world.clock.flow(() =>
    runCommandWith(
      leaveCommand,
      ['--devnet', JSON.stringify(world.devnet.descriptor), ...argv, '--json'],
      mutate(world.begin().effects),
    ),
  )

const mine = (...argv: string[]) => leave(['--validator', user.pubkey, ...argv])

/** The validator of the user, active with so many tokens. */
async function activeWith(amount: bigint): Promise<void> {
  await world.clock.during(() => user.firstDeposit(amount))
  const isActive = () =>
    world.devnet
      .state()
      .validators.some(
        ({ pubkey, activationEpoch }) =>
          pubkey === user.pubkey && activationEpoch * 8n <= world.devnet.state().slot,
      )
  for (let slot = 0; slot < 48 && !isActive(); slot += 4) await slots(4)
  expect(isActive()).toBe(true)
}

type Answer = {
  outcome?: { is: string; reason?: string; amountGwei?: string; withdrawableEpoch?: string }
  request?: { commands?: string[]; data: Hex; to: Hex; valueWei: string; batch?: unknown }
  requests: { is: string; amountGwei?: string; paid?: boolean; reason?: string }[]
}
const answerOf = (ended: Ended) => ended.json() as unknown as Answer
const fates = (ended: Ended) =>
  answerOf(ended).requests.map(({ is, reason }) => `${is} ${reason ?? ''}`.trim())
const row = (ended: Ended, id: string) => ended.json().rows.find((each) => each.id === id)

/** Sends a command as it was printed: with the real cast, where there is one, else with the same fields. */
async function send(command: string): Promise<void> {
  await world.clock.during(async () => {
    if (CAST_IS_PACKAGED) return void (await castOf(world.devnet, world.directory).sendShown(command))
    const [to, data] = command.split(' ').slice(-2) as [Hex, Hex]
    return void (await user.send(to, data, BigInt(/--value (\d+)/.exec(command)?.[1] ?? 0)))
  })
}

/** Carries out what was printed, until a state has it. */
async function carry(ended: Ended): Promise<void> {
  const { request } = answerOf(ended)
  const [command = ''] = request?.commands ?? []
  expect(command).toContain(`--value ${request?.valueWei} `)
  await send(command)
  const count = answerOf(ended).requests.length
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await slots(2)
    const found = fates(await mine())
    if (found.length > count && found[0] !== 'in-block') return
  }
  throw new Error('it never came to a block')
}

/** From a request to its payment: the epoch after it, the delay, and the slot of the sweep. */
const UNTIL_PAID = 8 * (1 + 4) + 2

describe('a validator is left in part, then whole, through an external signer', () => {
  test('each request does what was said, and is followed until it is paid', async () => {
    await activeWith(300_000n)
    const asked = await mine('--amount', '60,000')
    expect(asked.code).toBe(0)
    expect(answerOf(asked).outcome).toMatchObject({
      is: 'part',
      cut: true,
      amountGwei: String(tokens(50_000n)),
    })
    expect(row(asked, 'place')).toMatchObject({
      mark: 'unasked',
      value: expect.stringContaining('250,000 BERA'),
    })
    expect(answerOf(asked).requests).toEqual([])
    expect(asked.json().notes).toContain(LEAVE_TEXT.notes.guardWaits)
    await carry(asked)

    const waits = await mine()
    expect(fates(waits)).toEqual(['part'])
    expect(answerOf(waits).requests[0]).toMatchObject({ amountGwei: String(tokens(50_000n)) })
    // An exit would be dropped now: it is not made.
    expect(waits.code).toBe(1)
    expect(answerOf(waits).outcome).toMatchObject({ is: 'dropped', reason: 'part-pending' })
    expect(answerOf(waits).request).toBeNull()
    const more = await mine('--amount', '1')
    expect([more.code, answerOf(more).outcome, answerOf(more).request]).toEqual([
      1,
      expect.objectContaining({ is: 'dropped', reason: 'nothing-above' }),
      null,
    ])

    const before = await user.balanceWei()
    await slots(UNTIL_PAID)
    const whole = await mine()
    expect(fates(whole)).toEqual(['past'])
    expect((await user.balanceWei()) - before).toBe(tokens(50_000n) * 10n ** 9n)
    expect(whole.code).toBe(0)
    expect(answerOf(whole).outcome).toMatchObject({ is: 'exit', balanceGwei: String(tokens(250_000n)) })
    await carry(whole)
    const leaving = await mine()
    expect(fates(leaving)[0]).toBe('exit')
    expect([leaving.code, answerOf(leaving).outcome]).toMatchObject([
      1,
      { is: 'dropped', reason: 'exit-begun' },
    ])
    expect(leaving.json().sentence).toBe(LEAVE_TEXT.sentence.begun)
    await slots(UNTIL_PAID)
    expect(answerOf(await mine()).requests[0]).toMatchObject({ is: 'exit', paid: true })
    expect(world.devnet.state().balancesGwei.at(-1)).toBe(0n)
    expect((await user.balanceWei()) - before).toBeGreaterThan(tokens(299_999n) * 10n ** 9n)
  })

  test('one that another address sent is told as dropped, and which', async () => {
    await activeWith(300_000n)
    const pubkey = world.devnet.state().validators[0]?.pubkey ?? '0x'
    const stranger = encodeWithdrawalCall({ pubkey, amountGwei: 0n })
    await world.clock.during(() => user.send(REQUESTS_CONTRACT, stranger, 1n))
    await slots(3)
    expect(fates(await leave(['--validator', pubkey]))).toEqual(['dropped other-sender'])
  })
})

describe('no request is made', () => {
  test('for a pool’s validator: its pool is the door', async () => {
    const ended = await leave(['--validator', '5'])
    expect([ended.code, answerOf(ended).outcome, answerOf(ended).request]).toEqual([
      1,
      expect.objectContaining({ is: 'pool' }),
      null,
    ])
  })

  test('for a validator that is not active, or a key that nobody knows', async () => {
    await world.clock.during(() => user.firstDeposit(10_000n))
    await slots(4)
    expect(answerOf(await mine()).outcome).toMatchObject({ is: 'dropped', reason: 'not-active' })
    const nobody = await leave(['--validator', `0x${'a9'.repeat(48)}`])
    expect(nobody.code).not.toBe(0)
  })

  test('by an address that cannot pay its fee', async () => {
    const ended = await leave(['--validator', '0'])
    expect([ended.code, row(ended, 'wallet')?.mark, row(ended, 'dryRun')]).toEqual([1, 'refused', undefined])
    expect(answerOf(ended).request).toBeNull()
  })

  test('while an endpoint is silent, or the set is not proven', async () => {
    await activeWith(300_000n)
    const second = ['--second-execution', 'http://127.0.0.2:9']
    const silent = await leave(['--validator', user.pubkey, ...second], (effects) => ({
      ...effects,
      http: {
        request: (asked) =>
          asked.url.includes('127.0.0.2') ? Promise.reject(new Error('nobody')) : effects.http.request(asked),
      },
    }))
    expect([silent.code, answerOf(silent).request]).toEqual([3, null])
  })
})

describe('where a contract is the withdrawal address', () => {
  test('the batch for its owners is the very call', async () => {
    const { rpc } = world.devnet.chain.input.execution
    const owner: Hex = `0x${world.devnet.state().validators[0]?.withdrawalCredentials.slice(-40)}`
    await rpc('hardhat_setCode', [owner, '0x00'])
    await world.devnet.execution.addBalance(owner, 0xffffn)
    await slots(1)
    const out = join(world.directory, 'batch.json')
    const ended = await leave(['--validator', '0', '--amount', '10000', '--out', out])
    expect([ended.code, ended.err]).toEqual([0, ''])
    const batch = JSON.parse(readFileSync(out, 'utf8'))
    const { to, data, valueWei } = answerOf(ended).request ?? {}
    expect(batch).toMatchObject({ version: '1.0', transactions: [{ to, data, value: valueWei }] })
    expect(data).toBe(
      encodeWithdrawalCall({
        pubkey: world.devnet.state().validators[0]?.pubkey ?? '0x',
        amountGwei: tokens(10_000n),
      }),
    )
    expect(answerOf(ended).request?.commands).toEqual([])
  })
})

describe('from the status screen of an active validator', () => {
  const pageOf = (session: Session) => viewOf('status', session.getState(), session)

  test('l leads there: a part is said, saved for the wallet, sent by it, and followed', async () => {
    await activeWith(300_000n)
    await world.clock.flow(async () => {
      const life = withSecondEndpoint(world, {})
      const session = await sessionOfValidator(world, life, {
        validator: { pubkey: user.pubkey },
        kind: 'real',
      })
      await askKey(session)
      await typeAddress(session, getAddress(world.devnet.descriptor.withdrawalAddress))
      await proveAdopted(session)
      await session.dispatch({ step: 'session', type: 'went', to: 'status' })
      const untilPage = (holds: () => boolean) => until(session, holds)
      await untilPage(() => standing(session).is === 'active')
      await press(session, 'status', 'l')
      await press(session, 'status', 'l')
      expect(pageOf(session)).toMatchObject({ page: 'leave', fields: [{ id: 'part' }] })
      const typed = (text: string) => session.dispatch({ step: 'status', type: 'partTyped', text })
      await typed('ten')
      expect(pageOf(session).fields[0]?.error).toBeTypeOf('string')
      await typed('20,000')
      await untilPage(() => pageOf(session).verdict?.mark === 'proven')
      // What is not asked yet for the wallet makes nothing ready.
      const state = session.getState()
      const { leaving } = state.status
      const unasked = { status: 'unasked' } as const
      const observed = { ...leaving.observed, wallet: unasked, fee: unasked, dryRun: unasked }
      const before = { ...state, status: { ...state.status, leaving: { ...leaving, observed } } }
      expect(viewOf('status', before, session).verdict?.mark).toBe('asking')
      const { commands, actions, facts } = pageOf(session)
      expect(facts.find(({ id }) => id === 'place')?.value).toContain('280,000 BERA')
      expect(actions.map(({ key }) => key)).toEqual(['p', 'w', 's', 'r', 'escape'])
      const [command = '', own = ''] = commands
      expect(own).toMatch(/^bearings leave .*--amount 20,000 --validator 0x/)
      await press(session, 'status', 's')
      await untilPage(() => session.getState().status.leaving.savedPath !== undefined)
      const saved = readFileSync(session.getState().status.leaving.savedPath ?? '', 'utf8')
      expect(saved.split('\n')).toContain(command)

      await send(command)
      await untilPage(() => newest(session)?.is === 'part')
      expectSpoken(pageOf(session).facts.find(({ id }) => id.startsWith('request-'))?.value ?? '')
      const part = () => session.getState().status.alarms.find(({ id }) => id.includes('/part'))
      await untilPage(() => part()?.severity === 'warning')
      await press(session, 'status', 'w')
      await untilPage(() => pageOf(session).verdict?.mark === 'refused')
      expect(pageOf(session).actions.map(({ key }) => key)).not.toContain('s')
      expect(pageOf(session).commands).toHaveLength(1)
      if (HARD) await untilPaid(session, part)
      await session.stop()
    })
  })

  /** What became of the last request, as the page says it. */
  function newest(session: Session): RequestFate | undefined {
    const { observed } = session.getState().status.leaving
    const { setup } = session
    return leavePicture({ observed, setup, pubkey: user.pubkey, amountGwei: undefined }).fates[0]
  }

  async function untilPaid(session: Session, part: () => unknown): Promise<void> {
    await until(session, () => part() === undefined)
    await until(session, () => pageOf(session).verdict?.mark === 'proven')
    await send(pageOf(session).commands[0] ?? '')
    await press(session, 'status', 'escape')
    await until(session, () => standing(session).is === 'left')
    await press(session, 'status', 'l')
    await until(session, () => newest(session)?.is === 'exit')
    await press(session, 'status', 'escape')
    await until(session, () => standing(session).is === 'paid')
  }
})
