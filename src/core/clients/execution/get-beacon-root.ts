import { ClientError } from '../../errors/client.ts'
import { hex } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

/** The contract of EIP-4788. */
const BEACON_ROOTS_ADDRESS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'

/**
 * The root of the beacon block before the execution block with this timestamp (Unix seconds), as the execution
 * chain holds it (EIP-4788). undefined when it holds none: no block has that timestamp, or it is too old.
 * Throws a `ClientError`.
 */
export async function getBeaconRoot(
  client: ExecutionClient,
  args: { timestampSeconds: bigint; block?: BlockRef },
): Promise<Hex | undefined> {
  const data = `0x${args.timestampSeconds.toString(16).padStart(64, '0')}`
  const params = [{ to: BEACON_ROOTS_ADDRESS, data }, encodeBlockRef(args.block ?? 'latest')]
  try {
    return await client.rpc({ method: 'eth_call', params, decode: hex(32) })
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'reverted') return undefined
    throw thrown
  }
}
