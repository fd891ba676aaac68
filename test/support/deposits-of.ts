import { type Log, parseAbi, parseEventLogs } from 'viem'
import { userOf } from './user-of.ts'
import type { World } from './world.ts'

const CONTRACT = '0x4242424242424242424242424242424242424242'
const ABI = parseAbi([
  'event Deposit(bytes pubkey, bytes credentials, uint64 amount, bytes signature, uint64 index)',
])

/** Amounts in gwei of all deposits that the contract has taken for a key, oldest first, read from its logs. */
export async function depositsOf(executionUrl: string, pubkey: string): Promise<bigint[]> {
  const filter = { address: CONTRACT, fromBlock: '0x0', toBlock: 'latest' }
  const reply = await fetch(executionUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }),
  })
  const { result } = (await reply.json()) as { result: Log[] }
  const deposits = parseEventLogs({ abi: ABI, logs: result })
  return deposits.flatMap(({ args }) => (args.pubkey === pubkey ? [args.amount] : []))
}

/** The same of the key that the user of a world has. */
export async function ownDeposits({ devnet }: Pick<World, 'devnet'>): Promise<bigint[]> {
  const { pubkey } = await userOf(devnet)
  return depositsOf(devnet.descriptor.urls.execution, pubkey)
}
