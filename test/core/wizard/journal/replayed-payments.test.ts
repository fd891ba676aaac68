import { beforeAll, describe, expect, test } from 'vitest'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { initialState, type State } from '../../../../src/core/wizard/state.ts'
import { madeOf, standOf } from '../../../support/stand-of.ts'
import { apply, durableOf, type Trace, traceOfRegistration } from '../../../support/trace.ts'

let trace: Trace

beforeAll(async () => {
  trace = await traceOfRegistration()
})

describe('a replay of the journal', () => {
  /** What must outlive the process. An unsigned payment is asked for again; a sighting is not remembered. */
  function durablePart(state: State) {
    const payment = (send: PaymentState) => {
      const { ordinal, payment: now } = send
      if (now.phase !== 'under-way' && now.phase !== 'ended') return { phase: 'open', ordinal }
      const { draft, candidates, attempts } = now
      return { ordinal, stand: standOf(send), draft, candidates, attempts, included: madeOf(send).included }
    }
    const { plan, signature } = state.sign
    return {
      sign: { plan, signature },
      own: state.identity.own,
      deposit: payment(state.deposit),
      topup: payment(state.topup.send),
      finished: state.topup.finished,
    }
  }

  test('gives the same payments as the process that wrote it had, wherever it ended', () => {
    const opened = trace.events.find((event) => event.type === 'opened')
    if (opened === undefined || !('history' in opened)) throw new Error('no journal was opened')
    let live = initialState
    trace.events.forEach((event, index) => {
      live = apply(live, event, trace.setup)
      const history = durableOf(trace.events.slice(0, index + 1))
      const replayed = apply(initialState, { ...opened, history }, trace.setup)
      expect(durablePart(replayed)).toEqual(durablePart(live))
    })
  })
})
