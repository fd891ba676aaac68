import { readFileSync } from 'node:fs'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { CHEAP_CURVE } from './cheap-curve.ts'
import { testDevnet } from './with-devnet.ts'

type Deposit = { kind: string; block: number; from: Hex; input: Hex; amountGwei: string }

/** A file of the recorded network. */
export const recorded = (name: string): string =>
  readFileSync(new URL(`../vectors/recorded/${name}`, import.meta.url), 'utf8')

const deposits = recorded('contract.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Deposit)
  .filter((row) => row.kind === 'deposit')

/** The recorded network, started again from its files, at slot 0; `advance` sends the deposits of its slots. */
export async function recordedNetwork() {
  const { devnet, end } = await testDevnet({
    files: { genesisJson: recorded('genesis.json'), specToml: recorded('spec.toml') },
    genesisTimeSeconds: 1_795_203_541,
    warmupSlots: 0,
    chain: CHEAP_CURVE,
  })
  for (const from of new Set(deposits.map((deposit) => deposit.from))) {
    await devnet.execution.addBalance(from, 10n ** 24n)
    await devnet.execution.rpc('hardhat_impersonateAccount', [from])
  }
  return { devnet, end, advance: () => advance(devnet) }
}

async function advance(devnet: Devnet) {
  const block = Number(devnet.state().slot) + 1
  for (const { from, input, amountGwei } of deposits.filter((deposit) => deposit.block === block)) {
    const value = `0x${(BigInt(amountGwei) * 10n ** 9n).toString(16)}`
    const to = devnet.chain.input.spec.depositContract
    await devnet.execution.rpc('eth_sendTransaction', [{ from, to, data: input, value, gas: '0x7a120' }])
  }
  return devnet.advanceSlot()
}
