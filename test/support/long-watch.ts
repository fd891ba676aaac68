import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { watch } from '../../src/commands/watch.ts'
import type { Effects, HttpReply, HttpRequest, Signer } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import { chainOf } from '../../src/devnet/build-chain.ts'
import { startChain } from '../../src/devnet/consensus/chain.ts'
import { type EngineGenesis, engineRpc } from '../../src/devnet/consensus/engine-rpc.ts'
import { nodeApi } from '../../src/devnet/consensus/node-api.ts'
import type { DevnetBlock, ExecutionLog } from '../../src/devnet/execution/mine-slot.ts'
import type { RehearsalExecution } from '../../src/devnet/execution/start.ts'
import { genesisText, writeFiles } from '../../src/devnet/home.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import type { LoopbackHandler } from '../../src/devnet/loopback-server.ts'
import {
  REHEARSAL_ENGINE_CHAIN_ID,
  REHEARSAL_FORK_VERSION,
  rehearsalSpecToml,
  writeGenesisFile,
} from '../../src/devnet/network-files.ts'
import { planDevnet } from '../../src/devnet/scenarios.ts'
import { CHEAP_CURVE, verifyCheaply } from './cheap-curve.ts'
import { beginLife } from './life.ts'
import { worldClock } from './world-clock.ts'

// A program of its own, for its memory: `long-watch.ts HOURS` lets the command `watch` follow one of 69 validators for as
// many half hours, by a clock that leaps, and prints one line of JSON. In each hour the node, all endpoints and the chain
// are silent for a while, the watch is ended and begun again in two of these troubles, somebody tops the validator up, and
// single endpoints miss two slots, which is no alarm. The consensus node is that of the rehearsal; the execution client is
// a few lines here, so that nothing leaves the process.
const SEED = 'long-watch'
const VALIDATORS = 69
const SLOT_MS = 2000
const SLOTS_PER_EPOCH = 192
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** More than a watch ever asks for: what is counted is to be its memory, not that of the node. */
const LIMITS = { slots: 512, states: 32 }
const CONTRACT = '0x4242424242424242424242424242424242424242'
const URLS = {
  execution: 'http://127.0.0.1:1',
  node: 'http://127.0.0.1:2',
  engine: 'http://127.0.0.1:3',
  second: 'http://127.0.0.1:4',
}
type Role = keyof typeof URLS
const ORIGINS = Object.entries(URLS) as [Role, string][]

