import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { Event } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { askKey, proveAdopted, sessionOfValidator, typeAddress } from '../support/adopting.ts'
import { answering } from '../support/answering.ts'
import { standingAccount } from '../support/contract-account.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { hardTest } from '../support/hard.ts'
import { withoutState } from '../support/real-money.ts'
import { register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

type Agreed = Extract<Event, { step: 'deposit' | 'topup'; type: 'agreed' }>

const isAgreed = (event: Event): event is Agreed => 'type' in event && event.type === 'agreed'

const REFUSED = 'This is not what you agreed to any more. Nothing was created or sent.'
const PAID_ONCE = [tokens(10_000n), tokens(270_000n)]

/**
 * A registration in which something happens between the word that agrees to the first deposit and the check of its terms;
 * `agrees` says what is handed over then, for a frame is older than the world. What refused the payment, and all that
 * followed it.
 */
async function refusedBy(
  agrees: (agreed: Agreed, about: { world: World; session: Session }) => Promise<Agreed>,
  mutate: (effects: Effects, hasAgreed: () => boolean) => Effects = (effects) => effects,
) {
  const world = await openWorld()
  let hasAgreed = false
  const life = world.begin({ mutate: (effects) => mutate(effects, () => hasAgreed) })
  const refusals: { message: string; details: readonly string[]; made: number }[] = []
  const ending = await world.clock.flow(async () => {
    const session = await world.session(life)
    session.subscribe(({ deposit: { failure } }, event) => {
      if (failure === undefined || event.step !== 'deposit' || event.type !== 'failed') return
      const { shortMessage: message, details } = failure
      refusals.push({ message, details, made: prepared(world) + world.wire.length })
    })
    const late: Session = {
      ...session,
      async dispatch(event) {
        if (hasAgreed || !isAgreed(event)) return session.dispatch(event)
        const now = await agrees(event, { world, session })
        hasAgreed = true
        return session.dispatch(now)
      },
    }
    return register(world, late)
  })
  return { world, ending, refusals }
}

const prepared = (world: World) => world.journal().filter(({ type }) => type.endsWith('.prepared')).length

/** Nothing was made of the refused agreement; agreed to anew, the way went to its end, and each step was paid once. */
async function expectRefused(found: Awaited<ReturnType<typeof refusedBy>>, why: string | RegExp) {
  const { world, ending, refusals } = found
  const details = [typeof why === 'string' ? why : expect.stringMatching(why)]
  expect(refusals[0]).toEqual({ message: REFUSED, details, made: 0 })
  expect(ending).toEqual({ end: 'active' })
  expect(await ownDeposits(world)).toEqual(PAID_ONCE)
}

describe('a draft that is not what was agreed to is not made:', () => {
  hardTest('it is paid from another account', async () => {
    const OTHER = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
    const found = await refusedBy(async (agreed, { world, session }) => {
      const { address } = await userOf(world.devnet)
      await world.devnet.execution.rpc('hardhat_setBalance', [OTHER, numberToHex(10n ** 24n)])
      await session.dispatch({ step: 'deposit', type: 'senderTyped', text: OTHER })
      await until(session, ({ deposit }) => gateIsOpen(deposit.observed, session.setup))
      session.subscribe((_, event) => {
        if (event.step === 'deposit' && event.type === 'failed')
          void session.dispatch({ step: 'deposit', type: 'senderTyped', text: address })
      })
      return agreed
    })
    await expectRefused(found, `now paid from another account: ${OTHER}`)
  })

  hardTest('the account has used its nonce', async () => {
    const found = await refusedBy(async (agreed, { world, session }) => {
      const { address, send } = await userOf(world.devnet)
      await world.clock.during(() => send(address, '0x', 1n))
      await session.clock.sleep(2000)
      return agreed
    })
    await expectRefused(found, "the account's next nonce is 1, and was 0 when you agreed")
  })

  test('the fee may be more than the limit that was shown', async () => {
    const found = await refusedBy(
      async (agreed) => agreed,
      (effects, hasAgreed) =>
        answering(effects, ({ method }) =>
          method === 'eth_maxPriorityFeePerGas' && hasAgreed()
            ? Promise.resolve(numberToHex(40n * 10n ** 9n))
            : undefined,
        ),
    )
    await expectRefused(found, /^the fee may be 0\.00\d+ BERA now, and you agreed to 0\.00\d+ at most$/)
  })

  hardTest(
    'the agreement names no account, nonce, fee and deposits, as one of an older version',
    async () => {
      const found = await refusedBy(async ({ step, type, plan, world }) => ({ step, type, plan, world }))
      await expectRefused(found, 'what you agreed to does not record the validator: agree again')
    },
  )

  hardTest('a deposit that waits is of another transaction, as after a block was replaced', async () => {
    const world = await openWorld()
    const user = await userOf(world.devnet)
    await user.firstDeposit(10_000n)
    for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
    const stranger = await standingAccount(world)
    let replaced: Hex | undefined
    let hasAgreed = false
    const life = world.begin({
      mutate: (effects) =>
        answering(withoutState(effects), ({ method }, truth) =>
          method === 'eth_getLogs' && hasAgreed ? renamedLogs(truth, replaced) : undefined,
        ),
    })
    const session = wallSession(await sessionOfValidator(world, life, { validator: user }), life.effects)
    await world.clock.flow(async () => {
      await askKey(session)
      await typeAddress(session, user.address)
      await proveAdopted(session)
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.dispatch({ step: 'topup', type: 'chosen', text: '270000' })
      const to = world.devnet.chain.input.spec.depositContract
      const data = encodeTopUp({ pubkey: user.pubkey })
      replaced = await world.clock.during(() =>
        stranger.carryOut({ to, value: gweiToWei(tokens(10_000n)), data }),
      )
      const hash = replaced
      while ((await world.clock.during(() => user.rpc('eth_getTransactionReceipt', [hash]))) === null)
        await session.clock.sleep(100)
      // All that the screen says is asked anew at that block.
      await session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.dispatch({ step: 'topup', type: 'chosen', text: '270000' })
      await until(session, () => knows(agreedNow(session), { hash, block: world.devnet.state().slot }))
      const agreed = agreedNow(session)
      if (agreed === undefined) throw new Error('the top-up is not offered')
      expect(agreed.terms?.deposits).toEqual([hash])
      hasAgreed = true
      expect(await session.dispatch(agreed)).toBe(true)
      await session.clock.sleep(3000)
      const { failure } = session.getState().topup.send
      expect(failure).toMatchObject({
        shortMessage: REFUSED,
        details: [GATE_TEXT.agreed.arrivedSince('10,000 BERA')],
      })
    })
    expect(prepared(world) + world.wire.length).toBe(0)
  })
})

/** The logs, those of one transaction as if another one had made them. */
async function renamedLogs(truth: () => Promise<unknown>, hash: Hex | undefined): Promise<unknown> {
  const logs = (await truth()) as readonly { transactionHash: Hex }[]
  const other: Hex = `0x${'ab'.repeat(32)}`
  return logs.map((log) => (log.transactionHash === hash ? { ...log, transactionHash: other } : log))
}

/** The same session where the time of the chain is that of the wall: a head is young or old without a wait. */
function wallSession({ setup }: Session, effects: Effects): Session {
  return createSession(effects, { ...setup, network: { ...setup.network, clockIsWall: true } }, openAlarms)
}

/** Whether what is agreed to is read at this block or later, with this deposit alone. */
function knows(agreed: Agreed | undefined, { hash, block }: { hash: Hex; block: bigint }): boolean {
  const { world, terms } = agreed ?? {}
  const isRead = world?.about === 'validator' && world.block >= block
  return isRead && terms?.deposits.length === 1 && terms.deposits[0] === hash
}

/** What the word of the top-up that is offered now agrees to. */
function agreedNow(session: Session): Agreed | undefined {
  const { actions } = viewOf('topup', session.getState(), session)
  const does = actions.find(({ typed }) => typed !== undefined)?.does
  return Array.isArray(does) ? (does as readonly Event[]).find(isAgreed) : undefined
}
