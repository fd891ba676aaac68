import type { Hex } from '../../core/base/format/hex.ts'
import type { LoopbackServer } from '../loopback-server.ts'
import { type RpcCall, rpcCall, type StartClientInput, startClient } from './client.ts'
import { type ServeOptions, serveFront } from './front.ts'
import {
  addBalance,
  type DevnetBlock,
  exclusive,
  holdBaseFee,
  ledger,
  type MinedSlot,
  mineSlot,
  type RpcBlock,
  readBlock,
  type SlotInput,
} from './mine-slot.ts'

/** The execution side of a rehearsal network. */
export type RehearsalExecution = {
  chainId: number
  genesisHash: Hex
  genesisBlock: DevnetBlock
  /** Straight to the client underneath, for the network's own use; it may do what the public endpoint forbids. */
  rpc: RpcCall
  /** Mines exactly one block. */
  mineSlot: (input: SlotInput) => Promise<MinedSlot>
  /** Adds to an account in the state of the newest block. */
  addBalance: (address: Hex, amountWei: bigint) => Promise<void>
  /** Opens the public JSON-RPC endpoint. */
  serve: (options?: ServeOptions) => Promise<LoopbackServer>
  /** Resolves (never rejects) with the reason when the client ends without having been told to. */
  died: Promise<Error>
  /** Ends the client and every endpoint; calling it twice is safe. */
  stop: () => Promise<void>
}

/**
 * Starts the execution side of a rehearsal network: the client underneath, its blocks, its public endpoint.
 * Everything goes to the client one call after the other, and a block is one undivided piece of that order.
 * Throws the devnet.client-* errors.
 */
export async function startExecution(input: StartClientInput): Promise<RehearsalExecution> {
  const client = await startClient(input)
  const { exchange } = client
  const direct = rpcCall(exchange)
  const inOrder = exclusive()
  const genesisBlock = await firstBlock(direct).catch(async (error: unknown) => {
    await client.stop()
    throw error
  })
  const blocks = ledger(genesisBlock)
  const fronts = new Set<LoopbackServer>()
  const { chainId } = input.genesis
  const { hash: genesisHash } = genesisBlock
  return {
    chainId,
    genesisHash,
    genesisBlock,
    rpc: (method, params) => inOrder(() => direct(method, params)),
    mineSlot: (slot) => inOrder(() => mineSlot({ rpc: direct, ledger: blocks }, slot)),
    addBalance: (address, amountWei) => inOrder(() => addBalance(direct, address, amountWei)),
    async serve(options = {}) {
      const front = await serveFront({ exchange, inOrder, ledger: blocks, chainId, genesisHash }, options)
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

async function firstBlock(rpc: RpcCall): Promise<DevnetBlock> {
  const block = readBlock((await rpc('eth_getBlockByNumber', ['0x0', false])) as RpcBlock)
  await holdBaseFee(rpc, block)
  return block
}
