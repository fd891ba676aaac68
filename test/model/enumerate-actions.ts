import { ACCOUNT } from './chain.ts'
import { HONEST, LIES, type Lie, type Stance } from './endpoint.ts'
import type { DeskProgram, Key } from './enumerate-desk.ts'
import { carryOut } from './run.ts'
import type { Action } from './schedule.ts'
import { alive, type Computer, look, slot, type World } from './world.ts'

/** One thing that happens. */
export type Deed =
  | { do: 'slot'; empty: boolean }
  | { do: 'key'; who: 0 | 1; key: Key }
  | Extract<Action, { do: 'by-hand' | 'reorg' | 'forget' | 'resend' }>
  | { do: 'end' | 'start'; who: 0 | 1 }

/** How both endpoints are while it happens; afterwards they are well again. */
type Stances = readonly [Stance, Stance]

/** Where a program ends in the middle of it. */
type Death = { who: 0 | 1; at: 'before-line' | 'after-line' | 'after-bytes'; nth: number }

/** A step of the search: a deed, beside at most one trouble of each endpoint, or one death. */
export type Step = { deed: Deed; stances: Stances; death?: Death }

const WELL: Stances = [HONEST, HONEST]
/** Blocks that an endpoint lags behind. */
const LAG = 2

/** What may go wrong at any endpoint without a lie. */
export const TROUBLES: readonly Stance[] = [
  { ...HONEST, silent: 'refuses' },
  { ...HONEST, silent: 'hangs' },
  { ...HONEST, lag: LAG },
  { ...HONEST, bytes: 'keeps' },
]

/** An endpoint that tells one lie. */
const LYING = Object.fromEntries(LIES.map((lie) => [lie, { ...HONEST, lies: [lie] }])) as unknown as Readonly<
  Record<Lie, Stance>
>

/** Which answers a lie changes. */
export const CHANGES: Readonly<Record<Lie, readonly string[]>> = {
  'receipt-success': ['receipt'],
  'receipt-reverted': ['receipt'],
  'hides-receipt': ['receipt'],
  'nonce-high': ['nonce', 'finalNonce', 'pending'],
  'nonce-low': ['nonce', 'finalNonce', 'pending'],
  'pending-high': ['pending'],
  'pending-low': ['pending'],
  'withholds-deposits': ['deposits'],
  'invents-own-deposit': ['deposits'],
  'invents-other-deposit': ['deposits'],
  'invents-nameless-deposit': ['deposits'],
  'finalized-ahead': ['finalized', 'finalNonce'],
  'finalized-behind': ['finalized', 'finalNonce'],
  knows: ['transaction'],
  'knows-not': ['transaction', 'deposits'],
  'drops-bytes': ['give'],
  'refuses-and-takes': ['give'],
}

/** Of what a search tries only a part may be tried, and that deeper. */
export type Alphabet = {
  /** Deeds, by their kind, and by the key or the act by hand; all where none are named. */
  deeds?: readonly string[]
  /** Lies of the endpoint that may lie; all where none are named. */
  lies?: readonly Lie[]
  /** Troubles of any endpoint that are no lies, by what they are; all where none are named. */
  troubles?: readonly ('refuses' | 'hangs' | 'lag' | 'keeps')[]
  deaths?: boolean
}

/** What an endpoint was asked while something happened, and what was written and given at each computer. */
export type Noted = { asked: readonly Set<string>[]; lines: number[]; given: number[] }

/** Everything that can happen now, with all well meanwhile. */
export function deedsOf(world: World, { deeds }: Alphabet = {}): Deed[] {
  const all = everyDeed(world)
  return deeds === undefined ? all : all.filter((deed) => namesOf(deed).some((one) => deeds.includes(one)))
}

function namesOf(deed: Deed): readonly string[] {
  if (deed.do === 'key') return ['key', deed.key]
  return deed.do === 'by-hand' ? ['by-hand', deed.what] : [deed.do]
}

function everyDeed(world: World): Deed[] {
  const { chain, computers, endpoints, sent } = world
  const deeds: Deed[] = [{ do: 'slot', empty: false }]
  const pools = [chain.pool, ...endpoints.map((one) => one.own().pool)]
  const isWaiting = pools.some((pool) => pool.length > 0)
  if (isWaiting) deeds.push({ do: 'slot', empty: true })
  for (const [at, { program }] of computers.entries()) {
    const who = at === 0 ? 0 : 1
    if (program === undefined) deeds.push({ do: 'start', who })
    else {
      for (const key of (program as DeskProgram).keys()) deeds.push({ do: 'key', who, key })
      deeds.push({ do: 'end', who })
    }
  }
  const next = chain.nonceAt(ACCOUNT, chain.head())
  const own = computers[0]?.program?.told().nonce
  for (const what of ['pay', 'cancel'] as const) {
    deeds.push({ do: 'by-hand', what, same: false })
    if (own !== undefined && own > next) deeds.push({ do: 'by-hand', what, same: true })
  }
  deeds.push({ do: 'by-hand', what: 'other-pays', same: false })
  if (computers.some(({ program }) => program?.shown() !== undefined))
    deeds.push({ do: 'by-hand', what: 'send-shown', same: false })
  const isDeposit = chain.deposits(chain.head() - 1, chain.head()).length > 0
  const isUsed = chain.nonceAt(ACCOUNT, chain.head()) > chain.nonceAt(ACCOUNT, chain.finalized())
  // What is final here counts slots, and with thresholds of two a second such block within them would be two too many.
  if ((isDeposit || isUsed) && chain.reorgs() === 0)
    deeds.push({ do: 'reorg', vanish: false }, { do: 'reorg', vanish: true })
  if (isWaiting) deeds.push({ do: 'forget', all: true })
  if (chain.pool.length > 0) deeds.push({ do: 'forget', all: false })
  const seen = new Set<string>()
  for (const [which, tx] of sent.entries()) {
    if (seen.has(tx.hash) || tx.nonce < chain.nonceAt(tx.from, chain.head())) continue
    if (chain.pool.some(({ hash }) => hash === tx.hash)) continue
    seen.add(tx.hash)
    deeds.push({ do: 'resend', which })
  }
  return deeds
}

