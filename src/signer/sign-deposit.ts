import { getAddress } from 'viem/utils'
import { walletError } from '../core/base/errors/wallet.ts'
import type { FieldReader } from '../core/base/format/fields.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { addressOf, type DepositChain, type DepositMessage } from '../core/chain/deposit/credentials.ts'
import { signDepositMessage } from '../core/chain/deposit/sign.ts'
import { type KeyFile, type KeyFileFacts, readKeyFile } from '../core/chain/identity/key-file.ts'
import { readKeystore, readSecretFile, withDescriptorWallet } from './open-wallet.ts'

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
    if (key.facts.fileHash !== request.hex('fileHash', 32)) throw walletError('signer.file-changed')
    if (key.facts.pubkey !== message.pubkey)
      throw walletError('signer.other-key', key.facts.pubkey, message.pubkey)
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

/** Public facts of a key file. Throws `signer.unsafe-file` and `key-file.*`. */
export function inspectKeyFile(request: FieldReader): KeyFileFacts {
  request.only(['keyFile', 'keyTypePrefix'])
  const bytes = readSecretFile(request.text('keyFile'))
  try {
    const { secretKey, facts } = readKeyFile(bytes, request.text('keyTypePrefix'))
    secretKey.fill(0)
    return facts
  } finally {
    bytes.fill(0)
  }
}

/**
 * The checksummed address that a keystore claims, unproven, if it claims one; with a rehearsal's password the address of
 * the key in it. Throws as `readKeystore` and `withDescriptorWallet`.
 */
export async function keystoreAddress(request: FieldReader): Promise<{ address?: Hex }> {
  request.only(['keystore', 'passwordDescriptor'])
  if (request.has('passwordDescriptor')) {
    return withDescriptorWallet(request, {}, async ({ address }) => ({ address }))
  }
  const { claimedAddress } = readKeystore(request)
  return claimedAddress === undefined ? {} : { address: getAddress(claimedAddress) }
}
