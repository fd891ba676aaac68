import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { refusedBySigner, walletError } from '../errors/wallet.ts'
import { type FieldReader, readFields, readJson } from '../format/fields.ts'
import type { Hex } from '../format/hex.ts'
import { jsonText } from '../format/strict-json.ts'
import { safeText } from '../format/text.ts'
import type { KeyFacts, Signer } from './effects.ts'
import { absolutePath, roomFault, systemCode } from './node-file-fault.ts'

export type NodeSignerOptions = {
  /** Absolute path of the bundled child, dist/signer.js. */
  signerPath: string
  /** The single executable that holds the child, where this program is one. */
  executable?: string
  /** The language that the child speaks, and its file; English without it. */
  language?: { code: string; file: string }
  /** Ends a running child, even while a password is being typed. */
  signal?: AbortSignal
  /** The terminal is in raw mode, without echo, and whoever set it that way puts it back. */
  rawModeIsOn?: boolean
  /** The question for a password is printed in lines, without drawing. */
  linesOnly?: boolean
  /** Whether keys were dropped just before the password is asked for: the prompt says so. */
  wasTyped?: () => boolean
}

/** Where a person types and reads: Windows has a device for each. */
const TERMINAL = process.platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty']
/** Reading a key and signing takes well under a second; deriving a key from a password up to four. */
const DEADLINE_MS = 20_000

/**
 * Returns the real signer: each call starts one child that may read nothing but its own file and the files of this
 * request, gives it one line, takes one line and sees it end. While a password is typed there is no deadline.
 * Rejects with `signer.*` errors: the child's own refusals keep their code; `signer.failed` when it does not answer.
 */
export function createNodeSigner(options: NodeSignerOptions): Signer {
  return {
    inspect: async (request) => {
      const keyFile = absolutePath(request.keyFile)
      return readFacts(await ask(options, 'inspect', { ...request, keyFile }, [keyFile]))
    },
    signDeposit: async (request) => {
      const reply = await ask(options, 'signDeposit', request, [request.keyFile])
      return { signature: reply.hex('signature', 96) }
    },
    keystoreAddress: async (request) => {
      const { keystore, passwordDescriptor } = request
      const readable = [keystore, ...(passwordDescriptor === undefined ? [] : [passwordDescriptor])]
      const reply = await ask(options, 'keystoreAddress', request, readable)
      return reply.has('address') ? { address: checksummed(reply, 'address') } : {}
    },
    signTransaction: async (request) => {
      const reply = await askToSign(options, 'signTransaction', request)
      const rawTransaction = signedBytes(reply, reply.text('rawTransaction'))
      const from = checksummed(reply, 'from')
      return { rawTransaction, hash: reply.hex('hash', 32), from }
    },
    signGuard: async (request) => {
      const reply = await askToSign(options, 'signGuard', request)
      const rawTransactions = reply.list('rawTransactions').map((raw) => signedBytes(reply, raw))
      return { rawTransactions, from: checksummed(reply, 'from') }
    },
  }
}

function ask(
  options: NodeSignerOptions,
  verb: string,
  request: object,
  readable: readonly string[],
): Promise<FieldReader> {
  return runSignerChild({
    ...options,
    line: requestLine(verb, request),
    readable: readable.map(plainPath),
    writable: [],
    deadlineMs: DEADLINE_MS,
  })
}

function askToSign(
  options: NodeSignerOptions,
  verb: 'signTransaction' | 'signGuard',
  request: Parameters<Signer['signTransaction' | 'signGuard']>[0],
): Promise<FieldReader> {
  const { keystore, passwordDescriptor } = request
  if (passwordDescriptor !== undefined) return ask(options, verb, request, [keystore, passwordDescriptor])
  const { rawModeIsOn = false, linesOnly = false, wasTyped = () => false } = options
  return runSignerChild({
    ...options,
    line: requestLine(verb, { ...request, rawModeIsOn, linesOnly, wasTyped: wasTyped() }),
    readable: [plainPath(keystore), ...TERMINAL],
    writable: TERMINAL,
  })
}

