import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { isError } from '../core/base/errors/base.ts'
import { walletError } from '../core/base/errors/wallet.ts'
import type { FieldReader } from '../core/base/format/fields.ts'
import { decodeText } from '../core/base/format/file-text.ts'
import { bytesToHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { type Keystore, openKeystore, parseKeystore } from '../core/pay/wallet/keystore.ts'
import { type PasswordPrompt, readDescriptorPassword, withTypedPassword } from './ask-password.ts'

const MAX_BYTES = 65_536
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const NON_BLOCKING = constants.O_NONBLOCK ?? 0

/**
 * Reads a whole small file that holds a secret: no symbolic link, a regular file, of the own user or root, and
 * unchanged while it was read. Run as root, any owner will do: the parent shows that as a
 * finding. The caller wipes the bytes. Throws `signer.unsafe-file`.
 */
export function readSecretFile(path: string): Buffer {
  const descriptor = openPlain(path)
  try {
    const before = fstatSync(descriptor, { bigint: true })
    checkKind(path, before)
    const bytes = readWhole(descriptor, Number(before.size))
    const after = fstatSync(descriptor, { bigint: true })
    if (bytes !== undefined && sameState(before, after)) return bytes
    bytes?.fill(0)
    throw refused(path, 'It was changed while it was read.', 'Stop whatever writes to it, then try again.')
  } finally {
    closeSync(descriptor)
  }
}

function openPlain(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | NO_FOLLOW | NON_BLOCKING)
  } catch (error) {
    throw openError(path, error)
  }
}

function openError(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ELOOP' || code === 'EMLINK') {
    return refused(path, 'It is a symbolic link.', 'Name the file itself: a link can be turned elsewhere.')
  }
  if (code === 'ENOENT') return refused(path, 'There is no such file.', 'Check the path.')
  const why = `It cannot be opened (${safeText(code, 30)}).`
  return refused(path, why, 'Run the program as the user who owns the file.')
}

function checkKind(path: string, facts: BigIntStats): void {
  if (!facts.isFile()) throw refused(path, 'It is not a regular file.', 'Name the file itself.')
  if (facts.size > BigInt(MAX_BYTES)) {
    throw refused(path, `It is larger than ${MAX_BYTES} bytes.`, 'Check the path: key files are small.')
  }
  const user = process.geteuid?.()
  if (user === undefined || user === 0) return
  if (facts.uid === BigInt(user) || facts.uid === 0n) return
  throw refused(path, 'It belongs to another user.', 'Run the program as the user who owns the file.')
}

/** undefined when the file turns out to have another size. */
function readWhole(descriptor: number, size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size + 1)
  let length = 0
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (count === 0) break
    length += count
  }
  if (length === size) return bytes.subarray(0, size)
  bytes.fill(0)
  return undefined
}

function sameState(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  )
}

function refused(path: string, why: string, nextStep: string): Error {
  return walletError('signer.unsafe-file', safeText(path), why, nextStep)
}

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
    throw isWrong ? walletError('keystore.wrong-password', 'descriptor') : thrown
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
