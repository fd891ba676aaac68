import type { Forger } from '../../src/core/chain/network/scenario-names.ts'
import type { BehaviorName } from '../../src/devnet/behaviors.ts'
import { KINDS_OF_LIES } from '../hostile/lies.ts'
import type { ByHand } from './by-hand.ts'
import type { DiskFault } from './disk.ts'
import type { Leaves } from './leaver.ts'
import type { Beginning, Fork, Role } from './network.ts'
import type { Death } from './process.ts'
import { type Random, randomOf } from './random.ts'
import type { Manners } from './user.ts'
import type { Manner } from './world.ts'

type Who = 'wizard' | 'watch'

/** Something that happens at the beginning of a slot; what lasts ends after so many slots. */
export type Happening = { slot: number } & (
  | { do: 'manner'; role: Role | 'webhook'; manner: Manner; slots: number }
  | { do: 'behave'; roles: readonly Role[]; as: BehaviorName; slots: number }
  | { do: 'lie'; by: Role; nth: number; slots: number }
  | { do: 'empty-blocks'; slots: number }
  | { do: 'halt'; slots: number }
  | { do: 'fork'; who: readonly Fork[]; vanish: boolean }
  | { do: 'forget-pools' }
  | { do: 'lag'; who: Fork; blocks: number; slots: number }
  | { do: 'disk'; who: Who; fault: DiskFault; chance: number; slots: number }
  // Of the whole computer, whichever process runs; with `after` once that alarm stands.
  | { do: 'fill-disk'; slots: number; after?: string }
  | { do: 'die'; who: Who; death: Death }
  | { do: 'kill'; who: Who }
  | { do: 'power' }
  | { do: 'restart'; who: Who }
  | { do: 'second-instance' }
  | { do: 'clock'; jumpMs: number }
  | { do: 'clock-stands'; slots: number }
  | { do: 'by-hand'; what: ByHand }
  // All endpoints show a forger's chain: true until then, with payments that nobody made.
  | { do: 'forge'; makesUp: readonly ByHand[]; slots: number }
)

/** What is played: everything follows from it, and from the seed. */
export type Schedule = {
  seed: number
  beginning: Beginning
  withWatch: boolean
  /** A guard is armed; whether its owner then leaves it to the watch. */
  guard?: { leaves: boolean }
  manners: Manners
  /** Slots before everything is well again. */
  slots: number
  /** Once all is done, the program is opened again beside an endpoint that behaves so. */
  reopened?: { roles: readonly Role[]; as: BehaviorName }
  happenings: readonly Happening[]
  /** Nobody is there but a watch; what becomes of the place. */
  watched?: 'drops-out' | 'is-rescued'
  /** Once everything is well, the alarms of the watch must end, and nothing else is waited for. */
  steady?: true
  /** Nobody is there but somebody who takes the stake back, by the command `leave`. */
  leaves?: Leaves
  /** How the chain lies that `forge` shows. */
  forger?: Forger
}

const ROLES: readonly Role[] = ['execution', 'second', 'node', 'engine']
const MANNERS: readonly Manner[] = ['refuses', 'is silent', 'dies']
const HANDS = ['other-transaction', 'stranger-tops-up'] as const
const FAULTS: readonly DiskFault[] = ['EIO', 'ENOSPC', 'EMFILE', 'EROFS']
const DEATHS: readonly Death['at'][] = [
  'disk write',
  'disk sync',
  'disk open',
  'disk rename',
  'http eth_sendRawTransaction',
  'http eth_getTransactionReceipt',
  'http eth_getTransactionCount',
  'http',
  'sign',
]
/** Lies by whom: the index of one in the list of its service. */
export const LIES = {
  execution: KINDS_OF_LIES.flat().filter(({ service }) => service === 'execution'),
  second: KINDS_OF_LIES.flat().filter(
    ({ service, asSecond }) => service === 'execution' && asSecond !== undefined,
  ),
  node: KINDS_OF_LIES.flat().filter(({ service }) => service === 'node'),
  engine: KINDS_OF_LIES.flat().filter(({ service }) => service === 'engine'),
} as const

/** Of so many seeds the validator is active, and guarded. */
const NIGHTS = 0.2

