import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { FAR_FUTURE_EPOCH } from '../../../src/core/consensus/state.ts'
import { DEPOSIT_TOPIC } from '../../../src/core/deposit/abi.ts'
import type { HttpReply, HttpRequest } from '../../../src/core/effects/effects.ts'
import type { Hex } from '../../../src/core/format/hex.ts'
import { MAINNET } from '../../../src/core/network/presets.ts'
import type { WatchEvent } from '../../../src/core/watch/event.ts'
import { memoryText, readMemory } from '../../../src/core/watch/keep.ts'
import { createLooker } from '../../../src/core/watch/look.ts'
import { emptyMemory, type WatchMemory } from '../../../src/core/watch/memory.ts'
import { LIMITS } from '../../../src/core/watch/sighting.ts'
import { watchTransition } from '../../../src/core/watch/transition.ts'
import { validatorKey } from '../../../src/devnet/keys.ts'
import { clockAt } from '../../support/look-clock.ts'

const KEY = validatorKey('foreign-endpoints', 'own').pubkey
const { depositContract } = MAINNET.spec
const FAR = 10 ** 12
const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
const quantity = (value: number): Hex => `0x${value.toString(16)}`
const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }

/** An own node and execution client, and one of somebody else that says of its head what it likes. */
function world() {
  let nowMs = 1_800_000_000_000
  const state = {
    slot: 2000,
    liar: 2000,
    isNodeSilent: false,
    isOwnSilent: false,
    deposits: [] as number[],
    setMs: 0,
    sets: 0,
  }
  const log = (block: number, at: number) => ({
    address: depositContract,
    topics: [DEPOSIT_TOPIC],
    data: encodeAbiParameters(
      [{ type: 'bytes' }, { type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }, { type: 'uint64' }],
      [KEY, zeros(32), 10_000_000_000_000n, zeros(96), BigInt(at)],
    ),
    blockNumber: quantity(block),
    blockHash: word(block),
    transactionHash: word(1000 + at),
    logIndex: '0x0',
    removed: false,
  })
  const validator = {
    pubkey: KEY,
    withdrawal_credentials: `0x01${'00'.repeat(31)}`,
    effective_balance: '300000000000000',
    slashed: false,
    activation_eligibility_epoch: '0',
    activation_epoch: '0',
    exit_epoch: String(FAR_FUTURE_EPOCH),
    withdrawable_epoch: String(FAR_FUTURE_EPOCH),
  }
  const node = (path: string): unknown => {
    const message = { slot: String(state.slot), proposer_index: '1', parent_root: zeros(32) }
    const header = { message: { ...message, state_root: zeros(32), body_root: zeros(32) } }
    if (path.endsWith('/headers/head')) return { data: { header } }
    if (/\/headers\/\d+$/.test(path)) {
      // Where a proven set begins: it takes its time, and is not to be had in the end.
      nowMs += state.setMs
      state.sets += 1
    }
    if (path.endsWith('/pending_partial_withdrawals')) return { data: [] }
    const one = { index: '0', balance: '300000000000000', status: 'active_ongoing', validator }
    return path.endsWith('/validators') ? { data: [one] } : undefined
  }
  const blockAt = (block: number) => ({
    number: quantity(block),
    hash: word(block),
    parentHash: word(block - 1),
    timestamp: quantity(Math.floor(nowMs / 1000)),
    baseFeePerGas: '0x7',
    parentBeaconBlockRoot: zeros(32),
    miner: zeros(20),
  })
  const execution = (isLiar: boolean, method: string, params: readonly unknown[]): unknown => {
    const head = isLiar ? state.liar : state.slot
    if (method === 'eth_blockNumber') return quantity(head)
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
      const isIn = (block: number) => !isLiar && block >= Number(fromBlock) && block <= Number(toBlock)
      return state.deposits.flatMap((block, at) => (isIn(block) ? [log(block, at)] : []))
    }
    if (method === 'eth_getBlockByNumber') return blockAt(params[0] === 'latest' ? head : Number(params[0]))
    const { data } = (params[0] ?? {}) as { data?: Hex }
    if (method !== 'eth_call' || data !== '0x2dfdf0b5') return undefined
    const upTo = params[1] === 'latest' ? head : Number(params[1])
    return word(isLiar ? 0 : state.deposits.filter((block) => block <= upTo).length)
  }
  const request = async ({ url, body = '' }: HttpRequest): Promise<HttpReply> => {
    const { hostname, pathname } = new URL(url)
    const isSilent = (hostname === 'node' && state.isNodeSilent) || (hostname === 'own' && state.isOwnSilent)
    const reply = (found: unknown) => ({
      status: found === undefined ? 404 : 200,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(found ?? { code: 404, message: 'not here' })),
    })
    // An answer that is none: it is not asked for again at once.
    if (isSilent) return reply(undefined)
    if (hostname === 'node') return reply(node(pathname))
    const { id, method, params } = JSON.parse(body)
    const result = execution(hostname === 'liar', method, params)
    const error = { code: -32601, message: 'the method does not exist' }
    return reply({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) })
  }
  const begin = () =>
    createLooker({
      effects: { http: { request }, clock: clockAt(() => nowMs) } as Parameters<
        typeof createLooker
      >[0]['effects'],
      network: MAINNET,
      endpoints: { node: ['http://node'], execution: ['http://own', 'http://liar'], engine: [] },
      validators: [{ pubkey: KEY, name: 'mine' }],
      isOwnTransaction: () => false,
    })
  let looker = begin()
  let memory: WatchMemory = emptyMemory(MAINNET)
  const events: WatchEvent[] = []
  return {
    state,
    memory: () => memory,
    told: () => events.map(({ alarm, change }) => `${alarm} ${change}`),
    /** Ends it and begins it again with what lies on the disk, which somebody may have changed. */
    restart(change: (kept: WatchMemory) => WatchMemory = (kept) => kept): void {
      memory = readMemory(memoryText(change(memory)), 'watch.json', MAINNET)
      looker = begin()
    },
    async look(times = 1, each: () => void = () => undefined): Promise<void> {
      for (let at = 0; at < times; at += 1) {
        nowMs += MAINNET.slotMs
        state.slot += 1
        each()
        const next = watchTransition(memory, await looker.look(memory), context)
        memory = next.memory
        events.push(...next.events)
      }
    },
    nowMs: () => nowMs,
  }
}

