import {
  type Decoder,
  decimal,
  decimal256,
  list,
  oneOf,
  optional,
  present,
  record,
  uintIndex,
} from '../../base/format/decode.ts'
import { decodeNetwork, parseNetworkJson, positiveIndex } from './network.ts'
import { SCENARIO_NAMES, type ScenarioName } from './scenario-names.ts'

/** What can happen on a rehearsal network that its story tells of. */
export const CHRONICLE_EVENTS = [
  /** A deposit for the user's key made it a validator, added to it, or was kept by the chain. */
  'registered',
  'topped-up',
  'burnt',
  'burnt-by-stranger',
  /** The user's validator came into the active set, or dropped out of it. */
  'active',
  'dropped-out',
  /** The stake of a validator of the user that had left was paid back. */
  'paid-back',
  /** Somebody else added stake, or dropped out. */
  'rival-added',
  /** Somebody added stake to the user's validator, which is a pool's. */
  'gift-added',
  'other-dropped-out',
  'node-stopped',
  'node-back',
  'missed',
  'operator-queued',
  'operator-cancelled',
  'new-key',
] as const
export type ChronicleEventId = (typeof CHRONICLE_EVENTS)[number]

/**
 * One thing that happened, with the numbers it has: an amount in gwei, a validator's index, a count of blocks. `shortGwei`: how
 * much more stake would have kept its place, in gwei.
 */
export type ChronicleEvent = {
  id: ChronicleEventId
  slot: bigint
  amountGwei?: bigint
  shortGwei?: bigint
  index?: number
  blocks?: number
}

/**
 * How far a story is: `before` what it waits for, which only the user can do; `soon`: it comes by itself within a minute;
 * `under-way`; `over`.
 */
const STORY_PHASES = ['before', 'soon', 'under-way', 'over'] as const
export type StoryPhase = (typeof STORY_PHASES)[number]

const STORY_PACES = ['plain', 'slow', 'hastened'] as const
type StoryPace = (typeof STORY_PACES)[number]

/** What has happened on a rehearsal network to the user's validator and around it, oldest first, as the network itself saw it. */
export type Chronicle = {
  scenario: ScenarioName
  phase: StoryPhase
  /** The time between two slots now, in milliseconds. */
  slotMs: number
  /** Whether that is longer than elsewhere, as there is something to read and to do, or would be but for a wish for haste. */
  pace: StoryPace
  events: readonly ChronicleEvent[]
  /** What the user's account has paid in fees so far, in wei, by the receipts of its transactions. */
  feesWei: bigint
}

const event: Decoder<ChronicleEvent> = present(
  record({
    id: oneOf(CHRONICLE_EVENTS),
    slot: decimal,
    amountGwei: optional(decimal),
    shortGwei: optional(decimal),
    index: optional(uintIndex),
    blocks: optional(uintIndex),
  }),
)

const fields: Decoder<Chronicle> = record({
  scenario: oneOf(SCENARIO_NAMES),
  phase: oneOf(STORY_PHASES),
  slotMs: positiveIndex,
  pace: oneOf(STORY_PACES),
  events: list(event),
  feesWei: decimal256,
})

const SOURCE = 'rehearsal story'

/** Reads the story file of a rehearsal network. Throws a `network.*` error that names the field. */
export function readChronicle(json: string): Chronicle {
  return decodeNetwork(SOURCE, fields, parseNetworkJson(SOURCE, json))
}

/** Returns the story file of a rehearsal network: slots and amounts as decimal text. */
export function writtenChronicle(chronicle: Chronicle): string {
  return `${JSON.stringify(chronicle, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`
}
