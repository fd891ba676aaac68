import { hash } from 'node:crypto'
import { deskAfter } from '../../src/core/pay/desk/desk.ts'
import { decide } from '../../src/core/pay/payment/decide.ts'
import { type Limits, THRESHOLDS } from '../../src/core/pay/payment/payment-picture.ts'
import { SLOT_MS } from './chain.ts'
import { type Endpoint, HONEST } from './endpoint.ts'
import {
  type Alphabet,
  type Deed,
  deedsOf,
  type Noted,
  type Step,
  take,
  troublesOf,
  wellStep,
} from './enumerate-actions.ts'
import { type DeskProgram, withDesk } from './enumerate-desk.ts'
import { stateText } from './enumerate-state.ts'
import type { DecideWithin } from './faults.ts'
import type { Objection } from './judge.ts'
import type { Adapter } from './program.ts'
import { pureBy } from './pure.ts'
import { act, isOutOfReach } from './run.ts'
import type { Setting } from './schedule.ts'
import { createWorld, end, keepWorld, slot, start, type World } from './world.ts'

/** The thresholds of the program in fewer slots, in the same order: what follows from one of them does so after fewer steps. */
export const SHORT: Limits = {
  ...THRESHOLDS,
  final: 1,
  lag: 1,
  betweenAttempts: 1,
  orphaned: 2,
  nonceTaken: 2,
  gap: 2,
  contradicted: 2,
  stuck: 3,
  look: 3,
  gateHoldsMs: 3 * SLOT_MS,
}

export type SearchOptions = {
  /** In the place of the program's own. */
  decideBy?: DecideWithin
  deskBy?: typeof deskAfter
  /** Rules that are judged; all where none are named. */
  rules?: readonly string[]
  /** Everything where none is named. */
  alphabet?: Alphabet
  limits?: Limits
}

/** What was found: the steps to it from the beginning. */
export type Found = { objection: Objection; steps: readonly Step[] }

/** Slots in which a way on must lead to an end. */
const SLOTS_TO_THE_END = 100

export type Search = {
  /** All states up to this many steps from the undisturbed run are known, and none was objected to. */
  depth(): number
  states(): number
  transitions(): number
  /** Of states that were reached in two ways some, with both. */
  merged(): readonly Pair[]
  /** Looks one step further; stops at the first objection, or once it is time: then the depth is not whole. */
  deeper(isTime: () => boolean): Promise<Found | undefined>
}

/** Two ways to one state. */
export type Pair = readonly [readonly Step[], readonly Step[]]

const MOST_PAIRS = 200

/** A state that is known: the steps to it are those to `from`, and `step`. */
type Place = { from: Place | undefined; step: Step | undefined }

type Bench = {
  world: World
  back(): void
  note(): Noted
  objection(): Objection | undefined
  forget(): void
}

/** A world in which every step can be taken back. */
export async function createBench(setting: Setting, options: SearchOptions = {}): Promise<Bench> {
  const { decideBy = (state, round, within) => decide(state, round, { limits: within }), rules } = options
  const { limits = SHORT } = options
  const pure = pureBy((state, round) => decideBy(state, round, limits))
  const ofDesk: Objection[] = []
  const adapter: Adapter = {
    ...pure,
    start: (host) =>
      withDesk(pure.start(host), host, {
        deskBy: options.deskBy ?? deskAfter,
        objects: (rule, words) => ofDesk.push({ rule, words }),
      }),
  }
  const world = createWorld(adapter, setting, { tells: false, slotsOfALook: limits.look })
  const asked = [new Set<string>(), new Set<string>()] as const
  world.endpoints = [noting(world, world.endpoints[0], asked[0]), noting(world, world.endpoints[1], asked[1])]
  const counted = () => world.computers.map(({ lines }) => lines.length)
  let before = { lines: counted(), sent: 0 }
  for (const computer of world.computers) await start(world, computer)
  const back = keepWorld(world)
  const isJudged = ({ rule }: Objection) => rules?.some((one) => rule.startsWith(one)) ?? true
  return {
    world,
    back() {
      ofDesk.length = 0
      back()
    },
    objection: () => [...world.judge.objections, ...ofDesk].find(isJudged),
    forget() {
      for (const one of asked) one.clear()
      ofDesk.length = 0
      before = { lines: counted(), sent: world.sent.length }
    },
    note: () => {
      const lines = counted().map((count, at) => count - (before.lines[at] ?? 0))
      const given = world.sent.length - before.sent
      return { asked: asked.map((one) => new Set(one)), lines, given: lines.map(() => given) }
    },
  }
}

const ASKED = [
  'answers',
  'head',
  'finalized',
  'nonce',
  'finalNonce',
  'pending',
  'receipt',
  'transaction',
  'deposits',
  'hasOperator',
  'give',
] as const satisfies readonly (keyof Endpoint)[]

/** The same endpoint, with what it was asked for noted. */
function noting({ chain }: World, endpoint: Endpoint, asked: Set<string>): Endpoint {
  const noted = { ...endpoint }
  for (const what of ASKED) {
    const real = endpoint[what] as (...args: unknown[]) => unknown
    const noting = (...args: unknown[]) => {
      asked.add(what)
      return real(...args)
    }
    Object.assign(noted, { [what]: noting })
  }
  return {
    ...noted,
    gossip() {
      if (chain.pool.length + endpoint.own().pool.length > 0) asked.add('give')
      endpoint.gossip()
    },
  }
}

