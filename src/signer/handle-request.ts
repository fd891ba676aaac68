import type { Readable } from 'node:stream'
import { BaseError } from '../core/base/errors/base.ts'
import { walletError } from '../core/base/errors/wallet.ts'
import { type FieldReader, readFields, readJson } from '../core/base/format/fields.ts'
import { nextText } from '../core/base/format/next.ts'
import { inspectKeyFile, keystoreAddress, signDeposit } from './sign-deposit.ts'
import { signGuard } from './sign-guard.ts'
import { type RequestContext, signTransaction } from './sign-transaction.ts'

type Verb = (
  request: FieldReader,
  context: RequestContext,
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['inspect', inspectKeyFile],
  ['signDeposit', signDeposit],
  ['keystoreAddress', keystoreAddress],
  ['signTransaction', signTransaction],
  ['signGuard', signGuard],
])

/**
 * Does what one request line asks for: `{"verb": …, "request": {…}}`, amounts as decimal texts. Throws
 * `signer.bad-request` on anything else, and what the verbs throw.
 */
export async function handleRequest(
  line: string,
  context: RequestContext,
): Promise<Readonly<Record<string, unknown>>> {
  const notJson = () => {
    const found = `${line.length} characters that do not parse`
    return walletError('signer.bad-request', { field: 'request', found, expected: 'one line of JSON' })
  }
  const message = readFields(readJson(line, notJson), {
    path: '',
    fail: (problem) => walletError('signer.bad-request', problem),
  })
  const verb = VERBS.get(message.text('verb'))
  if (verb === undefined) return message.fail('verb', [...VERBS.keys()].join(', '))
  return verb(message.object('request'), context)
}

type ReplyError = {
  code: string
  shortMessage: string
  details: readonly string[]
  nextSteps: readonly string[]
  retryable: boolean
}

/** The one line that the child answers. */
export type SignerReply =
  | { ok: true; result: Readonly<Record<string, unknown>> }
  | { ok: false; error: ReplyError }

/**
 * Runs the work and puts its outcome into a reply. An error that was not raised on purpose is reported without
 * its text, which might hold parts of a secret.
 */
export async function toReply(work: () => Promise<Readonly<Record<string, unknown>>>): Promise<SignerReply> {
  try {
    return { ok: true, result: await work() }
  } catch (error) {
    const known =
      error instanceof BaseError ? error : walletError('signer.failed', 'It met an unknown error.')
    const { code, shortMessage, details, retryable } = known
    const nextSteps = known.nextSteps.map((step) => nextText(step))
    return { ok: false, error: { code, shortMessage, details, nextSteps, retryable } }
  }
}

const MAX_CHARACTERS = 65_536

/**
 * Returns the first line of `input`. Keeps listening afterwards: when the input ends, `ended` is aborted. Rejects with
 * `signer.bad-request` when the input ends before a whole line or the line is too long.
 */
export function readRequestLine(input: Readable, ended: AbortController): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const refuse = (found: string) =>
      reject(walletError('signer.bad-request', { field: 'request', found, expected: 'one line of JSON' }))
    input.setEncoding('utf8')
    input.on('data', (chunk: string) => {
      if (text.includes('\n')) return
      text += chunk
      if (text.length > MAX_CHARACTERS) return refuse('a line that is too long')
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    input.on('end', () => {
      ended.abort()
      refuse('no whole line')
    })
    input.on('error', () => refuse('an unreadable input'))
  })
}