/**
 * The same deed with what may go wrong meanwhile: a lie of the endpoint that may lie, beside every state of the other one,
 * or a death at each line and each giving of bytes. What nobody asked for, when all was well, changes nothing.
 */
export function troublesOf(world: World, deed: Deed, noted: Noted, alphabet: Alphabet = {}): Step[] {
  const { liar } = world.setting
  const byEndpoint = world.endpoints.map((_, at) => {
    const asked = noted.asked[at] ?? new Set()
    if (asked.size === 0) return [HONEST]
    const plain = TROUBLES.filter(
      (one) =>
        (!isAboutBytes(one) || asked.has('give')) &&
        (alphabet.troubles?.includes(nameOfTrouble(one)) ?? true),
    )
    if (at !== liar) return [HONEST, ...plain]
    const lies = (alphabet.lies ?? LIES).filter((lie) => CHANGES[lie].some((what) => asked.has(what)))
    return [HONEST, ...plain, ...lies.map((lie) => LYING[lie])]
  })
  const [first = [], second = []] = byEndpoint
  const steps: Step[] = []
  for (const one of first)
    for (const other of second)
      if ((one !== HONEST || other !== HONEST) && mayMeet(one, other))
        steps.push({ deed, stances: [one, other] })
  if (alphabet.deaths === false) return steps
  for (const who of [0, 1] as const) {
    const [lines = 0, given = 0] = [noted.lines[who], noted.given[who]]
    for (let nth = 1; nth <= lines; nth += 1)
      for (const at of ['before-line', 'after-line'] as const)
        steps.push({ deed, stances: WELL, death: { who, at, nth } })
    for (let nth = 1; nth <= given; nth += 1)
      steps.push({ deed, stances: WELL, death: { who, at: 'after-bytes', nth } })
  }
  return steps
}

/** What becomes of bytes at one endpoint is tried while the other one is well. */
export const mayMeet = (one: Stance, other: Stance): boolean =>
  one === HONEST || other === HONEST || ![one, other].some(isAboutBytes)

export const nameOfTrouble = ({ lag, silent, bytes }: Stance): 'refuses' | 'hangs' | 'lag' | 'keeps' => {
  if (lag > 0) return 'lag'
  if (silent !== 'no') return silent
  return bytes === 'keeps' ? 'keeps' : 'refuses'
}

export const isAboutBytes = ({ silent, bytes }: Stance): boolean => silent === 'hangs' || bytes === 'keeps'

/** A deed while all is well. */
export const wellStep = (deed: Deed): Step => ({ deed, stances: WELL })

/** Takes a step. */
export async function take(world: World, { deed, stances, death }: Step): Promise<void> {
  const { endpoints, computers } = world
  for (const [at, one] of endpoints.entries()) {
    const stance = stances[at === 0 ? 0 : 1]
    // A slot without a lie, and what was made up before is forgotten.
    one.behave(stance, { stands: deed.do !== 'slot' || stance.lies.length > 0 })
  }
  const dying = death === undefined ? undefined : computers[death.who]
  if (dying !== undefined && death !== undefined) dying.crash = { at: death.at, nth: death.nth }
  await carry(world, deed)
  if (dying !== undefined) dying.crash = undefined
  for (const one of endpoints) one.behave(HONEST, { stands: true })
}

async function carry(world: World, deed: Deed): Promise<void> {
  switch (deed.do) {
    case 'slot':
      return slot(world, deed.empty)
    case 'key': {
      const computer = world.computers[deed.who]
      if (computer !== undefined) await strike(world, computer, deed.key)
      return
    }
    case 'start':
      return carryOut(world, { do: 'restart', who: deed.who })
    case 'end':
      return carryOut(world, { do: 'crash', who: deed.who, at: 'now', nth: 1 })
    default:
      return carryOut(world, deed)
  }
}

async function strike(world: World, computer: Computer, key: Key): Promise<void> {
  const program = computer.program as DeskProgram | undefined
  if (program === undefined || !program.keys().includes(key)) return
  await alive(computer, () => program.strike(key))
  await look(world)
}
