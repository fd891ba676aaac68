import { useState } from 'react'
import { cellsOf, padRight } from '../core/format/drawable.ts'
import { beginByName } from '../core/format/next-text.ts'
import type { NetworkChoice, UnderWay } from '../core/launch/choice.ts'
import type { MoneyBand } from '../core/steps/view.ts'
import { KEY_WORDS, type KeyBinding } from '../hooks/keymap.ts'
import { useShell, useTerminal } from '../hooks/shell.tsx'
import { TextEditor } from '../hooks/text-editor.tsx'
import { useFieldText } from '../hooks/use-field-text.ts'
import { useMenu } from '../hooks/use-launch.ts'
import type { Offer } from './offers.ts'
import { PlainScreen } from './PlainScreen.tsx'
import { useTheme } from './theme.tsx'
import { fieldRows } from './ui/field.ts'
import { BLANK, type Line, line, lineCells, paragraph, type Row, rowsOf, run } from './ui/line.ts'
import { commandLines, explainLines } from './ui/panels.ts'
import { drawable } from './ui/text.ts'
import { INTROS, type List, type Section, sectionsOf, TITLES } from './words.ts'

const FILE_FIELD = {
  id: 'file',
  label: 'network file',
  value: '',
  hint: 'the path of a JSON file',
  explain: { what: 'A file that describes the network.', who: 'You.', later: 'Yes, by starting again.' },
}

const MONEY: MoneyBand = { line: 'nothing is sent here', worst: 'worst case here: none.' }

export type StartProps = {
  onChoose: (choice: NetworkChoice) => void
  onContinue?: (row: UnderWay) => void
  /** What was begun before, newest first. */
  underWay?: readonly UnderWay[]
  /** Why the last choice was not possible. */
  error?: string
  /** A registered validator that was named before its network. */
  validator?: string
}

/** The first screen: what is under way, and what can be begun. The rehearsal is the first of these. */
export function Start({ validator, ...rest }: StartProps) {
  const [list, show] = useState<List>(validator === undefined ? 'begin' : 'validator')
  return <Menu key={list} {...rest} named={validator} list={list} onList={show} />
}

type MenuProps = Omit<StartProps, 'validator'> & {
  named: string | undefined
  list: List
  onList: (list: List) => void
}

function Menu({ onChoose, onContinue, underWay = [], error, named, list, onList }: MenuProps) {
  const { columns } = useTerminal()
  const theme = useTheme()
  const [asksFile, setAsksFile] = useState(false)
  const [seen, setSeen] = useState<string | undefined>(undefined)
  const [panel, showPanel] = useState<'explain' | 'command' | undefined>(undefined)
  const input = useFieldText(asksFile ? FILE_FIELD.id : undefined, '')
  const sections = sectionsOf(list, underWay)
  const offers = sections.flatMap((section) => section.offers)
  const whose = list === 'validator' ? { validator: named ?? '' } : {}
  const menu = useMenu(
    offers.map(({ id }) => id),
    (index) => {
      const leads = offers[index]?.leads
      if (leads === undefined) return
      if (leads === 'file') setAsksFile(true)
      else if ('list' in leads) onList(leads.list)
      else if ('row' in leads) onContinue?.(leads.row)
      else onChoose({ ...leads.choice, ...whose })
    },
  )
  const chosen = offers[menu.index]
  if (panel !== undefined && chosen !== undefined)
    return <OfferPanel offer={chosen} panel={panel} close={() => showPanel(undefined)} />
  const fileRows = fieldRows([FILE_FIELD], {
    columns,
    activeField: FILE_FIELD.id,
    marks: theme.marks,
    input,
  })
  const intro =
    underWay.length > 0 && list === 'begin' ? [] : [...paragraph(INTROS[list], { columns }), BLANK]
  const content: Row[] = [
    ...rowsOf(
      'error',
      error === undefined || error === seen
        ? []
        : [...paragraph(`${theme.marks.refused.text} ${error}`, { columns, tone: 'bad' }), BLANK],
    ),
    ...rowsOf('intro', intro),
    ...listRows(sections, { columns, chosen: menu.index }),
    ...(asksFile ? fileRows : rowsOf('words', chosen === undefined ? [] : wordsOf(chosen, columns))),
  ]
  const back: KeyBinding[] =
    list === 'begin' ? [] : [{ key: 'escape', label: 'back', run: () => onList('begin') }]
  const bindings: KeyBinding[] = asksFile
    ? [
        {
          key: 'return',
          label: 'open',
          whileTyping: true,
          run: () => {
            setSeen(undefined)
            onChoose({ kind: 'file', path: input.text, ...whose })
          },
        },
        {
          key: 'escape',
          label: 'back',
          whileTyping: true,
          run: () => {
            setSeen(error)
            setAsksFile(false)
          },
        },
      ]
    : [
        ...menu.bindings,
        ...back,
        ...(list === 'begin' ? [{ key: 'n', run: () => onList('scenario') }] : []),
        { key: 'c', label: KEY_WORDS.command, run: () => showPanel('command') },
        { key: '?', label: KEY_WORDS.explain, run: () => showPanel('explain') },
      ]
  return (
    <>
      {asksFile ? <TextEditor edited={input} change={input.edit} /> : undefined}
      <PlainScreen
        title={line(` ${TITLES[list]}`, 'strong')}
        content={content}
        money={MONEY}
        bindings={bindings}
        typing={asksFile}
      />
    </>
  )
}

