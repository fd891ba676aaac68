import { keccak256, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { register } from '../support/register.ts'
import { standOf } from '../support/stand-of.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { type Carry, carryCommands, readMktx, sessionWithoutKeystore } from '../support/wallet-machine.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

type Handed = Parameters<Carry>[0]

/** A registration in which the user does something of his own with each command; */
function registerWith(world: World, does: (session: Session, handed: Handed) => ReturnType<Carry>) {
  return world.clock.flow(async () => {
    const session = await sessionWithoutKeystore(world, world.begin())
    await carryCommands(world, session, (handed) => does(session, handed))
    return { session, ending: await register(world, session) }
  })
}

const paid = async (world: World) => {
  const { pubkey } = await userOf(world.devnet)
  return depositsOf(world.devnet.descriptor.urls.execution, pubkey)
}
const send = async (world: World, raw: Hex | undefined) => {
  const user = await userOf(world.devnet)
  await user.rpc('eth_sendRawTransaction', [raw])
}

const lines = (world: World, type: string) => world.journal().filter((line) => line.type === type)

describe('a transaction that was exported and abandoned', () => {
  test.each(one(['deposit', 'topup'] as const, 0))(
    'although it was sent, is found before another nonce is taken: %s',
    async (step) => {
      const world = await openWorld()
      const { ending } = await registerWith(world, async (session, { step: of, sign }) => {
        if (of !== step) return sign()
        const raw = await sign()
        await session.dispatch({ step, type: 'abandoned' })
        await send(world, raw)
        await world.devnet.advanceSlot()
        await session.dispatch({ step, type: 'checkAsked' })
        return undefined
      })
      expect(ending).toEqual({ end: 'active' })
      expect(await paid(world)).toHaveLength(2)
      expect(lines(world, `${step}.prepared`)).toHaveLength(1)
      expect(lines(world, `${step}.found`)).toHaveLength(1)
    },
  )
})

hardTest(
  'bytes that are still being read when their transaction is given up are not taken for the next one',
  async () => {
    const world = await openWorld()
    const held = Promise.withResolvers<Uint8Array>()
    const life = world.begin()
    const files: Effects['files'] = {
      ...life.effects.files,
      read: (path, limits) => (path === '/held' ? held.promise : life.effects.files.read(path, limits)),
    }
    let old: Hex | undefined
    const ending = await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, { ...life, effects: { ...life.effects, files } })
      await carryCommands(world, session, async ({ step, sign }) => {
        if (step === 'deposit') return sign()
        if (old === undefined) {
          old = await sign()
          void session.dispatch({ step, type: 'imported', text: '/held' })
          await session.dispatch({ step, type: 'abandoned' })
          await session.dispatch({ step, type: 'chosen', text: '280000' })
          return undefined
        }
        held.resolve(new TextEncoder().encode(old))
        await new Promise((resolve) => setTimeout(resolve, 0))
        return sign()
      })
      return register(world, session)
    })
    expect(ending).toEqual({ end: 'active' })
    expect((await paid(world)).at(-1)).toBe(280_000n * 10n ** 9n)
    expect(lines(world, 'topup.signed').map(({ data }) => data.raw)).not.toContain(old)
  },
)