function requestLine(verb: string, request: object): string {
  return jsonText({ verb, request })
}

/** A `*` in a path would widen what the child may read. */
function plainPath(path: string): string {
  if (!path.includes('*')) return path
  throw walletError('signer.bad-request', {
    field: 'path',
    found: 'a path with *',
    expected: 'a path without *',
  })
}

function readFacts(reply: FieldReader): KeyFacts {
  const address = reply.text('address')
  if (!/^[0-9A-F]{40}$/.test(address)) reply.fail('address', '40 hex digits')
  return {
    pubkey: reply.hex('pubkey', 48),
    uncompressedPubkey: reply.hex('uncompressedPubkey', 96),
    address,
    fileHash: reply.hex('fileHash', 32),
    storedPubkeyMatches: reply.flag('storedPubkeyMatches'),
    storedAddressMatches: reply.flag('storedAddressMatches'),
    publishedKey: reply.flag('publishedKey'),
  }
}

function signedBytes(reply: FieldReader, raw: unknown): Hex {
  return typeof raw === 'string' && /^0x02(?:[0-9a-f]{2})+$/.test(raw)
    ? (raw as Hex)
    : reply.fail('rawTransaction', 'a signed transaction')
}

function checksummed(reply: FieldReader, key: string): Hex {
  reply.hex(key, 20)
  return reply.text(key) as Hex
}

export type SignerRun = {
  signerPath: string
  /** The single executable that holds the child, where there is one: it runs what is in it, and no other file. */
  executable?: string
  /** The language that it speaks, and its file. */
  language?: { code: string; file: string }
  /** The request, one line of JSON without its line end. */
  line: string
  /** Files that the child may open for reading, beside its own. */
  readable: readonly string[]
  /** Files that it may open for writing: the terminal, or none. */
  writable: readonly string[]
  /** Absent while a person types. */
  deadlineMs?: number
  signal?: AbortSignal
}

/** Why a child was ended that did not answer before its deadline. */
export const TOO_LONG = 'It took too long.'
const MAX_REPLY_CHARACTERS = 262_144
const KILL_AFTER_MS = 2_000
const SHELL = '/bin/sh'
const CORES_REMAIN = 97
/**
 * Becomes the child after core dumps are off, for it and for good: no size, and where the system has the choice no
 * memory either, for what takes dumps through a pipe does not ask for the size. The words behind it are not looked at.
 */
const WITHOUT_CORE = [
  `ulimit -c 0 || exit ${CORES_REMAIN}`,
  'filter=/proc/self/coredump_filter',
  `[ ! -w "$filter" ] || echo 0 > "$filter" || exit ${CORES_REMAIN}`,
  'exec "$0" "$@"',
].join('\n')

/**
 * Runs the signer child once: Node's permission model, no core dumps, an environment with nothing in it, the request
 * on stdin.
 * Resolves to the result of its reply when that says ok; rejects with the child's own refusal, or with `signer.failed` when
 * it ends without a reply, answers too much or too late, or cannot be started, with `exec.no-room` where this computer
 * has no room for it. Resolves only after its end.
 */
export async function runSignerChild(run: SignerRun): Promise<FieldReader> {
  if (run.signal?.aborted === true) throw walletError('signer.cancelled')
  const child = start(run)
  let failure: Error | undefined
  let killer: NodeJS.Timeout | undefined
  const stop = (why: Error) => {
    failure ??= why
    child.kill('SIGTERM')
    killer ??= setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  }
  const onAbort = () => stop(walletError('signer.cancelled'))
  const onDeadline = () => stop(walletError('signer.failed', TOO_LONG))
  run.signal?.addEventListener('abort', onAbort)
  const deadline = run.deadlineMs === undefined ? undefined : setTimeout(onDeadline, run.deadlineMs)
  try {
    const text = await collect(child, { line: run.line, stop })
    if (failure !== undefined) throw failure
    return checkReply(text)
  } finally {
    clearTimeout(deadline)
    clearTimeout(killer)
    run.signal?.removeEventListener('abort', onAbort)
  }
}

