import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { forkName, isFulu } from '../../../../src/core/chain/consensus/fork-outlook.ts'
import { genesisState, takeDueDeposits } from '../../../../src/core/chain/consensus/process-epoch.ts'
import { type SetSnapshot, snapshotDoubt } from '../../../../src/core/chain/consensus/snapshot.ts'
import {
  FAR_FUTURE_EPOCH,
  floorEffectiveBalance,
  nextEffectiveBalance,
  validatorStatus,
} from '../../../../src/core/chain/consensus/state.ts'
import { credentials, genesisOf, pubkey, shortSpec, validatorOf } from './model.ts'

const spec = shortSpec()

describe('genesis', () => {
  test('who has the activation balance is active from epoch 0, the others wait', () => {
    const { validators } = genesisOf([250_000n, 249_999n], spec)
    expect(validators.map((v) => v.activationEpoch)).toEqual([0n, FAR_FUTURE_EPOCH])
    expect(validators.map((v) => v.effectiveBalanceGwei)).toEqual([tokens(250_000n), tokens(240_000n)])
  })

  test('a second deposit for a pubkey raises its balance only', () => {
    const one = { pubkey: pubkey(1), withdrawalCredentials: credentials(1), amountGwei: tokens(130_000n) }
    const { validators, balancesGwei } = genesisState([one, one], spec)
    expect(balancesGwei).toEqual([tokens(260_000n)])
    expect(validators[0]).toMatchObject({
      effectiveBalanceGwei: tokens(130_000n),
      activationEpoch: FAR_FUTURE_EPOCH,
    })
  })
})

describe('statuses at epoch 5', () => {
  const active = { activationEligibilityEpoch: 1n, activationEpoch: 2n }
  const rows = [
    ['pending_initialized', {}],
    ['pending_queued', { activationEligibilityEpoch: 6n }],
    ['pending_queued', { activationEligibilityEpoch: 5n, activationEpoch: 6n }],
    ['active_ongoing', { activationEligibilityEpoch: 4n, activationEpoch: 5n }],
    ['active_exiting', { ...active, exitEpoch: 6n, withdrawableEpoch: 8n }],
    ['active_slashed', { ...active, exitEpoch: 6n, withdrawableEpoch: 8n, slashed: true }],
    ['exited_unslashed', { ...active, exitEpoch: 5n, withdrawableEpoch: 6n }],
    ['exited_slashed', { ...active, exitEpoch: 5n, withdrawableEpoch: 6n, slashed: true }],
    ['withdrawal_possible', { ...active, exitEpoch: 3n, withdrawableEpoch: 5n }],
    ['withdrawal_done', { ...active, exitEpoch: 3n, withdrawableEpoch: 5n, effectiveBalanceGwei: 0n }],
  ] as const
  test.each(rows)('%s', (status, changes) => {
    expect(validatorStatus(validatorOf(changes), 5n)).toBe(status)
  })
})

describe('effective balance', () => {
  test('249,999 counts as 240,000 and 259,999 as 250,000', () => {
    expect(floorEffectiveBalance(tokens(249_999n), spec)).toBe(tokens(240_000n))
    expect(floorEffectiveBalance(tokens(259_999n), spec)).toBe(tokens(250_000n))
  })

  const edges = [
    { fulu: false, balance: 252_500n, effective: 240_000n, next: 240_000n },
    { fulu: false, balance: 252_501n, effective: 240_000n, next: 250_000n },
    { fulu: true, balance: 241_000n, effective: 240_000n, next: 240_000n },
    { fulu: true, balance: 250_000n, effective: 240_000n, next: 250_000n },
    { fulu: false, balance: 247_500n, effective: 250_000n, next: 250_000n },
    { fulu: false, balance: 247_499n, effective: 250_000n, next: 240_000n },
    { fulu: true, balance: 249_900n, effective: 250_000n, next: 250_000n },
    { fulu: true, balance: 249_899n, effective: 250_000n, next: 240_000n },
  ]
  test.each(edges)('fulu $fulu: balance $balance at $effective becomes $next', (edge) => {
    const current = { effectiveBalanceGwei: tokens(edge.effective), balanceGwei: tokens(edge.balance) }
    expect(nextEffectiveBalance(current, spec, { fulu: edge.fulu })).toBe(tokens(edge.next))
  })

  test('is whole increments up to the maximum, and settles after one turn', () => {
    const balance = fc.bigInt({ min: 0n, max: tokens(20_000_000n) })
    fc.assert(
      fc.property(balance, balance, fc.boolean(), (from, balanceGwei, fulu) => {
        const effectiveBalanceGwei = floorEffectiveBalance(from, spec)
        const next = nextEffectiveBalance({ effectiveBalanceGwei, balanceGwei }, spec, { fulu })
        expect(next % spec.effectiveBalanceIncrementGwei).toBe(0n)
        expect(next <= spec.maxEffectiveBalanceGwei).toBe(true)
        expect(nextEffectiveBalance({ effectiveBalanceGwei: next, balanceGwei }, spec, { fulu })).toBe(next)
      }),
    )
  })
})

describe('forks', () => {
  test('each begins at its time', () => {
    const names = [99n, 100n, 199n, 200n, 299n, 300n].map((time) => forkName(spec, time))
    expect(names).toEqual(['deneb', 'electra', 'electra', 'electra1', 'electra1', 'fulu'])
    expect([isFulu(spec, 299n), isFulu(spec, 300n)]).toEqual([false, true])
  })
})

describe('deposits on their way', () => {
  const queue = Array.from({ length: 20 }, (_, index) => ({ blockSlot: 5n, index }))

  test('before Fulu they count two slots later, sixteen a slot', () => {
    expect(takeDueDeposits(queue, { slot: 6n, fulu: false, spec }).due).toEqual([])
    const first = takeDueDeposits(queue, { slot: 7n, fulu: false, spec })
    expect(first.due).toEqual(queue.slice(0, 16))
    expect(takeDueDeposits(first.rest, { slot: 8n, fulu: false, spec })).toEqual({
      due: queue.slice(16),
      rest: [],
    })
  })

  test('from Fulu on they count in their own block, all of them', () => {
    expect(takeDueDeposits(queue, { slot: 4n, fulu: true, spec }).due).toEqual([])
    expect(takeDueDeposits(queue, { slot: 5n, fulu: true, spec }).due).toEqual(queue)
  })

  test('one that must wait holds back those behind it', () => {
    const mixed = [{ blockSlot: 9n }, { blockSlot: 5n }]
    expect(takeDueDeposits(mixed, { slot: 8n, fulu: true, spec })).toEqual({ due: [], rest: mixed })
  })
})

test('a set that is not proven says why, and a proven one nothing', () => {
  const block = { number: 1n, hash: '0x', timestampSeconds: 0n } as const
  const proof = { slot: 1n, blockRoot: '0x', anchors: 1, block } as const
  const snapshot = { proof: undefined, unproven: 'no answer' } as SetSnapshot
  expect(snapshotDoubt(snapshot)).toEqual(['not proven: no answer'])
  expect(snapshotDoubt({ ...snapshot, unproven: undefined })).toEqual([])
  expect(snapshotDoubt({ ...snapshot, proof })).toEqual([])
})
