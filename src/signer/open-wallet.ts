import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { isError } from '../core/base/errors/base.ts'
import { walletError, wrongDescriptorPassword } from '../core/base/errors/wallet.ts'
import type { FieldReader } from '../core/base/format/fields.ts'
import { decodeText } from '../core/base/format/file-text.ts'
import { bytesToHex } from '../core/base/format/hex.ts'
import { type Keystore, openKeystore, parseKeystore } from '../core/pay/wallet/keystore.ts'
import { type PasswordPrompt, readDescriptorPassword, withTypedPassword } from './ask-password.ts'
import { readSecretFile } from './read-secret-file.ts'

type UseWallet<Result> = (account: PrivateKeyAccount) => Promise<Result>

/** The keystore that a request names, still closed. Throws `keystore.*` and `signer.unsafe-file`. */
export function readKeystore(request: FieldReader): Keystore {
  return parseKeystore(readText(request.text('keystore')))
}

/**
 * Uses the keystore of a request with the play-money password in its descriptor. `chainId` is the chain of the
 * transaction, if there is one. Throws as `readKeystore`, and `signer.descriptor-refused`.
 */
export async function withDescriptorWallet<Result>(
  request: FieldReader,
  use: { chainId?: number },
  work: UseWallet<Result>,
): Promise<Result> {
  const keystore = readKeystore(request)
  const text = readText(request.text('passwordDescriptor'))
  const password = readDescriptorPassword(text, { ...use, keystore: request.text('keystore') })
  try {
    return await opened(keystore, password, work)
  } catch (thrown) {
    const isWrong = isError(thrown, 'keystore.wrong-password')
    throw isWrong ? wrongDescriptorPassword() : thrown
  }
}

/**
 * Uses the keystore of a request with a typed password. The prompt has the terminal until the work is over. Throws as
 * `readKeystore`, before anything is asked, and as `withTypedPassword`.
 */
export async function withTypedWallet<Result>(
  request: FieldReader,
  prompt: PasswordPrompt,
  work: UseWallet<Result>,
): Promise<Result> {
  const keystore = readKeystore(request)
  return withTypedPassword(prompt, (password) => opened(keystore, password, work))
}

async function opened<Result>(
  keystore: Keystore,
  password: Uint8Array,
  work: UseWallet<Result>,
): Promise<Result> {
  const key = await openKeystore(keystore, password).finally(() => password.fill(0))
  return work(accountOf(key))
}

function accountOf(key: Uint8Array): PrivateKeyAccount {
  try {
    return privateKeyToAccount(bytesToHex(key))
  } finally {
    key.fill(0)
  }
}

function readText(path: string): string {
  if (path === '') throw walletError('signer.descriptor-refused', 'A path is empty.')
  const bytes = readSecretFile(path)
  const text = decodeText(bytes)
  bytes.fill(0)
  return text
}
