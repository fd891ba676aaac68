import { formatCount, formatDuration, formatGwei, formatWei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { beginByName, type Next, nextText, withoutKeys } from '../../base/format/next.ts'
import { shellCommand } from '../../base/format/text.ts'
import type { Setup } from '../../chain/facts.ts'
import type { Chronicle, ChronicleEvent, ChronicleEventId } from '../../chain/network/chronicle.ts'
import { MAINNET } from '../../chain/network/presets.ts'
import type { ScenarioName } from '../../chain/network/scenario-names.ts'
import { STORY_NAMES_TEXT } from '../launch/start-view.ts'
import { type MainnetNumbers, STORIES_TEXT, type StoryEnd, type StoryText } from './stories-text.ts'

const TEXT = STORIES_TEXT.card

/** A row of an end card: an id that stays the same, its label and what is said. */
type CardRow = { id: CardRowId; label: string; text: string }
type CardRowId = keyof (typeof TEXT)['labels']

/** What a story leaves its user with: how it ended, its title, and rows to read and to repeat. */
export type EndCard = {
  end: StoryEnd
  events: readonly ChronicleEvent[]
  title: string
  verdict: string
  rows: readonly CardRow[]
  /** Begins the next story, in a shell. */
  command: string
}

/** Which story comes after one; the last leads to the first again. */
const NEXT_STORY: Readonly<Record<ScenarioName, ScenarioName>> = {
  'set-full': 'as-on-mainnet',
  'as-on-mainnet': 'outbid-while-active',
  'outbid-while-active': 'outbid-at-night',
  'outbid-at-night': 'node-stops',
  'node-stops': 'troubles-while-active',
  'troubles-while-active': 'pool-validator',
  'pool-validator': 'squatted-key',
  'squatted-key': 'burnt-deposit',
  'burnt-deposit': 'exited-key',
  'exited-key': 'tie-at-the-last-place',
  'tie-at-the-last-place': 'free-places',
  'free-places': 'set-full',
}

function mainnetNumbers(): MainnetNumbers {
  const { spec, slotMs } = MAINNET
  const epochMs = Number(spec.slotsPerEpoch) * slotMs
  return {
    places: spec.validatorSetCap,
    epoch: formatDuration(epochMs),
    delay: formatDuration(epochMs * Number(spec.withdrawabilityDelayEpochs)),
  }
}

/** The words of a story. */
const storyText = (scenario: ScenarioName): StoryText => STORIES_TEXT.of(mainnetNumbers())[scenario]

/** How a story ended for the user's validator, by what happened to its present key. */
function storyEnd({ phase, events }: Chronicle): StoryEnd {
  if (phase !== 'over') return 'open'
  const own = events.slice(events.findLastIndex(({ id }) => id === 'new-key') + 1)
  return own.some(({ id }) => id === 'dropped-out') ? 'out' : 'kept'
}

/** What saved the place, or would have, by what has happened. */
function savedText(
  { saved }: StoryText,
  end: StoryEnd,
  events: readonly ChronicleEvent[],
  token: string,
): Next {
  const amount = (gwei: bigint) => `${formatGwei(gwei)} ${token}`
  if (end === 'open') return saved.open
  if (end === 'out') {
    const shortGwei = events.findLast(({ id }) => id === 'dropped-out')?.shortGwei
    const lacked = shortGwei === undefined ? TEXT.left : TEXT.short(amount(shortGwei))
    return saved.out === undefined ? lacked : `${lacked} ${saved.out}`
  }
  const rival = events.findLastIndex(({ id }) => id === 'rival-added')
  const inTime = rival === -1 ? undefined : events.slice(rival).find(({ id }) => id === 'topped-up')
  if (inTime?.amountGwei !== undefined) return TEXT.inTime(amount(inTime.amountGwei))
  const isAnew = events.some(({ id }) => id === 'new-key')
  return isAnew && saved.anew !== undefined ? saved.anew : saved.kept
}

/** The same without a word of a key; of a story that is open it says where it goes on. */
function keylessText(saved: Next, end: StoryEnd, command: string): string {
  const words = withoutKeys([saved]).next.map((next) => nextText(next))
  return [...words, ...(end === 'open' ? [TEXT.inWizard(command)] : [])].join(' ')
}

type CardSetup = Pick<Setup, 'network' | 'own' | 'endpoints' | 'keystore'>

/**
 * Returns the card of a story, from what has really happened on its chain. `run`: how a command of this program is typed, where
 * the session does not know it. `hasKeys`: whether somebody reads it who can press them.
 */
export function endCard(
  chronicle: Chronicle,
  setup: CardSetup,
  {
    hasKeys,
    run = beginByName,
  }: { hasKeys: boolean; run?: ((words: readonly string[]) => string) | undefined },
): EndCard {
  const { network, own } = setup
  const { scenario, events } = chronicle
  const story = storyText(scenario)
  const end = storyEnd(chronicle)
  const next = NEXT_STORY[scenario]
  const begin = (name: ScenarioName) => {
    const words = ['--scenario', name]
    return own === undefined ? run(words) : shellCommand(...own.program, ...words)
  }
  const command = begin(next)
  const row = (id: CardRowId, text: string): CardRow => ({ id, label: TEXT.labels[id], text })
  const { token } = network.names
  const saved = savedText(story, end, events, token)
  return {
    end,
    events,
    title: TEXT.title(STORY_NAMES_TEXT[scenario]),
    verdict: TEXT.verdict[end],
    rows: [
      row('teaches', story.teaches),
      ...(end === 'open' ? [row('waits', story.waits)] : []),
      ...(events.length === 0 ? [row('happened', TEXT.nothing)] : []),
      ...events.map((event) => row('happened', eventText(event, token))),
      row('cost', costText(chronicle, token)),
      row('saved', hasKeys ? nextText(saved) : keylessText(saved, end, begin(scenario))),
      ...(scenario === 'as-on-mainnet' ? typedRows(setup).map(([id, text]) => row(id, text)) : []),
      row('same', story.same),
      row('different', story.different),
      row('next', TEXT.next(STORY_NAMES_TEXT[next], command)),
    ],
    command,
  }
}

/** What was rehearsed of that which real money asks for, by how the session was begun, and what cannot be. */
function typedRows({ network, endpoints, keystore }: CardSetup): [CardRowId, string][] {
  const { typed, external, itself, never, noSecond, ...of } = TEXT.asOnMainnet
  const cannot = never.map((text): [CardRowId, string] => ['missing', text])
  if (network.asOnMainnet !== true) return [['missing', itself], ...cannot]
  const { secondExecution } = endpoints
  return [
    ['rehearsed', typed],
    ['rehearsed', keystore === undefined ? external : of.keystore],
    secondExecution === undefined
      ? ['missing', noSecond]
      : ['rehearsed', of.second(endpointName(secondExecution))],
    ...cannot,
  ]
}

function eventText({ id, slot, amountGwei, index, blocks }: ChronicleEvent, token: string): string {
  const words = STORIES_TEXT.event(id, {
    amount: amountGwei === undefined ? '' : `${formatGwei(amountGwei)} ${token}`,
    index: index === undefined ? '' : String(index),
    blocks: blocks === undefined ? '' : formatCount(BigInt(blocks)),
  })
  return TEXT.happened(formatCount(slot), words)
}

/** What was paid, lost and missed, added up. */
function costText({ events, feesWei }: Chronicle, token: string): string {
  const sum = (...ids: ChronicleEventId[]) =>
    events.reduce((total, { id, amountGwei = 0n }) => (ids.includes(id) ? total + amountGwei : total), 0n)
  const amount = (gwei: bigint) => `${formatGwei(gwei)} ${token}`
  const stake = sum('registered', 'topped-up')
  const [burnt, strangers] = [sum('burnt'), sum('burnt-by-stranger')]
  const missed = events.reduce((total, { id, blocks = 0 }) => total + (MISSES.includes(id) ? blocks : 0), 0)
  const { cost } = TEXT
  const parts = [
    ...(stake === 0n ? [] : [cost.stake(amount(stake))]),
    ...(burnt === 0n ? [] : [cost.burnt(amount(burnt))]),
    ...(strangers === 0n ? [] : [cost.strangers(amount(strangers))]),
    ...(missed === 0 ? [] : [cost.missed(formatCount(BigInt(missed)))]),
    ...(feesWei === 0n ? [] : [cost.fees(`${formatWei(feesWei)} ${token}`)]),
  ]
  return parts.length === 0 ? cost.none : parts.join(' · ')
}

/** Events whose blocks the validator did not sign. */
const MISSES: readonly ChronicleEventId[] = ['missed', 'node-back']
