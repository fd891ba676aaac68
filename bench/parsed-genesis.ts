import { cutJson } from '../src/core/base/format/cut-json.ts'
import type { Hex } from '../src/core/base/format/hex.ts'
import { type GenesisDeposit, genesisValidatorsRoot } from '../src/core/chain/deposit/genesis-root.ts'
import { MAINNET } from '../src/core/chain/network/presets.ts'

// A program of its own: `parsed-genesis.ts COUNT` makes the genesis root of deposits that were read from JSON text,
// each string its own, and prints one line of JSON.
const PER_PIECE = 1000
const count = Number(process.argv[2])
const deposits: GenesisDeposit[] = []
const reader = cutJson({
  deposits: (entries) => {
    for (const entry of entries as { pubkey: Hex; credentials: Hex; amount: string }[]) {
      const { pubkey, credentials, amount } = entry
      deposits.push({ pubkey, withdrawalCredentials: credentials, amountGwei: BigInt(amount) })
    }
  },
})
write('{"deposits":[')
for (let from = 0; from < count; from += PER_PIECE) {
  const length = Math.min(PER_PIECE, count - from)
  const texts = Array.from({ length }, (_, offset) => JSON.stringify(depositAt(from + offset)))
  write(`${from === 0 ? '' : ','}${texts.join(',')}`)
}
write(']}')
reader.end()
const beforeBytes = process.memoryUsage.rss()
const startMs = performance.now()
const root = genesisValidatorsRoot(deposits, MAINNET.spec)
const ms = performance.now() - startMs
const grownBytes = Math.max(process.resourceUsage().maxRSS * 1024, process.memoryUsage.rss()) - beforeBytes
process.stdout.write(`${JSON.stringify({ count: deposits.length, root, ms, grownBytes })}\n`)

function write(text: string): void {
  reader.write(new TextEncoder().encode(text))
}

function depositAt(index: number) {
  const number = index.toString(16).padStart(12, '0')
  return {
    pubkey: `0x${'b'.repeat(84)}${number}`,
    credentials: `0x01${'00'.repeat(11)}${'ab'.repeat(14)}${number}`,
    amount: `0x${(250_000_000_000_000n + BigInt(index % 1000) * 1_000_000_000n).toString(16)}`,
    index,
  }
}
