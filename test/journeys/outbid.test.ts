import { describe, expect, test } from 'vitest'
import { viewOf } from '../../src/compose/fact-lines.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/consensus/state.ts'
import { encodeFirstDeposit } from '../../src/core/deposit/calldata.ts'
import { credentialsOf } from '../../src/core/deposit/credentials.ts'
import { signDepositMessage } from '../../src/core/deposit/sign.ts'
import { gweiToWei, tokens } from '../../src/core/format/amount.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import type { Session } from '../../src/core/session.ts'
import type { State } from '../../src/core/state.ts'
import { gateIsOpen } from '../../src/core/steps/sending/gate.ts'
import { topUpPlan } from '../../src/core/steps/topup/machine.ts'
import { agreedWorld } from '../../src/core/steps/topup/plan.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { topUpEvents } from '../../src/hooks/use-status.ts'
import { contractAccount } from '../support/contract-account.ts'
import { journey } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'

/** Somebody registers a new key at once with more than the last place holds. */
async function rivalComes(world: World, amount: bigint): Promise<void> {
  const { devnet } = world
  const { descriptor } = devnet
  await world.clock.during(async () => {
    const rich = await contractAccount(devnet)
    const key = validatorKey(descriptor.seed, 'rival')
    const withdrawalCredentials = credentialsOf(rich.address)
    const message = { pubkey: key.pubkey, withdrawalCredentials, amountGwei: tokens(amount) }
    const signature = signDepositMessage(Buffer.from(key.secretBase64, 'base64'), message, {
      genesisForkVersion: descriptor.genesisForkVersion,
      genesisValidatorsRoot: descriptor.genesisRoot,
    })
    const operator = rich.address.toLowerCase() as Hex
    const data = encodeFirstDeposit({ ...message, signature, operator })
    await rich.carryOut({ value: gweiToWei(tokens(amount)), data })
  })
}

const statusOf = (session: Session) => viewOf('status', session.getState(), session)

const problemIs = (session: Session, words: RegExp) => () =>
  words.test(statusOf(session).problem?.title ?? '')

/** What `t` and the typed word do. */
async function topUpAsShown(session: Session): Promise<void> {
  const { setup } = session
  for (const event of topUpEvents(session)) await session.dispatch(event)
  const ready = ({ topup }: State) => topup.send.phase === 'idle' && gateIsOpen(topup.send.seen, setup)
  await until(session, ready)
  const { topup } = session.getState()
  const facts = session.facts()
  const plan = topUpPlan(topup.chosenGwei ?? 0n, facts, setup)
  const world = agreedWorld(topup, facts.identity?.pubkey, topup.chosenGwei, setup)
  if (plan === undefined || world === undefined) throw new Error('there is nothing to agree to')
  expect(await session.dispatch({ step: 'topup', type: 'confirmed', plan, world })).toBe(true)
  await until(session, (state) => state.topup.send.phase === 'final')
  await session.dispatch({ step: 'session', type: 'went', to: 'status' })
}

describe('an active validator that is outbid', () => {
  test('is told when it drops out, what keeps its place and until when, and is saved by that', () =>
    journey({ scenario: 'set-full' }, async ({ world, session, ending }) => {
      expect(ending).toEqual({ end: 'active' })
      expect(statusOf(session).problem).toBeUndefined()
      const before = world.devnet.state().slot
      await rivalComes(world, 300_000n)
      await world.clock.flow(() =>
        until(session, problemIs(session, /You drop out of the active set at epoch/)),
      )
      expect(world.devnet.state().slot - before).toBeLessThanOrEqual(3n)
      const { problem, money, actions, done } = statusOf(session)
      expect(problem?.lines.join('\n')).toMatch(
        /^A top-up of 20,000 BERA keeps your place\. Send it by block \d+: within \d+ slots, \d+ s\.\nWithout it the key is lost for ever; the stake comes back 32 s later\./,
      )
      expect(money.line).toMatch(/^staked 280,000 BERA · a top-up of 20,000 BERA is needed$/)
      expect(actions).toContainEqual({ id: 'topup', key: 't', label: 'top up 20,000' })
      expect(done).toBe(false)
      await world.clock.flow(() => topUpAsShown(session))
      await world.clock.flow(() => session.clock.sleep(40_000))
      const { pubkey } = await userOf(world.devnet)
      const own = world.devnet.state().validators.find((each) => each.pubkey === pubkey)
      expect(own?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      expect(statusOf(session).problem).toBeUndefined()
      expect(statusOf(session).done).toBe(true)
    }))

  test('is lost where nothing is done, at the epoch that was told', () =>
    journey({ scenario: 'set-full' }, async ({ world, session }) => {
      await rivalComes(world, 300_000n)
      await world.clock.flow(() =>
        until(session, problemIs(session, /You drop out of the active set at epoch/)),
      )
      const told = /epoch (\d+)/.exec(statusOf(session).problem?.title ?? '')?.[1]
      await world.clock.flow(() => session.clock.sleep(40_000))
      const { pubkey } = await userOf(world.devnet)
      const own = world.devnet.state().validators.find((each) => each.pubkey === pubkey)
      expect(String(own?.exitEpoch)).toBe(told)
      expect(statusOf(session).title).toBe('Your validator has left the active set')
    }))
})
