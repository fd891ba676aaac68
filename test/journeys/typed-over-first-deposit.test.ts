import { expect, test } from 'vitest'
import { httpError } from '../../src/core/base/errors/http.ts'
import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import { encodeFirstDeposit } from '../../src/core/chain/deposit/calldata.ts'
import { deskAfter, openDesk } from '../../src/core/pay/desk/desk.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { AnyDesk } from '../../src/core/wizard/state.ts'
import { offerNow, viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { answering } from '../support/answering.ts'
import { contractAccount } from '../support/contract-account.ts'
import { register } from '../support/register.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** Somebody pays for the key with a signature of their own, and is its operator from then on. */
async function squat({ clock, devnet }: World): Promise<void> {
  await clock.during(async () => {
    const { pubkey, withdrawalCredentials } = await userOf(devnet)
    const stranger = await contractAccount(devnet)
    const operator = `0x${'99'.repeat(20)}` as const
    const data = encodeFirstDeposit({
      pubkey,
      withdrawalCredentials,
      operator,
      signature: `0x${'11'.repeat(96)}`,
    })
    await stranger.carryOut({
      to: devnet.chain.input.spec.depositContract,
      value: gweiToWei(tokens(10_000n)),
      data,
    })
  })
}

/** The desk as it stands by what the session knows now. */
function looked(desk: AnyDesk, session: Session): AnyDesk['stand'] {
  const now = offerNow(desk.opened.offer, 'deposit', session.getState(), session)
  return deskAfter(desk, { type: 'looked', now }).stand
}

test('while the word of a first deposit is typed, what happens to its key is seen', async () => {
  const world = await openWorld()
  let isDown = false
  const asked = { of: 0 }
  const life = world.begin({
    mutate: (effects) =>
      answering(effects, ({ method }) => {
        asked.of += method === 'eth_getLogs' || method === 'eth_call' ? 1 : 0
        return isDown
          ? Promise.reject(httpError('http.unreachable', 'http://127.0.0.1:8545', 'closed'))
          : undefined
      }),
  })
  const seen: { [moment: string]: AnyDesk['stand'] } = {}
  await world.clock.flow(async () => {
    const begun = await world.session(life)
    const { setup } = begun
    const secondExecution = setup.endpoints.execution.replace('127.0.0.1', 'localhost')
    const endpoints = { ...setup.endpoints, secondExecution }
    const session = createSession(life.effects, { ...setup, endpoints }, openAlarms)
    const { promise, resolve } = Promise.withResolvers<void>()
    const typed = async () => {
      const { actions } = viewOf('deposit', session.getState(), session)
      const desk = actions.map((action) => openDesk(action, 0)).find((one) => one !== undefined)
      if (desk === undefined) throw new Error('nothing can be opened')
      const after = async (moment: string, slots: number) => {
        await session.clock.sleep(slots * setup.network.slotMs)
        seen[moment] = looked(desk, session)
      }
      const before = asked.of
      await after('nothing happened', 20)
      expect(asked.of - before).toBeLessThan(40)
      isDown = true
      await after('no endpoint answered', 8)
      isDown = false
      await after('they answer again', 12)
      await squat(world)
      await after('somebody paid for the key', 8)
      await session.stop()
      resolve()
    }
    let isTyping = false
    // Who types presses nothing else.
    const holding: Session = {
      ...session,
      async dispatch(event) {
        if (isTyping) return false
        if (event.step !== 'deposit' || event.type !== 'agreed') return session.dispatch(event)
        isTyping = true
        await typed()
        return false
      },
    }
    void register(world, holding)
    await promise
  })
  expect(seen).toEqual({
    'nothing happened': { is: 'open', unknown: [] },
    'no endpoint answered': { is: 'open', unknown: expect.arrayContaining([{ id: 'check', check: 'key' }]) },
    'they answer again': { is: 'open', unknown: [] },
    'somebody paid for the key': { is: 'other', changes: [{ id: 'check', check: 'key' }] },
  })
})
