import { hex } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

const SELECTOR: Hex = '0x3523f9bd'

/** The root of the genesis deposits that the contract holds: it tells networks apart (`genesisDepositsRoot()`). */
export function getGenesisDepositsRoot(
  client: ExecutionClient,
  args: { depositContract: Hex; block?: BlockRef },
): Promise<Hex> {
  const params = [{ to: args.depositContract, data: SELECTOR }, encodeBlockRef(args.block ?? 'latest')]
  return client.rpc({ method: 'eth_call', params, decode: hex(32) })
}
