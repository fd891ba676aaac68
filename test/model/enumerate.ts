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
import { type Going, keyOf, type Search, searchOf } from './search.ts'
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

/** Slots in which a way on must lead to an end. */
const SLOTS_TO_THE_END = 100

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
export async function createSearch(setting: Setting, options: SearchOptions = {}): Promise<Search<Step>> {
  return searchOf(await subjectOf(setting, options))
}

/** A payment in a setting, as it is searched. */
export async function subjectOf(setting: Setting, options: SearchOptions = {}): Promise<Going<Step>> {
  const bench = await createBench(setting, options)
  const { world } = bench
  const lively = new Set<string>()
  const judgesEnd = options.rules?.includes('e') ?? true
  let rest = SLOTS_AFTER_END

  /** What keeps a person who does what is offered from an end, once every endpoint is well; undefined where there is a way. */
  async function deadEnd(): Promise<Objection | undefined> {
    if (!judgesEnd) return undefined
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

  return {
    back() {
      rest = SLOTS_AFTER_END
      bench.back()
    },
    keep: () => keepWorld(world),
    take: (step) => take(world, step),
    undisturbed() {
      const program = world.computers[0]?.program as DeskProgram
      if (program.told().end === 'paid') rest -= 1
      return rest < 0 ? undefined : wellStep(undisturbed(world, program))
    },
    steps: () => deedsOf(world, options.alphabet).map(wellStep),
    forget: bench.forget,
    troubles: ({ deed }) => troublesOf(world, deed, bench.note(), options.alphabet),
    text: () => stateText(world),
    objection: bench.objection,
    deadEnd,
    told: () => tellings(world),
    nameOf: ({ deed }) => nameOf(deed),
  }
}

/** The run in which nothing goes wrong goes on for so many steps after its end. */
const SLOTS_AFTER_END = 2

/** A deed, without the number of what is sent again: which one that is depends on all that was ever sent. */
const nameOf = (deed: Deed) => (deed.do === 'resend' ? { do: deed.do } : deed)

/** How far each payment is, and what can be done about it. */
function tellings({ computers }: World): string {
  const each = computers.map(({ program }) => {
    const { end: ended, remembered } = program?.told() ?? {}
    return [ended, remembered, (program as DeskProgram | undefined)?.keys().join(',')].join(' ')
  })
  return each.join('; ')
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
