import { describe, expect, test } from 'vitest'
import type { Effects, Signer } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { findValidatorIndex } from '../../src/core/chain/consensus/process-epoch.ts'
import { encodeFirstDeposit, encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { depositPlan } from '../../src/core/steps/deposit/machine.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { Event } from '../../src/core/wizard/state.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { signWithPop } from '../support/burn.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { one } from '../support/hard.ts'
import { journey, register } from '../support/register.ts'
import { standOf } from '../support/stand-of.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'
import { startWorld } from '../support/world.ts'

const WEI = 10n ** 9n
const FIRST = tokens(10_000n)
const SLOTS_OF_THREE_EPOCHS = 24
const ZERO_ROOT: Hex = `0x${'00'.repeat(32)}`

/** Somebody with the keystore and the key, and no wizard. */
async function byHand() {
  const { devnet, end } = await testDevnet()
  const user = await userOf(devnet)
  const message = {
    pubkey: user.pubkey,
    withdrawalCredentials: user.withdrawalCredentials,
    amountGwei: FIRST,
  }
  const { genesisForkVersion, genesisRoot: genesisValidatorsRoot } = devnet.descriptor
  const chain = { genesisForkVersion, genesisValidatorsRoot }
  const contract = devnet.chain.input.spec.depositContract
  const deposit = (signature: Hex, valueGwei: bigint) => {
    const operator = user.address.toLowerCase() as Hex
    const { pubkey, withdrawalCredentials } = message
    return user.send(
      contract,
      encodeFirstDeposit({ pubkey, withdrawalCredentials, signature, operator }),
      valueGwei * WEI,
    )
  }
  const topUp = (valueGwei: bigint) =>
    user.send(contract, encodeTopUp({ pubkey: user.pubkey }), valueGwei * WEI)
  const sign = (tag: 'right' | 'pop', over: Partial<typeof chain> = {}) =>
    tag === 'pop'
      ? signWithPop(user.key.secretBase64, message, { ...chain, ...over })
      : signDepositMessage(Buffer.from(user.key.secretBase64, 'base64'), message, { ...chain, ...over })
  const isKnown = () => findValidatorIndex(devnet.state().validators, user.pubkey) !== undefined
  return { devnet, user, deposit, topUp, sign, isKnown, end }
}

type Hand = Awaited<ReturnType<typeof byHand>>

/** The contract took it, the money left the account, and three epochs later the chain still knows no such key. */
async function expectBurnt({ devnet, user, isKnown }: Hand, paidGwei: readonly bigint[]): Promise<void> {
  await pass(devnet, SLOTS_OF_THREE_EPOCHS)
  expect(await depositsOf(devnet.descriptor.urls.execution, user.pubkey)).toEqual(paidGwei)
  expect(isKnown()).toBe(false)
  const total = paidGwei.reduce((sum, amountGwei) => sum + amountGwei, 0n)
  expect(await user.balanceWei()).toBeLessThan(10n ** 24n - total * WEI)
}

describe('the chain burns what is sent by hand', () => {
  test.each<[string, (hand: Hand) => Promise<readonly bigint[]>]>([
    [
      'signed with the tag of Ethereum',
      async ({ deposit, sign }) => {
        await deposit(sign('pop'), FIRST)
        return [FIRST]
      },
    ],
    [
      'signed over a zero genesis root',
      async ({ deposit, sign }) => {
        await deposit(sign('right', { genesisValidatorsRoot: ZERO_ROOT }), FIRST)
        return [FIRST]
      },
    ],
    [
      'with one gwei more than was signed',
      async ({ deposit, sign }) => {
        await deposit(sign('right'), FIRST + 1n)
        return [FIRST + 1n]
      },
    ],
    [
      'as a top-up of a key that consensus does not know',
      async ({ devnet, deposit, topUp, sign }) => {
        await deposit(sign('right'), FIRST + 1n)
        await devnet.advanceSlot()
        await topUp(tokens(240_000n))
        return [FIRST + 1n, tokens(240_000n)]
      },
    ],
  ])('%s', async (_, send) => {
    const hand = await byHand()
    try {
      await expectBurnt(hand, await send(hand))
    } finally {
      await hand.end()
    }
  })

  test('while the same deposit, rightly signed, registers the key', async () => {
    const hand = await byHand()
    try {
      await hand.deposit(hand.sign('right'), FIRST)
      await pass(hand.devnet, 3)
      expect(hand.isKnown()).toBe(true)
    } finally {
      await hand.end()
    }
  })
})

/** The signer of a machine on which somebody has exchanged the program. */
function withSigner(change: (signer: Signer) => Partial<Signer>): (effects: Effects) => Effects {
  return (effects) => ({ ...effects, signer: { ...effects.signer, ...change(effects.signer) } })
}

const popOf = (request: Parameters<Signer['signDeposit']>[0]): Hex =>
  signWithPop(validatorKey('bearings', 'fresh').secretBase64, request, request)

describe('the wizard cannot be brought to send', () => {
  const SIGNATURES: [string, (effects: Effects) => Effects][] = [
    [
      'a signature with the tag of Ethereum',
      withSigner(() => ({ signDeposit: async (request) => ({ signature: popOf(request) }) })),
    ],
    [
      'a signature over a zero genesis root',
      withSigner((signer) => ({
        signDeposit: (request) => signer.signDeposit({ ...request, genesisValidatorsRoot: ZERO_ROOT }),
      })),
    ],
    [
      'a signature over another amount',
      withSigner((signer) => ({
        signDeposit: (request) => signer.signDeposit({ ...request, amountGwei: request.amountGwei + 1n }),
      })),
    ],
  ]
  test.each(one(SIGNATURES, 0))('%s: no judge accepts it, and the step is never done', (_, mutate) =>
    journey({ life: { mutate } }, async ({ world, session, ending }) => {
      expect(ending).toMatchObject({ end: 'refused', step: 'sign', problem: { money: 'untouched' } })
      const { signature } = session.getState().sign
      if (signature === undefined) throw new Error('nothing was signed')
      const plan = depositPlan({ ...session.facts(), signature }, session.setup)
      if (plan === undefined) throw new Error('the signature makes no plan')
      expect(await session.dispatch({ step: 'session', type: 'went', to: 'deposit' })).toBe(false)
      expect(
        await session.dispatch({ step: 'deposit', type: 'agreed', plan, world: { about: 'unused-key' } }),
      ).toBe(false)
      expect(world.wire).toEqual([])
      expect(world.journal().map(({ type }) => type)).not.toContain('deposit.agreed')
    }),
  )

  const CHANGES: [string, Partial<Parameters<Signer['signTransaction']>[0]['transaction']>][] = [
    ['one gwei more than was signed for', { valueWei: (FIRST + 1n) * WEI }],
    ['to another contract', { to: '0x4242424242424242424242424242424242424243' }],
    ['with another number', { nonce: 1 }],
  ]
  test.each(one(CHANGES, 0))('%s: a wallet that changes the transaction is found out', (_, change) => {
    const mutate = withSigner((signer) => ({
      signTransaction: (request) =>
        signer.signTransaction({ ...request, transaction: { ...request.transaction, ...change } }),
    }))
    return journey({ life: { mutate } }, ({ world, session, ending }) => {
      expect(ending).toMatchObject({ end: 'refused', step: 'deposit', problem: { money: 'untouched' } })
      expect(session.getState().deposit.failure?.code).toBe('wallet.not-as-prepared')
      expect(world.wire).toEqual([])
      expect(world.journal().map(({ type }) => type)).not.toContain('deposit.signed')
    })
  })

  test('another value than was signed, or a top-up before the proof, however often it is asked', async () => {
    const world = await startWorld()
    try {
      const session = await world.clock.flow(() => world.session(world.begin()))
      const answers = tempt(session, await userOf(world.devnet))
      expect(await register(world, session)).toEqual({ end: 'active' })
      const given = await Promise.all(answers)
      expect(given.length).toBeGreaterThan(100)
      expect(given).not.toContain(true)
      expect(new Set(world.wire.map(({ raw }) => raw)).size).toBe(2)
    } finally {
      await world.end()
    }
  })
})

/** At every turn asks for what burns money; resolves each to whether it was taken. */
function tempt(session: Session, { pubkey }: { pubkey: Hex }): Promise<boolean>[] {
  const { network } = session.setup
  const answers: Promise<boolean>[] = []
  const world = { about: 'unused-key' } as const
  session.subscribe((state) => {
    const facts = session.facts()
    const plan = depositPlan(facts, session.setup)
    const burns: Event[] = []
    if (plan !== undefined && standOf(state.deposit) === 'open') {
      burns.push({ step: 'deposit', type: 'agreed', plan: { ...plan, valueWei: plan.valueWei + WEI }, world })
    }
    if (facts.registration === undefined) {
      const early = {
        to: network.spec.depositContract,
        valueWei: tokens(240_000n) * WEI,
        data: encodeTopUp({ pubkey }),
      }
      burns.push({ step: 'topup', type: 'agreed', plan: early, world })
    }
    answers.push(...burns.map((event) => session.dispatch(event)))
  })
  return answers
}