/** What a long watch came to. Sizes in bytes, after a collection of garbage, one for each hour. */
export type LongWatch = {
  slots: number
  wholeStates: number
  questions: number
  heapBytes: number[]
  fileBytes: number[]
  /** Each change of each alarm but its repeats, in order: `node-silent fired 1`, with a number for each id. */
  told: string[]
  said: string[]
}

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
const word = (value: bigint | number): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`
const keyOf = (index: number): Hex => validatorKey(SEED, index === 0 ? 'fresh' : `genesis/${index}`).pubkey
const DEPOSIT = parseAbi([
  'event Deposit(bytes pubkey, bytes credentials, uint64 amount, bytes signature, uint64 index)',
])

/** An execution client that mines what it is told to, and answers what a watch asks. */
function modelExecution(genesisSeconds: number) {
  const blocks: { block: DevnetBlock; logs: ExecutionLog[] }[] = []
  const roots = new Map<bigint, Hex>()
  let deposits = VALIDATORS
  let head = 0
  let waiting: ExecutionLog | undefined
  const blockAt = (number: number, timestampSeconds: number): DevnetBlock => ({
    number,
    hash: word(number + 1),
    parentHash: word(number),
    feeRecipient: zeros(20),
    stateRoot: zeros(32),
    receiptsRoot: zeros(32),
    logsBloom: zeros(256),
    prevRandao: zeros(32),
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestampSeconds,
    extraData: '0x',
    baseFeeWei: 7n,
    transactionsRoot: zeros(32),
    withdrawalsRoot: zeros(32),
    blobGasUsed: 0n,
    excessBlobGas: 0n,
  })
  const genesisBlock = blockAt(0, genesisSeconds)
  const KEPT = 300
  blocks.push({ block: genesisBlock, logs: [] })
  const execution: RehearsalExecution = {
    chainId: 0,
    genesisHash: genesisBlock.hash,
    genesisBlock,
    rpc: async () => undefined,
    async mineSlot({ timestampSeconds, parentBeaconRoot }) {
      head += 1
      const block = blockAt(head, timestampSeconds)
      const logs = waiting === undefined ? [] : [{ ...waiting, blockNumber: head }]
      deposits += logs.length
      waiting = undefined
      blocks.push({ block, logs })
      roots.set(BigInt(timestampSeconds), parentBeaconRoot)
      if (blocks.length > KEPT) blocks.shift()
      if (roots.size > KEPT) roots.delete([...roots.keys()][0] ?? 0n)
      return {
        block,
        logs,
        transactions: logs.map(({ transactionHash }) => transactionHash),
        rawTransactions: [],
      }
    },
    addBalance: async () => undefined,
    serve: () => Promise.reject(new Error('nobody listens')),
    died: new Promise(() => undefined),
    stop: async () => undefined,
  }
  const found = (ref: unknown) =>
    ref === 'latest' ? blocks.at(-1) : blocks.find(({ block }) => quantity(block.number) === ref)
  const answer = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_blockNumber') return quantity(head)
    if (method === 'eth_getBlockByNumber') return blockJson(found(params[0])?.block)
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
      const isIn = ({ block: { number } }: (typeof blocks)[number]) =>
        number >= Number(fromBlock) && number <= Number(toBlock)
      return blocks.filter(isIn).flatMap(({ block, logs }) => logs.map((log) => logJson(log, block)))
    }
    if (method !== 'eth_call') return undefined
    const { to, data } = params[0] as { to: Hex; data: Hex }
    if (to.toLowerCase() !== CONTRACT) return roots.get(BigInt(data)) ?? '0x'
    return data === '0x2dfdf0b5' ? word(deposits) : word(1)
  }
  return {
    execution,
    answer,
    /** Somebody tops a validator up in the next block. */
    topUp(pubkey: Hex, amountGwei: bigint): void {
      const inputs = [
        { type: 'bytes' },
        { type: 'bytes' },
        { type: 'uint64' },
        { type: 'bytes' },
        { type: 'uint64' },
      ]
      const values = [pubkey, zeros(32), amountGwei, zeros(96), BigInt(deposits)]
      waiting = {
        address: CONTRACT,
        topics: encodeEventTopics({ abi: DEPOSIT, eventName: 'Deposit' }) as Hex[],
        data: encodeAbiParameters(inputs, values),
        blockNumber: 0,
        transactionHash: word(deposits + 1_000_000),
        logIndex: 0,
      }
    },
  }
}

function blockJson(block: DevnetBlock | undefined) {
  if (block === undefined) return null
  const { number, hash, parentHash, timestampSeconds, baseFeeWei } = block
  return {
    number: quantity(number),
    hash,
    parentHash,
    timestamp: quantity(timestampSeconds),
    baseFeePerGas: quantity(baseFeeWei),
    parentBeaconBlockRoot: zeros(32),
    miner: zeros(20),
  }
}

function logJson(log: ExecutionLog, { hash }: DevnetBlock) {
  const { address, topics, data, blockNumber, transactionHash, logIndex } = log
  return {
    address,
    topics,
    data,
    blockNumber: quantity(blockNumber),
    blockHash: hash,
    transactionHash,
    transactionIndex: '0x0',
    logIndex: quantity(logIndex),
    removed: false,
  }
}

async function longWatch(hours: number, directory: string): Promise<LongWatch> {
  const clock = worldClock()
  const genesisTimeSeconds = Math.floor(clock.nowMs() / 1000)
  const deposits = Array.from({ length: VALIDATORS }, (_, at) => ({
    pubkey: keyOf(at),
    withdrawalCredentials: `0x01${'00'.repeat(11)}${'ab'.repeat(20)}` as Hex,
    amountGwei: tokens(at === 0 ? 600_000n : 300_000n + 10_000n * BigInt(at)),
    signature: zeros(96),
  }))
  const genesisJson = writeGenesisFile({
    engineChainId: REHEARSAL_ENGINE_CHAIN_ID,
    forkVersion: REHEARSAL_FORK_VERSION,
    genesisTimeSeconds,
    executionGenesisHash: word(1),
    executionStateRoot: zeros(32),
    deposits,
  })
  const specToml = rehearsalSpecToml({
    genesisTimeSeconds,
    secondsPerSlot: SLOT_MS / 1000,
    validatorSetCap: VALIDATORS,
    withdrawabilityDelayEpochs: 256,
  }).replace(/^slots-per-epoch = .*$/m, `slots-per-epoch = ${SLOTS_PER_EPOCH}`)
  const plan = planDevnet({
    scenario: 'set-full',
    seed: SEED,
    slotMs: SLOT_MS,
    nowSeconds: genesisTimeSeconds,
    genesisTimeSeconds,
    files: { genesisJson, specToml },
  })
  const model = modelExecution(genesisTimeSeconds)
  const { execution } = model
  const chain = startChain({ ...chainOf(plan, execution, CHEAP_CURVE).input, limits: LIMITS })
  const genesis = JSON.parse(genesisText(plan, execution)) as EngineGenesis
  await writeFiles({
    directory,
    plan,
    execution,
    chain,
    slotMs: SLOT_MS,
    scenario: 'files',
    urls: URLS,
    genesisJson,
  })

  const down = new Set<Role>()
  let halted = false
  let slots = 0
  let questions = 0
  let wholeStates = 0
  const advance = async () => {
    slots += 1
    await chain.advance(Math.floor(clock.nowMs() / 1000))
  }
  const handlers: Record<'node' | 'engine', LoopbackHandler> = {
    node: nodeApi(chain),
    engine: engineRpc(chain, { key: plan.fresh, genesis }),
  }
  const reply = (text: string, status = 200): HttpReply => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
  })
  const request = async (asked: HttpRequest): Promise<HttpReply> => {
    const { url } = asked
    const [role, origin] = ORIGINS.find(([, each]) => url.startsWith(each)) as [Role, string]
    questions += 1
    if (down.has(role)) throw httpError('http.unreachable', origin, 'ECONNREFUSED')
    if (role === 'node' || role === 'engine') {
      const [path = '', query = ''] = url.slice(origin.length).split('?', 2)
      if (path.includes('/debug/')) wholeStates += 1
      const question = {
        method: asked.method,
        path,
        query: new URLSearchParams(query),
        headers: {},
        body: asked.body ?? '',
      }
      const answer = await handlers[role](question)
      if (answer === 'close') throw httpError('http.unreachable', origin, 'ECONNRESET')
      return reply(answer.body, answer.status)
    }
    const { id, method, params } = JSON.parse(asked.body ?? '') as {
      id: number
      method: string
      params: unknown[]
    }
    const result = model.answer(method, params)
    const error = { code: -32601, message: `the method ${method} does not exist` }
    return reply(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }))
  }
  const real = createNodeEffects({ signer: {} as Signer })
  let heard: () => void = () => undefined
  // Nobody dies here in the middle of a question.
  const http: Effects['http'] = {
    request(asked) {
      heard()
      return clock.during(() => request(asked))
    },
  }

  const state = join(directory, 'state')
  const ids: string[] = []
  const told: string[] = []
  const said: string[] = []
  let end: () => Promise<unknown> = async () => undefined
  const begin = () => {
    const stop = new AbortController()
    const cheap = { ...real, clock, verifyVotes: verifyCheaply }
    const { effects } = beginLife({ clock, effects: cheap, dies: () => undefined })
    // What it reads of the disk before it asks anybody takes no time.
    void clock.during(() => new Promise<void>((resolve) => (heard = resolve)))
    const run = watch({
      argv: `--devnet ${join(directory, 'descriptor.json')} --state ${state} --json --execution ${URLS.execution},${URLS.second} ${keyOf(0)}`.split(
        ' ',
      ),
      effects: { ...effects, http },
      io: {
        out(line) {
          const { schema, id, alarm, change } = JSON.parse(line) as WatchEvent & { schema: string }
          if (!schema.startsWith('bearings.event/') || change === 'repeated') return
          if (!ids.includes(id)) ids.push(id)
          told.push(`${alarm} ${change} ${ids.indexOf(id)}`)
        },
        err: (line) => void said.push(line),
        signal: stop.signal,
      },
      stateDirectory: state,
      environment: { HOME: directory },
    })
    end = () => {
      stop.abort()
      return run
    }
  }
  const restart = async () => {
    await end()
    await clock.sleep(SLOT_MS)
    begin()
  }
  const pass = (ms: number) => clock.sleep(ms)
  const silent = async (roles: readonly Role[], during: () => Promise<void>) => {
    for (const role of roles) down.add(role)
    await pass(30_000)
    await during()
    await pass(30_000)
    for (const role of roles) down.delete(role)
  }
  const ended = new AbortController()
  const makeBlocks = async () => {
    for (;;) {
      await clock.sleep(SLOT_MS, ended.signal)
      if (!halted) await clock.during(advance)
    }
  }
  const heapBytes: number[] = []
  const fileBytes: number[] = []
  await clock.flow(async () => {
    await advance()
    const blocks = makeBlocks().catch(() => undefined)
    begin()
    for (let hour = 0; hour < hours; hour += 1) {
      const overMs = clock.nowMs() + HOUR_MS
      await pass(3 * MINUTE_MS)
      await silent(['node', 'engine'], restart)
      await pass(4 * MINUTE_MS)
      await silent(['node', 'engine', 'execution', 'second'], async () => undefined)
      await pass(4 * MINUTE_MS)
      halted = true
      await pass(40_000)
      await restart()
      await pass(40_000)
      halted = false
      await pass(4 * MINUTE_MS)
      model.topUp(keyOf(0), tokens(1n))
      await pass(4 * MINUTE_MS)
      for (const role of ['second', 'engine', 'execution', 'node'] as const) {
        down.add(role)
        await pass(2 * SLOT_MS)
        down.clear()
        await pass(MINUTE_MS - 2 * SLOT_MS)
      }
      await pass(overMs - clock.nowMs())
      fileBytes.push(sizeOfMemory(state))
      globalThis.gc?.()
      heapBytes.push(process.memoryUsage().heapUsed)
    }
    await end()
    ended.abort()
    await blocks
  })
  return { slots, wholeStates, questions, heapBytes, fileBytes, told, said }
}

/** In memory where the system has a place for that: the state file is synced to its disk 1,500 times a day. */
function ownDirectory(): string {
  try {
    return mkdtempSync('/dev/shm/long-watch-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'long-watch-'))
  }
}

function sizeOfMemory(directory: string): number {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const name = names.find((each) => each.endsWith('watch.json'))
  return name === undefined ? 0 : statSync(join(directory, name)).size
}

const directory = ownDirectory()
try {
  const found = await longWatch(Number(process.argv[2] ?? '1'), directory)
  // A pipe takes it piece by piece: the end waits for the last one.
  await new Promise<void>((resolve) => {
    process.stdout.write(`${JSON.stringify(found)}\n`, () => resolve())
  })
} finally {
  rmSync(directory, { recursive: true, maxRetries: 5 })
}
process.exit()
