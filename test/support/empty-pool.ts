import type { RpcCall } from '../../src/devnet/execution/client.ts'

/** Drops every transaction of a rehearsal network that waits for its block. */
export async function emptyPool({ rpc }: { rpc: RpcCall }): Promise<void> {
  const waiting = (await rpc('eth_pendingTransactions', [])) as { hash: string }[]
  for (const { hash } of waiting) await rpc('hardhat_dropTransaction', [hash])
}
