import { freshText } from '../../base/format/edit-text.ts'
import type { ScenarioName } from '../../chain/network/scenario-names.ts'
import type { EarlyKey, EarlyOffer, EarlyPart, EarlyView, OfferSection } from '../../view/early-view.ts'
import type { List, UnderWay } from './choice.ts'
import type { LaunchPosition, LaunchSay } from './state.ts'
import { LAUNCH_TEXT } from './text.ts'

/** What the stories of a rehearsal are called, in one language. */
export const STORY_NAMES_TEXT: Readonly<Record<ScenarioName, string>> = {
  'set-full': 'All seven steps',
  'as-on-mainnet': 'As on mainnet',
  'free-places': 'Free places',
  'tie-at-the-last-place': 'A tie',
  'squatted-key': 'Squatted key',
  'burnt-deposit': 'Burnt, and rescued',
  'exited-key': 'Exited key',
  'outbid-while-active': 'Outbid while active',
  'outbid-at-night': 'Outbid in the night',
  'node-stops': 'The node stops',
  'troubles-while-active': 'Troubles',
  'pool-validator': 'A pool’s validator',
}

type Story = { scenario: ScenarioName; short: string; words: string }

/** What each story is about; the first is the one to begin with. */
const STORIES: readonly Story[] = [
  {
    scenario: 'set-full',
    short: 'the active set is full: start here',
    words:
      'The active set is full, as on the real network: with the least top-up the validator is out at once and for ever. Start here.',
  },
  {
    scenario: 'as-on-mainnet',
    short: 'nothing is easier than with real money',
    words:
      'Three accounts, a password, hidden groups and a second endpoint, typed from your own paper. Do it before the real one.',
  },
  {
    scenario: 'free-places',
    short: 'the least top-up is enough',
    words: 'Three places of the active set are free: the least top-up joins it.',
  },
  {
    scenario: 'tie-at-the-last-place',
    short: 'equal stake in the last place',
    words:
      'Somebody in the last place has exactly the least stake. Equal stake is a tie: your validator is out at once and for ever.',
  },
  {
    scenario: 'squatted-key',
    short: 'a stranger has set your operator',
    words:
      'A stranger has made a deposit for your key and is its operator. See where the wizard stops you, and go on with a new key.',
  },
  {
    scenario: 'burnt-deposit',
    short: 'a first deposit of your key was burnt',
    words:
      'A first deposit of your key was burnt: its signature was wrong. The key can be registered all the same.',
  },
  {
    scenario: 'exited-key',
    short: 'your key has left the set for ever',
    words: 'Your key was a validator, dropped out of the active set and was paid out. It cannot come back.',
  },
  {
    scenario: 'outbid-while-active',
    short: 'somebody adds stake: keep your place',
    words:
      'Once your validator is active, somebody adds stake. You are told when you drop out, and what keeps your place.',
  },
  {
    scenario: 'outbid-at-night',
    short: 'a guard keeps your place while you sleep',
    words:
      'Arm a guard once your validator is active, and touch nothing more: somebody adds stake, and the guard keeps your place.',
  },
  {
    scenario: 'node-stops',
    short: 'it answers nothing while you are active',
    words:
      'Once your validator is active, its node stops answering for 40 slots. See what the last step says meanwhile.',
  },
  {
    scenario: 'troubles-while-active',
    short: 'missed blocks, an operator change',
    words:
      'Once your validator is active, it misses blocks and an operator change is queued. See what bearings watch tells.',
  },
  {
    scenario: 'pool-validator',
    short: 'your key is a staking pool’s: no direct stake',
    words:
      'Your key is a validator of a staking pool. See why step 6 is closed for it, and who has what somebody adds directly.',
  },
]

/** An entry of the first screen. */
type Offer = EarlyOffer<LaunchSay>

/** Returns the way to another list. */
const openPanel = (list: List): LaunchSay => ({ type: 'place', to: { list, chosen: undefined } })

const FOR_A_SESSION =
  'Yes, by starting again. What was begun on one network stays with it, in its own journal.'

const REHEARSAL_PARTS = {
  kind: 'rehearsal',
  explain: {
    what: 'A small network that this program starts here, with the real network’s rules, fast slots, a funded wallet and a fresh key.',
    who: 'This program. It needs no node, and asks no other computer.',
    later: FOR_A_SESSION,
  },
} as const

const BEPOLIA: Offer = {
  id: 'bepolia',
  label: 'Bepolia · TEST',
  kind: 'test',
  short: 'the public test network',
  value: 'The public test network. It needs your own node for it, and test tokens.',
  command: ['--network', 'bepolia'],
  explain: {
    what: 'The public network on which changes are tried before the real one. Its tokens are worth nothing, its nodes are real.',
    who: 'The values it is checked against are part of this program; your own node answers for it.',
    later: FOR_A_SESSION,
  },
  does: { type: 'chosen', choice: { kind: 'network', id: 'bepolia' } },
}

