import { startBareClient } from './bare-client.ts'
import { rpcQuantity } from './contracts.ts'
import { rpcFront } from './front/server.ts'
import { exclusive, holdBaseFee, ledger, mineSlot } from './mine-slot.ts'
import { rpcCall } from './rpc-client.ts'
import type { RehearsalExecution, ServedFront, StartExecutionInput } from './types.ts'

/**
 * Starts the execution side of a rehearsal network: the client underneath, its blocks, its public endpoint.
 * Everything goes to the client one call after the other, and a block is one undivided piece of that order.
 * Throws the anvil.* errors of core/errors/anvil.
 */
export async function startExecution(input: StartExecutionInput): Promise<RehearsalExecution> {
  const client = await startBareClient(input)
  const direct = rpcCall(client.exchange)
  const inOrder = exclusive()
  const { genesisBlock } = client
  await holdBaseFee(direct, genesisBlock).catch(async (error: unknown) => {
    await client.stop()
    throw error
  })
  const blocks = ledger(genesisBlock)
  const fronts = new Set<ServedFront>()
  const chainId = Number(input.genesis.config.chainId)
  return {
    chainId,
    genesisHash: genesisBlock.hash,
    genesisBlock,
    rpc: (method, params) => inOrder(() => direct(method, params)),
    mineSlot: (slot) => inOrder(() => mineSlot({ rpc: direct, ledger: blocks }, slot)),
    async addBalance(address, amountWei) {
      await inOrder(() => direct('anvil_addBalance', [address, rpcQuantity(amountWei)]))
    },
    async serve(options = {}) {
      const { exchange } = client
      const genesisHash = genesisBlock.hash
      const front = await rpcFront({ exchange, inOrder, ledger: blocks, chainId, genesisHash }, options)
      fronts.add(front)
      return front
    },
    died: client.died,
    async stop() {
      await Promise.all([...fronts].map((front) => front.close()))
      await client.stop()
    },
  }
}
