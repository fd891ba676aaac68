import type { LookBlock } from '../consensus/survey.ts'
import { sameHex } from '../format/hex.ts'
import { type ExecutionBlock, getBlock, getBlockNumber } from './execution/blocks.ts'
import type { ExecutionClient } from './execution/client.ts'
import type { Pace, SurveyClients } from './survey-clients.ts'
import { unlessSilent } from './unless-silent.ts'

/** How far the first endpoint may be behind another one that is asked at the same time. */
const MOST_BLOCKS_BEHIND = 5n
/** How long a second endpoint that is behind is waited for, and how far it may be behind for that. */
const SLOTS_TO_WAIT = 8

/**
 * The block whose beacon root is to be found: the head of the first execution endpoint, as the states of older ones are
 * soon gone. It may not lag: a root of long ago is true and says nothing of now. `unproven` says why there
 * is none. Throws a `ClientError` when the first endpoint does not answer.
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
  if (second !== undefined && there !== undefined && there > head.number + MOST_BLOCKS_BEHIND)
    return { unproven: `${execution.label} is ${there - head.number} blocks behind ${second.label}` }
  return head
}

/**
 * Whether a second endpoint has the very same block. One that is a little behind is waited for, for eight
 * slots at most; the beacon root of a block is to be had for 8,191 blocks. One that is further behind is not.
 */
export async function holdsBlock(
  second: ExecutionClient,
  block: LookBlock,
  { clock, slotMs, slotsToWait = SLOTS_TO_WAIT }: Pace,
): Promise<'same' | 'other' | 'behind' | 'silent'> {
  const deadlineMs = clock.monotonicMs() + slotsToWait * slotMs
  for (;;) {
    const [head, there] = await Promise.all([
      unlessSilent(getBlockNumber(second)),
      unlessSilent(getBlock(second, { block: block.number })),
    ])
    if (head === undefined) return 'silent'
    if (there !== undefined)
      return sameHex(there.hash, block.hash) && there.timestamp === block.timestampSeconds ? 'same' : 'other'
    const isNear = head + BigInt(SLOTS_TO_WAIT) >= block.number
    if (!isNear || clock.monotonicMs() + slotMs / 2 > deadlineMs) return 'behind'
    await clock.sleep(slotMs / 2)
  }
}

/** What of a block is compared and kept. */
export function lookBlockOf({ number, hash, timestamp }: ExecutionBlock): LookBlock {
  return { number, hash, timestampSeconds: timestamp }
}
