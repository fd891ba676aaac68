import { known } from '../observation.ts'
import type { PaymentState } from '../payment/payment.ts'
import { neededMarks } from '../rows.ts'
import { GATE_FACTS } from './facts.ts'
import type { Following } from './following.ts'

/** More than the gate itself takes, which waits ten slots for a new block. */
const SLOTS_BETWEEN_CHECKS = 12

/**
 * Has the gate ask once more, now and then, while a part of it could not be found out, so that one silence does not keep it
 * shut until somebody presses a key. Call it with every look; what is known stays until it is answered anew.
 */
export function rechecker({ world, getState, kind }: Following): () => Promise<void> {
  const { clock } = world.effects
  const waitMs = SLOTS_BETWEEN_CHECKS * world.setup.network.slotMs
  let sinceMs: number | undefined
  return async () => {
    const nowMs = clock.monotonicMs()
    if (!isUnsettled(getState(), world.setup)) sinceMs = undefined
    else sinceMs ??= nowMs
    if (sinceMs === undefined || nowMs - sinceMs < waitMs) return
    sinceMs = nowMs
    await world.dispatch({ step: kind.step, type: 'recheckAsked' })
  }
}

/** Whether all was answered, and a part of that says nothing. */
function isUnsettled({ payment, seen }: PaymentState, setup: Following['world']['setup']): boolean {
  const marks = Object.values(neededMarks(GATE_FACTS, seen, { seen, setup }))
  const isAnswered =
    known(seen.sender) !== undefined && !marks.includes('asking') && !marks.includes('unasked')
  return payment.phase === 'open' && isAnswered && marks.includes('unknown')
}
