import { FORGERS } from '../../src/core/chain/network/scenario-names.ts'
import { BEHAVIOR_NAMES, type BehaviorName, NODES, suits } from '../../src/devnet/behaviors.ts'
import type { Role } from './network.ts'
import type { Happening, Schedule } from './schedule.ts'
import { CALM } from './user.ts'

/** What somebody does with the program. */
export const JOURNEYS = {
  registers: 'registers a key and tops it up',
  'opens-again': 'opens a finished registration again',
  adopts: 'tops up a validator that is registered',
  'is-outbid': 'has armed a guard in the wizard, and is outbid',
  'is-outbid-at-night': 'has left a guard to the watch, and is outbid',
  'drops-out': 'has a watch, and is outbid',
  'is-rescued': 'has a watch, is outbid, and somebody else tops the validator up in time',
  leaves: 'asks for the whole stake with `leave`, and looks what became of that',
  'takes-a-part': 'asks for a part of the stake with `leave`, and looks what became of that',
} as const
type Journey = keyof typeof JOURNEYS

/** When a behavior begins and how long it lasts, in slots. */
const SPANS = { 'all along': { from: 0, slots: 40 }, 'in the middle': { from: 7, slots: 14 } } as const

/** One cell of the table: who does what beside which endpoint that behaves how, and when. */
export type Cell = { journey: Journey; as: BehaviorName; who: keyof typeof WHO; span: keyof typeof SPANS }

/** Which endpoints behave so: one, or both of one provider. */
const WHO = {
  'own execution': ['execution'],
  'second execution': ['second'],
  'both executions': ['execution', 'second'],
  node: ['node'],
  engine: ['engine'],
  'own node': NODES['own-node'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

/** All cells of the table. A finished registration is opened once the behavior has begun: there is one span. */
export const CELLS: readonly Cell[] = (Object.keys(JOURNEYS) as Journey[]).flatMap((journey) =>
  BEHAVIOR_NAMES.flatMap((as) =>
    (Object.keys(WHO) as Cell['who'][])
      .filter((who) =>
        who === 'own node' ? suits('own-node', as) : WHO[who].every((role) => suits(role, as)),
      )
      .flatMap((who) =>
        (Object.keys(SPANS) as Cell['span'][])
          .filter((span) => journey !== 'opens-again' || span === 'all along')
          .map((span) => ({ journey, as, who, span })),
      ),
  ),
)

/** Returns the name of a cell in one line. */
export const cellName = ({ journey, as, who, span }: Cell): string => `${journey}: ${who} ${as}, ${span}`

const OUTBID_AT = 14
/** A guard is armed, and left to the watch, before. */
const GUARDED_AT = 20
/** A request to leave is in a block, and in a state, before. */
const ASKED_AT = 17

/** Returns what is played for a cell. */
export function scheduleOfCell(cell: Cell, seed: number): Schedule {
  const { journey, as, who, span } = cell
  const roles = WHO[who]
  const { from, slots } = SPANS[span]
  const behave: Happening = { slot: from, do: 'behave', roles, as, slots }
  const common = { seed, manners: { ...CALM }, slots: from + slots }
  switch (journey) {
    case 'registers':
      return { ...common, beginning: 'new-key', withWatch: false, happenings: [behave] }
    case 'opens-again':
      return {
        ...common,
        beginning: 'new-key',
        withWatch: false,
        slots: 1,
        happenings: [],
        reopened: { roles, as },
      }
    case 'adopts':
      return { ...common, beginning: 'registered', withWatch: false, happenings: [behave] }
    case 'leaves':
    case 'takes-a-part': {
      const asks = journey === 'leaves' ? 'whole' : 'part'
      const late = { ...behave, slot: span === 'all along' ? 0 : ASKED_AT }
      return {
        ...common,
        beginning: 'active',
        withWatch: false,
        leaves: asks,
        slots: late.slot + slots,
        happenings: [late],
      }
    }
    case 'drops-out':
    case 'is-rescued': {
      const outbid: Happening = { slot: OUTBID_AT, do: 'by-hand', what: 'rival-outbids' }
      const rescue: Happening = { slot: OUTBID_AT + 6, do: 'by-hand', what: 'friend-rescues' }
      const late = { ...behave, slot: span === 'all along' ? OUTBID_AT - 8 : OUTBID_AT + 1 }
      return {
        ...common,
        beginning: 'active',
        withWatch: true,
        watched: journey,
        slots: late.slot + slots,
        happenings: [late, outbid, ...(journey === 'is-rescued' ? [rescue] : [])].sort(
          (one, other) => one.slot - other.slot,
        ),
      }
    }
    case 'is-outbid':
    case 'is-outbid-at-night': {
      const leaves = journey === 'is-outbid-at-night'
      const outbid: Happening = { slot: GUARDED_AT, do: 'by-hand', what: 'rival-outbids' }
      const late = { ...behave, slot: span === 'all along' ? GUARDED_AT - 3 : GUARDED_AT + 1 }
      return {
        ...common,
        beginning: 'active',
        withWatch: leaves,
        guard: { leaves },
        slots: late.slot + slots,
        happenings: [late, outbid].sort((one, other) => one.slot - other.slot),
      }
    }
  }
}

const BEGINNINGS = {
  registers: 'new-key',
  adopts: 'registered',
  'is-outbid': 'active',
  'is-outbid-at-night': 'active',
} as const satisfies Readonly<Partial<Record<Journey, Schedule['beginning']>>>

/** A cell in which all endpoints show a forger's chain from a slot on; there, the validator of the guard is outbid. */
export type ForgedCell = {
  journey: keyof typeof BEGINNINGS
  forger: (typeof NEVER_SIGNED)[number]
  from: number
}

/** Forgers whose blocks are never the set's. */
const NEVER_SIGNED = FORGERS.filter((forger) => forger !== 'stale')
/** Trust begins before: who forges a young real chain from the first look on is told only by an honest endpoint. */
const FORGED_FROM = [2, 4, 6, 8, 10, 12, 16]
const FORGED_SLOTS = 24

/** All cells of the table of forgers. */
export const FORGED_CELLS: readonly ForgedCell[] = (
  Object.keys(BEGINNINGS) as ForgedCell['journey'][]
).flatMap((journey) =>
  NEVER_SIGNED.flatMap((forger) => FORGED_FROM.map((from) => ({ journey, forger, from }))),
)

/** Returns the name of such a cell in one line. */
export const forgedCellName = ({ journey, forger, from }: ForgedCell): string =>
  `${journey}: all endpoints show a forger's chain (${forger}) from slot ${from} on`

/** Returns what is played for such a cell. */
export function scheduleOfForgedCell({ journey, forger, from }: ForgedCell, seed: number): Schedule {
  const isGuarded = BEGINNINGS[journey] === 'active'
  const slot = isGuarded ? OUTBID_AT + from : from
  const leaves = journey === 'is-outbid-at-night'
  return {
    seed,
    manners: { ...CALM },
    beginning: BEGINNINGS[journey],
    withWatch: leaves,
    ...(isGuarded ? { guard: { leaves } } : {}),
    forger,
    slots: slot + FORGED_SLOTS,
    happenings: [{ slot, do: 'forge', makesUp: isGuarded ? ['rival-outbids'] : [], slots: FORGED_SLOTS }],
  }
}
