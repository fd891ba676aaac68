import {
  encodeAbiParameters,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { DEPOSIT_TOPIC } from '../../src/core/deposit/abi.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import { type Answer, answering } from '../support/answering.ts'
import { one, sampled } from '../support/hard.ts'
import { atLine, dieWhileRegistering, expectOnePaymentEach } from '../support/kills.ts'
import { type Ending, register } from '../support/register.ts'
import { userOf } from '../support/user-of.ts'
import { carryCommands, sessionWithoutKeystore } from '../support/wallet-machine.ts'
import { withSecond } from '../support/with-second.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const FALSE_HASH = `0x${'ab'.repeat(32)}`
const CONTRACT = '0x4242424242424242424242424242424242424242'
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
  test('about the nonce, another one each time it is asked: no transaction is made with it', async () => {
    let turn = 0
    let ahead = 0n
    const { world } = await registerWith(({ method, params }, truth) => {
      if (method !== 'eth_getTransactionCount') return undefined
      if (params[1] === 'latest') {
        turn += 1
        ahead = turn % 2 === 1 ? 5n : 0n
      }
      const by = ahead
      return truth().then((nonce) => `0x${(BigInt(nonce as string) + by).toString(16)}`)
    })
    const made = world.journal().filter(({ type }) => type === 'deposit.prepared')
    const nonces = made.map(
      ({ data }) => (data.prepared as { transaction: { nonce: number } }).transaction.nonce,
    )
    expect(nonces.filter((nonce) => nonce !== 0)).toEqual([])
    expect(world.wire.filter(({ raw }) => (parseTransaction(raw as `0x02${string}`).nonce ?? 0) > 1)).toEqual(
      [],
    )
  })

  test.each(sampled(['has it in a block', 'has it in a block of the future', 'has it in its pool'], 2))(
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

describe('of two execution endpoints the first one makes a deposit up, another one each time,', () => {
  test.each(one(['deposit', 'topup'] as const, 1))(
    'while the bytes of the %s wait: none is written down, and the other one gets the bytes',
    async (step) => {
      const world = await openWorld()
      const { address, pubkey } = await userOf(world.devnet)
      const { execution } = world.devnet.descriptor.urls
      const nonce = step === 'deposit' ? 0 : 1
      const made = new Set<string>()
      const isSigned = () => world.journal().some(({ type }) => type === `${step}.signed`)
      const isIn = () => world.journal().some(({ type }) => type === `${step}.included`)
      const liar: Answer = ({ method, params: [subject, block] }, truth) => {
        if (!isSigned() || isIn()) return undefined
        switch (method) {
          case 'eth_sendRawTransaction':
            return Promise.resolve(keccak256(subject as Hex))
          case 'eth_getTransactionCount':
            return block === 'latest' ? Promise.resolve(numberToHex(nonce + 1)) : undefined
          case 'eth_getLogs': {
            const hash = numberToHex(made.size + 1, { size: 32 })
            made.add(hash)
            const { fromBlock } = subject as { fromBlock: Hex }
            return truth().then((logs) => [...(logs as unknown[]), falseDeposit(hash, pubkey, fromBlock)])
          }
          case 'eth_getTransactionByHash':
            return made.has(String(subject))
              ? Promise.resolve(falseCall(String(subject), address, nonce))
              : undefined
        }
        return undefined
      }
      const life = world.begin({ mutate: (effects) => answering(effects, liar, execution) })
      const ending = await world.clock.flow(async () =>
        register(world, await withSecond(life, world.session(life))),
      )
      expect(made.size).toBeGreaterThan(0)
      expect(world.journal().filter(({ type }) => type.endsWith('.found'))).toEqual([])
      expect(ending).toEqual({ end: 'active' })
      await expectOnePaymentEach(world)
    },
  )
})

describe('with two execution endpoints', () => {
  test.each(one(['deposit.signed', 'topup.signed'], 0))(
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

function falseDeposit(transactionHash: Hex, pubkey: Hex, blockNumber: Hex) {
  const fields = ['bytes', 'bytes', 'uint64', 'bytes', 'uint64'].map((type) => ({ type }))
  const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
  return {
    address: CONTRACT,
    topics: [DEPOSIT_TOPIC],
    data: encodeAbiParameters(fields, [pubkey, zeros(32), 10n ** 13n, zeros(96), 7n]),
    blockNumber,
    blockHash: FALSE_HASH,
    transactionHash,
    logIndex: '0x0',
    removed: false,
  }
}

const falseCall = (hash: string, from: Hex, nonce: number) => ({
  hash,
  from,
  to: CONTRACT,
  nonce: numberToHex(nonce),
  value: '0x1',
  input: '0x',
  blockNumber: '0x1',
  blockHash: FALSE_HASH,
})
