import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from '../../../../scripts/vectors/leave.ts'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import {
  type LeaveQuestion,
  leaveForecast,
  requestAt,
  runFar,
} from '../../../../src/core/chain/consensus/leave-outlook.ts'
import { processSlot, runForward } from '../../../../src/core/chain/consensus/process-slot.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import { runsOf } from '../../../support/hard.ts'
import {
  address,
  blockAt,
  credentials,
  genesisOf,
  pubkey,
  runEmpty,
  shortSpec,
  validatorOf,
} from './model.ts'
import { happened, randomChain, randomSpec, runRandom } from './random-requests.ts'

const lines = gunzipSync(readFileSync(new URL('../../../vectors/consensus/epochs.jsonl.gz', import.meta.url)))
  .toString('utf8')
  .trim()
  .split('\n')

type Counted = {
  blocks: { slot: number; withdrawalRequests?: unknown[]; pendingPartialWithdrawalsAfter?: string[][] }[]
}
const requestsIn = (line: string): number =>
  (JSON.parse(line) as Counted).blocks.reduce(
    (sum, { withdrawalRequests = [] }) => sum + withdrawalRequests.length,
    0,
  )

describe('the recorded histories of the real state machine', () => {
  test('make of every request what is forecast two slots before', () => {
    const all = lines.reduce((sum, line) => sum + requestsIn(line), 0)
    expect(all).toBeGreaterThan(100)
    expect(check(lines)).toEqual({ passed: all, failures: [] })
  })

  test('would be told apart, had one part been another', () => {
    const line = lines.find((each) => each.includes('pendingPartialWithdrawalsAfter')) ?? ''
    const row = JSON.parse(line) as Counted
    const block = row.blocks.find((each) => each.withdrawalRequests && each.pendingPartialWithdrawalsAfter)
    const [entry] = block?.pendingPartialWithdrawalsAfter ?? []
    if (entry !== undefined) entry[1] = `${BigInt(entry[1] ?? 0) + 1n}`
    expect(check([JSON.stringify(row)]).failures[0]).toContain('parts')
  })
})

const spec = shortSpec({ withdrawabilityDelayEpochs: 2n })
const genesis = genesisOf([300_000n, 290_000n, 280_000n, 270_000n], spec)
const asked = (changes: Partial<LeaveQuestion> = {}): LeaveQuestion => ({
  state: genesis,
  spec,
  fulu: true,
  pubkey: pubkey(1),
  amountGwei: 0n,
  uncounted: [],
  requests: [],
  ...changes,
})
const withValidator = (
  at: number,
  changes: Partial<ConsensusState['validators'][number]>,
): ConsensusState => ({
  ...genesis,
  validators: genesis.validators.map((one, index) => (index === at ? { ...one, ...changes } : one)),
})

describe('a request', () => {
  test('for the exit leaves at the next epoch, and is paid after the delay', () => {
    expect(leaveForecast(asked())).toEqual({
      is: 'exit',
      exitEpoch: 1n,
      withdrawableEpoch: 3n,
      balanceGwei: tokens(300_000n),
    })
  })

  test('for a part is taken, and paid in the first slot of its epoch', () => {
    const outcome = leaveForecast(asked({ amountGwei: tokens(10_000n) }))
    expect(outcome).toMatchObject({
      is: 'part',
      amountGwei: tokens(10_000n),
      cut: false,
      withdrawableEpoch: 3n,
      after: { paidSlot: 12n, paidGwei: tokens(10_000n), place: { rank: 2 }, dropsOutAtEpoch: undefined },
    })
  })

  test('for more than lies above the threshold is cut to that', () => {
    const outcome = leaveForecast(asked({ amountGwei: tokens(80_000n) }))
    expect(outcome).toMatchObject({ is: 'part', amountGwei: tokens(50_000n), cut: true })
  })

  test('for a part that sinks it below the last place drops it out once it is paid', () => {
    // A newcomer becomes active at the boundary at which the smaller stake counts.
    const soon = shortSpec({ withdrawabilityDelayEpochs: 0n })
    const newcomer = {
      pubkey: pubkey(9),
      withdrawalCredentials: credentials(9),
      amountGwei: tokens(260_000n),
      signatureValid: true,
      blockSlot: 1n,
    }
    const of = (amount: bigint, uncounted: (typeof newcomer)[]) =>
      leaveForecast(
        asked({
          state: genesisOf([300_000n, 290_000n, 280_000n], soon),
          spec: soon,
          amountGwei: tokens(amount),
          uncounted,
        }),
      )
    expect(of(50_000n, [newcomer])).toMatchObject({ after: { dropsOutAtEpoch: 2n, dropsOutAnyway: false } })
    expect(of(30_000n, [newcomer])).toMatchObject({ after: { dropsOutAtEpoch: undefined } })
    expect(of(50_000n, [])).toMatchObject({ after: { dropsOutAtEpoch: undefined, place: { rank: 3 } } })
  })

  test.each([
    ['unknown-key', { pubkey: pubkey(99) }],
    ['no-address', { state: withValidator(0, { withdrawalCredentials: `0x00${'11'.repeat(31)}` }) }],
    ['other-sender', { sourceAddress: address(2) }],
    [
      'not-active',
      { state: withValidator(0, { ...validatorOf(), pubkey: pubkey(1), effectiveBalanceGwei: 0n }) },
    ],
    [
      'exit-begun',
      { requests: [{ pubkey: pubkey(1), sourceAddress: address(1), amountGwei: 0n, blockSlot: 1n }] },
    ],
    ['exit-begun', { state: withValidator(0, { exitEpoch: 1n, withdrawableEpoch: 3n }) }],
    [
      'part-pending',
      { requests: [{ pubkey: pubkey(1), sourceAddress: address(1), amountGwei: 5n, blockSlot: 1n }] },
    ],
    ['nothing-above', { pubkey: pubkey(1), amountGwei: 1n, state: genesisOf([250_000n, 260_000n], spec) }],
    [
      'nothing-above',
      {
        amountGwei: 1n,
        requests: [
          { pubkey: pubkey(1), sourceAddress: address(1), amountGwei: tokens(60_000n), blockSlot: 1n },
        ],
      },
    ],
  ] as const)('is dropped: %s', (reason, changes) => {
    expect(leaveForecast(asked(changes as Partial<LeaveQuestion>))).toEqual({ is: 'dropped', reason })
  })

  test('counts as dropped where it is too late behind the next epoch boundary', () => {
    // The fourth of three places is sent away at the boundary.
    const last = asked({ pubkey: pubkey(4) })
    expect(requestAt(last, 2n).verdict).toMatchObject({ is: 'exit' })
    expect(leaveForecast(last)).toEqual({ is: 'dropped', reason: 'exit-begun' })
  })
})