const MAINNET: Offer = {
  id: 'mainnet',
  label: 'Berachain · REAL MONEY',
  kind: 'real',
  short: 'a mistake can burn the stake',
  value:
    'The real network. A mistake can burn the stake: rehearse first. It needs your own node and 250,000 BERA.',
  command: ['--network', 'mainnet'],
  explain: {
    what: 'The network where the stake is real. Before anything is sent every value is shown whole, and a word must be typed.',
    who: 'The values it is checked against are part of this program; your own node answers for it.',
    later: FOR_A_SESSION,
  },
  does: { type: 'chosen', choice: { kind: 'network', id: 'mainnet' } },
}

const FILE: Offer = {
  id: 'file',
  label: 'Another network',
  short: 'one that a JSON file describes',
  value: 'Any network that a JSON file describes, with the same checks.',
  command: ['--network', '<network file>'],
  explain: {
    what: 'A network of the same kind with other values: chain ids, genesis root, contract, limits. The file has them all.',
    who: 'Whoever wrote the file: compare it with another source.',
    later: FOR_A_SESSION,
  },
  does: { type: 'place', to: { file: { ...freshText(''), accepted: false } } },
}

const VALIDATOR: Offer = {
  id: 'validator',
  label: 'A validator that exists',
  short: 'registered by any tool: watch it, top it up',
  value: 'A validator that is registered already, with whatever tool: watch it, top it up.',
  command: ['--validator', '<public key or index>'],
  explain: {
    what: 'A validator is adopted with its public key or index, from any computer: no node home and no key file. Then it is proven, topped up after all checks, and watched.',
    who: 'The endpoints that you name. You type its withdrawal address from your own record.',
    later: FOR_A_SESSION,
  },
  does: openPanel('validator'),
}

/** What can be begun; the rehearsal is the first and the default. */
export const BEGIN: readonly Offer[] = [
  {
    ...REHEARSAL_PARTS,
    id: 'rehearsal',
    label: 'New rehearsal',
    short: 'play money, all seven steps, or one story',
    value: 'All seven steps on a chain inside this computer, with play money. Start here. About 5 minutes.',
    command: ['--network', 'rehearsal'],
    does: openPanel('scenario'),
  },
  BEPOLIA,
  MAINNET,
  VALIDATOR,
  FILE,
]

/** Where a registered validator may be. */
export const NETWORKS: readonly Offer[] = [
  {
    ...REHEARSAL_PARTS,
    id: 'rehearsal',
    label: 'Rehearsal · play money',
    short: 'the network that runs on this computer',
    value: 'A validator of the rehearsal network that runs on this computer, such as number 3.',
    command: ['--network', 'rehearsal', '--validator', '<public key or index>'],
    does: { type: 'chosen', choice: { kind: 'network', id: 'rehearsal' } },
  },
  ...[BEPOLIA, MAINNET, FILE].map((offer) => ({
    ...offer,
    command: [...offer.command, '--validator', '<public key or index>'],
  })),
]

/** The stories of a rehearsal; the first is the one to begin with. */
export const SCENARIOS: readonly Offer[] = STORIES.map(({ scenario, short, words }) => ({
  explain: REHEARSAL_PARTS.explain,
  label: STORY_NAMES_TEXT[scenario],
  short,
  value: words,
  id: scenario,
  command: ['--scenario', scenario],
  does: {
    type: 'chosen',
    choice:
      scenario === 'as-on-mainnet'
        ? { kind: 'as-on-mainnet', which: 'new' }
        : { kind: 'rehearsal', which: 'new', scenario },
  },
}))

const KIND_WORDS = { real: 'REAL MONEY', test: 'TEST', rehearsal: 'play money' } as const

const IN_ANOTHER_WINDOW = 'This key is open in another window: go on there, or close that window first.'

function resumeWords({ trouble, isHeld }: UnderWay): string {
  if (isHeld) return IN_ANOTHER_WINDOW
  return trouble
    ? 'It cannot be continued as it is. Enter shows why.'
    : 'Enter continues: the chain is asked first, and nothing is paid twice.'
}

/** Returns what is under way, as an entry. */
export function underWayOffer(row: UnderWay): Offer {
  const { badge, pubkey, words } = row
  const key = pubkey === undefined ? '0x???? ???? …' : `${pubkey.slice(0, 6)} ${pubkey.slice(6, 10)} …`
  return {
    id: row.id,
    label: `${badge.label} · ${KIND_WORDS[badge.kind]}`,
    kind: badge.kind,
    short: `${key}  ${words}`,
    value: resumeWords(row),
    command: row.command,
    explain: {
      what: `A registration that was begun on this computer. It stands so: ${words}.`,
      who: 'The journal of this computer. It is remembered, not proven: the chain is asked again before anything is shown as true.',
      later: 'Yes: the chain may have gone on since.',
    },
    keepsShort: true,
    does: { type: 'continued', row },
  }
}

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
