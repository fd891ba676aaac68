import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { formatTransaction, type RpcTransaction, type Signature, serializeTransaction } from 'viem'
import { anvilError } from '../../core/base/errors/anvil.ts'
import type { BaseError } from '../../core/base/errors/base.ts'
import { sameHex, ZERO_ADDRESS } from '../../core/base/format/hex.ts'
import { safeText } from '../../core/base/format/text.ts'
import { rpcQuantity } from './contracts.ts'
import type { EdrReply } from './edr-child.ts'
import { findClient } from './find-client.ts'
import { KEPT_STATES, type RpcBlock, readBlock } from './mine-slot.ts'
import { type RpcClient, type RpcExchange, readAnswer, rpcCall, rpcClient } from './rpc-client.ts'
import type { DevnetBlock, FrontAnswer, StartExecutionInput } from './types.ts'

/** The bare execution client of a rehearsal network: anvil, or EDR in anvil's words. */
export type BareClient = {
  exchange: RpcClient['exchange']
  genesisBlock: DevnetBlock
  died: Promise<BaseError>
  stop: () => Promise<void>
}

const READY_DEADLINE_MS = 20_000
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/
const READY = /^Ready$/m

/** A client's process, and the way to ask it once it is ready. */
type Started = { child: WatchedProcess; whenReady: () => Promise<RpcClient> }

/**
 * Starts the client that `input` or this computer has on a chain with the given first block. It makes blocks only
 * when told to, keeps nothing on disk outside `directory`, lets no web page in, and ends when this process ends.
 *
 * That it is our own process which answers follows, of anvil, from its own words, which name the port only after it
 * got hold of it, and from the hash of the first block; EDR has no port. Throws anvil.* errors of core/errors/anvil.
 */
export async function startBareClient(input: StartExecutionInput): Promise<BareClient> {
  const found = input.client ?? (await findClient())
  mkdirSync(input.directory, { recursive: true, mode: 0o700 })
  const genesisFile = join(input.directory, 'execution-genesis.json')
  writeFileSync(genesisFile, JSON.stringify(input.genesis), { mode: 0o600 })
  const start = found.kind === 'edr' ? startEdr : startAnvil
  const { child, whenReady } = start(input, { path: found.path, genesisFile })
  let client: RpcClient | undefined
  try {
    client = await whenReady()
    const genesisBlock = await readGenesis(client, { ...input, mayBeAnother: found.kind === 'anvil' })
    return running({ child, client, genesisBlock })
  } catch (error) {
    client?.close()
    await child.stop()
    throw error
  }
}

type Files = { path: string; genesisFile: string }

function startAnvil(input: StartExecutionInput, { path, genesisFile }: Files): Started {
  const chainId = String(input.genesis.config.chainId)
  const timestamp = String(Number(input.genesis.timestamp))
  // More states than are asked for cost memory, without pruning the disk too.
  const groups = [
    ['--host', '127.0.0.1', '--port', String(input.clientPort ?? 0), '--no-cors', '--color', 'never'],
    ['--init', genesisFile, '--chain-id', chainId, '--timestamp', timestamp, '--hardfork', 'prague'],
    ['--accounts', '0', '--disable-default-create2-deployer', '--disable-console-log'],
    ['--no-mining', '--slots-in-an-epoch', '0', '--prune-history', String(KEPT_STATES)],
    ['--cache-path', join(input.directory, 'cache')],
  ]
  const { directory } = input
  const child = guardedProcess({ path, args: groups.flat(), directory, env: environment(input) })
  return { child, whenReady: async () => rpcClient(Number((await whenSaid(LISTENING, child, input))[1])) }
}

function startEdr(input: StartExecutionInput, { path, genesisFile }: Files): Started {
  // The program with the library lies beside this one, built or as a source.
  const program = join(import.meta.dirname, `edr-child${extname(import.meta.filename)}`)
  const options = { cwd: input.directory, env: environment(input), windowsHide: true }
  const child = startedOr(() =>
    spawn(process.execPath, [program, path, genesisFile], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
  if (child instanceof Error)
    return {
      child: neverStarted(child),
      whenReady: () => Promise.reject(anvilError('anvil.notReady', child.message, '')),
    }
  return edrClient(input, child)
}

function edrClient(input: StartExecutionInput, child: ChildProcess): Started {
  const watched = watchedProcess(child, () => child.kill('SIGKILL'))
  const waiting = new Map<number, { resolve: (reply: string) => void; reject: (reason: unknown) => void }>()
  child.on('message', ({ id, reply }: EdrReply) => {
    waiting.get(id)?.resolve(reply)
    waiting.delete(id)
  })
  void watched.ended.then(({ how }) => {
    for (const { reject } of waiting.values()) reject(new Error(how))
    waiting.clear()
  })
  let lastId = 0
  const ask = async (method: string, params: readonly unknown[]) => {
    lastId += 1
    const id = lastId
    const reply = new Promise<string>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      child.send({ id, method, params }, (error) => error !== null && reject(error))
    })
    try {
      return readAnswer(await reply, id)
    } catch (error) {
      throw anvilError('anvil.unreachable', method, error)
    }
  }
  const client = { exchange: edrInAnvilWords(ask), close: () => undefined }
  return { child: watched, whenReady: () => whenSaid(READY, watched, input).then(() => client) }
}