const dropsOut = (nowMs: number): WatchMemory['alarms'][number] => ({
  alarm: 'drops-out',
  subject: KEY,
  validator: { pubkey: KEY },
  id: 'it',
  sinceMs: nowMs,
  toldMs: nowMs,
  times: 1,
  severity: 'critical',
  degree: [-30, 0, 20_000],
  acknowledged: false,
  title: 'It drops out.',
  what: 'It drops out at epoch 30.',
  until: { epoch: 30n, slot: 5757n, atMs: nowMs + 7_000_000 },
})

test('a foreign head that is far off raises no alarm but the one that names it, and ends with it', async () => {
  const { state, look, told } = world()
  await look(5)
  await look(40, () => {
    state.liar = FAR
  })
  expect(told()).toEqual(['endpoint-far-off fired'])
  await look(3, () => {
    state.liar = state.slot
  })
  expect(told()).toEqual(['endpoint-far-off fired', 'endpoint-far-off cleared'])
})

test('a lie about the head is not kept: deposits are told as soon as the own client has them', async () => {
  const { state, look, told, restart } = world()
  await look(5)
  state.isOwnSilent = true
  await look(3, () => {
    state.liar = FAR
  })
  state.isOwnSilent = false
  restart()
  await look(3)
  state.deposits.push(state.slot + 1)
  await look(4)
  expect(told()).toContain('deposit-unexpected fired')
})

test('what an earlier lie left on the disk is put right by the own head', async () => {
  const { state, look, told, restart, memory } = world()
  await look(5)
  restart((kept) => ({
    ...kept,
    depositsTo: BigInt(FAR),
    validators: kept.validators.map((each) => ({ ...each, signedTo: BigInt(FAR) })),
  }))
  await look(3)
  expect(memory().validators[0]?.signedTo).toBeLessThan(BigInt(FAR))
  state.deposits.push(state.slot + 1)
  await look(4)
  expect(told()).toContain('deposit-unexpected fired')
})

test('beside a foreign head that is far off no alarm of dropping out is called over', async () => {
  for (const isNodeSilent of [false, true]) {
    const { state, look, told, restart, nowMs } = world()
    await look(5)
    restart((kept) => ({ ...kept, alarms: [dropsOut(nowMs())] }))
    state.isNodeSilent = isNodeSilent
    state.isOwnSilent = isNodeSilent
    await look(5, () => {
      state.liar = FAR
    })
    expect(told()).not.toContain('drops-out cleared')
  }
})

test('while an alarm of dropping out stands the set is read every few slots, however long that takes', async () => {
  const { state, look, restart, nowMs } = world()
  await look(20)
  restart((kept) => ({ ...kept, alarms: [dropsOut(nowMs())] }))
  state.setMs = 20_000
  await look(1)
  state.sets = 0
  await look(40)
  expect(state.sets).toBeGreaterThan(3)
})
