import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/format/hex.ts'
import { nonceFault, ownNonces } from '../../../../src/core/steps/sending/own-nonces.ts'
import { initialSend, type SendPhase, type SendState } from '../../../../src/core/steps/sending/state.ts'

const FROM: Hex = `0x${'5'.repeat(40)}`
const OTHER: Hex = `0x${'6'.repeat(40)}`
const HASH: Hex = `0x${'1'.repeat(64)}`
const PAID: readonly SendPhase[] = ['final', 'cancelled']

/** A payment with nonce 5 of one account. */
function payment(phase: SendPhase, over: Partial<SendState> = {}): SendState {
  const transaction = {
    to: OTHER,
    valueWei: 1n,
    data: '0x',
    chainId: 1,
    nonce: 5,
    gasLimit: 1n,
    maxFeePerGasWei: 1n,
    maxPriorityFeePerGasWei: 1n,
  } as const
  const baseline = { blockNumber: 200n, blockHash: HASH, balanceWei: 1n }
  const mined = { blockNumber: 224n, blockHash: HASH, feeWei: 1n, hash: HASH }
  const prepared = { transaction, from: FROM, baseline }
  return { ...initialSend, phase, prepared, hash: HASH, ...(PAID.includes(phase) ? { mined } : {}), ...over }
}

const stray = { hash: HASH, valueWei: 1n, nonce: 8 }

describe('the nonce of a new payment', () => {
  test.each<[string, SendState, Hex, number, RegExp | undefined]>([
    ['is free where the other payment was never begun', initialSend, FROM, 0, undefined],
    [
      'is free where the other one is not signed',
      payment('prepared', { hash: undefined }),
      FROM,
      5,
      undefined,
    ],
    ['was used by a final one', payment('final'), FROM, 5, /nonce 5 .* first deposit 0x1{64} used nonce 5/],
    ['is before that of a final one', payment('final'), FROM, 4, /nonce 4 .* used nonce 5/],
    ['comes after that of a final one', payment('final'), FROM, 6, undefined],
    ['is of another account', payment('final'), OTHER, 5, undefined],
    ['was used by the cancellation', payment('cancelled'), FROM, 5, /used nonce 5/],
    ['was used by a refused one', payment('reverted'), FROM, 5, /used nonce 5/],
    ['was used in the place of a lost one', payment('foreign'), FROM, 5, /nonce 5/],
    ['may be used by a signed one', payment('signed'), FROM, 5, /may still use nonce 5/],
    ['may be used by one that waits', payment('seen'), FROM, 5, /may still use nonce 5/],
    [
      'may be used by an exported one',
      payment('external', { hash: undefined }),
      FROM,
      5,
      /first deposit may still use nonce 5/,
    ],
    [
      'was used by what the wallet sent instead',
      payment('final', { strays: [stray] }),
      FROM,
      7,
      /used nonce 8/,
    ],
    ['comes after what the wallet sent instead', payment('final', { strays: [stray] }), FROM, 9, undefined],
  ])('%s', (_, other, from, nonce, expected) => {
    const fault = nonceFault({ from, nonce }, ownNonces(other, 'deposit'))
    if (expected === undefined) expect(fault).toBeUndefined()
    else expect(fault).toMatch(expected)
  })

  test('says nothing of the calls of a contract account', () => {
    const state = payment('final')
    const prepared = state.prepared && { ...state.prepared, contract: true as const }
    expect(ownNonces({ ...state, prepared }, 'deposit')).toEqual([])
  })
})
