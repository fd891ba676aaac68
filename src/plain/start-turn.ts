import type { NetworkChoice, UnderWay } from '../core/launch/choice.ts'
import type { Offer } from '../screens/offers.ts'
import { INTROS, type List, sectionsOf, TITLES } from '../screens/words.ts'
import type { Page, Said } from './page.ts'
import { explainLines, moneySaid } from './rows.ts'
import { BACK, ENTER, type Key, keyOf, keysTurn, noSuchKey, type Reply, type Turn } from './turn.ts'

/** Where the first screen stands. */
export type StartPlace = { list: List; asksFile: boolean }

export type StartTurnInput = StartPlace & {
  /** Undefined until it was looked for. */
  underWay: readonly UnderWay[] | undefined
  error: string | undefined
  /** A validator that was named on the command line. */
  named: string | undefined
  /** A command that begins the wizard, as a shell takes it here. */
  begin(words: readonly string[]): string
  show(place: StartPlace): void
  choose(choice: NetworkChoice): void
  proceedWith(row: UnderWay): void
  quit(): void
}

const MONEY = { line: 'nothing is sent here', worst: 'worst case here: none.' }

/** The first screen: what is under way and what can be begun, by number. */
export function startTurn(input: StartTurnInput): Turn {
  return input.asksFile ? fileTurn(input) : listTurn(input)
}

function listTurn(input: StartTurnInput): Turn {
  const { list, underWay, quit, show } = input
  const sections = sectionsOf(list, underWay ?? [])
  const offers = sections.flatMap((section) => section.offers)
  const first = offers[0]
  const numbered = offers.map((offer, at): Key => {
    return { typed: [`${at + 1}`], name: `${at + 1}`, label: '', run: () => lead(offer, input) }
  })
  const back: Key[] =
    list === 'begin'
      ? []
      : [{ typed: BACK, name: 'b', label: 'back', run: () => show({ list: 'begin', asksFile: false }) }]
  const keys: Key[] = [
    { typed: [], name: `1 to ${offers.length}`, label: 'choose', run: () => undefined },
    {
      typed: ENTER,
      name: 'Enter',
      label: 'takes 1',
      run: () => (first === undefined ? undefined : lead(first, input)),
    },
    { typed: [], name: 'c 1', label: 'command', run: () => undefined },
    { typed: [], name: '? 1', label: 'explain', run: () => undefined },
    ...back,
    { typed: ['q'], name: 'q', label: 'quit', run: quit },
  ]
  const { page } = keysTurn(listPage(input), keys)
  return {
    page,
    answer({ text }) {
      const about = /^([c?]) ?(\d*)$/.exec(text)
      if (about !== null)
        return aboutOffer(offers, about[1] ?? '', { number: about[2] ?? '', begin: input.begin })
      const key = keyOf([...keys, ...numbered], text)
      if (key === undefined) return { say: [noSuchKey(text)] }
      key.run()
      return {}
    },
  }
}

function listPage(input: StartTurnInput): Omit<Page, 'ask'> {
  const { list, underWay = [], error } = input
  const rows = underWay.map(({ id }) => id).join(' ')
  const intro = underWay.length > 0 && list === 'begin' ? [] : [INTROS[list]]
  let count = 0
  const lines = sectionsOf(list, underWay).flatMap(({ title, note, offers }) => [
    ...(title === undefined ? [] : [note === undefined ? title : `${title} (${note})`]),
    ...offers.map(({ name, short }) => {
      count += 1
      return `${count}  ${name}: ${short}`
    }),
  ])
  const said: Said[] = [
    { key: 'error', lines: error === undefined ? [] : [error], news: 'all' },
    { key: 'title', lines: [TITLES[list], ...intro], news: 'none' },
    {
      key: 'list',
      lines,
      news: 'none',
      ...(input.underWay === undefined && list === 'begin' ? { pending: true } : {}),
    },
    ...moneySaid(MONEY),
  ]
  return { id: `start.${list}.${rows}`, said }
}

function lead({ leads }: Offer, { choose, proceedWith, show, named, list }: StartTurnInput): void {
  const whose = list === 'validator' ? { validator: named ?? '' } : {}
  if (leads === 'file') show({ list, asksFile: true })
  else if ('list' in leads) show({ list: leads.list, asksFile: false })
  else if ('row' in leads) proceedWith(leads.row)
  else choose({ ...leads.choice, ...whose })
}

function aboutOffer(
  offers: readonly Offer[],
  key: string,
  { number, begin }: { number: string } & Pick<StartTurnInput, 'begin'>,
): Reply {
  const offer = offers[number === '' ? 0 : Number(number) - 1]
  if (offer === undefined) return { say: [`There is no ${number} here.`] }
  if (key === 'c') return { say: ['The same from a shell:'], commands: [begin(offer.command)] }
  return { say: explainLines({ label: offer.name, value: offer.words, explain: offer.explain }) }
}

function fileTurn({ list, named, show, choose }: StartTurnInput): Turn {
  const whose = list === 'validator' ? { validator: named ?? '' } : {}
  return {
    page: {
      id: `file.${list}`,
      said: [],
      ask: {
        kind: 'text',
        under: ['A file that describes the network. < goes back.'],
        prompt: 'network file (the path of a JSON file): ',
      },
    },
    answer({ text }) {
      if (text === '<') show({ list, asksFile: false })
      else if (text !== '') choose({ kind: 'file', path: text, ...whose })
      return {}
    },
  }
}
