import { useState } from 'react'
import { useFieldText } from '../hooks/use-field-text.ts'
import { useMenu } from '../hooks/use-menu.ts'
import { useTerminal } from '../hooks/use-terminal.ts'
import { PlainScreen } from './PlainScreen.tsx'
import { useTheme } from './theme.tsx'
import { fieldRows } from './ui/Field.tsx'
import { BLANK, type Line, line, paragraph, type Row, rowsOf, run, type Tone } from './ui/line.ts'

/** What the user chose to work on. */
export type StartChoice =
  | { kind: 'network'; id: 'rehearsal' | 'bepolia' | 'mainnet' }
  | { kind: 'file'; path: string }

type Offer = { id: 'rehearsal' | 'bepolia' | 'mainnet' | 'file'; name: string; tone: Tone; words: string }

const OFFERS: readonly Offer[] = [
  {
    id: 'rehearsal',
    name: 'Rehearsal · play money',
    tone: 'accent',
    words: 'All seven steps on a chain of its own on this computer: nothing at stake.',
  },
  {
    id: 'bepolia',
    name: 'Bepolia · TEST',
    tone: 'warn',
    words: 'The public test network. Needs your node for it, and test tokens.',
  },
  {
    id: 'mainnet',
    name: 'Berachain · REAL MONEY',
    tone: 'bad',
    words: 'The real network. A mistake can burn the stake: rehearse first.',
  },
  {
    id: 'file',
    name: 'Another network',
    tone: 'text',
    words: 'Any network that a JSON file describes, with the same checks.',
  },
]

const FILE_FIELD = {
  id: 'file',
  label: 'network file',
  value: '',
  hint: 'the path of a JSON file',
  explain: { what: 'A file that describes the network.', who: 'You.', later: 'Yes, by starting again.' },
}

export type StartProps = {
  onChoose: (choice: StartChoice) => void
  /** Why the last choice was not possible. */
  error?: string
}

/** The first screen: which network, and what each of them means. The rehearsal is the first and the default. */
export function Start({ onChoose, error }: StartProps) {
  const { columns } = useTerminal()
  const theme = useTheme()
  const [asksFile, setAsksFile] = useState(false)
  const input = useFieldText(asksFile ? FILE_FIELD.id : undefined, '')
  const menu = useMenu(OFFERS.length, (index) => {
    const offer = OFFERS[index]
    if (offer === undefined) return
    if (offer.id === 'file') setAsksFile(true)
    else onChoose({ kind: 'network', id: offer.id })
  })
  const content: Row[] = [
    ...rowsOf(
      'intro',
      paragraph('From an unused key to the active set. Nothing is sent unless you type it.', { columns }),
    ),
    ...OFFERS.flatMap((offer, index) => offerRows(offer, { index, columns, chosen: index === menu.index })),
    ...(error === undefined ? [] : rowsOf('error', [BLANK, ...paragraph(error, { columns, tone: 'bad' })])),
  ]
  const fileRows = fieldRows([FILE_FIELD], {
    columns,
    activeField: FILE_FIELD.id,
    marks: theme.marks,
    input,
    onSubmit: (_, path) => onChoose({ kind: 'file', path }),
  })
  const bindings = asksFile
    ? [
        { key: 'return', label: 'open', whileTyping: true, run: () => undefined },
        { key: 'escape', label: 'back', whileTyping: true, run: () => setAsksFile(false) },
      ]
    : menu.bindings
  return (
    <PlainScreen
      title={line(' Which network?', 'strong')}
      content={[...content, ...(asksFile ? fileRows : [])]}
      money={{ line: 'nothing is sent here', worst: 'worst case here: none.' }}
      bindings={bindings}
      typing={asksFile}
    />
  )
}

function offerRows(offer: Offer, place: { index: number; columns: number; chosen: boolean }): Row[] {
  const { index, columns, chosen } = place
  const head: Line = [
    run(chosen ? ' ▶ ' : '   ', 'accent'),
    run(`${index + 1}  `, 'dim'),
    run(offer.name, offer.tone),
    run(chosen ? '  ‹' : '', 'accent'),
  ]
  const words = paragraph(offer.words, { columns, indent: 6, tone: chosen ? 'text' : 'dim' })
  return rowsOf(`offer.${offer.id}`, [BLANK, head, ...words], { focused: chosen })
}
