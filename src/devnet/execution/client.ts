import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import type { BaseError } from '../../core/base/errors/base.ts'
import { devnetError, RpcFailure } from '../../core/base/errors/devnet.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { ExecutionGenesis } from './genesis.ts'

/** A JSON-RPC call, without its id. */
export type FrontCall = { method: string; params: readonly unknown[] }

/** The body of one JSON-RPC reply, without its id. */
export type FrontAnswer = { result: unknown } | { error: RpcError }
type RpcError = { code: number; message: string; data?: unknown }

/** One exchange; an error reply is an answer like any other. Throws `devnet.client-silent` only. */
export type RpcExchange = (method: string, params: readonly unknown[]) => Promise<FrontAnswer>

/** One JSON-RPC call to the execution client: resolves to its `result`, rejects with an `RpcFailure`. */
export type RpcCall = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Returns an exchange as a call that throws for an error reply. */
export function rpcCall(exchange: RpcExchange): RpcCall {
  return async (method, params) => {
    const answer = await exchange(method, params)
    if ('result' in answer) return answer.result
    throw new RpcFailure(method, { ...answer.error, message: safeText(answer.error.message) })
  }
}

/** The part of the clock of Effects that the execution side needs. */
export type ExecutionClock = {
  nowMs(): number
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

/** Hardhat's execution client EDR is a native library; by system and processor, the optional package that brings it. */
export const CLIENT_PACKAGES: ReadonlyMap<string, string> = new Map([
  ['linux x64', '@nomicfoundation/edr-linux-x64-gnu'],
  ['linux arm64', '@nomicfoundation/edr-linux-arm64-gnu'],
  ['darwin arm64', '@nomicfoundation/edr-darwin-arm64'],
  ['darwin x64', '@nomicfoundation/edr-darwin-x64'],
  ['win32 x64', '@nomicfoundation/edr-win32-x64-msvc'],
])
export const CLIENT_VERSION = '0.20.0'

const { resolve } = createRequire(import.meta.url)

/** Returns the package with the library for a machine. Throws `devnet.client-missing` where it is not installed. */
export function findLibrary(
  machine = `${process.platform} ${process.arch}`,
  find: (name: string) => unknown = resolve,
): string {
  const name = CLIENT_PACKAGES.get(machine)
  const wanted = name && `${name}@${CLIENT_VERSION}`
  if (name === undefined) throw devnetError('devnet.client-missing', { machine, wanted })
  try {
    find(name)
    return name
  } catch {
    throw devnetError('devnet.client-missing', { machine, wanted })
  }
}

/** The bare execution client of a rehearsal network. */
export type BareClient = {
  /** In the words of go-ethereum. */
  exchange: RpcExchange
  /** Resolves (never rejects) with the reason when the client ends without having been told to. */
  died: Promise<BaseError>
  /** Ends it and waits for that; calling it twice is safe. */
  stop: () => Promise<void>
}

export type StartClientInput = {
  genesis: ExecutionGenesis
  clock: ExecutionClock
  /** A private directory of the network, in which the client works. It writes nothing. */
  directory: string
  /** Package or file of the library; when left out, the one that this computer has. */
  library?: string
  /** Ends the start while the client gets ready. */
  signal?: AbortSignal
}

const READY_DEADLINE_MS = 20_000

/**
 * Starts the client as a process of its own on a chain with the given first block, and answers when it does. It makes blocks
 * only when told to, and ends when this process ends. Throws the devnet.client-* errors.
 */
export async function startClient(input: StartClientInput): Promise<BareClient> {
  const child = startChild(input, input.library ?? findLibrary())
  const watched = watchedProcess(child)
  const ask = asking(child, watched.ended)
  child.send({ genesis: input.genesis } satisfies EdrChain, () => undefined)
  const exchange: RpcExchange = async (method, params) => worded(method, await ask(method, params))
  let isStopped = false
  const stop = async (): Promise<void> => {
    isStopped = true
    child.kill('SIGKILL')
    await watched.ended
  }
  try {
    await whenReady(exchange('eth_chainId', []), { ...input, ...watched })
  } catch (error) {
    await stop()
    throw error
  }
  const died = new Promise<BaseError>((resolve) => {
    void watched.ended.then((how) => {
      if (!isStopped) resolve(devnetError('devnet.client-ended', how, watched.lastWords()))
    })
  })
  return { exchange, died, stop }
}

/** What goes to the child: first the chain, then calls; and the whole reply to each as it comes back. */
export type EdrChain = { genesis: ExecutionGenesis }
export type EdrRequest = FrontCall & { id: number }
export type EdrReply = { id: number; reply: string }

/** States that the library keeps whole: those of 128 blocks with what is written between them. It makes older ones again. */
const WHOLE_STATES = 1024

function startChild({ directory }: StartClientInput, library: string): ChildProcess {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // The program with the library lies beside this one, built or as a source.
  const program = join(import.meta.dirname, `edr-child${extname(import.meta.filename)}`)
  try {
    return spawn(process.execPath, [program, library], {
      cwd: directory,
      env: { TMPDIR: directory, __EDR_MAX_CACHED_STATES: String(WHOLE_STATES) },
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
  } catch (thrown) {
    // Node throws some of what hinders a start, and tells the rest of it later.
    const { message } = thrown instanceof Error ? thrown : new Error(String(thrown))
    throw devnetError('devnet.client-not-started', message, '')
  }
}

const KEPT_CHARACTERS = 8000

type WatchedProcess = {
  /** Resolves when it has ended: how, in words. */
  ended: Promise<string>
  lastWords: () => string
}

function watchedProcess(child: ChildProcess): WatchedProcess {
  let output = ''
  const collect = (chunk: unknown): void => {
    output = `${output}${String(chunk)}`.slice(-KEPT_CHARACTERS)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const ended = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.once('close', (code, signal) =>
      resolve(signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`),
    )
  })
  return { ended, lastWords: () => safeText(output.trim().split('\n').slice(-3).join(' ')) }
}

/** Answers, of calls to the child, the reply that has their number. */
function asking(child: ChildProcess, ended: Promise<string>): RpcExchange {
  type Waiting = { resolve: (reply: string) => void; reject: (reason: unknown) => void }
  const waiting = new Map<number, Waiting>()
  child.on('message', ({ id, reply }: EdrReply) => {
    waiting.get(id)?.resolve(reply)
    waiting.delete(id)
  })
  void ended.then((how) => {
    for (const { reject } of waiting.values()) reject(new Error(how))
    waiting.clear()
  })
  let lastId = 0
  return async (method, params) => {
    lastId += 1
    const id = lastId
    const reply = new Promise<string>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      child.send({ id, method, params } satisfies EdrRequest, (error) => error !== null && reject(error))
    })
    try {
      return readAnswer(await reply)
    } catch (error) {
      throw devnetError('devnet.client-silent', method, error)
    }
  }
}

function readAnswer(text: string): FrontAnswer {
  const reply = JSON.parse(text) as { result?: unknown; error?: RpcError }
  if (reply.error !== undefined) return { error: reply.error }
  if (reply.result === undefined) throw new Error('the reply has no result')
  return { result: reply.result }
}

async function whenReady(
  answer: Promise<unknown>,
  { clock, signal, ended, lastWords }: StartClientInput & WatchedProcess,
): Promise<void> {
  const waiting = new AbortController()
  const failed = new Promise<never>((_, reject) => {
    const fail = (reason: string): void =>
      reject(devnetError('devnet.client-not-started', reason, lastWords()))
    void ended.then(fail)
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: waiting.signal })
    clock.sleep(READY_DEADLINE_MS, waiting.signal).then(
      () => fail(`It was not ready within ${READY_DEADLINE_MS / 1000} s.`),
      () => undefined,
    )
  })
  try {
    // Without an answer it has ended, and says why.
    await Promise.race([failed, answer.catch(() => failed)])
  } finally {
    waiting.abort()
  }
}

const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
/** An error that go-ethereum gives without a code of its own. */
export const SERVER_ERROR = -32000
/** A call that the contract refused. */
export const REVERTED = 3
/** What EDR says of a method that it does not have, and of a transaction. */
const NOT_SUPPORTED = -32004
const TRANSACTION_REJECTED = -32003

/** Returns an error answer. */
export function failure(code: number, message: string, data?: unknown): FrontAnswer {
  return { error: data === undefined ? { code, message } : { code, message, data } }
}

/** Returns the answer for a method that is not there. */
export function noSuchMethod(method: string): FrontAnswer {
  return failure(METHOD_NOT_FOUND, `the method ${method} does not exist/is not available`)
}

export const UNFUNDED = 'insufficient funds for gas * price + value'

/** What EDR says of a transaction that it does not take, and what go-ethereum says. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^Known transaction/, 'already known'],
  [/^Replacement transaction underpriced/, 'replacement transaction underpriced'],
  [/^Transaction nonce too low/, 'nonce too low'],
  [/^Sender doesn't have enough funds/, UNFUNDED],
  [/invalid chainId/, 'invalid chain id for signer'],
  [/^Transaction requires at least \d+ gas/, 'intrinsic gas too low'],
  [/exceeds block gas limit/, 'exceeds block gas limit'],
]
const NO_SUCH_BLOCK = /^Received invalid block tag \d+\. Latest block number is \d+/
const REASON = /reverted with (?:reason string '(.*)'|(panic code .*))$/s

/** Puts an answer of EDR into the words and codes of go-ethereum (`vectors/recorded`). */
function worded(method: string, answer: FrontAnswer): FrontAnswer {
  if ('result' in answer) return answer
  const { code, message, data } = answer.error
  if (code === NOT_SUPPORTED || code === METHOD_NOT_FOUND) return noSuchMethod(method)
  const returned = revertData(data)
  if (returned !== undefined) {
    // A custom error speaks through its data alone.
    const [, text, panic] = REASON.exec(message) ?? []
    const reason = text ?? panic
    const words = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
    return failure(REVERTED, words, returned)
  }
  if (NO_SUCH_BLOCK.test(message))
    return method === 'eth_getLogs' ? { result: [] } : failure(SERVER_ERROR, 'header not found')
  const known = REFUSALS.find(([pattern]) => pattern.test(message))?.[1]
  if (known !== undefined) return failure(SERVER_ERROR, known)
  if (method === 'eth_sendRawTransaction' && code === INVALID_PARAMS)
    return failure(SERVER_ERROR, 'rlp: transaction could not be decoded')
  // EDR repeats the whole call in the data of an error; that is left out.
  return failure(code === TRANSACTION_REJECTED ? SERVER_ERROR : code, message)
}

/** What a refused call gave back, or undefined where the error is another one. */
function revertData(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('reason' in data)) return undefined
  const { reason } = data
  return typeof reason === 'object' && reason !== null && 'Revert' in reason
    ? String(reason.Revert)
    : undefined
}