/** The schedule of a seed. */
export function scheduleOf(seed: number): Schedule {
  const night = randomOf(`night ${seed}`)
  if (night.chance(NIGHTS)) return nightOf(seed, night)
  const random = randomOf(`schedule ${seed}`)
  const beginning: Beginning = random.chance(0.5) ? 'new-key' : 'registered'
  const least = 10 + random.below(14)
  const withWatch = random.chance(0.2)
  const liar = random.pick([...ROLES, 'execution' as const, undefined, undefined, undefined])
  const others = Array.from({ length: random.below(8) }, () =>
    happening(random, { slots: least, withWatch, liar }),
  )
  const lies = liar === undefined ? [] : [lieOf(liar, random.below(least), random)]
  const dramas = random.chance(0.6) ? random.pick(DRAMAS)(random) : []
  const ends = dramas.map((one) => one.slot + ('slots' in one ? one.slots : 1))
  const slots = Math.max(least, ...ends)
  return {
    seed,
    beginning,
    withWatch,
    slots,
    manners: {
      paceMs: random.pick([300, 800, 1600]),
      mischief: random.pick([0, 0, 0.05, 0.3]),
      slips: random.pick([0, 0, 0.02]),
      refusals: random.pick([0, 0, 0.3]),
    },
    happenings: [...others, ...lies, ...dramas].sort((one, other) => one.slot - other.slot),
  }
}

/** A guard that is armed, a rival that bids for the place, and what may go wrong meanwhile. */
function nightOf(seed: number, random: Random): Schedule {
  const slots = 34 + random.below(16)
  const withWatch = random.chance(0.7)
  const leaves = withWatch && random.chance(0.6)
  const liar = random.pick([...ROLES, 'execution' as const, 'second' as const, undefined, undefined])
  const outbidAt = 12 + random.below(10)
  const others = Array.from({ length: random.below(5) }, () => happening(random, { slots, withWatch, liar }))
  const lies = liar === undefined ? [] : [lieOf(liar, outbidAt + random.below(8), random)]
  const happenings: Happening[] = [
    { slot: outbidAt, do: 'by-hand', what: 'rival-outbids' },
    ...others,
    ...lies,
    ...random.pick(NIGHT_DRAMAS)(random, { outbidAt, who: leaves ? 'watch' : 'wizard' }),
  ]
  return {
    seed,
    beginning: 'active',
    withWatch,
    guard: { leaves },
    slots,
    manners: {
      paceMs: random.pick([300, 800]),
      mischief: 0,
      slips: random.pick([0, 0, 0.02]),
      refusals: random.pick([0, 0, 0, 0.3]),
    },
    happenings: happenings.sort((one, other) => one.slot - other.slot),
  }
}

/** Things that must come together with the amount of a guard. */
const NIGHT_DRAMAS: readonly ((random: Random, about: { outbidAt: number; who: Who }) => Happening[])[] = [
  () => [],
  // Its amount waits, since every pool forgets it, and others add.
  (random, { outbidAt }) => [
    ...Array.from({ length: 12 }, (_, at): Happening => ({ slot: outbidAt + 2 + at, do: 'forget-pools' })),
    { slot: outbidAt + 5 + random.below(3), do: 'by-hand', what: 'rival-adds' },
    { slot: outbidAt + 6 + random.below(3), do: 'by-hand', what: 'next-adds' },
  ],
  // Whoever holds it ends where it hands an amount over.
  (random, { outbidAt, who }) => [
    {
      slot: outbidAt + 1,
      do: 'die',
      who,
      death: {
        at: random.pick(['http eth_sendRawTransaction', 'disk write', 'disk sync']),
        nth: 1 + random.below(3),
        where: random.pick(['before', 'halfway', 'after'] as const),
      },
    },
  ],
  (random, { outbidAt, who }) => [
    {
      slot: outbidAt + 1,
      do: 'die',
      who,
      death: { at: 'disk sync', nth: 1 + random.below(8), where: 'after', power: true },
    },
  ],
  // The account uses the nonce for something else.
  (random, { outbidAt }) => [
    { slot: outbidAt - 2 + random.below(8), do: 'by-hand', what: 'other-transaction' },
  ],
  // Somebody else saves the place, before or after an amount is in a block.
  (random, { outbidAt }) => [
    { slot: outbidAt + 2, do: 'empty-blocks', slots: 4 },
    { slot: outbidAt + 3 + random.below(3), do: 'by-hand', what: 'stranger-tops-up' },
  ],
  // Its block is replaced.
  (random, { outbidAt }) =>
    Array.from(
      { length: 5 },
      (_, at): Happening => ({
        slot: outbidAt + 3 + at,
        do: 'fork',
        who: ['execution', 'second'],
        vanish: random.chance(0.5),
      }),
    ),
]

/** A lie of an endpoint, told for a while. */
const lieOf = (by: Role, slot: number, random: Random): Happening => ({
  slot,
  do: 'lie',
  by,
  nth: random.below(LIES[by].length),
  slots: 4 + random.below(14),
})

