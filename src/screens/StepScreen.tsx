import { useCallback, useEffect } from 'react'
import type { Offer } from '../core/pay/desk/offer.ts'
import { CONFIRM_OBSTACLES } from '../core/view/desk-words.ts'
import type { Verdict } from '../core/view/view.ts'
import type { AnyAction, AnyDesk, AnyOpened, AnyView } from '../core/wizard/any-step.ts'
import type { Event } from '../core/wizard/state.ts'
import { type KeyBinding, type KeyHelp, keyHelp, useKeymap } from '../hooks/keymap.ts'
import { type Terminal, useNow, useShell, useTerminal } from '../hooks/shell.tsx'
import { perform, stepKeys, useNotice } from '../hooks/step-keys.ts'
import {
  beginsWith,
  fieldBehind,
  fieldWithCursor,
  type StepPanel,
  useStepPanel,
} from '../hooks/step-panel.ts'
import { TextEditor } from '../hooks/text-editor.tsx'
import { type DeskNotes, deskNotes, useDesk } from '../hooks/use-desk.ts'
import { useFieldText } from '../hooks/use-field-text.ts'
import { columnsOf, contentRows, DENSITIES } from './content.tsx'
import { useTheme } from './theme.tsx'
import { verdictLines } from './ui/bands.ts'
import { consentRows } from './ui/consent.ts'
import { Frame, type FrameInput, layoutFrame, stepNumber } from './ui/Frame.tsx'
import { line, type ScreenRow, type ScrollWindow, spreadLine } from './ui/line.ts'
import { waitRow } from './ui/lines.tsx'
import { confirmRow } from './ui/TypedConfirm.tsx'

/** What a step's screen is given: everything to draw with what its keys do, and where that goes. */
export type StepScreenProps = {
  view: AnyView
  /** The time of the ages in it; the present one, if none is given. */
  nowMs?: number
  dispatch: (events: readonly Event[]) => void
  /** What was opened, over the state of this moment; of the view itself, if nothing is given. */
  offerNow?: (opened: Offer) => Offer | undefined
}

/** Where not one row of the content has room, nothing is typed or chosen blind. */
const TOO_LOW: readonly KeyHelp[] = [
  { keys: 'q', label: 'quit' },
  { keys: 'window', label: 'too small' },
]

