import { badSignerRequest } from '../core/errors/signer.ts'
import { type FieldReader, readFields } from '../core/format/fields.ts'
import { inspectKeyFile } from './inspect-key-file.ts'
import { keystoreAddress } from './keystore-address.ts'
import type { RequestContext } from './request-context.ts'
import { signDeposit } from './sign-deposit.ts'
import { signTransaction } from './sign-transaction.ts'

type Verb = (
  request: FieldReader,
  context: RequestContext,
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['inspect', inspectKeyFile],
  ['signDeposit', signDeposit],
  ['keystoreAddress', keystoreAddress],
  ['signTransaction', signTransaction],
])

/**
 * Does what one request line asks for: `{"verb": …, "request": {…}}`, amounts as decimal texts. Throws
 * `signer.bad-request` on anything else, and what the verbs throw.
 */
export async function handleRequest(
  line: string,
  context: RequestContext,
): Promise<Readonly<Record<string, unknown>>> {
  const message = readFields(parseJson(line), { path: '', fail: badSignerRequest })
  const verb = VERBS.get(message.text('verb'))
  if (verb === undefined) return message.fail('verb', [...VERBS.keys()].join(', '))
  return verb(message.object('request'), context)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    const found = `${line.length} characters that do not parse`
    throw badSignerRequest({ field: 'request', found, expected: 'one line of JSON' })
  }
}
