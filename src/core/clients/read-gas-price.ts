import type { Wei } from '../base/format/amount.ts'
import { type ExecutionBlock, getBlock } from './execution/blocks.ts'
import { getMaxPriorityFeePerGas } from './execution/chain.ts'
import type { ExecutionClient } from './execution/client.ts'

/** The price of gas that the endpoints name, wei per gas. */
export type GasPriceNow = { baseFeeWei: Wei; tipWei: Wei }

/**
 * The higher base fee of the endpoints, for a low lie would leave a transaction waiting for ever, and the tip that the first
 * one suggests. Throws a `ClientError`.
 */
export async function readGasPrice(input: {
  execution: ExecutionClient
  second: ExecutionClient | undefined
  latest: Promise<ExecutionBlock | undefined>
}): Promise<GasPriceNow> {
  const { execution, second, latest } = input
  const [block, other, tipWei] = await Promise.all([
    latest,
    second === undefined ? undefined : getBlock(second, { block: 'latest' }),
    getMaxPriorityFeePerGas(execution),
  ])
  const [here = 0n, there = 0n] = [block?.baseFeePerGas, other?.baseFeePerGas]
  return { baseFeeWei: here > there ? here : there, tipWei }
}
