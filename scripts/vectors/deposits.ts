import { type Hex, hexToBytes } from '../../src/core/base/format/hex.ts'
import { addressOf, credentialsOf, type SignedDeposit } from '../../src/core/chain/deposit/credentials.ts'
import { type PrecompileCall, verifyByPrecompile } from '../../src/core/chain/deposit/precompile.ts'
import {
  depositDomain,
  messageRoot,
  signDepositMessage,
  signingRoot,
} from '../../src/core/chain/deposit/sign.ts'
import { verifyDeposit } from '../../src/core/chain/deposit/verify.ts'
import { compressedKey, engineKey } from '../../src/core/chain/identity/engine-key.ts'
import { readKeyFile } from '../../src/core/chain/identity/key-file.ts'

type Check = {
  what: string
  accepted: boolean
  pubkey: Hex
  credentials: Hex
  amountGwei: string
  signature: Hex
  genesisForkVersion: Hex
  genesisValidatorsRoot: Hex
}
type Row = Omit<Check, 'what' | 'accepted'> & {
  privateKey: Hex
  privateKeyBase64: string
  pubkeyUncompressedBase64: string
  engineAddress: string
  withdrawalAddress: Hex
  messageRoot: Hex
  domain: Hex
  signingRoot: Hex
  checks: readonly Check[]
}

export type CheckResult = { passed: number; failures: string[] }

/**
 * Checks lines of deposits.jsonl: the key in all its forms, the roots, the domain, our signature byte for byte,
 * and the verdict on every variant. With `call`, the execution precompiles give their verdict on each as well.
 */
export async function check(
  lines: AsyncIterable<string> | readonly string[],
  options: { call?: PrecompileCall } = {},
): Promise<CheckResult> {
  const result: CheckResult = { passed: 0, failures: [] }
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    const row = JSON.parse(line) as Row
    const outcomes = [...rowOutcomes(row), ...(await variantOutcomes(row, options.call))]
    for (const [what, holds] of outcomes) {
      if (holds) result.passed += 1
      else result.failures.push(`line ${number}: ${what}`)
    }
  }
  return result
}

type Outcome = [what: string, holds: boolean]

function rowOutcomes(row: Row): Outcome[] {
  const deposit = toDeposit(row)
  const signature = signDepositMessage(hexToBytes(row.privateKey), deposit, deposit)
  const key = readKeyFile(Buffer.from(keyFileText(row)), 'cometbft')
  const { facts } = key
  return [
    ['private key', Buffer.compare(key.secretKey, hexToBytes(row.privateKey)) === 0],
    ['public key', facts.pubkey === row.pubkey && facts.storedPubkeyMatches],
    ['engine address', facts.address === row.engineAddress && facts.storedAddressMatches],
    ['compressed key', compressedKey(row.pubkeyUncompressedBase64) === row.pubkey],
    ['uncompressed key', engineKey(row.pubkey) === row.pubkeyUncompressedBase64],
    ['credentials', credentialsOf(row.withdrawalAddress) === row.credentials],
    ['withdrawal address', addressOf(row.credentials) === row.withdrawalAddress],
    ['message root', messageRoot(deposit) === row.messageRoot],
    ['domain', depositDomain(deposit) === row.domain],
    ['signing root', signingRoot(deposit, deposit) === row.signingRoot],
    ['signature', signature === row.signature],
  ]
}

async function variantOutcomes(row: Row, call: PrecompileCall | undefined): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const variant of row.checks) {
    const expected = variant.accepted ? 'accepted' : 'refused'
    const deposit = toDeposit(variant)
    const first = verifyDeposit(deposit).verdict
    outcomes.push([`${variant.what}: ${first}`, first === expected])
    if (call === undefined) continue
    const second = (await verifyByPrecompile(deposit, call)).verdict
    outcomes.push([`${variant.what}: ${second} by the precompiles`, second === expected])
  }
  return outcomes
}

function toDeposit(row: Omit<Check, 'what' | 'accepted'>): SignedDeposit {
  return {
    pubkey: row.pubkey,
    withdrawalCredentials: row.credentials,
    amountGwei: BigInt(row.amountGwei),
    signature: row.signature,
    genesisForkVersion: row.genesisForkVersion,
    genesisValidatorsRoot: row.genesisValidatorsRoot,
  }
}

function keyFileText(row: Row): string {
  return JSON.stringify({
    address: row.engineAddress,
    pub_key: { type: 'cometbft/PubKeyBls12_381', value: row.pubkeyUncompressedBase64 },
    priv_key: { type: 'cometbft/PrivKeyBls12_381', value: row.privateKeyBase64 },
  })
}
