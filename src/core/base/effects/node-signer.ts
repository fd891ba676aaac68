import { badSignerRequest } from '../errors/wallet.ts'
import type { FieldReader } from '../format/fields.ts'
import type { Hex } from '../format/hex.ts'
import { jsonText } from '../format/strict-json.ts'
import type { KeyFacts, Signer } from './effects.ts'
import { absolutePath } from './node-file-fault.ts'
import { runSignerChild } from './run-signer-child.ts'

export type NodeSignerOptions = {
  /** Absolute path of the bundled child, dist/signer.js. */
  signerPath: string
  /** The single executable that holds the child, where this program is one. */
  executable?: string
  /** Ends a running child, even while a password is being typed. */
  signal?: AbortSignal
  /** The terminal is in raw mode, without echo, and whoever set it that way puts it back. */
  rawModeIsOn?: boolean
  /** The question for a password is printed in lines, without drawing. */
  linesOnly?: boolean
}

/** Where a person types and reads: Windows has a device for each. */
const TERMINAL = process.platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty']
/** Reading a key and signing takes well under a second; deriving a key from a password up to four. */
const DEADLINE_MS = 20_000

/**
 * Returns the real signer: each call starts one child that may read nothing but its own file and the files of this
 * request, gives it one line, takes one line and sees it end. While a password is typed there is no deadline.
 * Rejects with `SignerError`s: the child's own refusals keep their code; `signer.failed` when it does not answer.
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
  const { rawModeIsOn = false, linesOnly = false } = options
  return runSignerChild({
    ...options,
    line: requestLine(verb, { ...request, rawModeIsOn, linesOnly }),
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
  throw badSignerRequest({ field: 'path', found: 'a path with *', expected: 'a path without *' })
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
