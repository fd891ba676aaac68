import { type Log, parseAbi, parseEventLogs } from 'viem'
import type { Devnet } from '../../src/devnet/devnet.ts'

const ABI = parseAbi([
  'event Deposit(bytes pubkey, bytes credentials, uint64 amount, bytes signature, uint64 index)',
])

/** Amounts in gwei of all deposits that the contract has taken for a key, oldest first, read from its logs. */
export async function depositsOf({ descriptor, chain }: Devnet, pubkey: string): Promise<bigint[]> {
  const filter = { address: chain.input.spec.depositContract, fromBlock: '0x0', toBlock: 'latest' }
  const reply = await fetch(descriptor.urls.execution, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }),
  })
  const { result } = (await reply.json()) as { result: Log[] }
  const deposits = parseEventLogs({ abi: ABI, logs: result })
  return deposits.flatMap(({ args }) => (args.pubkey === pubkey ? [args.amount] : []))
}
