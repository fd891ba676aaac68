import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { UncountedDeposit } from '../../../../src/core/chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import {
  type KeyState,
  keyVerdict,
  type Level,
  stakeToBeOf,
} from '../../../../src/core/chain/key-state/key-state.ts'

const pubkey: Hex = `0x${'a1'.repeat(48)}`
const OPERATOR: Hex = `0x${'0b'.repeat(20)}`
const ZERO: Hex = `0x${'00'.repeat(20)}`
const PROVEN: Level = { by: 'proof', anchors: 2 }
const spec = { slotsPerEpoch: 8n }

const deposit = (amountGwei = tokens(10_000n)): UncountedDeposit => ({
  index: 7n,
  transactionHash: `0x${'cc'.repeat(32)}`,
  blockSlot: 80n,
  pubkey,
  withdrawalCredentials: `0x01${'00'.repeat(31)}`,
  amountGwei,
  signatureValid: true,
})

const registered = (part: { exitEpoch?: bigint; withdrawableEpoch?: bigint; balanceGwei?: bigint } = {}) => {
  const {
    exitEpoch = FAR_FUTURE_EPOCH,
    withdrawableEpoch = FAR_FUTURE_EPOCH,
    balanceGwei = tokens(10_000n),
  } = part
  const validator = {
    pubkey,
    withdrawalCredentials: deposit().withdrawalCredentials,
    effectiveBalanceGwei: balanceGwei,
    slashed: false,
    activationEligibilityEpoch: 3n,
    activationEpoch: 4n,
    exitEpoch,
    withdrawableEpoch,
  }
  return { value: { index: 3, validator, balanceGwei }, level: PROVEN }
}

const nothing = { value: [], level: PROVEN }
const absent = { value: 'absent', level: PROVEN } as const
const unknown = { unknown: 'the node does not answer' }

/** A look at slot 81, in epoch 10. */
const look = (part: Partial<KeyState> = {}): KeyState => ({
  pubkey,
  block: { number: 82n, hash: `0x${'bb'.repeat(32)}`, timestampSeconds: 1000n },
  slot: 81n,
  record: absent,
  operator: { value: ZERO, saidBy: 2 },
  uncounted: nothing,
  set: { unknown: 'not asked', outOfReach: true },
  ...part,
})

const set = { value: OPERATOR, saidBy: 2 }
const one = { value: [deposit()], level: PROVEN }
const perhapsOne = { unknown: 'not known', perhaps: [deposit()] }
const perhapsNone = { unknown: 'not known', perhaps: [] }

describe('the verdict over a key', () => {
  test.each<[string, Partial<KeyState>, string]>([
    ['nobody ever paid for it', {}, 'unused'],
    ['nobody ever paid for it, and what waits is not known', { uncounted: perhapsNone }, 'unused'],
    ['its deposit is not counted yet', { operator: set, uncounted: one }, 'waiting'],
    ['its deposit may not be counted yet', { operator: set, uncounted: perhapsOne }, 'waiting'],
    ['its deposits are counted, and it is absent', { operator: set }, 'lost'],
    ['it has an operator, and what waits is not known', { operator: set, uncounted: perhapsNone }, 'unknown'],
    ['deposits without an operator do not fit', { uncounted: one }, 'unknown'],
    ['the operator is not known', { operator: unknown }, 'unknown'],
    [
      'the record is not known, whatever the rest',
      { record: unknown, operator: set, uncounted: one },
      'unknown',
    ],
    ['it is in the state', { record: registered(), operator: set }, 'registered'],
    ['it was there from genesis, without an operator', { record: registered() }, 'registered'],
    ['it is there, and the operator is not known', { record: registered(), operator: unknown }, 'registered'],
    [
      'it leaves at the next epoch',
      { record: registered({ exitEpoch: 11n, withdrawableEpoch: 20n }) },
      'exiting',
    ],
    ['it has left', { record: registered({ exitEpoch: 10n, withdrawableEpoch: 20n }) }, 'exited'],
    ['it may be paid back', { record: registered({ exitEpoch: 1n, withdrawableEpoch: 9n }) }, 'exited'],
    [
      'it was paid back',
      { record: registered({ exitEpoch: 1n, withdrawableEpoch: 9n, balanceGwei: 0n }) },
      'withdrawn',
    ],
  ])('where %s', (_, part, verdict) => {
    expect(keyVerdict(look(part), spec)).toBe(verdict)
  })
})

describe('the stake of a key', () => {
  const own = { record: registered() }

  test('is what is counted and what waits; unknown where either is', () => {
    expect(stakeToBeOf(look({ ...own, uncounted: one }))).toBe(tokens(20_000n))
    expect(stakeToBeOf(look({ ...own, uncounted: perhapsOne }))).toBeUndefined()
    expect(stakeToBeOf(look({ record: unknown }))).toBeUndefined()
    expect(stakeToBeOf(look())).toBeUndefined()
  })
})
