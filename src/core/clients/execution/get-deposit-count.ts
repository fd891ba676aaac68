import { type Decoder, refuse } from '../../format/decode.ts'
import { type Hex, isHex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

const SELECTOR: Hex = '0x2dfdf0b5'

const uint64Word: Decoder<bigint> = (value, path) =>
  isHex(value, 32) && /^0x0{48}/.test(value)
    ? BigInt(value)
    : refuse(path, 'a uint64 in a 32-byte word', value)

/** How many deposits the contract has taken, those of genesis included (`depositCount()`). Throws a `ClientError`. */
export function getDepositCount(
  client: ExecutionClient,
  args: { depositContract: Hex; block?: BlockRef },
): Promise<bigint> {
  const params = [{ to: args.depositContract, data: SELECTOR }, encodeBlockRef(args.block ?? 'latest')]
  return client.rpc({ method: 'eth_call', params, decode: uint64Word })
}
