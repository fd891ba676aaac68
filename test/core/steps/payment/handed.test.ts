import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/format/hex.ts'
import { timesSent } from '../../../../src/core/steps/sending/handed.ts'
import { resumeSend, sendTransition } from '../../../../src/core/steps/sending/machine.ts'
import { fitsPhase, mayHaveLeft } from '../../../../src/core/steps/sending/phases.ts'
import { dearest, raised, replacementOf } from '../../../../src/core/steps/sending/replace.ts'
import {
  type HandedResult,
  initialSend,
  type SendEvent,
  type SendState,
} from '../../../../src/core/steps/sending/state.ts'

const step = 'deposit'
const hash: Hex = `0x${'01'.repeat(32)}`
const address: Hex = `0x${'44'.repeat(20)}`
const PLAN = { to: address, valueWei: 10n ** 22n, data: '0xe12cf4cb' } as const
const PREPARED = {
  transaction: {
    ...PLAN,
    chainId: 80094,
    nonce: 3,
    gasLimit: 150_000n,
    maxFeePerGasWei: 3n,
    maxPriorityFeePerGasWei: 1n,
  },
  from: address,
  baseline: { blockNumber: 7n, blockHash: hash, balanceWei: 10n ** 24n },
}

const stateAfter = (events: readonly SendEvent[], from: SendState = initialSend): SendState =>
  events.reduce((state, event) => sendTransition(state, event)[0], from)

const SIGNED = stateAfter([
  { step, type: 'confirmed', plan: PLAN },
  { step, type: 'prepared', prepared: PREPARED },
  { step, type: 'signed', raw: '0x02', hash },
])

const results = fc.constantFrom<HandedResult>('taken', 'refused', 'no-reply', 'unreachable')
const attempts = fc.array(
  fc.record({ endpoint: fc.constantFrom('one', 'two'), result: fc.option(results, { nil: undefined }) }),
  { maxLength: 12 },
)

/** An attempt, and the reply where one came before the next attempt at the same endpoint. */
const attempt = (
  { endpoint, result }: { endpoint: string; result: HandedResult | undefined },
  at: number,
): SendEvent[] => [
  { step, type: at % 2 === 0 ? 'sending' : 'resent', attempt: at + 1, endpoint },
  ...(result === undefined ? [] : [{ step, type: 'handed', endpoint, hash, result } as const]),
]

describe('signed bytes', () => {
  test('may have left with every attempt but one whose connection never came about', () => {
    fc.assert(
      fc.property(attempts, (made) => {
        const state = stateAfter(made.flatMap(attempt), SIGNED)
        const count = made.filter(({ result }) => result !== 'unreachable').length
        expect(timesSent(state)).toBe(count)
        expect(mayHaveLeft(state)).toBe(count > 0)
      }),
    )
  })

  test('may have left after a restart wherever the journal says that they were being handed over', () => {
    fc.assert(
      fc.property(attempts, (made) => {
        const lines = made.flatMap(attempt).filter(({ type }) => type === 'sending')
        const [state] = resumeSend(stateAfter(lines, SIGNED), step)
        expect(mayHaveLeft(state)).toBe(lines.length > 0)
        expect(state.handed.map(({ result }) => result)).not.toContain('waits')
      }),
    )
  })

  test('that nobody got are not replaced, and a journal in which they were is read as it was written', () => {
    const fees = {
      maxFeePerGasWei: raised(dearest(SIGNED).maxFeePerGasWei),
      maxPriorityFeePerGasWei: raised(dearest(SIGNED).maxPriorityFeePerGasWei),
    }
    const transaction = replacementOf(SIGNED, 'bump', fees)
    if (transaction === undefined) throw new Error('nothing to replace')
    const replacing: SendEvent = { step, type: 'replacing', replacement: { kind: 'bump', transaction } }
    expect(fitsPhase(SIGNED, replacing)).toBe(false)
    const sent = stateAfter([{ step, type: 'sending', attempt: 1, endpoint: 'one' }], SIGNED)
    expect(fitsPhase(sent, replacing)).toBe(true)
    expect(stateAfter([replacing], SIGNED).replacement).toEqual({ kind: 'bump', transaction })
  })
})
