import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BaseError, isError } from '../../../src/core/base/errors/base.ts'
import { ClientError } from '../../../src/core/base/errors/client.ts'

import { tokens } from '../../../src/core/base/format/amount.ts'
import {
  type SetSnapshot,
  snapshotSource,
  waitingDeposits,
} from '../../../src/core/chain/consensus/snapshot.ts'
import type { ExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { uncountedOf } from '../../../src/core/clients/key-deposits.ts'
import { proveSnapshot, readSnapshot } from '../../../src/core/clients/prove-snapshot.ts'
import type { SnapshotOptions } from '../../../src/core/clients/prove-validator.ts'
import { NEWER, ONE_MORE, watchSnapshot } from '../../../src/core/clients/watch-snapshot.ts'
import type { Devnet } from '../../../src/devnet/devnet.ts'
import { networkOf } from '../../support/network-of.ts'
import { pattern } from '../../support/pattern.ts'
import {
  alterState,
  insteadOfState,
  jsonReply,
  lieThroughout,
  type Meddler,
  snapshotWorld,
} from '../../support/snapshot-world.ts'
import { userOf } from '../../support/user-of.ts'
import { pass, testDevnet } from '../../support/with-devnet.ts'

/** Nothing here is waited for. */
const STILL = { monotonicMs: () => 0, sleep: async () => undefined }

let devnet: Devnet
let options: SnapshotOptions
let end: () => Promise<void>

beforeAll(async () => {
  const started = await testDevnet({ seed: 'snapshot' })
  devnet = started.devnet
  options = { network: networkOf(devnet), keep: undefined, clock: STILL }
  end = started.end
  await pass(devnet, 3)
})
afterAll(() => end())

const richer = (text: string) =>
  text.replace(/"balances":\[(\d+)/, (_, gwei) => `"balances":[${BigInt(gwei) + 1n}`)

async function mismatchOf(run: Promise<unknown>): Promise<BaseError> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (isError(thrown, 'proofs.state-mismatch')) return thrown
  throw new Error(`expected proofs.state-mismatch, got ${String(thrown)}`)
}

function liar(): Meddler {
  const before = devnet.state().slot - 1n
  const url = `${devnet.descriptor.urls.node}/eth/v2/debug/beacon/states/${before}`
  return lieThroughout(richer, async () => (await fetch(url)).text())
}

describe('a snapshot of a rehearsal network', () => {
  test('is proven one slot behind the head, and holds what the network holds', async () => {
    const snapshot = await readSnapshot(snapshotWorld(devnet).clients, options)
    const head = devnet.state()
    expect(snapshot.proof).toMatchObject({ slot: head.slot - 1n, anchors: 1 })
    expect(snapshot.consensus).toMatchObject({ slot: head.slot - 1n, balancesGwei: head.balancesGwei })
    expect(snapshot.consensus.validators).toEqual(head.validators)
    expect(snapshot.indexes).toEqual(head.validators.map((_, index) => index))
    expect(snapshotSource(snapshot)).toMatch(pattern`^proven .* ${String(head.slot - 1n)}$`)
  })

  test('counts a second endpoint that holds the same root', async () => {
    const { clients, second } = snapshotWorld(devnet)
    expect((await readSnapshot({ ...clients, second }, options)).proof?.anchors).toBe(2)
  })

  test('does without a second endpoint that does not answer or lags', async () => {
    const { clients, second } = snapshotWorld(devnet)
    const silent = {
      ...second,
      rpc: () => clients.execution.rpc({ method: 'eth_none', params: [], decode: () => never() }),
    }
    expect((await readSnapshot({ ...clients, second: silent }, options)).proof?.anchors).toBe(1)
  })

  test('refuses a state whose balance was changed, the header left as it was', async () => {
    const fault = await mismatchOf(readSnapshot(snapshotWorld(devnet, alterState(richer)).clients, options))
    expect(fault.code).toBe('proofs.state-mismatch')
    expect(fault.details.join('\n')).toContain('held by its ')
  })

  test('refuses a changed state with a header that fits it: the execution chain holds another root', async () => {
    const { clients } = snapshotWorld(devnet, liar())
    const fault = await mismatchOf(readSnapshot(clients, options))
    expect(fault.details.join('\n')).toContain(`held by ${clients.execution.label}`)
    expect(fault.details[1]).toBe(`slot: ${devnet.state().slot - 1n}`)
  })

  test('refuses a state that only the first endpoint vouches for', async () => {
    const { clients, second } = snapshotWorld(devnet)
    const other: ExecutionClient = {
      ...second,
      rpc: (question) =>
        question.method === 'eth_call'
          ? Promise.resolve(question.decode(`0x${'ab'.repeat(32)}`, ''))
          : second.rpc(question),
    }
    const fault = await mismatchOf(readSnapshot({ ...clients, second: other }, options))
    expect(fault.code).toBe('proofs.state-mismatch')
    expect(fault.details.slice(-2)).toEqual([
      expect.stringMatching(pattern` ${clients.execution.label}$`),
      `held by ${second.label}: 0x${'ab'.repeat(32)}`,
    ])
  })

  test('refuses the state of another slot', async () => {
    const { urls } = devnet.descriptor
    const older = await (await fetch(`${urls.node}/eth/v2/debug/beacon/states/1`)).text()
    await mismatchOf(
      readSnapshot(
        snapshotWorld(
          devnet,
          alterState(() => older),
        ).clients,
        options,
      ),
    )
  })
})

describe('a snapshot without proof', () => {
  test.each([
    [
      'not offered',
      jsonReply(500, { code: 500, message: 'endpoint x is not yet implemented' }),
      'does not offer this',
    ],
    ['not routed', jsonReply(404, { message: 'Not Found' }), 'does not offer this'],
    ['pruned', jsonReply(404, { code: 404, message: 'state not found' }), 'does not know what was asked for'],
    ['of an unknown form', jsonReply(200, { data: { slot: '0x1' } }), 'does not fit the question'],
  ])('is what the node reports where the state is %s', async (_, reply, words) => {
    const snapshot = await readSnapshot(snapshotWorld(devnet, insteadOfState(reply)).clients, options)
    expect(snapshot.proof).toBeUndefined()
    expect(snapshot.unproven).toContain(words)
    expect(snapshot.consensus).toMatchObject({
      slot: devnet.state().slot,
      validators: devnet.state().validators,
    })
    expect(snapshotSource(snapshot)).not.toMatch(/^proven /)
  })

  test('is not taken from another network that holds its own state well', async () => {
    const { network } = options
    const other = { ...network, genesisValidatorsRoot: `0x${'ab'.repeat(32)}` as const }
    const found = await proveSnapshot(snapshotWorld(devnet).clients, { ...options, network: other })
    expect(found).toEqual({
      unproven: expect.stringContaining(` ${network.genesisValidatorsRoot}`),
      outOfReach: false,
    })
  })

  test('does not guess at the layout of a fork that it does not know', async () => {
    const unknown = alterState((text) => text.replace('"current_version":"0x06', '"current_version":"0x07'))
    const found = await proveSnapshot(snapshotWorld(devnet, unknown).clients, options)
    expect(found).toEqual({
      unproven: expect.stringContaining(' 0x07000000 '),
      outOfReach: false,
    })
  })
})

describe('a set that is watched', () => {
  const slotsPerEpoch = 8n
  const watched = (meddle?: Meddler) => {
    const world = snapshotWorld(devnet, meddle)
    const watch = watchSnapshot(world.clients, { ...options, clock: world.effects.clock })
    return { ...world, watch }
  }
  const toNextEpoch = async () => {
    do await devnet.advanceSlot()
    while (devnet.state().slot % slotsPerEpoch !== 1n)
  }
  const changeBalance =
    (times: { from: number }): Meddler =>
    async (path, reply) => {
      times.from -= path.endsWith('/validators') ? 1 : 0
      if (!path.endsWith('/validators') || times.from >= 0) return undefined
      const text = new TextDecoder().decode(reply.body)
      return { ...reply, body: new TextEncoder().encode(text.replace(/"balance":"\d+"/, '"balance":"1"')) }
    }

  test('is proven once an epoch; in between the proof stands as long as the node reports the same set', async () => {
    await toNextEpoch()
    const { watch, timesStateAsked } = watched()
    const seen: SetSnapshot[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      seen.push(await watch.read())
      await devnet.advanceSlot()
    }
    expect(timesStateAsked()).toBe(1)
    expect(new Set(seen.map(({ proof }) => proof?.slot)).size).toBe(1)
    expect(seen.at(-1)?.consensus.slot).toBeGreaterThan(seen[0]?.consensus.slot ?? 0n)
    await toNextEpoch()
    await devnet.advanceSlot()
    expect((await watch.read()).proof?.slot).toBe(devnet.state().slot - 1n)
    expect(timesStateAsked()).toBe(2)
  })

  test('is the node’s word once it reports another set, until the next proof', async () => {
    await toNextEpoch()
    await devnet.advanceSlot()
    const { watch, timesStateAsked } = watched(changeBalance({ from: 1 }))
    expect((await watch.read()).proof).toBeDefined()
    expect((await watch.read()).proof).toBeDefined()
    const changed = await watch.read()
    expect(changed.proof).toBeUndefined()
    expect(changed.unproven).toBe(NEWER)
    expect(timesStateAsked()).toBe(1)
    await pass(devnet, 8)
    expect((await watch.read()).consensus.balancesGwei).toEqual(devnet.state().balancesGwei)
    expect(timesStateAsked()).toBe(2)
  })

  test('asks for one record alone where that is looked at, until that record changes', async () => {
    await toNextEpoch()
    await devnet.advanceSlot()
    const lists: number[] = []
    let heads = 0
    let isChanged = false
    const { clients, effects, timesStateAsked } = snapshotWorld(devnet, async (path, reply) => {
      if (path.endsWith('/headers/head')) heads += 1
      if (!path.endsWith('/validators')) return undefined
      const text = new TextDecoder().decode(reply.body)
      lists.push(text.split('"pubkey"').length - 1)
      const changed = text.replace(/"balance":"\d+"/, '"balance":"1"')
      return isChanged ? { ...reply, body: new TextEncoder().encode(changed) } : undefined
    })
    const keep = devnet.state().validators[0]?.pubkey
    const own = watchSnapshot(clients, { ...options, keep, clock: effects.clock, lookingAt: 'own' })
    const first = await own.read()
    await devnet.advanceSlot()
    await devnet.advanceSlot()
    const next = await own.read()
    expect(next.consensus).toMatchObject({
      slot: devnet.state().slot,
      balancesGwei: first.consensus.balancesGwei,
    })
    expect(next.consensus.validators).toBe(first.consensus.validators)
    expect(next.proof).toEqual(first.proof)
    expect(next.timestampSeconds).toBeGreaterThan(first.timestampSeconds)
    expect(lists).toEqual([1])
    const before = heads
    // Who has just asked for the head need not ask again.
    const told = await own.read({ head: devnet.state().slot, deposits: undefined })
    expect(told.consensus.slot).toBe(devnet.state().slot)
    expect(heads).toBe(before)
    lists.pop()
    isChanged = true
    await devnet.advanceSlot()
    expect((await own.read()).unproven).toBe(NEWER)
    expect(lists.slice(0, 3)).toEqual([1, 1, devnet.state().validators.length])
    expect(timesStateAsked()).toBe(1)
  })

  test.each<{ lookingAt?: 'own' }>([{ lookingAt: 'own' }, {}])(
    'stays proven in the first slot of an epoch, whose state can be proven a slot later only: %j',
    async (looking) => {
      await toNextEpoch()
      await devnet.advanceSlot()
      const { clients, effects, timesStateAsked } = snapshotWorld(devnet)
      const keep = devnet.state().validators[0]?.pubkey
      const own = watchSnapshot(clients, { ...options, keep, clock: effects.clock, ...looking })
      const seen: string[] = []
      for (let turn = 0; turn < 10; turn += 1) {
        const { proof, consensus } = await own.read()
        seen.push(
          `${devnet.state().slot - consensus.slot} behind, ${proof === undefined ? 'reported' : 'proven'}`,
        )
        await devnet.advanceSlot()
      }
      const boundary = ['1 behind, proven', '1 behind, proven']
      const between = Array.from({ length: 6 }, () => '0 behind, proven')
      expect(seen).toEqual(['1 behind, proven', ...between.slice(1), ...boundary, ...between.slice(0, 2)])
      expect(timesStateAsked()).toBe(2)
    },
  )

  test('does not ask again in the same epoch for a state that is not offered', async () => {
    await toNextEpoch()
    await devnet.advanceSlot()
    const reply = jsonReply(500, { code: 500, message: 'x is not yet implemented' })
    const { watch, timesStateAsked } = watched(insteadOfState(reply))
    for (let turn = 0; turn < 4; turn += 1) expect((await watch.read()).unproven).toContain('does not offer')
    expect(timesStateAsked()).toBe(1)
  })

  test('stays refused after a state that is not the chain’s, until one is', async () => {
    await toNextEpoch()
    await devnet.advanceSlot()
    let lies = true
    const { watch, timesStateAsked } = watched(async (path, reply) =>
      lies ? alterState(richer)(path, reply) : undefined,
    )
    await mismatchOf(watch.read())
    await mismatchOf(watch.read())
    expect(timesStateAsked()).toBe(1)
    lies = false
    await mismatchOf(watch.read())
    await pass(devnet, 8)
    expect((await watch.read()).proof).toBeDefined()
  })

  test('spends no more than a twentieth of the time on proofs', async () => {
    await toNextEpoch()
    const world = snapshotWorld(devnet, async (path) => {
      if (path.startsWith('/eth/v2/debug')) world.passMs(1000)
      return undefined
    })
    const watch = watchSnapshot(world.clients, { ...options, clock: world.effects.clock })
    await watch.read()
    await toNextEpoch()
    await devnet.advanceSlot()
    world.passMs(19_000)
    await watch.read()
    expect(world.timesStateAsked()).toBe(1)
    world.passMs(1000)
    await watch.read()
    expect(world.timesStateAsked()).toBe(2)
  })
})

function never(): never {
  throw new Error('no answer is expected')
}

test('is proven over a state that has paid out, with each of its counters', async () => {
  const paid = await testDevnet({ seed: 'snapshot', scenario: 'exited-key' })
  try {
    await expect
      .poll(
        async () => {
          await paid.devnet.advanceSlot()
          return paid.devnet.state().nextWithdrawalIndex
        },
        { interval: 0 },
      )
      .toBeGreaterThan(0n)
    const { slot, nextWithdrawalIndex, nextWithdrawalValidatorIndex } = paid.devnet.state()
    await pass(paid.devnet, 1)
    const snapshot = await proveSnapshot(snapshotWorld(paid.devnet).clients, {
      ...options,
      network: networkOf(paid.devnet),
    })
    expect(snapshot).toMatchObject({ consensus: { slot, nextWithdrawalIndex, nextWithdrawalValidatorIndex } })
  } finally {
    await paid.end()
  }
})

describe('deposits that the state does not hold yet', () => {
  const FORGET = ['eth_getLogs', 'eth_call'] as const
  let paid: Awaited<ReturnType<typeof testDevnet>>
  beforeAll(async () => {
    paid = await testDevnet({ seed: 'uncounted' })
    const user = await userOf(paid.devnet)
    await user.firstDeposit(10_000n)
    await paid.devnet.advanceSlot()
  })
  afterAll(() => paid.end())

  const snapshotOf = (execution?: (real: ExecutionClient) => ExecutionClient) => {
    const { clients } = snapshotWorld(paid.devnet)
    const asked = { network: networkOf(paid.devnet), keep: undefined, clock: STILL }
    const changed = execution === undefined ? clients.execution : execution(clients.execution)
    return readSnapshot({ ...clients, execution: changed }, asked)
  }
  /** An endpoint that answers one method in its own way. */
  const answering =
    (method: (typeof FORGET)[number], change: (answer: unknown) => unknown) =>
    (real: ExecutionClient): ExecutionClient => ({
      ...real,
      rpc: async (question) => {
        if (question.method !== method) return real.rpc(question)
        const raw = await real.rpc({ ...question, decode: (value) => value })
        return question.decode(change(raw), 'result')
      },
    })

  test('are known with their block and whether the chain will take them', async () => {
    const { pubkey } = await userOf(paid.devnet)
    const { consensus, uncounted } = await snapshotOf()
    expect(uncounted).toMatchObject([
      {
        pubkey,
        amountGwei: tokens(10_000n),
        signatureValid: true,
        blockSlot: consensus.slot + 1n,
        index: BigInt(consensus.validators.length),
      },
    ])
  })

  test('are unknown where the endpoint withholds an event', async () => {
    const { uncounted } = await snapshotOf(answering('eth_getLogs', () => []))
    expect(uncounted).toMatchObject({
      unknown: expect.stringMatching(/ deposit \d+$/),
    })
  })

  test.each([
    ['withholds them', () => []],
    [
      'does not offer them',
      () => {
        throw new ClientError('not-offered', {
          service: 'execution RPC',
          endpoint: 'http://127.0.0.1',
          what: 'eth_getLogs',
        })
      },
    ],
  ])(
    'are those of the second endpoint where the first one %s, and known where one word is enough',
    async (_, logs) => {
      const { clients, second } = snapshotWorld(paid.devnet)
      const execution = answering('eth_getLogs', logs)(clients.execution)
      const asked = { network: networkOf(paid.devnet), keep: undefined, clock: STILL }
      const amount = { amountGwei: tokens(10_000n) }
      const sameServer = await readSnapshot({ ...clients, execution, second }, asked)
      expect(sameServer.uncounted).toMatchObject([amount])
      const elsewhere = { ...second, label: 'http://192.0.2.1:8545' }
      const found = await readSnapshot({ ...clients, execution, second: elsewhere }, asked)
      expect(found.uncounted).toMatchObject({
        unknown: expect.stringContaining(elsewhere.label),
        perhaps: [amount],
      })
      const alone = await readSnapshot({ ...clients, execution }, asked)
      expect(alone.uncounted).toMatchObject({ unknown: expect.any(String), perhaps: [] })
      expect(alone.proof).toBeDefined()
    },
  )

  test('are unknown where the first endpoint gives another amount than the second one', async () => {
    const { clients, second } = snapshotWorld(paid.devnet)
    const amount = (10_000n * 10n ** 9n).toString(16).padStart(64, '0')
    const tenfold = (100_000n * 10n ** 9n).toString(16).padStart(64, '0')
    const larger = (logs: unknown) => JSON.parse(JSON.stringify(logs).replaceAll(amount, tenfold)) as unknown
    const execution = answering('eth_getLogs', larger)(clients.execution)
    const asked = { network: networkOf(paid.devnet), keep: undefined, clock: STILL }
    const alone = await readSnapshot({ ...clients, execution }, asked)
    expect(alone.uncounted).toMatchObject([{ amountGwei: tokens(100_000n) }])
    const { uncounted } = await readSnapshot({ ...clients, execution, second }, asked)
    expect(uncounted).toMatchObject({ unknown: expect.stringMatching(/ deposit \d+$/) })
  })

  test('are unknown where the contract names fewer deposits than were counted', async () => {
    const count = (answer: unknown) => (BigInt(String(answer)) < 1000n ? `0x${'00'.repeat(32)}` : answer)
    const { uncounted } = await snapshotOf(answering('eth_call', count))
    expect(uncounted).toMatchObject({ unknown: expect.stringContaining('names 0 deposits, fewer than') })
  })

  test('are none once they are counted, and then the next look is proven again', async () => {
    const world = snapshotWorld(paid.devnet)
    const network = networkOf(paid.devnet)
    const watch = watchSnapshot(world.clients, { network, keep: undefined, clock: world.effects.clock })
    expect((await watch.read()).uncounted).toHaveLength(1)
    await paid.devnet.advanceSlot()
    const counted = await watch.read()
    expect(counted.uncounted).toEqual([])
    expect(counted.proof).toBeDefined()
    expect(world.timesStateAsked()).toBe(2)
  })

  test('are not known once one more has come and the next proof must wait', async () => {
    await paid.devnet.advanceSlot()
    const world = snapshotWorld(paid.devnet, async (path) => {
      if (path.startsWith('/eth/v2/debug')) world.passMs(1000)
      return undefined
    })
    let more = 0n
    const oneMore = (answer: unknown) => {
      const count = BigInt(String(answer))
      return count < 1000n ? `0x${(count + more).toString(16).padStart(64, '0')}` : answer
    }
    const execution = answering('eth_call', oneMore)(world.clients.execution)
    const options = { network: networkOf(paid.devnet), keep: undefined, clock: world.effects.clock }
    const watch = watchSnapshot({ ...world.clients, execution }, options)
    expect((await watch.read()).uncounted).toEqual([])
    more = 1n
    expect((await watch.read()).uncounted).toEqual({
      unknown: ONE_MORE,
      perhaps: [],
    })
    expect(world.timesStateAsked()).toBe(1)
  })
})

describe('the validator asked about, where the whole state is not offered', () => {
  let network: Awaited<ReturnType<typeof testDevnet>>
  let user: Awaited<ReturnType<typeof userOf>>
  beforeAll(async () => {
    network = await testDevnet({ seed: 'own' })
    user = await userOf(network.devnet)
    await user.firstDeposit(10_000n)
    await pass(network.devnet, 4)
  })
  afterAll(() => network.end())

  const NOT_OFFERED = insteadOfState(
    jsonReply(500, { code: 500, message: 'endpoint x is not yet implemented' }),
  )
  /** The list says that the last validator has nothing. */
  const understates: Meddler = async (path, reply) => {
    if (!path.endsWith('/validators')) return NOT_OFFERED(path, reply)
    const text = new TextDecoder().decode(reply.body)
    const own = text.lastIndexOf('"balance":"')
    const altered = text.slice(0, own) + text.slice(own).replace(/"balance":"\d+"/, '"balance":"1"')
    return { ...reply, body: new TextEncoder().encode(altered) }
  }
  const watching = (meddle: Meddler) => {
    const { clients, second, effects } = snapshotWorld(network.devnet, meddle)
    const asked = { network: networkOf(network.devnet), keep: user.pubkey, clock: effects.clock }
    return watchSnapshot({ ...clients, second }, asked)
  }
  const ownBalance = ({ consensus }: SetSnapshot) => consensus.balancesGwei.at(-1)

  test('has the balance that its own proofs hold, whatever the list says', async () => {
    const snapshot = await watching(understates).read()
    expect(snapshot.proof).toBeUndefined()
    expect(ownBalance(snapshot)).toBe(tokens(10_000n))
    expect(snapshot.own).toMatchObject({ anchors: 2, uncounted: [] })
  })

  const stakeAtMost = (snapshot: SetSnapshot) =>
    waitingDeposits(snapshot).reduce((sum, { amountGwei }) => sum + amountGwei, ownBalance(snapshot) ?? 0n)

  test('has what was paid for it, counted or not, by the events of both endpoints', async () => {
    const watch = watching(understates)
    await watch.read()
    await user.topUp(20_000n)
    await network.devnet.advanceSlot()
    const waiting = await watch.read()
    expect(waiting.own?.uncounted).toMatchObject([{ amountGwei: tokens(20_000n), pubkey: user.pubkey }])
    expect(ownBalance(waiting)).toBe(tokens(10_000n))
    await pass(network.devnet, 3)
    const counted = await watch.read()
    expect(counted.own?.uncounted).toEqual([])
    expect(ownBalance(counted)).toBe(tokens(30_000n))
  })

  test('takes the word of a later slot where what waited explains it', async () => {
    const watch = watching(NOT_OFFERED)
    await user.topUp(20_000n)
    await network.devnet.advanceSlot()
    const snapshot = await watch.read()
    expect(ownBalance(snapshot)).toBe(tokens(50_000n))
    expect(snapshot.own?.uncounted).toEqual([])
  })

  test('may have more than one endpoint says: then what waits is unknown, and counts for what is wanted', async () => {
    await user.topUp(20_000n)
    await network.devnet.advanceSlot()
    const { clients, second, effects } = snapshotWorld(network.devnet, understates)
    const silentOnEvents: ExecutionClient = {
      ...clients.execution,
      rpc: async (question) =>
        question.method === 'eth_getLogs' ? question.decode([], 'result') : clients.execution.rpc(question),
    }
    const asked = { network: networkOf(network.devnet), keep: user.pubkey, clock: effects.clock }
    const snapshot = await readSnapshot({ ...clients, execution: silentOnEvents, second }, asked)
    const nobody = { deposits: [], agreed: false, ofAll: 0, fromBlock: 0n }
    const otherwise = uncountedOf(nobody, { slot: 0n, balanceGwei: 0n, least: 0, most: 0 })
    expect(otherwise).toHaveProperty('unknown')
    const perhaps = [{ amountGwei: tokens(20_000n) }]
    expect(snapshot.own?.uncounted).toMatchObject({ ...otherwise, perhaps })
    expect(stakeAtMost(snapshot)).toBe(tokens(70_000n))
    const alone = await readSnapshot({ ...clients, execution: silentOnEvents }, asked)
    expect(alone.own?.uncounted).toMatchObject({
      unknown: expect.stringContaining(silentOnEvents.label),
      perhaps: [],
    })
  })

  test('is as the list has it where its proofs are of another epoch', async () => {
    const { devnet } = network
    const { spec } = networkOf(devnet)
    while ((devnet.state().slot + 1n) % spec.slotsPerEpoch !== 0n) await devnet.advanceSlot()
    let isOver = false
    const crossing: Meddler = async (path, reply) => {
      if (path.endsWith('/validators') && !isOver) {
        isOver = true
        await pass(devnet, 2)
      }
      return NOT_OFFERED(path, reply)
    }
    const { clients, effects } = snapshotWorld(devnet, crossing)
    const asked = { network: networkOf(devnet), keep: user.pubkey, clock: effects.clock }
    expect((await readSnapshot(clients, asked)).own).toBeUndefined()
    expect((await readSnapshot(clients, asked)).own).toBeDefined()
  })
})
