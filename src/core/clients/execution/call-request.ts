import type { Hex } from '../../format/hex.ts'
import { encodeQuantity } from './block-ref.ts'

/** What a call or an estimate simulates. `valueWei` needs `from` to hold it. */
export type CallRequest = { to: Hex; data: Hex; from?: Hex; valueWei?: bigint }

/** The transaction object of `eth_call` and `eth_estimateGas`. */
export function encodeCallRequest(request: CallRequest): Record<string, string> {
  return {
    to: request.to,
    data: request.data,
    ...(request.from === undefined ? {} : { from: request.from }),
    ...(request.valueWei === undefined ? {} : { value: encodeQuantity(request.valueWei) }),
  }
}
