import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import {
  activeSet,
  type ConsensusBlock,
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
} from '../../../../src/core/chain/consensus/state.ts'
import { address, blockAt, credentials, genesisOf, pubkey, runEmpty, shortSpec } from './model.ts'

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

function deposit(
  number: number,
  amount: bigint,
  signatureValid: boolean,
): ConsensusBlock['deposits'][number] {
  return {
    pubkey: pubkey(number),
    withdrawalCredentials: credentials(number),
    amountGwei: tokens(amount),
    signatureValid,
  }
}

describe('deposits', () => {
  const spec = shortSpec()
  const genesis = genesisOf([300_000n], spec)

  test('a first deposit with a valid signature makes a validator of the floored amount', () => {
    const { state } = processSlot(genesis, spec, blockAt(1n, { deposits: [deposit(7, 19_999n, true)] }))
    expect(state.validators[1]).toMatchObject({
      effectiveBalanceGwei: tokens(10_000n),
      activationEligibilityEpoch: FAR_FUTURE_EPOCH,
    })
    expect(state.balancesGwei[1]).toBe(tokens(19_999n))
  })

  test('a first deposit with an invalid signature is gone', () => {
    const { state } = processSlot(genesis, spec, blockAt(1n, { deposits: [deposit(7, 10_000n, false)] }))
    expect(state.validators).toHaveLength(1)
    expect(sum(state.balancesGwei)).toBe(tokens(300_000n))
  })

  test('a deposit for a known pubkey grows the balance, whatever its signature and letters', () => {
    const upper = `0x${pubkey(1).slice(2).toUpperCase()}` as const
    const topUp = { ...deposit(9, 5n, false), pubkey: upper }
    const { state } = processSlot(genesis, spec, blockAt(1n, { deposits: [topUp] }))
    expect(state.balancesGwei).toEqual([tokens(300_005n)])
    expect(state.validators[0]?.withdrawalCredentials).toBe(credentials(1))
  })
})

describe('withdrawals', () => {
  const spec = shortSpec()

  test('a balance above the maximum is paid back in the next slot', () => {
    const genesis = genesisOf([10_000_000n], spec)
    const topped = processSlot(genesis, spec, blockAt(1n, { deposits: [deposit(1, 7n, false)] })).state
    const { state, withdrawals } = processSlot(topped, spec, blockAt(2n))
    expect(withdrawals).toEqual([
      { index: 0n, validatorIndex: 0, address: address(1), amountGwei: tokens(7n) },
    ])
    expect(state.balancesGwei).toEqual([tokens(10_000_000n)])
  })

  test('several partial withdrawals of one validator never take it below the activation balance', () => {
    const genesis = genesisOf([10_000_000n], spec)
    const ask = { sourceAddress: address(1), pubkey: pubkey(1), amountGwei: tokens(9_000_000n) }
    const queued = processSlot(
      genesis,
      spec,
      blockAt(1n, { deposits: [deposit(1, 10_000_000n, false)], withdrawalRequests: [ask, ask, ask] }),
    ).state
    expect(queued.pendingPartialWithdrawals).toHaveLength(3)
    const later = runEmpty(queued, spec, 20n)
    expect(later.pendingPartialWithdrawals).toEqual([])
    expect(later.balancesGwei).toEqual([tokens(250_000n)])
  })

  test('the sweep sees what a partial withdrawal of the same slot has taken', () => {
    const genesis = genesisOf([10_000_000n], spec)
    const pendingPartialWithdrawals = [{ validatorIndex: 0, amountGwei: tokens(3n), withdrawableEpoch: 0n }]
    const state = { ...genesis, balancesGwei: [tokens(10_000_005n)], pendingPartialWithdrawals }
    const { withdrawals } = processSlot(state, spec, blockAt(1n))
    expect(withdrawals.map((paid) => paid.amountGwei)).toEqual([tokens(3n), tokens(2n)])
  })

  test.each([
    { what: 'an effective balance below the threshold', change: { effectiveBalanceGwei: tokens(240_000n) } },
    { what: 'an exit on its way', change: { exitEpoch: 9n, withdrawableEpoch: 11n } },
  ])('a partial withdrawal is void, not late, with $what', ({ change }) => {
    const genesis = genesisOf([300_000n], spec)
    const pendingPartialWithdrawals = [{ validatorIndex: 0, amountGwei: tokens(3n), withdrawableEpoch: 0n }]
    const validators = genesis.validators.map((validator) => ({ ...validator, ...change }))
    const { state, withdrawals } = processSlot(
      { ...genesis, validators, pendingPartialWithdrawals },
      spec,
      blockAt(1n),
    )
    expect(withdrawals).toEqual([])
    expect(state.pendingPartialWithdrawals).toEqual([])
  })

  test('credentials that name no address are never paid', () => {
    const genesis = genesisOf([10_000_000n], spec)
    const odd = {
      ...genesis,
      validators: genesis.validators.map((v) => ({
        ...v,
        withdrawalCredentials: pubkey(0).slice(0, 66) as `0x${string}`,
        exitEpoch: 0n,
        withdrawableEpoch: 0n,
      })),
    }
    expect(processSlot(odd, spec, blockAt(1n)).withdrawals).toEqual([])
  })
})