function start(run: SignerRun): ChildProcess {
  const { program, args, env } = startOf(run)
  // On Windows a hidden child has a console of its own, which nobody sees: one that asks for a password shares ours.
  const options = { env, stdio: 'pipe', windowsHide: run.writable.length === 0 } as const
  try {
    if (process.platform === 'win32') return spawn(program, args, options)
    return spawn(SHELL, ['-c', WITHOUT_CORE, program, ...args], options)
  } catch (thrown) {
    throw notStarted(thrown)
  }
}

/** The words of the system hold the whole command, with the path of the key: they are not passed on. */
function notStarted(thrown: unknown): Error {
  return (
    roomFault(thrown) ??
    walletError('signer.failed', `Its process could not be started (${systemCode(thrown)}).`)
  )
}

/** Keeps SIGUSR1 from opening the inspector, where this Node knows the option. */
const closedInspector = (): readonly string[] =>
  ['--disable-sigusr1'].filter((option) => process.allowedNodeEnvironmentFlags.has(option))

/** The words that start the child. A single executable takes Node's own options from one variable, which is ours alone. */
function startOf({ signerPath, executable, language, readable, writable }: SignerRun) {
  const words = language === undefined ? [signerPath] : [signerPath, language.code]
  const own = language === undefined ? [signerPath] : [signerPath, language.file]
  const reads = [...own, ...readable].map((path) => `--allow-fs-read=${path}`)
  const flags = [
    ...closedInspector(),
    '--permission',
    ...reads,
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ]
  const env = minimalEnvironment()
  if (executable === undefined) return { program: process.execPath, args: [...flags, ...words], env }
  const options = flags.map((flag) => `"${flag.replace(/["\\]/g, '\\$&')}"`)
  return { program: executable, args: words, env: { ...env, NODE_OPTIONS: options.join(' ') } }
}

/** Nothing, except what Windows needs to start a program at all. */
function minimalEnvironment(): Record<string, string> {
  const root = process.env.SystemRoot
  return root === undefined ? {} : { SystemRoot: root }
}

/** The whole stdout of the child, after it has ended. Its stdin stays open, so that it notices our death. */
function collect(
  child: ChildProcess,
  exchange: { line: string; stop: (why: Error) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    // First of all: where there is no room for pipes Node gives none, and tells why by this alone.
    child.on('error', (error) => reject(notStarted(error)))
    if (!hasPipes(child)) return
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => {
      text += chunk
      if (text.length > MAX_REPLY_CHARACTERS)
        exchange.stop(walletError('signer.failed', 'Its answer is too long.'))
    })
    child.stderr.resume()
    child.stdin.on('error', () => {})
    child.on('close', (code) =>
      code === CORES_REMAIN
        ? reject(
            walletError(
              'signer.failed',
              'Its core dumps cannot be switched off, and one could hold the key.',
            ),
          )
        : resolve(text),
    )
    child.stdin.write(`${exchange.line}\n`)
  })
}

function hasPipes(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return Boolean(child.stdin && child.stdout && child.stderr)
}

function checkReply(text: string): FieldReader {
  const lines = text.split('\n')
  const [line = ''] = lines
  if (lines.length !== 2 || lines[1] !== '') throw walletError('signer.failed', 'It ended without an answer.')
  const notJson = () => walletError('signer.failed', 'It answered something that is not JSON.')
  const reply = readFields(readJson(line, notJson), { path: '', fail: oddReply })
  if (reply.flag('ok')) return reply.object('result')
  const error = reply.object('error')
  const texts = (key: string) => error.list(key).map((entry) => safeText(entry, 400))
  throw refusedBySigner(safeText(error.text('code'), 60), {
    short: safeText(error.text('shortMessage')),
    details: texts('details'),
    next: texts('nextSteps'),
    retryable: error.flag('retryable'),
  })
}

function oddReply(problem: { field: string }): Error {
  return walletError('signer.failed', `Its answer has no usable ${problem.field}.`)
}
