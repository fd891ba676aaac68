import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { type Answer, answering } from '../support/answering.ts'
import { hardTest } from '../support/hard.ts'
import { atLine, dieWhileRegistering, expectOnePaymentEach } from '../support/kills.ts'
import { type Ending, register } from '../support/register.ts'
import { carryCommands, sessionWithoutKeystore } from '../support/wallet-machine.ts'
import { withSecond } from '../support/with-second.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const FALSE_HASH = `0x${'ab'.repeat(32)}`
const FUTURE = '0xffffff'

const openWorld = worldsOfTests()

/** A registration with two execution endpoints on one chain, of which the first one lies. */
async function registerWith(liar: Answer): Promise<{ world: World; ending: Ending }> {
  const world = await openWorld()
  const { execution } = world.devnet.descriptor.urls
  const life = world.begin({ mutate: (effects) => answering(effects, liar, execution) })
  const ending = await world.clock.flow(async () =>
    register(world, await withSecond(life, world.session(life))),
  )
  return { world, ending }
}

describe('of two execution endpoints the first one lies', () => {
  hardTest.each(['has it in a block', 'has it in a block of the future', 'has it in its pool'])(
    'keeps the bytes and says that it %s: the other one gets them, and each step is paid once',
    async (claim) => {
      const kept = new Map<string, Hex>()
      const { world, ending } = await registerWith(({ method, params: [subject] }, truth) => {
        if (method === 'eth_sendRawTransaction') {
          const hash = keccak256(subject as Hex)
          kept.set(hash, subject as Hex)
          return Promise.resolve(hash)
        }
        const raw = kept.get(String(subject))
        if (raw === undefined) return undefined
        if (method === 'eth_getTransactionReceipt' && claim.startsWith('has it in a block'))
          return truth().then(
            (receipt) => receipt ?? falseReceipt(raw, claim.endsWith('future') ? FUTURE : '0x1'),
          )
        if (method === 'eth_getTransactionByHash' && claim === 'has it in its pool')
          return truth().then((found) => found ?? falsePending(raw))
        return undefined
      })
      expect(ending).toEqual({ end: 'active' })
      await expectOnePaymentEach(world)
    },
  )
})

describe('with two execution endpoints', () => {
  hardTest.each(['deposit.signed', 'topup.signed'])(
    'a process that dies after the line %s is followed by one that pays',
    async (type) => {
      const world = await openWorld()
      await dieWhileRegistering(world, { dies: atLine(type, 'after') })
      const life = world.begin()
      const failures = new Set<string>()
      const ending = await world.clock.flow(async () => {
        const session = await withSecond(life, world.session(life))
        session.subscribe(({ deposit, topup }) => {
          for (const { failure } of [deposit, topup.send])
            if (failure !== undefined) failures.add(failure.shortMessage)
        })
        return register(world, session)
      })
      expect([...failures]).toEqual([])
      expect(ending).toEqual({ end: 'active' })
      await expectOnePaymentEach(world)
    },
  )

  test('a command that was handed out before the program was closed is brought back signed, and sent', async () => {
    const world = await openWorld()
    const first = world.begin()
    await world.clock.flow(async () => {
      const session = await withSecond(first, sessionWithoutKeystore(world, first))
      await carryCommands(world, session, async () => {
        first.kill()
        return undefined
      })
      await Promise.race([register(world, session), first.died])
    })
    const life = world.begin()
    const ending = await world.clock.flow(async () => {
      const session = await withSecond(life, sessionWithoutKeystore(world, life))
      await carryCommands(world, session, ({ sign }) => sign())
      return register(world, session)
    })
    expect(ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })
})

const senderOf = (raw: Hex) =>
  recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }).then((from) =>
    from.toLowerCase(),
  )

async function falseReceipt(raw: Hex, blockNumber: Hex) {
  const { to } = parseTransaction(raw as `0x02${string}`)
  return {
    transactionHash: keccak256(raw),
    status: '0x1',
    blockNumber,
    blockHash: FALSE_HASH,
    transactionIndex: '0x0',
    from: await senderOf(raw),
    to,
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    logs: [],
  }
}

async function falsePending(raw: Hex) {
  const { to, nonce = 0, value = 0n, data = '0x' } = parseTransaction(raw as `0x02${string}`)
  return {
    hash: keccak256(raw),
    from: await senderOf(raw),
    to,
    nonce: `0x${nonce.toString(16)}`,
    value: `0x${value.toString(16)}`,
    input: data,
    blockNumber: null,
    blockHash: null,
  }
}
