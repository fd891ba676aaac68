import { genesisValidatorsRoot } from '../../src/core/deposit/genesis-root.ts'
import { tokens } from '../../src/core/format/amount.ts'
import type { Hex } from '../../src/core/format/hex.ts'

type Row = { deposits: readonly { pubkey: Hex; credentials: Hex; amountGwei: string }[]; root: Hex }

/** The limits of mainnet, which the rows are made with. */
const LIMITS = {
  effectiveBalanceIncrementGwei: tokens(10_000n),
  maxEffectiveBalanceGwei: tokens(10_000_000n),
  activationBalanceGwei: tokens(250_000n),
}

/** Checks lines of genesis-roots.jsonl: the root of a deposit list, and that a changed list has another one. */
export async function check(
  lines: AsyncIterable<string> | readonly string[],
): Promise<{ passed: number; failures: string[] }> {
  const failures: string[] = []
  let passed = 0
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    const row = JSON.parse(line) as Row
    const deposits = row.deposits.map(({ pubkey, credentials, amountGwei }) => ({
      pubkey,
      withdrawalCredentials: credentials,
      amountGwei: BigInt(amountGwei),
    }))
    const found = genesisValidatorsRoot(deposits, LIMITS)
    const shorter = genesisValidatorsRoot(deposits.slice(1), LIMITS)
    if (found === row.root && shorter !== row.root) passed += 1
    else failures.push(`line ${number}: ${found} instead of ${row.root}`)
  }
  return { passed, failures }
}
