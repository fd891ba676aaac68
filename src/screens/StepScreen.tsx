import { useCallback, useEffect } from 'react'
import type { Offer } from '../core/pay/desk/offer.ts'
import type { WordKey, WordRefusal } from '../core/pay/desk/typed-word.ts'
import { CONFIRM_OBSTACLES, sentLines, WORD_REFUSALS } from '../core/view/desk-words.ts'
import type { Section } from '../core/view/step-view.ts'
import type { Consent, FactRow, RankRow, Verdict } from '../core/view/view.ts'
import type { AnyAction, AnyDesk, AnyOpened, AnyView, Event } from '../core/wizard/state.ts'
import { type KeyBinding, type KeyHelp, keyHelp, useKeymap } from '../hooks/keymap.ts'
import { type Terminal, useNow, useSecretWait, useShell, useTerminal } from '../hooks/shell.tsx'
import { perform, stepKeys, useNotice } from '../hooks/step-keys.ts'
import {
  beginsWith,
  fieldBehind,
  fieldWithCursor,
  type StepPanel,
  useStepPanel,
} from '../hooks/step-panel.ts'
import { type FieldText, TextEditor, useFieldText } from '../hooks/text-editor.tsx'
import { type DeskNotes, deskNotes, useDesk, useTypedWord } from '../hooks/use-desk.ts'
import { type Theme, useTheme } from './theme.tsx'
import { Frame, type FrameInput, layoutFrame, rankLines, stepNumber, verdictLines } from './ui/Frame.tsx'
import { type Folding, factRows, MOST_COLUMNS } from './ui/facts.ts'
import { fieldRows } from './ui/fields.ts'
import {
  BLANK,
  CURSOR,
  keyedRows,
  line,
  paragraph,
  type ScreenLine,
  type ScreenRow,
  type ScrollWindow,
  span,
  spreadLine,
} from './ui/line.ts'
import { Lines, waitRow } from './ui/lines.tsx'
import {
  chartLines,
  commandLines,
  explainLines,
  permissionLines,
  problemLines,
  timelineLines,
} from './ui/panels.ts'

type TypedConfirmProps = {
  desk: AnyDesk
  /** What changed under the word, what is not known now. */
  notes: DeskNotes
  columns: number
  /** Why it cannot be confirmed now: the window is too small, or not everything was seen. */
  obstacle: string | undefined
  press: (key: WordKey, how: { nowMs: number }) => void
}

const HEIGHT = 2

const EMPTIES = 'Ctrl-U empties the line; nothing is sent.'

/** Why what was typed does not count. `typed`: what has to be. */
function refusalWords(refusal: WordRefusal, typed: string): string {
  if (refusal === 'another') return `Type exactly: ${typed} · ${EMPTIES}`
  if (refusal === 'full') return `Longer than: ${typed} · ${EMPTIES}`
  return WORD_REFUSALS[refusal]
}

/** Asks for a word before money leaves. Enter alone, a paste, or a key pressed too early never suffices. */
function TypedConfirm({
  lines,
  columns,
  obstacle,
  press,
}: TypedConfirmProps & { lines: readonly ScreenLine[] }) {
  const { clock } = useShell()
  useTypedWord({ clock, active: obstacle === undefined, press })
  return <Lines lines={lines} columns={columns} />
}

/** Two lines, and more only where what changed needs them: that is said whole. */
function confirmLines({ desk, notes, columns, obstacle }: TypedConfirmProps): ScreenLine[] {
  const { changed, note } = notes
  if (changed !== undefined)
    return [
      ...paragraph(changed, { columns, tone: 'bad' }),
      ...paragraph(note ?? '', { columns, tone: 'strong' }),
    ]
  const { opened, word } = desk
  const { refusal } = word
  const prompt: ScreenLine = [
    span(` To ${opened.label}, type `, 'strong'),
    span(opened.typed, 'bad'),
    span(' and press Enter:  ', 'strong'),
    span(word.text, 'strong'),
    CURSOR,
  ]
  const words =
    refusal === undefined || obstacle !== undefined
      ? line(' Typed by hand, not pasted. Esc goes back; nothing is sent.', 'dim')
      : line(` ${refusalWords(refusal, opened.typed)}`, 'warn')
  const first = obstacle === undefined ? [prompt] : paragraph(obstacle, { columns, tone: 'warn' })
  const second = note === undefined ? [words] : paragraph(note, { columns, tone: 'warn' })
  return note === undefined ? [...first, ...second].slice(0, HEIGHT) : [...first, ...second]
}

