import type { HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { createLooker } from '../../src/core/observe/ask-network.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import { LIMITS } from '../../src/core/observe/picture.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { memoryText, readMemory } from '../../src/watch/keep.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { depositLog, quantity, word, zeros } from './deposit-log.ts'
import { clockAt } from './look-clock.ts'

/** The validator that is watched. */
export const KEY = validatorKey('foreign-endpoints', 'own').pubkey
const { depositContract } = MAINNET.spec
/** A block that no chain has reached. */
export const FAR = 10 ** 12
const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }

/** What somebody else's endpoint does: it says another head, names deposits that nobody made, or gives no answer. */
type Foreign = { head: number; madeUp: number; isSilent: boolean }

/** An own node and execution client, and one of somebody else that says what it likes. */
export function foreignWorld() {
  let nowMs = 1_800_000_000_000
  const state = {
    slot: 2000,
    foreign: { head: 2000, madeUp: 0, isSilent: false } as Foreign,
    isNodeSilent: false,
    isOwnSilent: false,
    deposits: [] as number[],
    setMs: 0,
    sets: 0,
  }
  const log = (block: number, at: number) => depositLog(depositContract, KEY, { block, at })
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
    const head = isLiar ? state.foreign.head : state.slot
    if (method === 'eth_blockNumber') return quantity(head)
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
      if (isLiar) {
        const to = Math.min(Number(toBlock), head)
        return Array.from({ length: state.foreign.madeUp }, (_, at) => log(to, to * 1000 + at))
      }
      const isIn = (block: number) => block >= Number(fromBlock) && block <= Number(toBlock)
      return state.deposits.flatMap((block, at) => (isIn(block) ? [log(block, at)] : []))
    }
    if (method === 'eth_getBlockByNumber') return blockAt(params[0] === 'latest' ? head : Number(params[0]))
    const { data } = (params[0] ?? {}) as { data?: Hex }
    if (method !== 'eth_call' || data !== '0x2dfdf0b5') return undefined
    const upTo = params[1] === 'latest' ? head : Number(params[1])
    return word(isLiar ? state.foreign.madeUp * head : state.deposits.filter((block) => block <= upTo).length)
  }
  const request = async ({ url, body = '' }: HttpRequest): Promise<HttpReply> => {
    const { hostname, pathname } = new URL(url)
    const isSilent =
      (hostname === 'node' && state.isNodeSilent) ||
      (hostname === 'own' && state.isOwnSilent) ||
      (hostname === 'liar' && state.foreign.isSilent)
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
    events,
    told: () => events.map(({ alarm, change }) => `${alarm} ${change}`),
    /** Ends it and begins it again with what lies on the disk, which somebody may have changed. */
    restart(change: (kept: WatchMemory) => WatchMemory = (kept) => kept): void {
      memory = readMemory(memoryText(change(memory)), 'watch.json', MAINNET)
      looker = begin()
    },
    async look(times = 1, each: (slot: number) => void = () => undefined): Promise<void> {
      for (let at = 0; at < times; at += 1) {
        nowMs += MAINNET.slotMs
        state.slot += 1
        each(state.slot)
        const next = watchTransition(memory, await looker.look(memory), context)
        memory = next.memory
        events.push(...next.events)
      }
    },
    nowMs: () => nowMs,
  }
}