describe('while a wallet is to sign', () => {
  hardTest(
    'it sends from another of its accounts: the command is taken away, and no word says that nothing was sent',
    async () => {
      const world = await openWorld()
      const other = await otherAccount(world)
      let sent: Hex | undefined
      const session = await world.clock.flow(async () => {
        const session = await sessionWithoutKeystore(world, world.begin())
        await carryCommands(world, session, async ({ step, command, sign }) => {
          if (step === 'deposit') return sign()
          if (sent !== undefined) return undefined
          const { from: _, wallet: __, ...transaction } = readMktx(command)
          sent = await other.signTransaction({ ...transaction, nonce: 0 })
          await send(world, sent)
          return undefined
        })
        void register(world, session)
        await until(session, ({ topup }) => topup.send.memory.otherDeposit !== undefined)
        await world.clock.sleep(5000)
        return session
      })
      const view = viewOf('topup', session.getState(), session)
      const hash = keccak256(sent ?? '0x')
      expect(view.commands).toEqual([])
      expect(view.money.line).toContain(PAYMENT_TEXT.money.otherDeposit.line)
      expect(viewOf('sign', session.getState(), session).money.line).toBe(
        STEP_TEXT.sendsNothing(STEP_TEXT.left.perhapsTopUp('10,000 BERA')),
      )
      expect(view.facts.find(({ id }) => id === 'tracking')).toMatchObject({ long: hash })
      const user = await userOf(world.devnet)
      await world.clock.flow(async () => {
        await user.send(user.address, '0x', 0n)
        await world.clock.sleep(20_000)
      })
      // The empty transfer took the nonce: it has ended unpaid, and what the other account paid is said.
      expect(session.getState().topup.send.payment).toMatchObject({
        phase: 'ended',
        outcome: { is: 'nonce-taken', otherDeposit: { hash } },
      })
      const { problem } = viewOf('topup', session.getState(), session)
      expect(problem?.lines).toEqual(PAYMENT_TEXT.problems.nonceTaken(true).lines)
    },
  )
})

/** Another account of the user, with enough for a top-up. */
async function otherAccount(world: World) {
  const account = privateKeyToAccount(`0x${'77'.repeat(32)}`)
  await world.devnet.execution.rpc('hardhat_setBalance', [account.address, numberToHex(10n ** 24n)])
  return account
}

/** Whoever holds the bytes of the given-up payment sends them, and a block takes them. */
async function sendAfterAll(world: World, raw: Hex | undefined): Promise<void> {
  await send(world, raw)
  await world.devnet.advanceSlot()
}

describe('a top-up that is abandoned, and another one by the keystore', () => {
  /** The first top-up is handed out to a wallet and given up, and the keystore is chosen instead. */
  async function giveUpAndPay(
    world: World,
    input: {
      mutate: (effects: Effects) => Effects
      payer: string
      sign: (handed: Handed) => Promise<void>
      afterwards?: (session: Session) => Promise<void>
    },
  ) {
    return world.clock.flow(async () => {
      const session = await world.session(world.begin({ mutate: input.mutate }))
      let chosen = false
      session.subscribe(({ step, topup }) => {
        if (step !== 'topup' || chosen || standOf(topup.send) !== 'open') return
        chosen = true
        void session.dispatch({ step, type: 'signerChosen', external: true })
        void session.dispatch({ step, type: 'senderTyped', text: input.payer })
      })
      let over = false
      await carryCommands(world, session, async (handed) => {
        const { step } = handed
        if (step !== 'topup' || over) return undefined
        over = true
        await input.sign(handed)
        await session.dispatch({ step, type: 'abandoned' })
        await input.afterwards?.(session)
        await session.dispatch({ step, type: 'signerChosen', external: false })
        return undefined
      })
      return { session, ending: await register(world, session, { patienceSeconds: 120 }) }
    })
  }

  test('are not both sent when the first is in a block before the first byte of the second leaves', async () => {
    const world = await openWorld()
    const other = await otherAccount(world)
    let old: Hex | undefined
    /** A co-owner sends the old one while the password is typed here. */
    const mutate = (effects: Effects): Effects => ({
      ...effects,
      signer: {
        ...effects.signer,
        async signTransaction(request) {
          if (old !== undefined) await sendAfterAll(world, old)
          return effects.signer.signTransaction(request)
        },
      },
    })
    const { ending } = await giveUpAndPay(world, {
      payer: other.address,
      mutate,
      sign: async ({ command }) => {
        const { from: _, wallet: __, ...transaction } = readMktx(command)
        old = await other.signTransaction(transaction)
      },
    })
    expect(ending).toEqual({ end: 'active' })
    expect(world.wire).toHaveLength(1)
    expect(await paid(world)).toHaveLength(2)
  })
})
