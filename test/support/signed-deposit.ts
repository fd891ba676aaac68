import { typedGwei } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { SignedDeposit } from '../../src/core/chain/deposit/credentials.ts'
import { vectorLines } from './vector-lines.ts'

/** A deposit with its throw-away key, from the vectors. */
export type KeyedDeposit = SignedDeposit & { secretKey: Uint8Array; keyFile: string }

type Row = {
  pubkey: Hex
  credentials: Hex
  amountGwei: string
  signature: Hex
  genesisForkVersion: Hex
  genesisValidatorsRoot: Hex
  privateKey: Hex
  privateKeyBase64: string
  pubkeyUncompressedBase64: string
  engineAddress: string
}

/** All deposits of the vectors with their keys. */
export function keyedDeposits(): KeyedDeposit[] {
  return vectorLines('deposits/deposits.jsonl').map((line) => {
    const row = JSON.parse(line) as Row
    const keyFile = JSON.stringify({
      address: row.engineAddress,
      pub_key: { type: 'cometbft/PubKeyBls12_381', value: row.pubkeyUncompressedBase64 },
      priv_key: { type: 'cometbft/PrivKeyBls12_381', value: row.privateKeyBase64 },
    })
    return {
      pubkey: row.pubkey,
      withdrawalCredentials: row.credentials,
      amountGwei: BigInt(row.amountGwei),
      signature: row.signature,
      genesisForkVersion: row.genesisForkVersion,
      genesisValidatorsRoot: row.genesisValidatorsRoot,
      secretKey: new Uint8Array(Buffer.from(row.privateKey.slice(2), 'hex')),
      keyFile,
    }
  })
}

/** One deposit with its key. */
export function keyedDeposit(): KeyedDeposit {
  const [first] = keyedDeposits()
  if (first === undefined) throw new Error('no deposit in the vectors')
  return first
}

/** The signed deposit alone. */
export function signedOnly(deposit: KeyedDeposit): SignedDeposit {
  const { pubkey, withdrawalCredentials, amountGwei, signature, genesisForkVersion, genesisValidatorsRoot } =
    deposit
  return { pubkey, withdrawalCredentials, amountGwei, signature, genesisForkVersion, genesisValidatorsRoot }
}

/** The options of `verify` for one signed deposit that is always the same. */
export function depositOptions(): string[] {
  const signed = signedOnly(keyedDeposit())
  return [
    ['pubkey', signed.pubkey],
    ['credentials', signed.withdrawalCredentials],
    ['amount', typedGwei(signed.amountGwei)],
    ['signature', signed.signature],
    ['root', signed.genesisValidatorsRoot],
    ['fork-version', signed.genesisForkVersion],
  ].flatMap(([name, value = '']) => [`--${name}`, value])
}
