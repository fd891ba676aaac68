import { useState } from 'react'
import type { MoneyBand } from '../core/steps/view.ts'
import type { KeyBinding } from '../hooks/keymap.ts'
import { useFieldText } from '../hooks/use-field-text.ts'
import { useMenu } from '../hooks/use-menu.ts'
import { useTerminal } from '../hooks/use-terminal.ts'
import { NETWORKS, OFFERS, type Offer } from './offers.ts'
import { PlainScreen } from './PlainScreen.tsx'
import { useTheme } from './theme.tsx'
import { fieldRows } from './ui/Field.tsx'
import { BLANK, type Line, line, paragraph, type Row, rowsOf, run } from './ui/line.ts'
import { commandLines, explainLines } from './ui/panels.ts'

/** What the user chose to work on. */
export type StartChoice = (
  | { kind: 'network'; id: 'rehearsal' | 'bepolia' | 'mainnet' }
  | { kind: 'file'; path: string }
) & {
  /** Present for a registered validator: its public key or index, empty where it is still to be typed. */
  validator?: string
}

const FILE_FIELD = {
  id: 'file',
  label: 'network file',
  value: '',
  hint: 'the path of a JSON file',
  explain: { what: 'A file that describes the network.', who: 'You.', later: 'Yes, by starting again.' },
}

const MONEY: MoneyBand = { line: 'nothing is sent here', worst: 'worst case here: none.' }

export type StartProps = {
  onChoose: (choice: StartChoice) => void
  /** Why the last choice was not possible. */
  error?: string
  /** A registered validator that was named before its network. */
  validator?: string
}

const FROM_UNUSED = 'From an unused key to the active set. Nothing is sent unless you type it.'
const WHICH_VALIDATOR =
  'A validator that is registered already: watch it, top it up. Its key or index comes next.'

type Panel = 'explain' | 'command'

/** The first screen: which network, and what each of them means. The rehearsal is the first and the default. */
export function Start({ validator, ...rest }: StartProps) {
  const [ofValidator, setOfValidator] = useState(validator !== undefined)
  const whose = ofValidator ? { validator: validator ?? '' } : {}
  return <Menu key={ofValidator ? 'validator' : 'network'} {...rest} {...whose} onKind={setOfValidator} />
}

type MenuProps = StartProps & { onKind: (ofValidator: boolean) => void }

function Menu({ onChoose, error, validator, onKind }: MenuProps) {
  const ofValidator = validator !== undefined
  const offers = ofValidator ? NETWORKS : OFFERS
  const whose = ofValidator ? { validator } : {}
  const { columns } = useTerminal()
  const theme = useTheme()
  const [asksFile, setAsksFile] = useState(false)
  const [panel, show] = useState<Panel | undefined>(undefined)
  const input = useFieldText(asksFile ? FILE_FIELD.id : undefined, '')
  const menu = useMenu(offers.length, (index) => {
    const offer = offers[index]
    if (offer === undefined) return
    if (offer.id === 'file') setAsksFile(true)
    else if (offer.id === 'validator') onKind(true)
    else onChoose({ kind: 'network', id: offer.id, ...whose })
  })
  const content: Row[] = [
    ...rowsOf('intro', paragraph(ofValidator ? WHICH_VALIDATOR : FROM_UNUSED, { columns })),
    ...offers.flatMap((offer, index) => offerRows(offer, { index, columns, chosen: index === menu.index })),
    ...(error === undefined ? [] : rowsOf('error', [BLANK, ...paragraph(error, { columns, tone: 'bad' })])),
  ]
  const fileRows = fieldRows([FILE_FIELD], {
    columns,
    activeField: FILE_FIELD.id,
    marks: theme.marks,
    input,
  })
  const chosen = offers[menu.index]
  if (panel !== undefined && chosen !== undefined)
    return <OfferPanel offer={chosen} panel={panel} close={() => show(undefined)} />
  const bindings: KeyBinding[] = asksFile
    ? [
        {
          key: 'return',
          label: 'open',
          whileTyping: true,
          run: () => onChoose({ kind: 'file', path: input.text, ...whose }),
        },
        { key: 'escape', label: 'back', whileTyping: true, run: () => setAsksFile(false) },
      ]
    : [
        ...menu.bindings,
        ...(ofValidator ? [{ key: 'escape', label: 'back', run: () => onKind(false) }] : []),
        { key: 'c', label: 'command', run: () => show('command') },
        { key: '?', label: 'explain', run: () => show('explain') },
      ]
  return (
    <PlainScreen
      title={line(ofValidator ? ' Which network is the validator on?' : ' Which network?', 'strong')}
      content={[...content, ...(asksFile ? fileRows : [])]}
      money={MONEY}
      bindings={bindings}
      typing={asksFile}
    />
  )
}

/** What a network is, or the command that goes straight to it, in the place of the choice. */
function OfferPanel({ offer, panel, close }: { offer: Offer; panel: Panel; close: () => void }) {
  const { columns } = useTerminal()
  const subject = { label: offer.name, value: offer.words, explain: offer.explain }
  const lines = panel === 'explain' ? explainLines(subject, columns) : commandLines([offer.command], columns)
  return (
    <PlainScreen
      title={line(' Which network?', 'strong')}
      content={rowsOf('panel', lines)}
      money={MONEY}
      bindings={[
        { key: 'escape', label: 'close', run: close },
        { key: panel === 'explain' ? '?' : 'c', run: close },
      ]}
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
  // Set apart: the networks, and what is no network.
  const gap = index === 0 || offer.id === 'validator' ? [BLANK] : []
  return rowsOf(`offer.${offer.id}`, [...gap, head, ...words], { focused: chosen })
}
