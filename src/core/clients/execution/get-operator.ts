import { type Decoder, refuse } from '../../format/decode.ts'
import { type Hex, isHex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

const SELECTOR = '9eaffa96'
const PUBKEY_BYTES = 48

const addressWord: Decoder<Hex> = (value, path) =>
  isHex(value, 32) && /^0x0{24}/.test(value)
    ? (`0x${value.slice(26)}`.toLowerCase() as Hex)
    : refuse(path, 'an address in a 32-byte word', value)

/**
 * The operator that the deposit contract holds for a pubkey; the zero address means none was ever set
 * (`getOperator(bytes)`). `pubkey` is the compressed form of 48 bytes. Throws a `ClientError`.
 */
export function getOperator(
  client: ExecutionClient,
  args: { depositContract: Hex; pubkey: Hex; block?: BlockRef },
): Promise<Hex> {
  if (!isHex(args.pubkey, PUBKEY_BYTES)) throw new RangeError('a pubkey has 48 bytes')
  const data = `0x${SELECTOR}${word(0x20)}${word(PUBKEY_BYTES)}${args.pubkey.slice(2).padEnd(128, '0')}`
  const params = [{ to: args.depositContract, data }, encodeBlockRef(args.block ?? 'latest')]
  return client.rpc({ method: 'eth_call', params, decode: addressWord })
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}
