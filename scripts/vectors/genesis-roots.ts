import { genesisValidatorsRoot } from '../../src/core/deposit/genesis-root.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import { MAINNET } from '../../src/core/network/presets.ts'

type Row = { deposits: readonly { pubkey: Hex; credentials: Hex; amountGwei: string }[]; root: Hex }

/**
 * Checks lines of genesis-roots.jsonl, which are made with mainnet's limits: the root of a deposit list, and that a
 * changed list has another one.
 */
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
    const found = genesisValidatorsRoot(deposits, MAINNET.spec)
    const shorter = genesisValidatorsRoot(deposits.slice(1), MAINNET.spec)
    if (found === row.root && shorter !== row.root) passed += 1
    else failures.push(`line ${number}: ${found} instead of ${row.root}`)
  }
  return { passed, failures }
}
