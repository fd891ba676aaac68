import type { Gwei } from '../../base/format/amount.ts'
import type { Setup } from '../../chain/facts.ts'
import { typedPart } from '../../chain/network/network.ts'
import { LEAVE_FACTS, type LeaveAnswers } from '../../pay/leave/facts.ts'
import { type Observations, type Observed, withObservation } from '../../view/observation.ts'
import { nothingAsked } from '../../view/rows.ts'

/** What is asked for on the page of leaving, and what was found out about it. */
export type Leaving = {
  /** The whole stake, a part as it was typed, or nothing yet. */
  asked: 'whole' | { part: string } | undefined
  observed: Observations<LeaveAnswers>
  /** The file that was written for the wallet. */
  savedPath: string | undefined
}

export type LeavingEvent =
  | { step: 'status'; type: 'wholeAsked' }
  | { step: 'status'; type: 'partTyped'; text: string }
  | { step: 'status'; type: 'leaveAskedAgain' }
  | ({ step: 'status'; type: 'leaveObserved' } & Observed<LeaveAnswers>)
  | { step: 'status'; type: 'fileAsked' }
  | { step: 'status'; type: 'fileSaved'; path: string }

export type LeavingCommand =
  | { step: 'status'; type: 'followLeave'; scope: 'here' }
  | { step: 'status'; type: 'saveLeave'; scope: 'here' }

export const initialLeaving: Leaving = {
  asked: undefined,
  observed: nothingAsked(LEAVE_FACTS),
  savedPath: undefined,
}

/** Asks for as long as the page is open, and begins anew with each choice. */
export const FOLLOW_LEAVE: LeavingCommand = { step: 'status', type: 'followLeave', scope: 'here' }

type Result = readonly [Leaving, readonly LeavingCommand[]]

/** Returns what is known of leaving after an event. */
export function leavingTransition(leaving: Leaving, event: LeavingEvent): Result {
  switch (event.type) {
    case 'wholeAsked':
      return [{ ...leaving, asked: 'whole', savedPath: undefined }, [FOLLOW_LEAVE]]
    case 'partTyped': {
      const part = event.text.trim()
      if (part === '') return [leaving, []]
      return [{ ...leaving, asked: { part }, savedPath: undefined }, [FOLLOW_LEAVE]]
    }
    case 'leaveAskedAgain':
      return [leaving, [FOLLOW_LEAVE]]
    case 'leaveObserved':
      return [{ ...leaving, observed: withObservation(leaving.observed, event) }, []]
    case 'fileAsked':
      return [leaving, [{ step: 'status', type: 'saveLeave', scope: 'here' }]]
    case 'fileSaved':
      return [{ ...leaving, savedPath: event.path }, []]
  }
}

/** Returns the amount that is asked for in gwei, 0 for the whole; undefined where nothing is, or why it is none. */
export function askedAmount(
  { asked }: Leaving,
  { network }: Pick<Setup, 'network'>,
): { amountGwei: Gwei | undefined } | { error: string } {
  if (asked === undefined) return { amountGwei: undefined }
  return asked === 'whole' ? { amountGwei: 0n } : typedPart(asked.part, network)
}
