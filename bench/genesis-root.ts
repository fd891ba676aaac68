import { readFileSync } from 'node:fs'
import { tokens } from '../src/core/base/format/amount.ts'
import type { Hex } from '../src/core/base/format/hex.ts'
import { type GenesisDeposit, genesisValidatorsRoot } from '../src/core/chain/deposit/genesis-root.ts'
import { readGenesis } from '../src/core/chain/identity/read-genesis.ts'
import { MAINNET } from '../src/core/chain/network/presets.ts'
import { timeMs } from './measure.ts'

// A program of its own: `genesis-root.ts mainnet|COUNT` prints one line of JSON. Its peak of memory is the answer.
const [set = 'mainnet'] = process.argv.slice(2)
const deposits = set === 'mainnet' ? mainnet() : madeUp(Number(set))
const { spec } = MAINNET
const listBytes = process.memoryUsage.rss()
const runs = deposits.length > 100_000 ? 1 : 20
const ms = timeMs(() => genesisValidatorsRoot(deposits, spec), runs)
const peakBytes = process.resourceUsage().maxRSS * 1024
process.stdout.write(`${JSON.stringify({ validators: deposits.length, ms, listBytes, peakBytes })}\n`)

function mainnet(): readonly GenesisDeposit[] {
  const path = new URL('../test/vectors/networks/mainnet/genesis.json', import.meta.url)
  return readGenesis(readFileSync(path, 'utf8')).deposits
}

function madeUp(count: number): GenesisDeposit[] {
  const withdrawalCredentials: Hex = `0x01${'00'.repeat(11)}${'ab'.repeat(20)}`
  return Array.from({ length: count }, (_, index) => ({
    pubkey: `0x${index.toString(16).padStart(96, 'b')}`,
    withdrawalCredentials,
    amountGwei: tokens(250_000n + BigInt(index % 1000)),
  }))
}
