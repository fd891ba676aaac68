import fc from 'fast-check'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { QueuedRequest } from '../../../../src/core/chain/consensus/leave-outlook.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import type {
  ConsensusBlock,
  ConsensusState,
  WithdrawalRequest,
} from '../../../../src/core/chain/consensus/state.ts'
import {
  judgeWithdrawalRequest,
  type RequestVerdict,
} from '../../../../src/core/chain/consensus/withdrawal-request.ts'
import { address, blockAt, credentials, genesisOf, pubkey, shortSpec } from './model.ts'

const VALIDATORS = 5

const stake = fc.integer({ min: 24, max: 36 }).map((steps) => BigInt(steps) * 10_000n)

/** A request for one of the validators or for nobody; most come from its own address. */
const request: fc.Arbitrary<WithdrawalRequest> = fc
  .record({
    of: fc.integer({ min: 1, max: VALIDATORS + 1 }),
    by: fc.constantFrom('own', 'own', 'own', 'other'),
    amount: fc.constantFrom(0n, 0n, 1n, 10_000n, 30_000n, 500_000n),
  })
  .map(({ of, by, amount }) => ({
    pubkey: pubkey(of),
    sourceAddress: address(by === 'own' ? of : of + 1),
    amountGwei: tokens(amount),
  }))

const deposit = fc
  .record({
    of: fc.integer({ min: 1, max: VALIDATORS + 2 }),
    amount: fc.constantFrom(10_000n, 30_000n, 260_000n),
  })
  .map(({ of, amount }) => ({
    pubkey: pubkey(of),
    withdrawalCredentials: credentials(of),
    amountGwei: tokens(amount),
    signatureValid: true,
  }))

/** Blocks of a short history: most bring nothing. */
const blocks = fc.array(
  fc.record({
    withdrawalRequests: fc.oneof(fc.constant([]), fc.array(request, { maxLength: 4 })),
    deposits: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(deposit, { maxLength: 2 })),
  }),
  { minLength: 8, maxLength: 30, size: 'max' },
)

/** A random chain with three places: its genesis stakes and what its blocks bring. */
export const randomChain = fc.record({
  stakes: fc.array(stake, { minLength: 2, maxLength: VALIDATORS }),
  blocks,
})

/** A request of a history with what the state machine made of it. */
type JudgedRequest = QueuedRequest & { verdict: RequestVerdict }

export const randomSpec = shortSpec({ withdrawabilityDelayEpochs: 2n })

/** Runs a random chain; gives the state after each block, its blocks, and what became of each request in it. */
export function runRandom({
  stakes,
  blocks: given,
}: {
  stakes: bigint[]
  blocks: Partial<ConsensusBlock>[]
}) {
  const states: ConsensusState[] = [genesisOf(stakes, randomSpec)]
  const ran: ConsensusBlock[] = []
  const judged: JudgedRequest[] = []
  for (const changes of given) {
    const before = states.at(-1)
    if (before === undefined) throw new Error('a chain begins with a state')
    const block = blockAt(before.slot + 1n, changes)
    ran.push(block)
    for (const [at, asked] of block.withdrawalRequests.entries()) {
      const earlier = block.withdrawalRequests.slice(0, at)
      const { state } = processSlot(before, randomSpec, { ...block, withdrawalRequests: earlier })
      judged.push({
        ...asked,
        blockSlot: block.slot,
        verdict: judgeWithdrawalRequest(state, asked, randomSpec),
      })
    }
    states.push(processSlot(before, randomSpec, block).state)
  }
  return { states, blocks: ran, judged }
}

/** What a block made of its last request, by the states with and without it alone. */
export function happened(
  before: ConsensusState,
  block: ConsensusBlock,
): { part: unknown; exits: (bigint | undefined)[] } {
  const without = { ...block, withdrawalRequests: block.withdrawalRequests.slice(0, -1) }
  const [is, was] = [block, without].map((each) => processSlot(before, randomSpec, each).state)
  if (is === undefined || was === undefined) throw new Error('two states')
  return {
    part: is.pendingPartialWithdrawals[was.pendingPartialWithdrawals.length],
    exits: is.validators.flatMap(({ exitEpoch }, at) =>
      exitEpoch === was.validators[at]?.exitEpoch ? [] : [exitEpoch],
    ),
  }
}
