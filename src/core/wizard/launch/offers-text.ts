import { freshText } from '../../base/format/edit-text.ts'
import type { EarlyOffer } from '../../view/early-view.ts'
import type { List, UnderWay } from './choice.ts'
import type { LaunchSay } from './state.ts'
import { STORIES, STORY_NAMES_TEXT } from './story-offers-text.ts'

/** An entry of the first screen. */
type Offer = EarlyOffer<LaunchSay>

/** Returns the way to another list. */
export const openPanel = (list: List): LaunchSay => ({ type: 'place', to: { list, chosen: undefined } })

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