/** The typed confirmation as a row of the content's foot. */
function confirmRow(props: TypedConfirmProps): ScreenRow {
  const lines = confirmLines(props)
  return {
    key: `confirm.${props.desk.opened.key}`,
    height: Math.max(HEIGHT, lines.length),
    node: <TypedConfirm {...props} lines={lines} />,
    lines,
  }
}

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
  const secret = useSecretWait()
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
  const fieldText = useFieldText(behind?.id, beginsWith(behind, panel), {
    proposed: behind?.suggestion ?? '',
    hexDigits: behind?.hexDigits,
  })
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
    secret,
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

type ContentInput = {
  view: AnyView
  panel: StepPanel
  columns: number
  nowMs: number
  theme: Theme
  fieldText: FieldText
}

/**
 * How much is drawn: all; without the picture; without prose and headings; with rows of one source on one line; all short
 * ones; all.
 */
const DENSITIES = [0, 1, 2, 3, 4, 5] as const
type Density = (typeof DENSITIES)[number]

/** The rows between the title and the money band. */
function contentRows(input: ContentInput, density: Density): ScreenRow[] {
  const { view, panel, columns } = input
  if (panel.panel === 'explain') return explainRows(view, panel, columns)
  if (panel.panel === 'commands')
    return keyedRows('commands', commandLines(view.commands, columns, view.commandHint))
  if (panel.panel === 'picture') return pictureRows(view, columns)
  // A field that is open has the only cursor.
  const shown = fieldWithCursor(view, panel) === undefined ? panel : { ...panel, selectedId: undefined }
  const parts = view.sections.map((section) => sectionRows(section, { ...input, panel: shown }, density))
  const filled = [problemRows(input, density), ...parts].filter((part) => part.length > 0)
  return density >= 3 ? filled.flat() : joined(filled)
}

/** Whoever goes on from a problem has read it: where room is short it is only named beside what is agreed to. */
function problemRows({ view: { problem }, panel, columns }: ContentInput, density: Density): ScreenRow[] {
  if (problem === undefined) return []
  const isNamed = panel.panel === 'confirm' && density >= 3
  return keyedRows('problem', problemLines(problem, columns, { isNamed }))
}

function joined(parts: readonly ScreenRow[][]): ScreenRow[] {
  return parts.flatMap((part, index) =>
    index === 0 ? part : [...keyedRows(`gap.${index}`, [BLANK]), ...part],
  )
}

function sectionRows(section: Section, input: ContentInput, density: Density): ScreenRow[] {
  const { view, panel, columns, theme } = input
  const isDense = density > 1
  // What is agreed to stands below it: above a word there is no field, and no other amount.
  const isAgreeing = panel.panel === 'confirm'
  const facts = isAgreeing ? view.facts.filter(isOfTheWord) : view.facts
  switch (section) {
    case 'intro':
      return view.intro === '' || isDense ? [] : keyedRows('intro', paragraph(view.intro, { columns }))
    case 'facts':
      return listRows(section, facts, isDense ? undefined : view.factsTitle, input, density)
    case 'checks':
      return listRows(
        section,
        view.checks,
        isDense ? undefined : 'Final checks before sending',
        input,
        density,
      )
    case 'fields':
      return fieldRows(isAgreeing ? [] : view.fields, {
        columns,
        activeField: fieldWithCursor(view, panel)?.id,
        selectedId: panel.selectedId,
        submitted: panel.submitted,
        marks: theme.marks,
        input: input.fieldText,
      })
    case 'ranks':
      return isAgreeing && density === 5
        ? []
        : keyedRows('ranks', rankLines(density < 3 ? view.ranks : aroundMine(view.ranks), columns))
    case 'timeline':
      return keyedRows('timeline', timelineLines(view.timeline, columns))
    case 'chart':
      return keyedRows('chart', chartLines((view.chart ?? []).slice(0, chartRowsAt(density)), columns))
    case 'notes':
      return keyedRows(
        'notes',
        view.notes.flatMap((note): ScreenLine[] => paragraph(note, { columns, tone: 'dim' })),
      )
    case 'picture':
      return density > 0 ? [] : pictureRows(view, columns)
  }
}

