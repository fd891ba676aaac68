import type { Facts, Setup } from '../../chain/facts.ts'
import type { StepView } from '../../view/step-view.ts'
import { checklistView } from './checklist.ts'
import { leaveView } from './leave-view.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import { describeStanding } from './standing.ts'
import { alarmRow, type Payments, statusView, type TopUpAsked } from './view.ts'

type PageView = StepView<StatusEvent | TopUpAsked>

/** Returns the page of the status step that is read: the status, what is to be seen to, or leaving. */
export function statusPage(state: StatusState, facts: Facts, setup: Setup, payments: Payments): PageView {
  const view = statusView(state, facts, setup, payments)
  const page = otherPage(view, state, { facts, setup })
  // An alarm is never behind another page.
  return page === undefined
    ? view
    : { ...page, facts: [...state.alarms.map((alarm) => alarmRow(alarm, { isWhole: false })), ...page.facts] }
}

/** The page that is read in the place of the status; undefined: the status. */
function otherPage(
  view: PageView,
  state: StatusState,
  { facts, setup }: { facts: Facts; setup: Setup },
): PageView | undefined {
  const { own, isIn, isPools } = describeStanding(state, { facts, setup, open: 0 })
  const pubkey = facts.identity?.pubkey
  if (state.page === 'checklist' && isIn) return checklistView(view, state, { setup, pubkey, isPools })
  return state.page === 'leave' && own !== undefined && pubkey !== undefined
    ? leaveView(view, state, { setup, pubkey })
    : undefined
}
