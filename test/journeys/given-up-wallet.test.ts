import { keccak256, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { viewOf } from '../../src/compose/fact-lines.ts'
import type { Effects } from '../../src/core/effects/effects.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import type { Session } from '../../src/core/session.ts'
import { answering } from '../support/answering.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { one } from '../support/hard.ts'
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
const giveUp = async (session: Session, step: 'deposit' | 'topup') => {
  await session.dispatch({ step, type: 'abandoned' })
  await session.dispatch({ step, type: 'checkAsked' })
}
const lines = (world: World, type: string) => world.journal().filter((line) => line.type === type)

describe('a transaction that was handed out and given up', () => {
  test.each(one(['deposit', 'topup'] as const, 1))(
    'is prepared again with the same number: %s',
    async (step) => {
      const world = await openWorld()
      const { ending } = await registerWith(world, async (session, { step: of, sign }) => {
        if (of !== step || lines(world, `${step}.abandoned`).length > 0) return sign()
        await giveUp(session, step)
        return undefined
      })
      expect(ending).toEqual({ end: 'active' })
      expect(await paid(world)).toHaveLength(2)
      const made = lines(world, `${step}.prepared`)
      const numbers = made.map(
        ({ data }) => (data.draft as { transaction: { nonce: number } }).transaction.nonce,
      )
      expect(numbers).toHaveLength(2)
      expect(new Set(numbers).size).toBe(1)
    },
  )

  test.each(one(['deposit', 'topup'] as const, 0))(
    'although it was sent, is found before another number is taken: %s',
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

  test('and sent while the one after it waits to be signed, is the one that counts', async () => {
    const world = await openWorld()
    let old: Hex | undefined
    const { ending, session } = await registerWith(world, async (session, { step, sign }) => {
      if (step === 'deposit') return sign()
      if (old !== undefined) {
        await send(world, old)
        return undefined
      }
      old = await sign({ maxFeePerGas: 10n ** 10n })
      await giveUp(session, step)
      return undefined
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await paid(world)).toHaveLength(2)
    expect(session.getState().topup.finished).toHaveLength(1)
  })
})

test('bytes that are still being read when their transaction is given up are not taken for the next one', async () => {
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
})

describe('while a wallet is to sign', () => {
  test('another program takes the number: it is said, and the step can be opened again', async () => {
    const world = await openWorld()
    const { ending, session } = await registerWith(world, async () => {
      const user = await userOf(world.devnet)
      await user.send(user.address, '0x', 0n)
      return undefined
    })
    expect(ending).toMatchObject({
      end: 'refused',
      problem: { title: 'Another transaction from this account used our nonce.', money: 'untouched' },
    })
    const view = viewOf('deposit', session.getState(), session)
    expect(view.actions.map(({ id }) => id)).toEqual(['reopen'])
    expect(view.commands).toEqual([])
    expect(await paid(world)).toEqual([])
  })

  test('it sends from another of its accounts: the command is taken away, and no word says that nothing was sent', async () => {
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
      await until(session, ({ topup }) => topup.send.watch.otherDeposit !== undefined)
      await world.clock.sleep(5000)
      return session
    })
    const view = viewOf('topup', session.getState(), session)
    const hash = keccak256(sent ?? '0x')
    expect(view.commands).toEqual([])
    expect(view.money.line).toContain('a deposit for this key is on the chain')
    expect(view.facts.find(({ id }) => id === 'tracking')).toMatchObject({ long: hash })
    const user = await userOf(world.devnet)
    await world.clock.flow(async () => {
      await user.send(user.address, '0x', 0n)
      await world.clock.sleep(20_000)
    })
    expect(session.getState().topup.send).toMatchObject({
      payment: { phase: 'exported' },
      watch: { otherDeposit: { hash } },
    })
    expect(viewOf('topup', session.getState(), session).problem).toBeUndefined()
  })

  test('another program takes the number and a stranger pays for the key: both are said', async () => {
    const world = await openWorld()
    const other = await otherAccount(world)
    const { ending, session } = await registerWith(world, async (_, { step, command, sign }) => {
      if (step === 'deposit') return sign()
      const { from: __, wallet: ___, ...transaction } = readMktx(command)
      const value = 10_000n * 10n ** 18n
      await send(world, await other.signTransaction({ ...transaction, value, nonce: 0 }))
      const user = await userOf(world.devnet)
      await user.send(user.address, '0x', 0n)
      return undefined
    })
    expect(ending).toMatchObject({ end: 'refused', step: 'topup' })
    const { money, problem } = viewOf('topup', session.getState(), session)
    expect(money.line).toContain('a deposit for this key is on the chain')
    expect(problem?.values).toContainEqual({
      label: 'deposit for the key',
      value: expect.stringMatching(/^0x/),
    })
    expect(problem?.lines.join(' ')).not.toContain('Nothing of this step was paid')
  })

  test('somebody else pays for the key: after a restart nothing is shown, and it is said', async () => {
    const world = await openWorld()
    const stranger = privateKeyToAccount(`0x${'77'.repeat(32)}`)
    const rich = numberToHex(10n ** 23n)
    await world.devnet.execution.rpc('anvil_setBalance', [stranger.address, rich])
    const life = world.begin()
    await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, life)
      await carryCommands(world, session, async ({ command }) => {
        const { from: _, wallet: __, ...transaction } = readMktx(command)
        await send(world, await stranger.signTransaction({ ...transaction, nonce: 0 }))
        await world.devnet.advanceSlot()
        life.kill()
        return undefined
      })
      await Promise.race([register(world, session), life.died])
    })
    const shown: string[] = []
    const { session } = await world.clock.flow(async () => {
      const again = await sessionWithoutKeystore(world, world.begin())
      await carryCommands(world, again, async ({ command }) => {
        shown.push(command)
        return undefined
      })
      return { session: again, ending: await register(world, again, { patienceSeconds: 60 }) }
    })
    expect(shown).toEqual([])
    const { deposit } = session.getState()
    expect(deposit).toMatchObject({
      payment: { phase: 'exported' },
      watch: { shown: undefined },
      tracking: { status: 'known', value: { is: 'other-deposit' } },
    })
  })
})