const isOfTheWord = ({ alternative, consented }: FactRow): boolean =>
  alternative !== true && consented !== true

/** All of it, only the rank, or nothing. */
function chartRowsAt(density: Density): number {
  if (density < 3) return 3
  return density === 3 ? 1 : 0
}

function pictureRows({ picture }: AnyView, columns: number): ScreenRow[] {
  return picture === undefined ? [] : keyedRows('picture', permissionLines(picture, columns))
}

/** What is compared before money moves stands whole, also where the rest is folded. */
function foldingOf(section: Section, density: Density): Folding {
  if (density < 4) return 'by source'
  return section === 'checks' || density === 4 ? 'short' : 'all'
}

function listRows(
  key: Section,
  facts: readonly FactRow[],
  title: string | undefined,
  { view, columns, theme, nowMs, panel }: ContentInput,
  density: Density,
): ScreenRow[] {
  const isOpened = panel.panel !== 'confirm' && panel.selectedId !== undefined
  const folded =
    isOpened || view.folds?.includes(key) !== true || density < 3 ? undefined : foldingOf(key, density)
  const { selectedId } = panel
  const { marks, ascii } = theme
  const typing = panel.panel === 'confirm' || fieldWithCursor(view, panel) !== undefined
  const rows = factRows(facts, { columns, marks, ascii, nowMs, selectedId, folded, typing })
  const heading = title === undefined || rows.length === 0 ? [] : [line(` ${title}`, 'strong')]
  return [...keyedRows(`${key}.title`, heading), ...rows]
}

/** The own place with its neighbours. */
function aroundMine(rows: readonly RankRow[]): readonly RankRow[] {
  const at = rows.findIndex(({ mine }) => mine)
  return at === -1 ? rows : rows.slice(Math.max(0, at - 1), at + 2)
}

function explainRows(view: AnyView, panel: StepPanel, columns: number): ScreenRow[] {
  return keyedRows('explain', paneLines(view, panel.selectedId, columns))
}

/** The explanation of a row or field; nothing where there is none. */
function paneLines(view: AnyView, id: string | undefined, columns: number): readonly ScreenLine[] {
  const fact = [...view.facts, ...view.checks].find((one) => one.id === id)
  if (fact !== undefined) return explainLines({ ...fact, value: fact.long ?? fact.value }, columns)
  const field = view.fields.find((one) => one.id === id)
  return field === undefined ? [] : explainLines(field, columns)
}

/** From this width on the explanation of the chosen row has a pane of its own, at the right. */
const WIDE_COLUMNS = 120
const LEAST_PANE = 40

/** How the content is divided: facts, and beside them what is explained; undefined where there is no room for that. */
function columnsOf(view: AnyView, panel: StepPanel, columns: number) {
  if (columns < WIDE_COLUMNS || panel.panel !== 'facts' || fieldWithCursor(view, panel) !== undefined)
    return undefined
  const rows = [...view.facts, ...view.checks]
  const open = rows.find(({ mark }) => mark === 'refused' || mark === 'unknown')
  const left = Math.min(MOST_COLUMNS, columns - LEAST_PANE)
  const lines = paneLines(view, panel.selectedId ?? (open ?? rows[0])?.id, columns - left - 2)
  return lines.length === 0 ? undefined : { left, lines }
}

/** Returns what stands above the word, whatever of the rows has room; the worst case stands in the money band. */
function consentRows(consent: Consent, columns: number): ScreenRow[] {
  const { undo, stake } = consent
  const lines: ScreenLine[] = [
    ...paragraph(undo, { columns, tone: 'warn' }),
    ...paragraph(stake, { columns, tone: 'warn' }),
    ...sentLines(consent).flatMap((text) => paragraph(text, { columns })),
  ]
  return keyedRows('consent', lines)
}
