import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { ownCommand } from '../../base/format/text.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { leaveCommands, leaveNotes, leavePicture, leaveSentence } from '../../pay/leave/picture.ts'
import { known } from '../../view/observation.ts'
import type { ActionView, StepField, StepView } from '../../view/step-view.ts'
import type { FactRow, Verdict } from '../../view/view.ts'
import { checklistView } from './checklist.ts'
import { STATUS_LEAVE_TEXT as TEXT } from './leave-text.ts'
import { askedAmount, type Leaving } from './leaving.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import { describePage } from './standing.ts'
import { alarmRow, type Payments, statusView, type TopUpAsked } from './view.ts'

/** The page of leaving: what is under way, what a request would do, and the request for the wallet that can make it. */
function leaveView<E, O>(
  view: StepView<E | StatusEvent, O>,
  { leaving }: StatusState,
  { setup, pubkey }: { setup: Setup; pubkey: Hex },
): StepView<E | StatusEvent, O> {
  const asked = askedAmount(leaving, setup)
  const amountGwei = 'error' in asked ? undefined : asked.amountGwei
  const picture = leavePicture({ observed: leaving.observed, setup, pubkey, amountGwei })
  const { request, rows, guard } = picture
  const { problem: _, ...rest } = view
  return {
    ...rest,
    page: 'leave',
    title: TEXT.title,
    verdict: leaveVerdict(rows, {
      leaving,
      amountGwei,
      isReady: request !== undefined,
      say: (ending) => leaveSentence(picture, ending, setup),
    }),
    sections: ['intro', 'facts', 'fields', 'notes'],
    intro: TEXT.intro(setup),
    money: { ...view.money, worst: TEXT.worst },
    facts: rows,
    fields: [partField(leaving, 'error' in asked ? asked.error : undefined)],
    notes: request === undefined ? [] : [...leaveNotes(request), ...savedNotes(leaving)],
    actions: [
      ...(guard?.pubkey !== undefined && sameHex(guard.pubkey, pubkey) ? guardActions(view) : []),
      ...actionsOf(leaving, { isReady: request !== undefined }),
    ],
    commands: [
      ...(request === undefined ? [] : leaveCommands(request)),
      ownCommand(setup.own, 'leave', ...amountOption(leaving), '--validator', pubkey),
    ],
  }
}

/** The key of the guard, as the status has it. */
const guardActions = <E, O>({ actions }: Pick<StepView<E, O>, 'actions'>) =>
  actions.filter(({ key }) => key === 'g').map((action) => ({ ...action, label: TEXT.keys.cancelGuard }))

type Ending = Parameters<typeof leaveSentence>[1]

/** Nothing is judged while nothing is asked for; else what the rows come to, a refusal first. What is ready has a request. */
function leaveVerdict(
  rows: readonly FactRow[],
  {
    leaving,
    amountGwei,
    isReady,
    say,
  }: {
    leaving: Leaving
    amountGwei: Gwei | undefined
    isReady: boolean
    say: (ending: Ending) => string
  },
): Verdict {
  const { requests, set } = leaving.observed
  if (known(requests) === undefined && requests.status !== 'failed' && set.status !== 'failed')
    return { mark: 'asking', text: TEXT.verdict.asking }
  if (amountGwei === undefined) return { mark: 'unasked', text: TEXT.verdict.nothingAsked }
  const first = (...marks: FactRow['mark'][]) => rows.find(({ mark }) => marks.includes(mark))
  const refused = first('refused')
  if (refused !== undefined) return { mark: 'refused', text: say({ is: 'no', which: refused.label }) }
  const asking = first('asking')
  if (asking !== undefined) return { mark: 'asking', text: TEXT.verdict.asking }
  const open = first('unknown')
  if (open !== undefined) return { mark: 'unknown', text: say({ is: 'unknown', which: open.label }) }
  if (!isReady) return { mark: 'asking', text: TEXT.verdict.asking }
  return { mark: 'proven', text: say({ is: 'yes', which: '' }) }
}

function partField({ asked }: Leaving, error: string | undefined): StepField<StatusEvent> {
  return {
    id: 'part',
    takes: { step: 'status', type: 'partTyped' },
    label: TEXT.part.label,
    value: typeof asked === 'object' ? asked.part : '',
    hint: TEXT.part.hint,
    ...(error === undefined ? {} : { error }),
    explain: TEXT.part.explain,
  }
}

function actionsOf(leaving: Leaving, { isReady }: { isReady: boolean }): ActionView<StatusEvent, never>[] {
  const save: ActionView<StatusEvent, never> = {
    key: 's',
    label: TEXT.keys.save,
    does: [{ step: 'status', type: 'fileAsked' }],
  }
  return [
    { key: 'p', label: TEXT.keys.part, does: { edit: 'part' } },
    { key: 'w', label: TEXT.keys.whole, does: [{ step: 'status', type: 'wholeAsked' }] },
    ...(isReady && leaving.savedPath === undefined ? [save] : []),
    { key: 'r', label: TEXT.keys.again, does: [{ step: 'status', type: 'leaveAskedAgain' }] },
    { key: 'escape', label: TEXT.keys.status, does: [{ step: 'status', type: 'turned', to: 'status' }] },
  ]
}

const savedNotes = ({ savedPath }: Leaving): string[] =>
  savedPath === undefined ? [] : [TEXT.saved(savedPath)]

const amountOption = ({ asked }: Leaving): string[] =>
  typeof asked === 'object' ? ['--amount', asked.part] : []

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
  const { own, isIn, isPools } = describePage(state, { facts, setup, open: 0 })
  const pubkey = facts.identity?.pubkey
  if (state.page === 'checklist' && isIn) return checklistView(view, state, { setup, pubkey, isPools })
  return state.page === 'leave' && own !== undefined && pubkey !== undefined
    ? leaveView(view, state, { setup, pubkey })
    : undefined
}