/** Another account of the user, with enough for a top-up. */
async function otherAccount(world: World) {
  const account = privateKeyToAccount(`0x${'77'.repeat(32)}`)
  await world.devnet.execution.rpc('anvil_setBalance', [account.address, numberToHex(10n ** 24n)])
  return account
}

/** Whoever holds the bytes of the given-up payment sends them, and a block takes them. */
async function sendAfterAll(world: World, raw: Hex | undefined): Promise<void> {
  await send(world, raw)
  await world.devnet.advanceSlot()
}

type Counted = { method: string; params: readonly unknown[] }
const counts =
  (block: string) =>
  ({ method, params }: Counted): boolean =>
    method === 'eth_getTransactionCount' && params[1] === block

describe('a top-up that is given up, and another one by the keystore', () => {
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

  test('are one payment when the first is in a block before the number of the second is read', async () => {
    const world = await openWorld()
    const { address } = await userOf(world.devnet)
    let old: Hex | undefined
    let armed = false
    const isNext = counts('latest')
    await giveUpAndPay(world, {
      payer: address,
      sign: async ({ sign }) => {
        old = await sign()
      },
      afterwards: async (session) => {
        void until(session, ({ topup }) => standOf(topup.send) === 'agreed').then(() => {
          armed = true
        })
      },
      mutate: (effects) =>
        answering(effects, (call, truth) => {
          if (!armed || !isNext(call)) return undefined
          armed = false
          return truth().then((count) => sendAfterAll(world, old).then(() => count))
        }),
    })
    expect(await paid(world)).toHaveLength(2)
    expect(lines(world, 'topup.found')).toHaveLength(1)
  })

  test('are not made while nobody can say who sent a deposit that uses its number', async () => {
    const world = await openWorld()
    const { address } = await userOf(world.devnet)
    let hidden = false
    let old: Hex | undefined
    const rows = new Set<string>()
    await giveUpAndPay(world, {
      payer: address,
      sign: async ({ sign }) => {
        old = await sign()
      },
      afterwards: async (session) => {
        await sendAfterAll(world, old)
        hidden = true
        session.subscribe(({ topup }) => rows.add(topup.send.seen.nonce.status))
      },
      mutate: (effects) =>
        answering(effects, ({ method }) =>
          hidden && method === 'eth_getTransactionByHash' ? Promise.resolve(null) : undefined,
        ),
    })
    expect(rows).not.toContain('known')
    expect(rows).toContain('failed')
    expect(lines(world, 'topup.prepared')).toHaveLength(1)
    expect(await paid(world)).toHaveLength(2)
  })

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

  test('are not made while the first waits in the pool of an endpoint', async () => {
    const world = await openWorld()
    const other = await otherAccount(world)
    let asked = 0
    const said = new Set<string>()
    const isPending = counts('pending')
    const { ending } = await giveUpAndPay(world, {
      payer: other.address,
      sign: async () => undefined,
      afterwards: async (session) => {
        session.subscribe(({ topup }) => {
          const { nonce } = topup.send.seen
          if (nonce.status === 'failed') said.add(`${standOf(topup.send)}: ${nonce.error.shortMessage}`)
        })
      },
      mutate: (effects) =>
        answering(effects, (call) => {
          const isOther = String(call.params[0]).toLowerCase() === other.address.toLowerCase()
          if (!isPending(call) || !isOther || lines(world, 'topup.abandoned').length === 0) return undefined
          asked += 1
          return asked > 4 ? undefined : Promise.resolve('0x1')
        }),
    })
    expect([...said]).toEqual(['open: The transaction you abandoned may have been sent.'])
    expect(ending).toEqual({ end: 'active' })
    expect(await paid(world)).toHaveLength(2)
  })
})
