import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { descriptorRefused } from '../core/errors/signer.ts'
import type { FieldReader } from '../core/format/fields.ts'
import { bytesToHex } from '../core/format/hex.ts'
import { parseKeystore } from '../core/wallet/keystore.ts'
import { openKeystore } from '../core/wallet/keystore-open.ts'
import { askPassword } from './ask-password.ts'
import { readDescriptorPassword } from './descriptor-password.ts'
import { readSecretFile } from './read-secret-file.ts'
import type { RequestContext } from './request-context.ts'

const PROMPT = 'Password of the keystore (nothing is shown while you type): '

/**
 * Opens the keystore of a request with a typed password, or on a rehearsal chain with the one in its descriptor.
 * `chainId` is the chain of the transaction, if there is one. Throws `keystore.*`, `signer.no-terminal`,
 * `signer.cancelled`, `signer.descriptor-refused` and `signer.unsafe-file`.
 */
export async function openWallet(
  request: FieldReader,
  context: RequestContext & { chainId?: number },
): Promise<PrivateKeyAccount> {
  const path = request.text('keystore')
  const keystore = parseKeystore(readText(path))
  const password = request.has('passwordDescriptor')
    ? readDescriptorPassword(readText(request.text('passwordDescriptor')), { ...context, keystore: path })
    : await askPassword(PROMPT, context.signal)
  const key = openWith(password, (bytes) => openKeystore(keystore, bytes))
  const account = openWith(key, (bytes) => privateKeyToAccount(bytesToHex(bytes)))
  return account
}

function openWith<Result>(secret: Uint8Array, use: (secret: Uint8Array) => Result): Result {
  try {
    return use(secret)
  } finally {
    secret.fill(0)
  }
}

function readText(path: string): string {
  if (path === '') throw descriptorRefused('A path is empty.')
  const bytes = readSecretFile(path)
  const text = bytes.toString('utf8')
  bytes.fill(0)
  return text
}
