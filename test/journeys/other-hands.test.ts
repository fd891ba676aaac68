import { expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import {
  agreeToTopUp,
  askKey,
  proveAdopted,
  sessionOfValidator,
  shown,
  topUpAdopted,
  typeAddress,
} from '../support/adopting.ts'
import { standingAccount } from '../support/contract-account.ts'
import { pattern } from '../support/pattern.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** Somebody whose payments for the key of the world are in the next block; time stands still until they are sent. */
async function otherHand(world: World) {
  const { pubkey } = await userOf(world.devnet)
  const account = await standingAccount(world)
  const to = world.devnet.chain.input.spec.depositContract
  return (amountTokens: bigint) =>
    world.clock.during(() =>
      account.carryOut({ to, value: gweiToWei(tokens(amountTokens)), data: encodeTopUp({ pubkey }) }),
    )
}

/** What others have paid by the money line of the top-up, each time that it changed. */
function sumsOf(session: Session): string[] {
  const sums: string[] = []
  session.subscribe((state) => {
    if (state.step !== 'topup') return
    const [, sum = '0'] =
      /· ([\d,]+) BERA more arrived from others/.exec(shown(session, 'topup').money.line) ?? []
    if (sum !== sums.at(-1)) sums.push(sum)
  })
  return sums
}

test('what another hand pays in the block of the own top-up is told, and the sum of it only grows', async () => {
  const world = await openWorld()
  const user = await userOf(world.devnet)
  await user.firstDeposit(10_000n)
  for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
  const pay = await otherHand(world)
  const prompts: string[] = []
  const life = world.begin({ mutate: (effects) => promptsInto(prompts, effects) })
  const session = await sessionOfValidator(world, life, { validator: { pubkey: user.pubkey } })
  await world.clock.flow(async () => {
    await askKey(session)
    await typeAddress(session, user.address)
    await proveAdopted(session)
    const sums = sumsOf(session)
    await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
    await session.clock.sleep(3000)
    await pay(10_000n)
    await session.clock.sleep(5000)
    let paying: Promise<unknown> | undefined
    session.subscribe((_, { step, type }) => {
      if (step === 'topup' && type === 'handed-over') paying ??= pay(20_000n)
    })
    await topUpAdopted(session, '10000')
    await paying
    // The page that asks for the password names what came since the plan.
    expect(prompts).toEqual(['10,000'])
    await session.clock.sleep(5000)
    const { included } = ownOf(session)
    expect(shown(session, 'topup').notes.join('\n')).toMatch(
      pattern`20,000 BERA .* block ${String(included)}, from 0x`,
    )
    // The step is opened again, left, and entered again: what was told stays told.
    await session.dispatch({ step: 'topup', type: 'reopened' })
    await session.dispatch({ step: 'topup', type: 'checkAsked' })
    await session.clock.sleep(5000)
    await session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
    await session.clock.sleep(5000)
    await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
    await session.clock.sleep(5000)
    await pay(10_000n)
    await session.clock.sleep(5000)
    expect(sums).toEqual(['0', '10,000', '30,000', '40,000'])
  })
})

test('a top-up that was agreed to and not sent, since another hand paid, says so until somebody acts', async () => {
  const world = await openWorld()
  const user = await userOf(world.devnet)
  await user.firstDeposit(10_000n)
  for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
  const pay = await otherHand(world)
  const session = await sessionOfValidator(world, world.begin(), { validator: { pubkey: user.pubkey } })
  await world.clock.flow(async () => {
    await askKey(session)
    await typeAddress(session, user.address)
    await proveAdopted(session)
    await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
    const problem = () => shown(session, 'topup').problem?.lines.join(' ')
    const paidLate: Session = {
      ...session,
      async dispatch(event) {
        if (event.step === 'topup' && event.type === 'agreed') await pay(20_000n)
        return session.dispatch(event)
      },
    }
    await agreeToTopUp(paidLate, '10000')
    await session.clock.sleep(10_000)
    expect(problem()).toMatch(/20,000 BERA more arrived/)
    expect(world.journal().filter(({ type }) => type === 'topup.signed')).toEqual([])
    await session.dispatch({ step: 'topup', type: 'checkAsked' })
    expect(problem()).toBeUndefined()
  })
})

/** What the page of each password that is asked for says of payments by others: one page for the screens and the lines. */
function promptsInto(prompts: string[], effects: Effects): Effects {
  const { signer } = effects
  return {
    ...effects,
    signer: {
      ...signer,
      async signTransaction(request) {
        prompts.push(request.prompt.arrived)
        return signer.signTransaction(request)
      },
    },
  }
}

/** The block of the own top-up, with its commas. */
function ownOf(session: Session): { included: string } {
  const { payment } = session.getState().topup.send
  if (payment.phase !== 'ended' || payment.outcome.is !== 'paid') throw new Error('the top-up is not paid')
  return { included: payment.outcome.included.blockNumber.toLocaleString('en') }
}