/** A search through everything that can happen in a setting, breadth first, from every state of the undisturbed run. */
export async function createSearch(setting: Setting, options: SearchOptions = {}): Promise<Search> {
  const bench = await createBench(setting, options)
  const { world } = bench
  const known = new Map<string, Place>()
  const pairs: Pair[] = []
  let merges = 0
  const random = randomFrom(30)
  const lively = new Set<string>()
  let frontier: Place[] = []
  let next: Place[] = []
  let depth = -1
  let at = 0
  let transitions = 0

  const judgesEnd = options.rules?.includes('e') ?? true

  async function goTo(place: Place): Promise<void> {
    bench.back()
    for (const step of stepsTo(place)) await take(world, step)
    bench.forget()
  }

  /** The state of this moment: known, or to be looked at later. */
  async function arrive(place: Place, into: Place[]): Promise<Found | undefined> {
    transitions += 1
    const objection = bench.objection()
    if (objection !== undefined) return { objection, steps: stepsTo(place) }
    const key = keyOf(stateText(world))
    const before = known.get(key)
    if (before !== undefined) {
      merges += 1
      // Each merge has the same chance to be kept, and the same search keeps the same ones.
      const chance = Math.floor(random() * merges)
      if (pairs.length < MOST_PAIRS) pairs.push([stepsTo(before), stepsTo(place)])
      else if (chance < MOST_PAIRS) pairs[chance] = [stepsTo(before), stepsTo(place)]
      return undefined
    }
    known.set(key, place)
    into.push(place)
    const stuck = judgesEnd ? await deadEnd() : undefined
    return stuck && { objection: stuck, steps: stepsTo(place) }
  }

  /** What keeps a person who does what is offered from an end, once every endpoint is well; undefined where there is a way. */
  async function deadEnd(): Promise<Objection | undefined> {
    const back = keepWorld(world)
    const passed: string[] = []
    try {
      for (const one of world.endpoints) one.behave(HONEST)
      for (const other of world.computers.slice(1)) end(other)
      const [computer] = world.computers
      if (computer === undefined) return undefined
      if (computer.program === undefined) await start(world, computer)
      const program = computer.program as DeskProgram | undefined
      if (program?.opened() !== undefined) program.strike('leave')
      for (let count = 0; count < SLOTS_TO_THE_END; count += 1) {
        const told = computer.program?.told()
        const isOver = (told?.end === 'paid' && !told.remembered) || isOutOfReach(world)
        const key = keyOf(`${count % 8} ${stateText(world)}`)
        if (isOver || lively.has(key)) {
          for (const one of passed) lively.add(one)
          return undefined
        }
        passed.push(key)
        await act(world, computer, count)
        await slot(world, false)
        const objection = bench.objection()
        if (objection !== undefined) return objection
      }
      return { rule: 'e.stuck', words: `${computer.program?.told().words()}` }
    } finally {
      back()
    }
  }

  /** All states of the run in which nothing goes wrong, till it is paid and for two slots more. */
  async function begin(): Promise<Found | undefined> {
    bench.back()
    let place: Place = { from: undefined, step: undefined }
    const found = await arrive(place, next)
    if (found !== undefined) return found
    for (let count = 0, rest = 2; count < 30 && rest > 0; count += 1) {
      const program = world.computers[0]?.program as DeskProgram
      if (program.told().end === 'paid') rest -= 1
      const deed = undisturbed(world, program)
      const step = wellStep(deed)
      await take(world, step)
      place = { from: place, step }
      const odd = await arrive(place, next)
      if (odd !== undefined) return odd
    }
    return undefined
  }

  async function expand(place: Place): Promise<Found | undefined> {
    await goTo(place)
    const back = keepWorld(world)
    const deeds = deedsOf(world, options.alphabet)
    for (const deed of deeds) {
      bench.forget()
      const well = wellStep(deed)
      await take(world, well)
      const noted = bench.note()
      const found = await arrive({ from: place, step: well }, next)
      if (found !== undefined) return found
      back()
      for (const step of troublesOf(world, deed, noted, options.alphabet)) {
        await take(world, step)
        const other = await arrive({ from: place, step }, next)
        if (other !== undefined) return other
        back()
      }
    }
    return undefined
  }

  return {
    depth: () => depth,
    states: () => known.size,
    transitions: () => transitions,
    merged: () => pairs,
    async deeper(isTime) {
      if (depth < 0) {
        const found = await begin()
        if (found !== undefined) return found
        depth = 0
        frontier = next
        next = []
        return undefined
      }
      for (; at < frontier.length; at += 1) {
        if (isTime()) return undefined
        const place = frontier[at]
        const found = place === undefined ? undefined : await expand(place)
        if (found !== undefined) return found
      }
      depth += 1
      at = 0
      frontier = next
      next = []
      return undefined
    },
  }
}

/** What is done next where nothing goes wrong: what leads on, else a slot passes. */
function undisturbed({ setting, chain }: World, program: DeskProgram): Deed {
  const keys = program.keys()
  const key = (['word', 'sign', 'import', 'open agree'] as const).find((one) => keys.includes(one))
  if (key !== undefined) return { do: 'key', who: 0, key }
  const isSent = chain.pool.length > 0 || program.told().end !== undefined
  if (setting.signedBy === 'contract' && program.shown()?.isCall === true && !isSent)
    return { do: 'by-hand', what: 'send-shown', same: false }
  return { do: 'slot', empty: false }
}

function stepsTo(place: Place): Step[] {
  const steps: Step[] = []
  for (let one: Place | undefined = place; one !== undefined; one = one.from)
    if (one.step !== undefined) steps.push(one.step)
  return steps.reverse()
}

const keyOf = (text: string): string => hash('sha256', text, 'base64').slice(0, 16)

/** Numbers from 0 to 1, the same ones every time. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
