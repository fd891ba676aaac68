import type { Hex } from '../../src/core/base/format/hex.ts'
import type { SignedDeposit } from '../../src/core/chain/deposit/credentials.ts'
import { signingRoot } from '../../src/core/chain/deposit/sign.ts'
import { blsVerifies, verifyDeposit } from '../../src/core/chain/deposit/verify.ts'

const HEADER = 'pubkey,credentials,amount,signature'
const ETHEREUM_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const ZERO_SIGNATURE = `0x${'00'.repeat(96)}`
const MAINNET = {
  genesisForkVersion: '0x04000000',
  genesisValidatorsRoot: '0xdf609e3b062842c6425ff716aec2d2092c46455d9b2e1a2c9e32c6ba63ff0bda',
} as const

/**
 * Checks lines of mainnet-deposits.csv, deposits that were really made, in order. `accepted` counts the signatures
 * that verify. Right is: none verifies with Ethereum's tag, none that is all zero is accepted, and each accepted
 * one is refused over one more gwei.
 */
export async function check(
  lines: AsyncIterable<string> | readonly string[],
): Promise<{ passed: number; failures: string[]; accepted: number }> {
  const failures: string[] = []
  let passed = 0
  let accepted = 0
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '' || line.startsWith(HEADER)) continue
    const deposit = parse(line)
    const verdict = verifyDeposit(deposit).verdict
    if (verdict === 'accepted') accepted += 1
    const problem = problemOf(deposit, verdict)
    if (problem === undefined) passed += 1
    else failures.push(`line ${number}: ${problem}`)
  }
  return { passed, failures, accepted }
}

function problemOf(deposit: SignedDeposit, verdict: 'accepted' | 'refused'): string | undefined {
  const { pubkey, signature } = deposit
  const message = signingRoot(deposit, deposit)
  if (blsVerifies({ pubkey, signature, message, tag: ETHEREUM_TAG })) return "verifies with Ethereum's tag"
  if (verdict === 'refused') return undefined
  if (signature === ZERO_SIGNATURE) return 'a zero signature is accepted'
  const more = verifyDeposit({ ...deposit, amountGwei: deposit.amountGwei + 1n }).verdict
  return more === 'accepted' ? 'accepted over another amount' : undefined
}

function parse(line: string): SignedDeposit {
  const [pubkey, credentials, amount, signature] = line.split(',')
  return {
    ...MAINNET,
    pubkey: pubkey as Hex,
    withdrawalCredentials: credentials as Hex,
    amountGwei: BigInt(amount ?? ''),
    signature: signature as Hex,
  }
}