function environment({ directory }: StartExecutionInput): Record<string, string> {
  return {
    HOME: directory,
    TMPDIR: directory,
    XDG_CONFIG_HOME: directory,
    XDG_CACHE_HOME: directory,
    XDG_DATA_HOME: directory,
    XDG_STATE_HOME: directory,
  }
}

function whenSaid(
  words: RegExp,
  child: WatchedProcess,
  input: StartExecutionInput,
): Promise<RegExpExecArray> {
  const waiting = new AbortController()
  return new Promise<RegExpExecArray>((resolve, reject) => {
    const fail = (reason: string): void => reject(anvilError('anvil.notReady', reason, lastWords(child)))
    const forget = child.onOutput((output) => {
      const match = words.exec(output)
      if (match !== null) resolve(match)
    })
    waiting.signal.addEventListener('abort', forget)
    void child.ended.then(({ how }) => fail(how))
    const giveUp = () => reject(input.signal?.reason)
    input.signal?.addEventListener('abort', giveUp, { signal: waiting.signal })
    input.clock.sleep(READY_DEADLINE_MS, waiting.signal).then(
      () => fail(`It was not ready within ${READY_DEADLINE_MS / 1000} s.`),
      () => undefined,
    )
  }).finally(() => waiting.abort())
}
/** The first block, of our own chain: on a port another process may answer, and anvil's coinbase tells whose it is. */
async function readGenesis(
  client: RpcClient,
  input: StartExecutionInput & { mayBeAnother: boolean },
): Promise<DevnetBlock> {
  const found = await rpcCall(client.exchange)('eth_getBlockByNumber', ['0x0', false])
  const block = readBlock(found as RpcBlock)
  const { coinbase } = input.genesis
  if (input.mayBeAnother && !sameHex(block.feeRecipient, coinbase))
    throw anvilError('anvil.foreignChain', block.hash, `one paid to ${coinbase}`)
  const expected = input.genesisHashExpected
  if (expected !== undefined && !sameHex(block.hash, expected))
    throw anvilError('anvil.foreignChain', block.hash, expected)
  return block
}

function running(parts: { child: WatchedProcess; client: RpcClient; genesisBlock: DevnetBlock }): BareClient {
  const { child, client, genesisBlock } = parts
  let isReported = false
  const died = new Promise<BaseError>((resolve) => {
    void child.ended.then(({ how }) => {
      if (!isReported) resolve(anvilError('anvil.died', how, lastWords(child)))
    })
  })
  return {
    exchange: client.exchange,
    genesisBlock,
    died,
    async stop() {
      isReported = true
      client.close()
      await child.stop()
    },
  }
}

function lastWords(child: WatchedProcess): string {
  return safeText(child.output().trim().split('\n').slice(-3).join(' '))
}

type GuardedProcessInput = {
  path: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  directory: string
}

/** How a process ended, in words. */
type ProcessEnd = { how: string }

/** A program that this process started. */
type WatchedProcess = {
  /** The last few thousand characters of both outputs together. */
  output: () => string
  /** Calls back with all the output so far, at once and whenever it grows, until told to stop. */
  onOutput: (listener: (output: string) => void) => () => void
  ended: Promise<ProcessEnd>
  /** Ends it and waits for that; calling it twice is safe. */
  stop: () => Promise<void>
}

const KEPT_CHARACTERS = 8000

/**
 * A shell that holds a pipe on its input and ends the program as soon as that pipe closes: that happens when we want
 * it, and also when our own process dies in whatever way.
 */
const GUARD = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- &',
  'child=$!',
  '{ read -r _ <&3; kill -9 "$child"; } 2>/dev/null &',
  'watcher=$!',
  'exec 3<&-',
  'wait "$child"',
  'code=$?',
  'kill "$watcher" 2>/dev/null',
  'exit "$code"',
].join('\n')

/**
 * Starts a program that never outlives this process. It gets the given environment only and its own process group, so
 * that a Ctrl-C in the terminal does not take it away before its owner has ended. Never throws: a program that cannot
 * be started is one that has ended.
 */
