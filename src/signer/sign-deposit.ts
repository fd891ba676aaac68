import { addressOf } from '../core/deposit/credentials.ts'
import type { DepositChain, DepositMessage } from '../core/deposit/deposit.ts'
import { signDepositMessage } from '../core/deposit/sign.ts'
import { keyFileChanged, otherKey } from '../core/errors/signer.ts'
import type { FieldReader } from '../core/format/fields.ts'
import type { Hex } from '../core/format/hex.ts'
import { type KeyFile, readKeyFile } from '../core/identity/key-file.ts'
import { readSecretFile } from './read-secret-file.ts'

const FIELDS = [
  'keyFile',
  'keyTypePrefix',
  'fileHash',
  'pubkey',
  'withdrawalCredentials',
  'amountGwei',
  'genesisValidatorsRoot',
  'genesisForkVersion',
] as const

/**
 * Signs one deposit message, built here from its fields: nothing else can be signed with this key. Throws
 * `signer.file-changed` when the file is not the inspected one, `signer.other-key` when it holds another key,
 * `deposit.bad-credentials`, `signer.unsafe-file` and `key-file.*`.
 */
export function signDeposit(request: FieldReader): { signature: Hex } {
  request.only(FIELDS)
  const message: DepositMessage = {
    pubkey: request.hex('pubkey', 48),
    withdrawalCredentials: request.hex('withdrawalCredentials', 32),
    amountGwei: request.uint64('amountGwei'),
  }
  addressOf(message.withdrawalCredentials)
  const chain: DepositChain = {
    genesisForkVersion: request.hex('genesisForkVersion', 4),
    genesisValidatorsRoot: request.hex('genesisValidatorsRoot', 32),
  }
  return withKey(request, (key) => {
    if (key.facts.fileHash !== request.hex('fileHash', 32)) throw keyFileChanged()
    if (key.facts.pubkey !== message.pubkey) throw otherKey(key.facts.pubkey, message.pubkey)
    return { signature: signDepositMessage(key.secretKey, message, chain) }
  })
}

function withKey<Result>(request: FieldReader, use: (key: KeyFile) => Result): Result {
  const bytes = readSecretFile(request.text('keyFile'))
  let key: KeyFile | undefined
  try {
    key = readKeyFile(bytes, request.text('keyTypePrefix'))
    return use(key)
  } finally {
    key?.secretKey.fill(0)
    bytes.fill(0)
  }
}
