import type { TextEdit } from '../core/base/format/edit-text.ts'
import { beginByName } from '../core/base/format/next-text.ts'
import { secretRefusal } from '../core/base/format/secret.ts'
import type { EarlyKey, EarlyOffer, EarlyView, Subject, Typing } from '../core/view/early-view.ts'
import { earlyPage } from './early-page.ts'
import { EARLY_TEXT } from './early-text.ts'
import type { Ask } from './page.ts'
import { explainedLines, marked } from './rows.ts'
import { BACK, ENTER, type Key, keysTurn, keyTyped, noSuchKey, type Turn, type TurnReply } from './turn.ts'

export type EarlyTurnInput<E> = {
  view: EarlyView<E>
  /** Hears the event of a key. */
  tell(event: E): void
  /** Hears what is typed, where a text is asked for. */
  edit?: ((edit: TextEdit) => void) | undefined
  quit(): void
  /** A command that begins the wizard, as a shell takes it here. */
  begin?: ((words: readonly string[]) => string) | undefined
}

/** Any screen outside the seven steps, by its keys, the numbers of its entries, or the text that it asks for. */
export function earlyTurn<E>(input: EarlyTurnInput<E>): Turn {
  const { typing } = input.view
  return typing === undefined ? keyTurn(input) : fieldTurn(typing, input)
}

function keyTurn<E>(input: EarlyTurnInput<E>): Turn {
  const { view, tell, quit } = input
  const entries = entriesOf(view)
  const numbered = entries.map(({ does }, at): Key => {
    return { typed: [`${at + 1}`], name: '', label: '', run: () => tell(does) }
  })
  const own = view.keys.flatMap((key) =>
    key.onScreen === true ? [] : [{ ...typedFor(key, view), run: () => tell(key.does) }],
  )
  const choose =
    entries.length < 2 ? [] : [{ ...EARLY_TEXT.choose(entries.length), typed: [], run: () => undefined }]
  const leave: Key = { typed: ['q'], name: 'q', label: EARLY_TEXT.quit, run: quit }
  const named = own.filter(({ label }) => label !== '')
  const { page } = keysTurn(earlyPage(view), [...choose, ...named, leave])
  return {
    page,
    takeLine({ text }) {
      const about = aboutSubject(text, input)
      if (about !== undefined) return about
      const key = keyTyped([...own, ...numbered, leave], text)
      if (key === undefined) return { say: [noSuchKey(text)] }
      key.run()
      return {}
    },
  }
}

/** How a key is typed. What is said of an entry takes its number; of several Enter takes the one that is chosen. */
function typedFor<E>(
  { key, label = '', inLines = key }: EarlyKey<E>,
  { parts }: EarlyView<E>,
): Omit<Key, 'run'> {
  const list = parts.find((part) => part.is === 'offers' || (part.is === 'table' && part.rows.length > 1))
  switch (key) {
    case 'return':
      return {
        typed: ENTER,
        name: 'Enter',
        label: list !== undefined && 'chosen' in list ? EARLY_TEXT.takes(list.chosen + 1) : label,
      }
    case 'escape':
      return { typed: BACK, name: 'b', label }
    case 'c':
    case '?':
      return { typed: [], name: `${key} 1`, label }
    default:
      return { typed: [inLines], name: inLines, label }
  }
}

const offersOf = <E>({ parts }: EarlyView<E>): EarlyOffer<E>[] =>
  parts.flatMap((part) => (part.is === 'offers' ? part.sections.flatMap(({ offers }) => offers) : []))

/** What can be taken by its number. */
const entriesOf = <E>(view: EarlyView<E>): readonly { does: E }[] => [
  ...offersOf(view),
  ...view.parts.flatMap((part) => (part.is === 'table' ? part.rows : [])),
]

/** What may be explained, in the order of the page. */
function subjectsOf<E>(view: EarlyView<E>): Subject[] {
  const fields = view.parts.flatMap((part) => (part.is === 'fields' ? part.fields : []))
  return [...offersOf(view), ...fields.map(({ field, state }) => ({ ...field, value: state.text }))]
}

/** `? 2`, `c 2`: the explanation of an entry or a field, and the command of an entry; without a number of the first one. */
function aboutSubject<E>(
  text: string,
  { view, begin = beginByName }: EarlyTurnInput<E>,
): TurnReply | undefined {
  const [, key = '', number = ''] = /^([c?]) ?(\d*)$/.exec(text) ?? []
  if (!view.keys.some((one) => one.key === key)) return undefined
  const at = number === '' ? 0 : Number(number) - 1
  if (key === '?') {
    const subject = subjectsOf(view)[at]
    return { say: subject === undefined ? [noSuchKey(number)] : explainedLines(subject) }
  }
  const offer = offersOf(view)[at]
  if (offer === undefined) return { say: [noSuchKey(number)] }
  return { say: [EARLY_TEXT.shell], commands: [begin(offer.command)] }
}

function fieldTurn<E>(typing: Typing<E>, { view, tell, edit }: EarlyTurnInput<E>): Turn {
  const { field, state } = typing
  return {
    page: { ...earlyPage(view), ask: askOf(typing) },
    takeLine({ text }) {
      if (text === '?') return { say: explainedLines({ ...field, value: state.text }) }
      const aside = view.keys.find(({ inLines }) => inLines === text)
      if (aside !== undefined) {
        tell(aside.does)
        return {}
      }
      const secret = secretRefusal(text)
      if (secret !== undefined) return { say: [secret] }
      if (text === '<') tell(typing.left)
      else {
        if (text !== '') edit?.({ kind: 'empty' })
        if (text !== '' && text !== '-') edit?.({ kind: 'paste', text })
        tell(typing.entered)
      }
      return {}
    },
  }
}

function askOf<E>({ field: { label, hint }, state: { text, fault } }: Typing<E>): Ask {
  return {
    kind: 'text',
    under: fault?.text === text ? [marked('refused', fault.words)] : [],
    prompt: EARLY_TEXT.prompt(label, hint, EARLY_TEXT.keeps(text)),
  }
}
