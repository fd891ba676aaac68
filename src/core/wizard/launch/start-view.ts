import type { EarlyKey, EarlyOffer, EarlyView, OfferSection } from '../../view/early-view.ts'
import type { List } from './choice.ts'
import { BEGIN, type LaunchOffer, NETWORKS, SCENARIOS, underWayOffer } from './offers-text.ts'
import { type LaunchPosition, type PlaceEvent, whose } from './place.ts'
import type { LaunchSay } from './state.ts'
import { LAUNCH_TEXT } from './text.ts'
import type { UnderWay } from './under-way.ts'

export type StartInput = {
  place: LaunchPosition
  /** What was begun before, newest first; undefined until it was looked for. */
  underWay: readonly UnderWay[] | undefined
  error: { text: string; of: number } | undefined
  /** A registered validator that was named before its network. */
  validator: string | undefined
}

type View = EarlyView<LaunchSay>

const { keys: KEYS } = LAUNCH_TEXT
const MOST_DIGITS = 9
const at = (event: PlaceEvent): LaunchSay => ({ type: 'place', event })

/** Returns the first screen: what is under way and what can be begun; the rehearsal is the first of these. */
export function startView(input: StartInput): View {
  const { place, underWay, error } = input
  const { list, file } = place
  const rows = underWay ?? []
  const sections = sectionsOf(list, rows).map((section) => withEvents(section, input))
  const offers = sections.flatMap((section) => section.offers)
  const chosen = Math.max(
    0,
    offers.findIndex(({ id }) => id === place.chosen),
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
  if (place.panel !== undefined && about !== undefined) return panelOf(view, about, place.panel)
  return file === undefined ? view : fileView(view, file)
}

/** The path of a network file, asked for below the list. */
function fileView(view: View, state: NonNullable<LaunchPosition['file']>): View {
  const { explain, label, hint } = LAUNCH_TEXT.file
  const left = at({ type: 'leaveFile' })
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

/** What an entry is, or the command that goes straight to it, in the place of the list. */
function panelOf(view: View, about: EarlyOffer<LaunchSay>, panel: 'explain' | 'command'): View {
  const close = at({ type: 'close' })
  const { id, title, money } = view
  return {
    id: `${id}.${panel}`,
    title,
    parts: [panel === 'explain' ? { is: 'explanation', of: about } : { is: 'command', words: about.command }],
    money,
    keys: [
      { key: 'escape', label: KEYS.close, does: close },
      { key: panel === 'explain' ? '?' : 'c', does: close },
    ],
  }
}

function listKeys(
  list: List,
  offers: readonly EarlyOffer<LaunchSay>[],
  chosen: number,
): EarlyKey<LaunchSay>[] {
  const goTo = (to: number): LaunchSay =>
    at({ type: 'choose', id: offers[Math.min(offers.length - 1, Math.max(0, to))]?.id ?? '' })
  const digits = offers
    .slice(0, MOST_DIGITS)
    .map((_, place): EarlyKey<LaunchSay> => ({ key: `${place + 1}`, onScreen: true, does: goTo(place) }))
  const taken = offers[chosen]
  return [
    { key: 'up', label: KEYS.choose, onScreen: true, does: goTo(chosen - 1) },
    { key: 'down', label: KEYS.choose, onScreen: true, does: goTo(chosen + 1) },
    ...digits,
    ...(taken === undefined ? [] : [{ key: 'return', label: KEYS.goOn, does: taken.does }]),
    list === 'begin'
      ? { key: 'n', does: at({ type: 'list', list: 'scenario' }) }
      : { key: 'escape', label: KEYS.back, does: at({ type: 'list', list: 'begin' }) },
    { key: 'c', label: KEYS.command, does: at({ type: 'read', panel: 'command' }) },
    { key: '?', label: KEYS.explain, does: at({ type: 'read', panel: 'explain' }) },
  ]
}

/** A list with its headings; what is under way comes before what can be begun. */
function sectionsOf(list: List, underWay: readonly UnderWay[]) {
  if (list === 'scenario') return [{ title: undefined, offers: SCENARIOS }]
  if (list === 'validator') return [{ title: undefined, offers: NETWORKS }]
  if (underWay.length === 0) return [{ title: undefined, offers: BEGIN }]
  return [
    { ...LAUNCH_TEXT.underWay, offers: underWay.map(underWayOffer) },
    { title: LAUNCH_TEXT.begin, offers: BEGIN },
  ]
}

function withEvents(
  { offers, ...section }: { title: string | undefined; note?: string; offers: readonly LaunchOffer[] },
  input: StartInput,
): OfferSection<LaunchSay> {
  return { ...section, offers: offers.map((offer) => withEvent(offer, input)) }
}

function withEvent(
  { leads, name, words, ...offer }: LaunchOffer,
  { place, validator }: StartInput,
): EarlyOffer<LaunchSay> {
  const keepsShort = typeof leads === 'object' && 'row' in leads
  const shown = { ...offer, label: name, value: words, keepsShort }
  if (leads === 'file') return { ...shown, does: at({ type: 'askFile' }) }
  if ('list' in leads) return { ...shown, does: at({ type: 'list', list: leads.list }) }
  if ('row' in leads) return { ...shown, does: { type: 'continued', row: leads.row } }
  return { ...shown, does: { type: 'chosen', choice: { ...leads.choice, ...whose(place, validator) } } }
}
