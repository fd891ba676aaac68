import { type Chain, createChain, GENESIS_MS, SLOT_MS, type Tx } from './chain.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import { createJudge, type Judge } from './judge.ts'
import { type Adapter, Died, type Host, type Line, type Offer, type Program } from './program.ts'
import type { Setting } from './schedule.ts'
import { createStory, type Story } from './story.ts'

/** What a payment is of, in whole tokens. */
export const AMOUNT = 20_000

/** A computer, with what a crash leaves of it. */
export type Computer = {
  lines: Line[]
  locks: Map<string, object>
  program: Program | undefined
  /** A crash to come: where, and after how many more times. */
  crash: { at: 'before-line' | 'after-line' | 'after-bytes'; nth: number } | undefined
}

/** A chain, its endpoints, the computers on which the program runs, and whoever watches. */
export type World = {
  adapter: Adapter
  setting: Setting
  chain: Chain
  endpoints: readonly [Endpoint, Endpoint]
  computers: readonly Computer[]
  judge: Judge
  story: Story
  /** Everything that ever left, in the order of leaving. */
  sent: Tx[]
  hand: { count: number }
}

/** A world in which nothing has happened yet. `tells`: its story is written down. */
export function createWorld(
  adapter: Adapter,
  setting: Setting,
  { tells, slotsOfALook }: { tells: boolean; slotsOfALook?: number },
): World {
  const chain = createChain(setting.kind)
  const invented = { call: setting.kind, amount: AMOUNT }
  const endpoints = [
    createEndpoint(chain, 'first', invented),
    createEndpoint(chain, 'second', invented),
  ] as const
  const computers = Array.from({ length: setting.computers }, () => ({
    lines: [],
    locks: new Map<string, object>(),
    program: undefined,
    crash: undefined,
  }))
  const judge = createJudge(chain, endpoints, setting, slotsOfALook)
  const story = createStory({ tells, setting, chain, endpoints, computers, adapter: adapter.name })
  return { adapter, setting, chain, endpoints, computers, judge, story, sent: [], hand: { count: 0 } }
}

/** Keeps the moment of a whole world, for programs that can keep theirs; what it returns brings it back. */
export function keepWorld({ chain, endpoints, computers, judge, sent, hand }: World): () => void {
  const count = { sent: [...sent], hand: hand.count }
  const all = [chain.keep(), judge.keep(), ...endpoints.map((one) => one.keep())]
  for (const computer of computers) {
    const { program, crash, lines } = computer
    const kept = { lines: [...lines], locks: [...computer.locks], crash: crash && { ...crash } }
    const ofProgram = program?.keep?.()
    all.push(() => {
      computer.lines = [...kept.lines]
      computer.program = program
      computer.crash = kept.crash && { ...kept.crash }
      computer.locks.clear()
      for (const [name, holder] of kept.locks) computer.locks.set(name, holder)
      ofProgram?.()
    })
  }
  return () => {
    sent.splice(0, sent.length, ...count.sent)
    hand.count = count.hand
    for (const back of all) back()
  }
}

/** What an instance gets of the world. */
function hostOf(world: World, computer: Computer): Host {
  const { chain, endpoints, setting, judge, story, sent } = world
  const who = world.computers.indexOf(computer)
  const isDue = (at: NonNullable<Computer['crash']>['at']): boolean => {
    const { crash } = computer
    if (crash?.at !== at) return false
    crash.nth -= 1
    if (crash.nth > 0) return false
    computer.crash = undefined
    story.note(who, `the program dies ${at.replace('-', ' ')}`)
    return true
  }
  return {
    chain,
    endpoints,
    kind: setting.kind,
    signedBy: setting.signedBy,
    amount: AMOUNT,
    startedAtMs: timeOf(chain),
    locks: computer.locks,
    lines: () => computer.lines,
    append(line) {
      if (isDue('before-line')) throw new Died('before a line')
      computer.lines.push(line)
      const tx = line.hash === undefined ? undefined : chain.signed.get(line.hash)
      if (tx !== undefined) judge.durable(who, tx)
      story.note(who, `writes “${line.type}”`)
      if (isDue('after-line')) throw new Died('after a line')
    },
    give(at, hash) {
      const tx = chain.signed.get(hash)
      if (tx === undefined) throw new Error(`unknown bytes ${hash}`)
      judge.given(who, tx, computer.lines)
      sent.push(tx)
      const answer = endpoints[at].give(tx)
      story.note(who, `gives ${nameOf(tx)} to the ${endpoints[at].name} endpoint: ${answer}`)
      if (isDue('after-bytes')) throw new Died('after bytes left')
      return answer
    },
    signed(tx, kind) {
      chain.signed.set(tx.hash, tx)
      story.note(who, `has signed ${nameOf(tx)} (${kind})`)
      judge.signed(who, tx, kind)
    },
    agreed(agreed) {
      story.note(who, `agreed to ${agreed.amount}, stake to be ${agreed.stakeToBe}, block ${agreed.block}`)
      judge.agreed(who, agreed)
    },
    exported: (tx, kind) => judge.exported(who, tx, kind),
    asked: () => judge.asked(who),
    looked: () => judge.looked(who),
  }
}

const nameOf = ({ call, nonce, hash }: Tx) => `${call} ${hash.slice(0, 10)} nonce ${nonce}`

export const timeOf = (chain: Chain): number => GENESIS_MS + chain.head() * SLOT_MS

/** Starts the program with what is in its journal. */
export async function start(world: World, computer: Computer): Promise<void> {
  const who = world.computers.indexOf(computer)
  computer.crash = undefined
  world.judge.started(who)
  await alive(computer, async () => {
    computer.program = await world.adapter.start(hostOf(world, computer))
  })
  await look(world)
}

/** Carries something out in an instance; where the program dies on the way, it is gone. */
export async function alive(computer: Computer, what: () => void | Promise<void>): Promise<void> {
  try {
    const doing = what()
    if (doing instanceof Promise) await doing
  } catch (thrown) {
    if (!(thrown instanceof Died)) throw thrown
    end(computer)
  }
}

/** The program is left, or has died: its locks are free again. */
export function end(computer: Computer): void {
  computer.program?.end()
  computer.program = undefined
  computer.locks.clear()
}

/** What every instance tells and shows now is judged. */
export async function look({ computers, judge, story, adapter, chain }: World): Promise<void> {
  for (const [who, { program }] of computers.entries()) {
    if (program === undefined) continue
    const shown = program.shown()
    if (shown !== undefined) {
      const tx = await adapter.sign(shown, chain)
      judge.exported(who, tx, shown.kind)
    }
    const told = program.told()
    story.told(who, told)
    judge.told(who, told)
  }
}

/** A slot passes, with a block that may be empty. */
export async function slot(world: World, isEmpty: boolean): Promise<void> {
  const { chain, endpoints, computers, judge } = world
  for (const one of endpoints) one.gossip()
  chain.makeBlock(isEmpty)
  for (const one of endpoints) one.gossip()
  judge.block()
  for (const computer of computers) {
    const { program } = computer
    if (program !== undefined) await alive(computer, () => program.slot(timeOf(chain)))
  }
  await look(world)
}

/** The person takes what is offered; false where it is not. */
export async function press(world: World, computer: Computer, offer: Offer): Promise<boolean> {
  const { program } = computer
  if (program === undefined || !program.offers().includes(offer)) return false
  const who = world.computers.indexOf(computer)
  world.story.pressed(who, offer)
  await alive(computer, () => program.press(offer))
  await look(world)
  return true
}
