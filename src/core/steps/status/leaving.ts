import type { Gwei } from '../../base/format/amount.ts'
import type { Setup } from '../../chain/facts.ts'
import { tokensOf, typedPart } from '../../chain/network/network.ts'
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

/** What is said on the page of leaving. */
export const STATUS_LEAVE_TEXT = {
  key: 'leave',
  wayOut: 'the way out',
  title: 'Leave, whole or in part',
  intro: (setup: Setup) =>
    `Only the withdrawal address can ask for it. The exit is for ever; a part is what lies above ${tokensOf(setup.network.spec.activationBalanceGwei, setup)}.`,
  keys: {
    part: 'a part',
    whole: 'the exit',
    save: 'save for the wallet',
    again: 'ask again',
    cancelGuard: 'cancel the guard',
    status: 'status',
  },
  part: {
    label: 'part',
    hint: 'so many tokens, such as 10,000',
    explain: {
      what: 'How much of the stake is asked for. The chain pays at most what lies above the threshold, and cuts a request to that.',
      who: 'You.',
      later: 'Yes, until the wallet sends the request.',
    },
  },
  worst: 'this program sends nothing; what your wallet sends cannot be taken back.',
  verdict: {
    asking: 'Every endpoint is asked …',
    nothingAsked: 'Nothing is asked for yet: p is for a part, w for the exit.',
  },
  saved: (path: string) => `Written for the wallet: ${path}`,
}