describe('withdrawal requests', () => {
  const spec = shortSpec()
  const genesis = genesisOf([300_000n, 260_000n], spec)
  const exitOf = (sourceAddress: `0x${string}`): ConsensusState =>
    processSlot(
      genesis,
      spec,
      blockAt(1n, { withdrawalRequests: [{ sourceAddress, pubkey: pubkey(1), amountGwei: 0n }] }),
    ).state

  test('a full exit leaves at the next epoch and is withdrawable after the delay', () => {
    expect(exitOf(address(1)).validators[0]).toMatchObject({ exitEpoch: 1n, withdrawableEpoch: 3n })
  })

  test('nothing more is queued for a validator that exits', () => {
    const part = { sourceAddress: address(1), pubkey: pubkey(1), amountGwei: tokens(1n) }
    const { state } = processSlot(
      genesis,
      spec,
      blockAt(1n, { withdrawalRequests: [{ ...part, amountGwei: 0n }, part] }),
    )
    expect(state.pendingPartialWithdrawals).toEqual([])
  })

  test('a stranger cannot make it exit', () => {
    expect(exitOf(address(2))).toEqual({ ...genesis, slot: 1n, nextWithdrawalValidatorIndex: 1 })
  })
})

describe('epoch turns', () => {
  test('at equal stake the smaller pubkey goes, even in the epoch of its activation', () => {
    const spec = shortSpec({ validatorSetCap: 2 })
    const genesis = genesisOf([250_000n, 250_000n], spec)
    const late = processSlot(genesis, spec, blockAt(1n, { deposits: [deposit(0, 250_000n, true)] })).state
    const state = runEmpty(late, spec, 8n)
    expect(state.validators.map((v) => [v.pubkey, v.activationEpoch, v.exitEpoch])).toEqual([
      [pubkey(1), 0n, FAR_FUTURE_EPOCH],
      [pubkey(2), 0n, FAR_FUTURE_EPOCH],
      [pubkey(0), 2n, 2n],
    ])
  })

  test('the first block of Fulu still turns its epoch on the older rules', () => {
    const spec = shortSpec()
    const grown = processSlot(
      genesisOf([250_000n], spec),
      spec,
      blockAt(1n, { deposits: [deposit(1, 11_000n, false)] }),
    ).state
    const last = runEmpty(grown, spec, 3n)
    const effective = (block: ConsensusBlock): bigint | undefined =>
      processSlot(last, spec, block).state.validators[0]?.effectiveBalanceGwei
    expect(effective(blockAt(4n))).toBe(tokens(260_000n))
    expect(effective(blockAt(4n, { parentFulu: false }))).toBe(tokens(250_000n))
  })

  test('a slot that does not follow is refused and named', () => {
    expect(() => processSlot(genesisOf([250_000n], shortSpec()), shortSpec(), blockAt(2n))).toThrow(
      expect.objectContaining({ code: 'consensus.slot_order', money: 'untouched' }),
    )
  })
})

describe('for any history', () => {
  const action = fc.record({
    number: fc.integer({ min: 1, max: 9 }),
    amount: fc.constantFrom(1n, 2_500n, 10_000n, 12_501n, 240_000n, 250_000n, 990_001n, 9_900_000n),
    signatureValid: fc.boolean(),
    request: fc.constantFrom('none', 'exit', 'part'),
    by: fc.integer({ min: 1, max: 9 }),
  })
  const history = fc.record({
    places: fc.integer({ min: 1, max: 4 }),
    fulu: fc.boolean(),
    actions: fc.array(fc.option(action, { nil: undefined }), { minLength: 1, maxLength: 60 }),
  })

  test('no gwei appears or vanishes, the cap holds, and balances stay at or above zero', () => {
    fc.assert(
      fc.property(history, ({ places, fulu, actions }) => {
        const spec = shortSpec({ validatorSetCap: places })
        let state = genesisOf([10_000_000n], spec)
        let inGwei = sum(state.balancesGwei)
        let outGwei = 0n
        for (const [offset, one] of actions.entries()) {
          const known = state.validators.some((v) => one !== undefined && v.pubkey === pubkey(one.number))
          const sent = one === undefined ? [] : [deposit(one.number, one.amount, one.signatureValid)]
          if (one !== undefined && (known || one.signatureValid)) inGwei += tokens(one.amount)
          const asked =
            one === undefined || one.request === 'none'
              ? []
              : [
                  {
                    sourceAddress: address(one.by),
                    pubkey: pubkey(one.by),
                    amountGwei: one.request === 'exit' ? 0n : one.amount,
                  },
                ]
          const result = processSlot(state, spec, {
            slot: BigInt(offset + 1),
            fulu,
            deposits: sent,
            withdrawalRequests: asked,
          })
          outGwei += sum(result.withdrawals.map((paid) => paid.amountGwei))
          state = result.state
          expect(sum(state.balancesGwei) + outGwei).toBe(inGwei)
          expect(activeSet(state, epochOfSlot(state.slot, spec)).length).toBeLessThanOrEqual(places)
          expect(state.balancesGwei.every((balance) => balance >= 0n)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('the state that went in is not changed', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 8 }), (actions) => {
        const spec = shortSpec()
        const before = runEmpty(genesisOf([300_000n, 250_000n, 10_000n], spec), spec, 3n)
        const copy = structuredClone(before)
        const deposits = actions.map((one) => deposit(one.number, one.amount, one.signatureValid))
        processSlot(before, spec, blockAt(4n, { deposits }))
        expect(before).toEqual(copy)
      }),
    )
  })
})