/** Things that must come together, about the time of the payment, or nobody would see what comes of them. */
const DRAMAS: readonly ((random: Random) => Happening[])[] = [
  // The power fails in the middle of a line, or between a line and its sync.
  (random) => [
    {
      slot: 0,
      do: 'die',
      who: 'wizard',
      death: {
        at: random.pick(['disk sync', 'disk write', 'disk rename']),
        nth: 1 + random.below(16),
        where: random.pick(['before', 'halfway', 'after'] as const),
        power: true,
      },
    },
  ],
  // The program ends with its signature, or while bytes leave; meanwhile somebody else pays.
  (random) => [
    {
      slot: 0,
      do: 'die',
      who: 'wizard',
      death: {
        at: random.pick(['sign', 'http eth_sendRawTransaction', 'http eth_sendRawTransaction']),
        nth: 1 + random.below(2),
        where: random.pick(['before', 'before', 'after'] as const),
        meanwhile: random.pick(['stranger-tops-up', ...HANDS]),
      },
    },
  ],
  // Its block is replaced, and for a while no other one takes it.
  (random) => [
    ...Array.from(
      { length: 6 },
      (_, at): Happening => ({
        slot: 3 + at,
        do: 'fork',
        who: ['execution', 'second'],
        vanish: random.chance(0.5),
      }),
    ),
    { slot: 4, do: 'empty-blocks', slots: 6 + random.below(10) },
  ],
  // No block takes it for long, so that somebody replaces it.
  (random) => [{ slot: 2, do: 'empty-blocks', slots: 26 + random.below(12) }],
  // The account sends something else with the same nonce.
  (random) => [
    { slot: 2, do: 'empty-blocks', slots: 8 },
    { slot: 4 + random.below(4), do: 'by-hand', what: 'other-transaction' },
  ],
  // There is something to tell, and nobody takes it; then the watch is another one.
  (random) => [
    { slot: 0, do: 'manner', role: 'webhook', manner: random.pick(MANNERS), slots: 14 },
    { slot: 2, do: 'by-hand', what: 'stranger-tops-up' },
    { slot: 3, do: 'manner', role: 'node', manner: random.pick(MANNERS), slots: 9 },
    { slot: 8 + random.below(5), do: 'kill', who: 'watch' },
  ],
]

type Setting = { slots: number; withWatch: boolean; liar: Role | undefined }

function happening(random: Random, { slots, withWatch, liar }: Setting): Happening {
  const slot = random.below(slots)
  const lasting = 1 + random.below(6)
  const who: Who = withWatch && random.chance(0.5) ? 'watch' : 'wizard'
  const kinds: readonly (() => Happening)[] = [
    () => ({
      slot,
      do: 'manner',
      role: random.pick(withWatch ? [...ROLES, 'webhook' as const] : ROLES),
      manner: random.pick(MANNERS),
      slots: lasting,
    }),
    () => (liar === undefined ? { slot, do: 'empty-blocks', slots: lasting } : lieOf(liar, slot, random)),
    () => ({ slot, do: 'halt', slots: lasting }),
    () => ({
      slot,
      do: 'fork',
      who: random.pick<readonly Fork[]>([['execution', 'second'], ['execution'], ['second']]),
      vanish: random.chance(0.5),
    }),
    () => ({ slot, do: 'forget-pools' }),
    () => ({
      slot,
      do: 'lag',
      who: random.pick<Fork>(['execution', 'second']),
      blocks: 1 + random.below(4),
      slots: lasting,
    }),
    () => ({
      slot,
      do: 'disk',
      who,
      fault: random.pick(FAULTS),
      chance: random.pick([0.1, 0.5, 1]),
      slots: lasting,
    }),
    () => ({
      slot,
      do: 'die',
      who,
      death: {
        at: random.pick(DEATHS),
        nth: 1 + random.below(random.pick([1, 3, 20])),
        where: random.pick(['before', 'halfway', 'after'] as const),
      },
    }),
    () => ({ slot, do: 'kill', who }),
    () => ({ slot, do: 'power' }),
    () => ({ slot, do: 'restart', who }),
    () => ({ slot, do: 'second-instance' }),
    () => ({
      slot,
      do: 'clock',
      jumpMs: random.pick([-3_600_000, -30_000, -2_000, 5_000, 60_000, 86_400_000]),
    }),
    () => ({ slot, do: 'clock-stands', slots: lasting }),
    () => ({ slot, do: 'by-hand', what: random.pick(HANDS) }),
  ]
  return random.pick(kinds)()
}
