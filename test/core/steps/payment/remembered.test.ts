import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/format/hex.ts'
import { resumeSend, sendTransition } from '../../../../src/core/steps/sending/machine.ts'
import { asRemembered, fitsPhase, isAsked, mayReopen } from '../../../../src/core/steps/sending/phases.ts'
import { judgeRemembered, type SaidNow } from '../../../../src/core/steps/sending/remembered.ts'
import { initialSend, type SendPhase, type SendState } from '../../../../src/core/steps/sending/state.ts'

const bytes = (digit: number): Hex => `0x${String(digit).repeat(64)}`
const OURS = bytes(1)
const BLOCK = bytes(2)

/** A payment with nonce 5 that ended so, by the journal. */
function ended(phase: SendPhase): SendState {
  const transaction = {
    to: `0x${'4'.repeat(40)}`,
    valueWei: 1n,
    data: '0x',
    chainId: 1,
    nonce: 5,
    gasLimit: 1n,
    maxFeePerGasWei: 1n,
    maxPriorityFeePerGasWei: 1n,
  } as const
  const baseline = { blockNumber: 200n, blockHash: BLOCK, balanceWei: 1n }
  const mined = { blockNumber: 224n, blockHash: BLOCK, feeWei: 1n, hash: OURS }
  return {
    ...initialSend,
    phase,
    hash: OURS,
    raw: '0x02',
    prepared: { transaction, from: `0x${'5'.repeat(40)}`, baseline },
    ...(phase === 'final' || phase === 'cancelled' ? { mined } : {}),
  }
}

const receipt = { transactionHash: OURS, blockHash: BLOCK, blockNumber: 224n, status: 'success' } as const
const NOWHERE: SaidNow = {
  receipt: undefined,
  finalizedBlock: 300n,
  nonce: 6,
  hasEvent: false,
  hasOwnDeposit: false,
}
const IN_BLOCK: SaidNow = { ...NOWHERE, receipt }
const REFUSED: SaidNow = { ...NOWHERE, receipt: { ...receipt, status: 'reverted' } }

describe('of an end that is remembered', () => {
  test.each<[string, SendPhase, SaidNow, 'upheld' | 'contradicted']>([
    ['final and in the block', 'final', IN_BLOCK, 'upheld'],
    ['final and in the block, known by its event only', 'final', { ...NOWHERE, hasEvent: true }, 'upheld'],
    ['final and nowhere', 'final', NOWHERE, 'contradicted'],
    ['final and refused', 'final', REFUSED, 'contradicted'],
    [
      'final and in another block',
      'final',
      { ...NOWHERE, receipt: { ...receipt, blockHash: bytes(3) } },
      'contradicted',
    ],
    ['final and its block is not', 'final', { ...IN_BLOCK, finalizedBlock: 223n }, 'contradicted'],
    ['refused and refused', 'reverted', REFUSED, 'upheld'],
    ['refused and in a block', 'reverted', IN_BLOCK, 'contradicted'],
    ['refused and nowhere', 'reverted', NOWHERE, 'contradicted'],
    ['lost and its nonce is used', 'foreign', NOWHERE, 'upheld'],
    ['lost and its nonce is unused', 'foreign', { ...NOWHERE, nonce: 5 }, 'contradicted'],
    ['lost and in a block', 'foreign', IN_BLOCK, 'contradicted'],
    ['lost and a deposit may be it', 'foreign', { ...NOWHERE, hasOwnDeposit: true }, 'contradicted'],
    ['cancelled and the cancellation is in the block', 'cancelled', IN_BLOCK, 'upheld'],
    [
      'cancelled and the payment is in a block',
      'cancelled',
      { ...NOWHERE, receipt: { ...receipt, transactionHash: bytes(9) } },
      'contradicted',
    ],
  ])('%s', (_, phase, said, verdict) => {
    const state = ended(phase)
    expect(judgeRemembered(state, [said])).toBe(verdict)
    expect(judgeRemembered(state, [said, said])).toBe(verdict)
    expect(judgeRemembered(state, [said, undefined])).toBe('silent')
    const other = verdict === 'upheld' ? { ...NOWHERE, nonce: 5 } : undefined
    if (other !== undefined) expect(judgeRemembered(state, [said, other])).toBe('disputed')
  })
})

describe.each<SendPhase>(['final', 'reverted', 'foreign', 'cancelled'])(
  'a payment that is remembered as %s',
  (phase) => {
    const state = asRemembered(ended(phase))

    test('is asked about, and nothing is begun anew on it', () => {
      expect(resumeSend(state, 'topup')[1]).toMatchObject([{ type: 'track' }])
      expect(isAsked(state)).toBe(true)
      expect(mayReopen(state, 'topup')).toBe(false)
      expect(fitsPhase(state, { step: 'topup', type: 'reopened' })).toBe(false)
    })

    test('may be followed by another one once the chain has confirmed it', () => {
      const [upheld] = sendTransition(state, { step: 'topup', type: 'upheld' })
      expect(upheld).toEqual(ended(phase))
      expect(resumeSend(upheld, 'topup')[1]).toEqual([])
      expect(mayReopen(upheld, 'topup')).toBe(true)
    })

    test('is looked for again where the chain does not say so, and never begun anew', () => {
      const event = { step: 'topup', type: 'disproved' } as const
      expect(fitsPhase(state, event)).toBe(true)
      expect(fitsPhase(ended(phase), event)).toBe(false)
      const [open] = sendTransition(state, event)
      expect(open).toMatchObject({ phase: 'seen', remembered: false, hash: OURS, mined: undefined })
      expect(mayReopen(open, 'topup')).toBe(false)
      expect(sendTransition(ended(phase), event)[0]).toEqual(open)
    })
  },
)
