import { hex } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import { type CallRequest, encodeCallRequest } from './call-request.ts'
import type { ExecutionClient } from './client.ts'

export type CallArgs = CallRequest & {
  block?: BlockRef
  /** Code put in place of an account's for this call alone. */
  codeOverrides?: Readonly<Record<Hex, Hex>>
}

/**
 * Runs a call without a transaction and gives what it returns (`eth_call`). No off-chain look-ups are followed.
 * Throws a `ClientError`; a refusal by the contract is `reverted` with its data.
 */
export function call(client: ExecutionClient, args: CallArgs): Promise<Hex> {
  const overrides = Object.entries(args.codeOverrides ?? {}).map(
    ([address, code]): [string, { code: Hex }] => [address, { code }],
  )
  const params = [
    encodeCallRequest(args),
    encodeBlockRef(args.block ?? 'latest'),
    ...(overrides.length === 0 ? [] : [Object.fromEntries(overrides)]),
  ]
  return client.rpc({ method: 'eth_call', params, decode: hex() })
}
