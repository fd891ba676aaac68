import type { EarlyKey, EarlyOffer, EarlyPart, EarlyView, OfferSection } from '../../view/early-view.ts'
import type { List, UnderWay } from './choice.ts'
import { BEGIN, NETWORKS, openPanel, SCENARIOS, underWayOffer } from './offers-text.ts'
import type { LaunchPosition, LaunchSay } from './state.ts'
import { LAUNCH_TEXT } from './text.ts'

export type StartInput = {
  place: LaunchPosition
  /** What was begun before, newest first; undefined until it was looked for. */
  underWay: readonly UnderWay[] | undefined
  error: { text: string; of: number } | undefined
}

type View = EarlyView<LaunchSay>

const { keys: KEYS } = LAUNCH_TEXT
const MOST_DIGITS = 9
const place = (to: Partial<LaunchPosition>): LaunchSay => ({ type: 'place', to })

/** Returns the first screen: what is under way and what can be begun; the rehearsal is the first of these. */
export function startView({ place: at, underWay, error }: StartInput): View {
  const { list, file, panel } = at
  const rows = underWay ?? []
  const sections = sectionsOf(list, rows)
  const offers = sections.flatMap((section) => section.offers)
  const chosen = Math.max(
    0,
    offers.findIndex(({ id }) => id === at.chosen),
  )
  const { title, intro } = LAUNCH_TEXT.lists[list]
  const isKnown = rows.length > 0 && list === 'begin'
  const view: View = {
    id: `start.${list}.${rows.map(({ id }) => id).join(' ')}`,
    title,
    ...(error === undefined ? {} : { error }),
    ...(isKnown || intro === undefined ? {} : { intro: { text: intro } }),
    parts: [{ is: 'offers', sections, chosen }],
    ...(underWay === undefined && list === 'begin' ? { isPending: true } : {}),
    money: LAUNCH_TEXT.money,
    keys: listKeys(list, offers, chosen),
  }
  const about = offers[chosen]
  if (about !== undefined && panel === 'explain')
    return panelView({ ...view, id: `${view.id}.explain` }, { is: 'explanation', of: about })
  if (about !== undefined && panel === 'command')
    return panelView({ ...view, id: `${view.id}.command` }, { is: 'command', words: about.command })
  return file === undefined ? view : fileView(view, file)
}

/** The path of a network file, asked for below the list. */
function fileView(view: View, state: NonNullable<LaunchPosition['file']>): View {
  const { explain, label, hint } = LAUNCH_TEXT.file
  const left = place({ file: undefined })
  const entered: LaunchSay = { type: 'entered' }
  const typed = { field: { id: 'file', label, hint, value: '', explain }, state }
  return {
    ...view,
    id: `${view.id}.file`,
    parts: [...view.parts, { is: 'fields', fields: [typed] }],
    typing: { ...typed, entered, left },
    keys: [
      { key: 'return', label: KEYS.open, whileTyping: true, does: entered },
      { key: 'escape', label: KEYS.back, whileTyping: true, does: left },
    ],
  }
}

function listKeys(
  list: List,
  offers: readonly EarlyOffer<LaunchSay>[],
  chosen: number,
): EarlyKey<LaunchSay>[] {
  const choose = (to: number): LaunchSay =>
    place({ chosen: offers[Math.min(offers.length - 1, Math.max(0, to))]?.id })
  const digits = offers
    .slice(0, MOST_DIGITS)
    .map((_, at): EarlyKey<LaunchSay> => ({ key: `${at + 1}`, onScreen: true, does: choose(at) }))
  const taken = offers[chosen]
  return [
    { key: 'up', label: KEYS.choose, onScreen: true, does: choose(chosen - 1) },
    { key: 'down', label: KEYS.choose, onScreen: true, does: choose(chosen + 1) },
    ...digits,
    ...(taken === undefined ? [] : [{ key: 'return', label: KEYS.goOn, does: taken.does }]),
    list === 'begin'
      ? { key: 'n', does: openPanel('scenario') }
      : { key: 'escape', label: KEYS.back, does: openPanel('begin') },
    { key: 'c', label: KEYS.command, does: place({ panel: 'command' }) },
    { key: '?', label: KEYS.explain, does: place({ panel: 'explain' }) },
  ]
}

/** A list with its headings; what is under way comes before what can be begun. */
function sectionsOf(list: List, underWay: readonly UnderWay[]): OfferSection<LaunchSay>[] {
  if (list === 'scenario') return [{ title: undefined, offers: SCENARIOS }]
  if (list === 'validator') return [{ title: undefined, offers: NETWORKS }]
  if (underWay.length === 0) return [{ title: undefined, offers: BEGIN }]
  return [
    { ...LAUNCH_TEXT.underWay, offers: underWay.map(underWayOffer) },
    { title: LAUNCH_TEXT.begin, offers: BEGIN },
  ]
}

/** What is read in the place of a screen, until a key closes it. */
export function panelView(
  { id, title, badge, money }: Pick<View, 'id' | 'title' | 'badge' | 'money'>,
  part: Extract<EarlyPart<LaunchSay>, { is: 'explanation' | 'command' }>,
): View {
  const does = place({ panel: undefined })
  return {
    id,
    title,
    ...(badge === undefined ? {} : { badge }),
    parts: [part],
    money,
    keys: [
      { key: 'escape', label: KEYS.close, does },
      { key: part.is === 'command' ? 'c' : '?', does },
      { key: 'f1', does },
    ],
  }
}
