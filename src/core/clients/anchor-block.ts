import { ClientError } from '../errors/client.ts'
import { sameHex } from '../format/hex.ts'
import type { ExecutionClient } from './execution/client.ts'
import { type ExecutionBlock, getBlock } from './execution/get-block.ts'
import { getBlockNumber } from './execution/get-block-number.ts'
import type { SurveyClients } from './survey-clients.ts'

/** How far one head may be from another that is asked at the same time. */
const MOST_BLOCKS_APART = 5n

/**
 * The block whose beacon root is to be found: the head of the execution endpoint, or of the second one where that is
 * a little behind, so that both hold it. Both must have the very same block (safety #51), and the first one may not
 * lag: a root of long ago is true and says nothing of now (safety #59). A second endpoint that does not answer or is
 * far behind is left aside; it then holds no root either. `unproven` says why there is none.
 *
 * Throws a `ClientError` when the first endpoint does not answer.
 */
export async function anchorBlock({
  execution,
  second,
}: Pick<SurveyClients, 'execution' | 'second'>): Promise<ExecutionBlock | { unproven: string }> {
  const [head, there] = await Promise.all([
    getBlock(execution, { block: 'latest' }),
    second === undefined ? undefined : unlessSilent(getBlockNumber(second)),
  ])
  if (head === undefined || head.number === 0n) return { unproven: 'the chain has no block yet' }
  if (second === undefined || there === undefined || there + MOST_BLOCKS_APART < head.number) return head
  if (there > head.number + MOST_BLOCKS_APART) {
    return { unproven: `${execution.label} is ${there - head.number} blocks behind ${second.label}` }
  }
  return sharedBlock({ execution, second, head, number: there < head.number ? there : head.number })
}

async function sharedBlock(input: {
  execution: ExecutionClient
  second: ExecutionClient
  head: ExecutionBlock
  number: bigint
}): Promise<ExecutionBlock | { unproven: string }> {
  const { execution, second, head, number } = input
  const [here, there] = await Promise.all([
    number === head.number ? head : getBlock(execution, { block: number }),
    unlessSilent(getBlock(second, { block: number })),
  ])
  if (here === undefined) return { unproven: `${execution.label} does not know block ${number}` }
  if (there === undefined) return here
  const same = sameHex(here.hash, there.hash) && here.timestamp === there.timestamp
  return same
    ? here
    : { unproven: `${execution.label} and ${second.label} have another block ${number} each` }
}

async function unlessSilent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}