function guardedProcess(input: GuardedProcessInput): WatchedProcess {
  const child = start(input)
  if (child instanceof Error) return neverStarted(child)
  child.stdin?.on('error', () => undefined)
  return watchedProcess(child, () => {
    child.stdin?.destroy()
    if (process.platform === 'win32') child.kill()
  })
}

/** Returns what a process that was just started says, and its end. `end` tells it to end. */
function watchedProcess(child: ChildProcess, end: () => void): WatchedProcess {
  const listeners = new Set<(output: string) => void>()
  let text = ''
  const collect = (chunk: unknown): void => {
    text = `${text}${String(chunk)}`.slice(-KEPT_CHARACTERS)
    for (const listener of listeners) listener(text)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const ended = whenEnded(child)
  return {
    output: () => text,
    onOutput(listener) {
      listeners.add(listener)
      listener(text)
      return () => listeners.delete(listener)
    },
    ended,
    async stop() {
      end()
      await ended
    },
  }
}

/** Returns a program that could not be started, as one that has ended. */
function neverStarted({ message }: Error): WatchedProcess {
  return {
    output: () => '',
    onOutput: (listener) => {
      listener('')
      return () => undefined
    },
    ended: Promise.resolve({ how: message }),
    stop: async () => undefined,
  }
}

function start(input: GuardedProcessInput): ChildProcess | Error {
  const options = { cwd: input.directory, env: { ...input.env } }
  return startedOr(() =>
    process.platform === 'win32'
      ? spawn(input.path, [...input.args], { ...options, windowsHide: true })
      : spawn('/bin/sh', ['-c', GUARD, 'guard', input.path, ...input.args], { ...options, detached: true }),
  )
}

/** What `begin` starts, or why it does not: Node throws some of what hinders a start, and tells the rest of it later. */
function startedOr(begin: () => ChildProcess): ChildProcess | Error {
  try {
    return begin()
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}

function whenEnded(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ how: error.message }))
    child.once('exit', (code, signal) => {
      child.stdin?.destroy()
      resolve({ how: signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.` })
    })
  })
}

type Params = readonly unknown[]
type RpcError = { code: number; message: string; data?: unknown }
type Overrides = Readonly<Record<string, Readonly<Record<string, string>>>>

const NOT_SUPPORTED = -32004
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const TRANSACTION_REJECTED = -32003
const REVERTED = 3

/**
 * Hardhat's EDR in the methods, words and codes of anvil, so that everything above has one client: the names of the
 * methods that change the chain, those that EDR has not, and the look at the sender's money in a simulated call.
 * `eth_createAccessList` does not exist here.
 */
function edrInAnvilWords(edr: RpcExchange): RpcExchange {
  return async (method, params) => {
    const own = OWN.get(method)
    const answer = own === undefined ? await edr(hardhatName(method), params) : await own(edr, params)
    return 'error' in answer ? { error: wordAsAnvil(method, answer.error) } : answer
  }
}

const hardhatName = (method: string): string => method.replace(/^anvil_/, 'hardhat_')

type Own = (edr: RpcExchange, params: Params) => Promise<FrontAnswer>

const OWN: ReadonlyMap<string, Own> = new Map<string, Own>([
  ['anvil_addBalance', addBalance],
  ['anvil_dropAllTransactions', dropAll],
  ['eth_call', (edr, params) => simulated('eth_call', edr, params)],
  ['eth_estimateGas', (edr, params) => simulated('eth_estimateGas', edr, params)],
  ['eth_getBlockReceipts', blockReceipts],
  ['eth_getRawTransactionByHash', rawTransaction],
  ['evm_mine', mine],
  ['net_listening', async () => ({ result: true })],
])

function mine(edr: RpcExchange, [options]: Params): Promise<FrontAnswer> {
  const { timestamp } = options as { timestamp: number }
  return edr('evm_mine', [rpcQuantity(timestamp)])
}

async function addBalance(edr: RpcExchange, [address, amount]: Params): Promise<FrontAnswer> {
  const before = await edr('eth_getBalance', [address, 'latest'])
  if ('error' in before) return before
  return edr('hardhat_setBalance', [address, rpcQuantity(wei(before.result) + wei(amount))])
}

async function dropAll(edr: RpcExchange): Promise<FrontAnswer> {
  const pending = await edr('eth_pendingTransactions', [])
  if ('error' in pending) return pending
  for (const { hash } of pending.result as { hash: string }[]) await edr('hardhat_dropTransaction', [hash])
  return { result: null }
}

async function blockReceipts(edr: RpcExchange, [block]: Params): Promise<FrontAnswer> {
  const found = await edr('eth_getBlockByNumber', [block, false])
  if ('error' in found || found.result === null) return found
  const receipts: unknown[] = []
  for (const hash of (found.result as { transactions: string[] }).transactions) {
    const receipt = await edr('eth_getTransactionReceipt', [hash])
    if ('error' in receipt) return receipt
    receipts.push(receipt.result)
  }
  return { result: receipts }
}

async function rawTransaction(edr: RpcExchange, params: Params): Promise<FrontAnswer> {
  const found = await edr('eth_getTransactionByHash', params)
  if ('error' in found || found.result === null) return found
  const { r, s, v, yParity, input: data, ...rest } = formatTransaction(found.result as RpcTransaction)
  const signature = { r, s, ...(yParity === undefined ? { v } : { yParity }) }
  return {
    result: serializeTransaction({ ...rest, data }, signature as Signature),
  }
}

/** EDR lets anybody spend anything in a simulated call; a real client, and anvil, look at the balance first. */
async function simulated(method: string, edr: RpcExchange, params: Params): Promise<FrontAnswer> {
  const [call, block = 'latest', overrides] = params as [unknown, unknown?, Overrides?]
  const { from, neededWei } = spending(call)
  if (neededWei > 0n) {
    const given = Object.entries(overrides ?? {}).find(([address]) => sameHex(address, from))?.[1].balance
    const balance = given === undefined ? await edr('eth_getBalance', [from, block]) : { result: given }
    if ('error' in balance) return balance
    if (neededWei > wei(balance.result)) return { error: UNFUNDED }
  }
  if (method === 'eth_call' || overrides === undefined) return edr(method, params)
  // An estimate takes no overrides; those of balances have done their work above.
  const balancesOnly = Object.values(overrides).every((of) => Object.keys(of).join() === 'balance')
  if (balancesOnly) return edr(method, [call, block])
  const message = 'state overrides of an estimate: found more than balances, expected balances only'
  return { error: { code: INVALID_PARAMS, message } }
}

/** Who pays for a simulated call, and how much it may take. */
function spending(call: unknown): { from: string; neededWei: bigint } {
  const { from, value, gas, gasPrice, maxFeePerGas } = Object(call) as Record<string, unknown>
  const neededWei = wei(value) + wei(gas) * wei(maxFeePerGas ?? gasPrice)
  return { from: typeof from === 'string' ? from : ZERO_ADDRESS, neededWei }
}

/** A quantity, or nothing where there is none: what is no quantity is for EDR to refuse. */
function wei(quantity: unknown): bigint {
  return typeof quantity === 'string' && /^0x[0-9a-f]+$/i.test(quantity) ? BigInt(quantity) : 0n
}

const UNFUNDED: RpcError = {
  code: TRANSACTION_REJECTED,
  message: 'Insufficient funds for gas * price + value',
}

/** What EDR says of a transaction that it does not take, and what anvil says. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^Known transaction/, 'transaction already imported'],
  [/^Replacement transaction underpriced/, 'replacement transaction underpriced'],
  [/^Transaction nonce too low/, 'nonce too low'],
  [/^Sender doesn't have enough funds/, UNFUNDED.message],
  [/invalid chainId/, 'invalid chain id for signer'],
  [/^Transaction requires at least \d+ gas/, 'intrinsic gas too low'],
  [/exceeds block gas limit/, 'exceeds block gas limit'],
]
const NO_SUCH_BLOCK = /^Received invalid block tag (\d+)\. Latest block number is (\d+)/
const REASON = /reverted with (?:reason string '(.*)'|(panic code .*))$/s

function wordAsAnvil(method: string, { code, message, data }: RpcError): RpcError {
  if (code === NOT_SUPPORTED) return { code: METHOD_NOT_FOUND, message: 'Method not found' }
  const returned = revertData(data)
  if (returned !== undefined) {
    const [, text, panic] = REASON.exec(message) ?? []
    const reason = text ?? panic
    return {
      code: REVERTED,
      message: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`,
      data: returned,
    }
  }
  const [, asked, head] = NO_SUCH_BLOCK.exec(message) ?? []
  if (asked !== undefined) {
    const range = `BlockOutOfRangeError: block height is ${head} but requested was ${asked}`
    return { code: INVALID_PARAMS, message: range }
  }
  const known = REFUSALS.find(([pattern]) => pattern.test(message))
  if (known !== undefined) return { code: TRANSACTION_REJECTED, message: known[1] }
  const undecoded = method === 'eth_sendRawTransaction' && code === INVALID_PARAMS
  // EDR repeats the whole call in the data of an error; that is left out.
  return undecoded
    ? { code: TRANSACTION_REJECTED, message: 'Failed to decode transaction' }
    : { code, message }
}

/** What a refused call gave back, or undefined where the error is another one. */
function revertData(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('reason' in data)) return undefined
  const { reason } = data
  return typeof reason === 'object' && reason !== null && 'Revert' in reason
    ? String(reason.Revert)
    : undefined
}