describe('in random chains', () => {
  const question = fc.record({
    chain: randomChain,
    of: fc.integer({ min: 1, max: 6 }),
    amount: fc.constantFrom(0n, 1n, 10_000n, 40_000n),
    back: fc.integer({ min: 0, max: 2 }),
  })

  test('a forecast is what the state machine does, and when it pays', () => {
    fc.assert(
      fc.property(question, ({ chain, of, amount, back }) => {
        const { states, blocks } = runRandom(chain)
        const [start, head] = [states.at(-1 - back), states.at(-1)]
        if (start === undefined || head === undefined) return
        const on = blocks.filter(({ slot }) => slot > start.slot)
        const uncounted = on.flatMap(({ slot, deposits }) =>
          deposits.map((one) => ({ ...one, blockSlot: slot })),
        )
        const requests = on.flatMap(({ slot, withdrawalRequests }) =>
          withdrawalRequests.map((one) => ({ ...one, blockSlot: slot })),
        )
        const amountGwei = tokens(amount)
        const mine = asked({
          state: start,
          spec: randomSpec,
          pubkey: pubkey(of),
          amountGwei,
          uncounted,
          requests,
        })
        const slot = head.slot + 1n
        const { verdict, course } = requestAt(mine, slot)
        const made = { pubkey: pubkey(of), sourceAddress: address(of), amountGwei }
        const block = blockAt(slot, { withdrawalRequests: [made] })
        const { part, exits } = happened(head, block)
        expect(course.state).toEqual(processSlot(head, randomSpec, block).state)
        expect(exits).toEqual(verdict.is === 'exit' ? [verdict.exitEpoch] : [])
        if (verdict.is !== 'part') {
          expect(part).toBeUndefined()
          return
        }
        const { index: validatorIndex, amountGwei: takenGwei, withdrawableEpoch } = verdict
        expect(part).toEqual({ validatorIndex, amountGwei: takenGwei, withdrawableEpoch })
        const outcome = leaveForecast({ ...mine, state: head, uncounted: [], requests: [] })
        if (outcome.is !== 'part') return
        let after = runEmpty(head, randomSpec, head.slot + 1n)
        after = processSlot(after, randomSpec, { ...block, slot: after.slot + 1n }).state
        const eve = runEmpty(after, randomSpec, outcome.after.paidSlot - 1n)
        const paid = runEmpty(eve, randomSpec, outcome.after.paidSlot)
        const balance = (state: ConsensusState) => state.balancesGwei[validatorIndex] ?? 0n
        expect(outcome.after.paidGwei).toBe(balance(eve) - balance(paid))
        const end = runEmpty(paid, randomSpec, paid.slot + 2n * randomSpec.slotsPerEpoch)
        const exitEpoch = end.validators[validatorIndex]?.exitEpoch
        const lost = exitEpoch === FAR_FUTURE_EPOCH ? undefined : exitEpoch
        if (outcome.after.dropsOutAtEpoch !== undefined) expect(outcome.after.dropsOutAtEpoch).toBe(lost)
      }),
      { numRuns: runsOf({ suite: 1000, hard: 20_000 }) },
    )
  })

  test('passing over quiet slots changes nothing', () => {
    fc.assert(
      fc.property(randomChain, fc.bigInt({ min: 1n, max: 60n }), (chain, slots) => {
        const state = runRandom(chain).states.at(-1)
        if (state === undefined) return
        const to = { toSlot: state.slot + slots, fulu: true }
        const course = { state, queue: [] }
        expect(runFar(course, randomSpec, to)).toEqual(runForward(course, randomSpec, to))
      }),
      { numRuns: runsOf({ suite: 300, hard: 5000 }) },
    )
  })
})

test('passing over what changes nothing comes to the same as going slot by slot, where somebody who left is paid', () => {
  const left = withValidator(1, { exitEpoch: 1n, withdrawableEpoch: 2n })
  const [far, each] = [runFar, runForward].map((run) =>
    run({ state: left, queue: [] }, spec, { toSlot: 40n, fulu: true }),
  )
  expect(far?.state).toEqual(each?.state)
  expect(far?.state.balancesGwei[1]).toBe(0n)
})