function listRows(sections: readonly Section[], place: { columns: number; chosen: number }): Row[] {
  const { columns, chosen } = place
  const names = sections.flatMap(({ offers }) => offers.map(({ name }) => cellsOf(drawable(name))))
  const nameCells = Math.min(MAX_NAME, Math.max(...names))
  let count = 0
  return sections.flatMap(({ title, note, offers }, section) => {
    const noted = note === undefined || columns < NARROW ? [] : [run(`   ${note}`, 'dim')]
    const head: Line[] = title === undefined ? [] : [[run(` ${title}`, 'strong'), ...noted]]
    const rows = offers.flatMap((offer) => {
      const index = count
      count += 1
      return rowsOf(
        `offer.${offer.id}`,
        offerLines(offer, { index, columns, chosen: index === chosen, nameCells }),
        {
          focused: index === chosen,
        },
      )
    })
    return [...rowsOf(`section.${section}`, head), ...rows]
  })
}

function offerLines(
  offer: Offer,
  {
    index,
    columns,
    chosen,
    nameCells,
  }: { index: number; columns: number; chosen: boolean; nameCells: number },
): Line[] {
  const head: Line = [
    run(chosen ? ' ▶ ' : '   ', 'accent'),
    run(padRight(index < 9 ? `${index + 1}` : '', 3), 'dim'),
    run(padRight(drawable(offer.name), nameCells), offer.tone),
  ]
  const whole: Line = [...head, run(`  ${offer.short}`, chosen ? 'text' : 'dim')]
  if (columns >= NARROW && lineCells(whole) < columns) return [whole]
  const isUnderWay = typeof offer.leads === 'object' && 'row' in offer.leads
  return isUnderWay ? [head, ...paragraph(offer.short, { columns, indent: 6, tone: 'dim' })] : [head]
}

const MAX_NAME = 24
/** Below this width what stands beside a name is below it, or gives way. */
const NARROW = 76

function wordsOf(offer: Offer, columns: number): Line[] {
  return [BLANK, ...paragraph(offer.words, { columns, indent: 3 })]
}

/** What an entry is, or the command that goes straight to it, in the place of the choice. */
function OfferPanel({
  offer,
  panel,
  close,
}: {
  offer: Offer
  panel: 'explain' | 'command'
  close: () => void
}) {
  const { columns } = useTerminal()
  const { begin = beginByName } = useShell()
  const subject = { label: offer.name, value: offer.words, explain: offer.explain }
  const lines =
    panel === 'explain' ? explainLines(subject, columns) : commandLines([begin(offer.command)], columns)
  return (
    <PlainScreen
      title={line(` ${TITLES.begin}`, 'strong')}
      content={rowsOf('panel', lines)}
      money={MONEY}
      bindings={[
        { key: 'escape', label: 'close', run: close },
        { key: panel === 'explain' ? '?' : 'c', run: close },
      ]}
    />
  )
}