/** Draws any step's view: its sections in their order, the panels of `?` and `c`, the typed confirmation. */
export function StepScreen({ view: newest, nowMs: drawnMs, dispatch, offerNow }: StepScreenProps) {
  const theme = useTheme()
  const shell = useShell()
  const terminal = useTerminal()
  const presentMs = useNow()
  const nowMs = drawnMs ?? presentMs
  const [panel, tell] = useStepPanel(newest)
  const ofView = useCallback(
    (opened: Offer) => newest.actions.find(({ offer }) => offer?.kind === opened.kind)?.offer,
    [newest],
  )
  const letGo = useCallback(
    ({ does }: AnyAction) => perform(does, { dispatch, tell, shell }),
    [dispatch, tell, shell],
  )
  const press = useDesk({ view: newest, panel, tell, offerNow: offerNow ?? ofView, dispatch, letGo })
  // What was opened stays on the screen as it was read.
  const view = panel.frame ?? newest
  const { columns, rows } = terminal
  const confirm = panel.desk
  const field = fieldWithCursor(view, panel)
  const behind = fieldBehind(view, panel)
  const fieldText = useFieldText(behind?.id, beginsWith(behind, panel))
  const typing = confirm !== undefined || field !== undefined
  const { text, wipe } = fieldText
  const { roomToConfirm } = terminal
  const keysAt = (scroll: Pick<ScrollWindow, 'top' | 'maxTop' | 'pageRows'>): KeyBinding[] =>
    stepKeys({ view, dispatch, shell, panel, tell, text, wipe, scroll, roomToConfirm })
  const beside = columnsOf(view, panel, columns)
  const width = beside?.left ?? columns
  const [roomy, ...denser] = DENSITIES.map(
    (density) => () => contentRows({ view, panel, columns: width, nowMs, theme, fieldText }, density),
  )
  // A problem says itself what is wrong, and a panel is about something else.
  const isReading = panel.panel === 'explain' || panel.panel === 'commands' || panel.panel === 'picture'
  const hasOwnWords = view.problem !== undefined || isReading
  const notes = confirm === undefined ? {} : deskNotes(confirm, panel.frame, newest)
  const verdict = notes.verdict ?? shownVerdict(view, { typing, roomToConfirm })
  const title = panel.panel === 'picture' ? (view.picture?.title ?? view.title) : view.title
  const frame: FrameInput = {
    columns,
    rows,
    network: shell.network,
    step: view.step,
    title: spreadLine(line(` ${title}`, 'strong'), line(`${stepNumber(view.step)} `, 'dim'), columns),
    ...(verdict === undefined || hasOwnWords ? {} : { verdict: verdictLines(verdict, columns, theme) }),
    ...(beside === undefined ? {} : { beside }),
    content: roomy?.() ?? [],
    denser,
    foot: footRows({ view, notes, panel, terminal, press }),
    money: moneyOf(view, confirm),
    keys: keyHelp(keysAt({ top: 0, maxTop: 0, pageRows: 0 }), { typing, ascii: theme.ascii }),
    top: panel.top,
  }
  const whole = layoutFrame(frame)
  const tooLow = whole.window.pageRows < 1
  const layout = tooLow ? layoutFrame({ ...frame, content: [], foot: [], keys: TOO_LOW }) : whole
  const keys = keysAt(layout.window)
  useKeymap(tooLow ? keys.filter(({ key }) => key === 'q') : keys, { typing: typing && !tooLow })
  useNotice(newest, shell.notifier)
  const readToEnd = confirm !== undefined && !tooLow && !layout.window.below
  useEffect(() => {
    if (readToEnd) tell({ type: 'readToEnd' })
  }, [readToEnd, tell])
  return (
    <>
      {field === undefined ? undefined : <TextEditor edited={fieldText} change={fieldText.edit} />}
      <Frame layout={layout} />
    </>
  )
}

/** What Enter does is said where it does it: not while a text is typed, nor where there is no room for the word. */
function shownVerdict(
  { verdict, actions }: AnyView,
  { typing, roomToConfirm }: { typing: boolean; roomToConfirm: boolean },
): Verdict | undefined {
  const asksForWord = actions.some(({ key, typed }) => key === 'return' && typed !== undefined)
  const isBare = typing || (asksForWord && !roomToConfirm)
  return verdict?.bare === undefined || !isBare ? verdict : { ...verdict, text: verdict.bare }
}

function footRows(input: {
  view: AnyView
  notes: DeskNotes
  panel: StepPanel
  terminal: Terminal
  press: ReturnType<typeof useDesk>
}): ScreenRow[] {
  const { view, notes, panel, terminal, press } = input
  const { desk } = panel
  const { columns } = terminal
  const wait: ScreenRow[] =
    view.waiting === undefined || panel.panel === 'commands' ? [] : [waitRow(view.waiting, columns)]
  if (desk === undefined) return wait
  const { opened } = desk
  const obstacle = confirmObstacle(terminal, panel, opened)
  const stands = opened.consent === undefined ? [] : consentRows(opened.consent, columns)
  return [...wait, ...stands, confirmRow({ desk, notes, columns, obstacle, press })]
}

/** Above a word the worst case is that of the word. */
function moneyOf({ money }: AnyView, confirm: AnyDesk | undefined): AnyView['money'] {
  const worst = confirm?.opened.consent?.worst
  return worst === undefined ? money : { ...money, worst }
}

function confirmObstacle(terminal: Terminal, panel: StepPanel, { typed }: AnyOpened): string | undefined {
  if (!terminal.roomToConfirm) return CONFIRM_OBSTACLES.room
  return panel.readToEnd ? undefined : CONFIRM_OBSTACLES.unread(typed)
}
