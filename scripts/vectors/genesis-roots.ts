import type { Hex } from '../../src/core/base/format/hex.ts'
import { genesisValidatorsRoot } from '../../src/core/chain/deposit/genesis-root.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'

const ONE_MORE = {
  pubkey: `0x${'a1'.repeat(48)}`,
  withdrawalCredentials: `0x01${'00'.repeat(11)}${'b2'.repeat(20)}`,
  amountGwei: MAINNET.spec.activationBalanceGwei,
} as const

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
    const longer = genesisValidatorsRoot([...deposits, ONE_MORE], MAINNET.spec)
    if (found === row.root && longer !== row.root) passed += 1
    else failures.push(`line ${number}: ${found} instead of ${row.root}`)
  }
  return { passed, failures }
}
