import type { Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import { neededMarks } from '../../view/rows.ts'
import type { PaymentState } from '../payment/payment.ts'
import { GATE_FACTS, type GateAnswers } from './facts.ts'
import type { Following } from './following.ts'

const SLOTS_BETWEEN_CHECKS = 12

/**
 * Has the gate ask once more, now and then, while a part of it could not be found out, so that one silence does not keep it
 * shut until somebody presses a key. Call it with every look; what is known stays until it is answered anew.
 */
export function rechecker({ context, getState, kind }: Following): () => Promise<void> {
  const { clock } = context.effects
  const waitMs = SLOTS_BETWEEN_CHECKS * context.setup.network.slotMs
  let askedMs = Number.NEGATIVE_INFINITY
  return async () => {
    const nowMs = clock.monotonicMs()
    const saidMs = unknownSinceMs(getState(), context.setup)
    // A check that still runs is not begun anew.
    if (saidMs === undefined || saidMs < askedMs || nowMs - saidMs < waitMs) return
    askedMs = nowMs
    await context.dispatch({ step: kind.step, type: 'recheckAsked' })
  }
}

/** The oldest answer that says nothing, where all was answered; on the monotonic clock. */
function unknownSinceMs({ payment, observed }: PaymentState, setup: Setup): number | undefined {
  const marks = Object.entries(neededMarks(GATE_FACTS, observed, { observed, setup }))
  const isWaiting = marks.some(([, mark]) => mark === 'asking' || mark === 'unasked')
  if (payment.phase !== 'open' || isWaiting || known(observed.sender) === undefined) return undefined
  const times = marks.flatMap(([id, mark]) => {
    const one = observed[id as keyof GateAnswers]
    return mark === 'unknown' && 'atMs' in one ? [one.atMs] : []
  })
  return times.length === 0 ? undefined : Math.min(...times)
}
