import { endedOf } from '../../src/core/pay/payment/candidates.ts'
import type { PaymentState } from '../../src/core/pay/payment/payment.ts'
import { validatorIsActive } from '../../src/core/steps/status/machine.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import type { BehaviorName } from '../../src/devnet/behaviors.ts'
import type { Branch } from './branches.ts'
import { payByHand } from './by-hand.ts'
import { beginDaemon, type Daemon } from './daemon.ts'
import { offerTo, stateOf } from './execution.ts'
import type { Objection } from './judge.ts'
import { beginLeaver, type Leaver } from './leaver.ts'
import { groundOf, type Role, SLOT_MS } from './network.ts'
import { randomOf } from './random.ts'
import { type Happening, LIES, type Schedule } from './schedule.ts'
import { CALM } from './user.ts'
import { beginWizard, type Wizard } from './wizard.ts'
import { createWorld, type Plants, type World } from './world.ts'

/** How a schedule went. */
export type Verdict = {
  objection: Objection | undefined
  story: string
  branches: ReadonlySet<Branch>
  slots: number
}

/** Slots in which everything is well and somebody does what is offered, until what was wanted is there. */
const SLOTS_TO_THE_END = 90
/** Slots of these in which a guard that is armed may do what it is for. */
const SLOTS_OF_GUARD = 40
/**
 * So many slots may pass without a block. The time of a block follows from its number here, which a real chain makes up for:
 * after more of them it would be told as standing still for ever.
 */
const MOST_LOST = 12
/** Slots after which a program that is gone is begun anew. */
const SLOTS_GONE = 2

type Playing = {
  world: World
  schedule: Schedule
  wizard: Wizard | undefined
  second: Wizard | undefined
  watch: Daemon | undefined
  leaver: Leaver | undefined
  wizards: number
  goneSince: number
  /** What lasts, with the slot in which it ends. */
  ends: { slot: number; end: () => void }[]
  /** What waits for an alarm. */
  delayed: Happening[]
  emptyUntil: number
  haltedUntil: number
  /** Slots in which no block came. */
  lost: number
  vanishes: boolean
  /** Whether the watch was ended for good. */
  isWatchOver: boolean
}

/** Plays a schedule in a world with planted faults, and judges it. */
export async function play(
  schedule: Schedule,
  { plants = {}, tells = false }: { plants?: Plants; tells?: boolean } = {},
): Promise<Verdict> {
  const ground = await groundOf(schedule.beginning)
  const random = randomOf(`world ${schedule.seed}`)
  const world = await createWorld(ground, {
    random,
    plants,
    tells,
    isGuarded: schedule.guard !== undefined,
    isCalm: schedule.happenings.every((one) => one.do === 'behave' || one.do === 'by-hand'),
    forger: schedule.forger,
    watchesOnly: schedule.watched !== undefined,
    isSteady: schedule.steady,
  })
  const { time, network, judge, story } = world
  const playing: Playing = {
    world,
    schedule,
    wizard: undefined,
    second: undefined,
    watch: undefined,
    leaver: undefined,
    wizards: 0,
    goneSince: 0,
    ends: [],
    delayed: [],
    emptyUntil: 0,
    haltedUntil: 0,
    lost: 0,
    vanishes: false,
    isWatchOver: false,
  }
  const verdict = (slots: number): Verdict => ({
    objection: judge.objections[0],
    story: story.text(),
    branches: story.branches,
    slots,
  })
  try {
    for (let warm = 0; warm < 2; warm += 1) await nextSlot(playing, -1)
    if (schedule.leaves !== undefined) playing.leaver = beginLeaver(world, schedule.leaves)
    if (hasWizard(schedule)) start(playing)
    if (schedule.withWatch) playing.watch = await beginDaemon(world, 'watch 1')
    let slot = 0
    for (; slot < schedule.slots && judge.objections.length === 0; slot += 1) {
      for (const one of playing.ends.filter((each) => each.slot <= slot)) one.end()
      playing.ends = playing.ends.filter((each) => each.slot > slot)
      const now = schedule.happenings.filter((each) => each.slot === slot)
      for (const one of [...playing.delayed.splice(0), ...now]) {
        const isDue =
          one.do !== 'fill-disk' || one.after === undefined || judge.ofSteadiness.stands(one.after)
        if (isDue) await happen(playing, { ...one, slot })
        else playing.delayed.push(one)
      }
      await nextSlot(playing, slot)
      await beginAnew(playing, slot)
    }
    slot = schedule.steady === true ? await calmDown(playing, slot) : await playOn(playing, slot)
    if (schedule.reopened !== undefined) slot = await playOn(playing, await reopen(playing, slot))
    return verdict(slot)
  } finally {
    for (const one of [playing.wizard, playing.second]) one?.process.kill()
    playing.watch?.process.kill()
    playing.leaver?.process.kill()
    void network
    void time
  }
}

/** Whether somebody is at the desk of a wizard. */
const hasWizard = ({ watched, leaves }: Schedule): boolean => watched === undefined && leaves === undefined

const poolsOf = ({ network }: World) => [
  network.pool,
  network.endpoints.execution.pool,
  network.endpoints.second.pool,
]

/** A block, and the time until the next one. */
async function nextSlot(playing: Playing, slot: number): Promise<void> {
  const { world, emptyUntil, haltedUntil, vanishes } = playing
  const { time, network, judge, story } = world
  if (slot < haltedUntil && playing.lost < MOST_LOST) playing.lost += 1
  else {
    if (vanishes) for (const one of poolsOf(world)) one.length = 0
    await followForged(world, slot < emptyUntil)
    const block = await network.slot({ empty: slot < emptyUntil })
    for (const { tx, success } of block.included)
      story.note(
        'chain',
        () =>
          `block ${block.number} holds nonce ${tx.nonce} of ${tx.from.slice(0, 6)}, ${tx.hash.slice(0, 10)}${success ? '' : ', without effect'}`,
      )
    judge.checkBlocks()
  }
  await time.passTo(time.nowMs() + SLOT_MS)
}

/** The forger's chain goes on: with what the true one has, or once it is shown with what the program sends there. */
async function followForged({ forged, isForged, network, ground }: World, empty: boolean): Promise<void> {
  if (forged === undefined) return
  const { nonce } = stateOf(ground.genesis, forged.blocks)
  const { execution, second } = network.endpoints
  for (const tx of isForged ? [] : [...network.pool, ...execution.pool, ...second.pool])
    offerTo(forged.pool, tx, nonce(tx.from))
  await forged.slot({ empty })
}

/** All endpoints show the forger's chain, in which somebody pays who never did. */
async function beginForging(
  playing: Playing,
  { slot, slots, makesUp }: Extract<Happening, { do: 'forge' }>,
): Promise<void> {
  const { world } = playing
  const { forged: network } = world
  if (network === undefined) throw new Error('a schedule that forges names its forger')
  world.isForged = true
  playing.ends.push({
    slot: slot + slots,
    end: () => {
      world.isForged = false
    },
  })
  for (const what of makesUp) await payByHand({ ...world, network }, what)
}

function start(playing: Playing, manners = playing.schedule.manners): void {
  playing.wizards += 1
  playing.wizard = beginWizard(playing.world, `wizard ${playing.wizards}`, manners)
}

const isGone = ({ wizard }: Playing): boolean =>
  wizard === undefined || wizard.process.isDead() || wizard.session.getState().journal.status === 'refused'

/** Who finds the program gone begins it anew after a while. */
async function beginAnew(playing: Playing, slot: number, isWell = false): Promise<void> {
  const { guard } = playing.schedule
  if (guard?.leaves === true && !isWell && playing.wizard?.user.hasGuard === true)
    return leaveToWatch(playing)
  if (!isGone(playing) || !hasWizard(playing.schedule)) playing.goneSince = slot
  else if (slot - playing.goneSince >= SLOTS_GONE) {
    await leave(playing)
    start(playing, isWell ? CALM : playing.schedule.manners)
    playing.goneSince = slot
  }
  await beginWatchAnew(playing, slot)
}

async function beginWatchAnew(playing: Playing, slot: number): Promise<void> {
  const { watch, schedule } = playing
  if (!schedule.withWatch || playing.isWatchOver || watch?.hasEnded() !== true) return
  playing.watch = await beginDaemon(playing.world, `watch ${slot}`)
}

/** The owner of a guard that is armed leaves it to the watch. */
async function leaveToWatch(playing: Playing): Promise<void> {
  const { wizard, world } = playing
  if (wizard?.process.isDead() === false) {
    world.story.note('WORLD', () => 'the user leaves the guard to the watch')
    await leave(playing)
  }
  await beginWatchAnew(playing, world.network.blocks.length)
}

/** Ends the wizard as its user does. */
async function leave({ wizard, world }: Playing): Promise<void> {
  if (wizard === undefined || wizard.process.isDead()) return
  wizard.user.leave()
  await Promise.race([wizard.session.stop().catch(() => undefined), world.time.settle()])
  wizard.process.kill()
}

async function happen(playing: Playing, one: Happening): Promise<void> {
  const { world } = playing
  const { story, network } = world
  story.note('WORLD', () => JSON.stringify(one))
  const last = (slots: number, end: () => void) => playing.ends.push({ slot: one.slot + slots, end })
  const processOf = (who: 'wizard' | 'watch') =>
    who === 'watch' ? playing.watch?.process : playing.wizard?.process
  switch (one.do) {
    case 'manner':
      world.manner[one.role] = one.manner
      last(one.slots, () => {
        world.manner[one.role] = 'answers'
      })
      return
    case 'behave':
      setBehavior(world, one)
      last(one.slots, () => {
        for (const role of one.roles) delete world.behaving[role]
      })
      return
    case 'lie': {
      const told = LIES[one.by][one.nth]
      if (told === undefined) return
      story.note('WORLD', () => `${one.by}: ${told.name}`)
      story.reached(`lie-of-${one.by}`)
      world.lie = { told, by: one.by }
      last(one.slots, () => {
        world.lie = undefined
      })
      return
    }
    case 'empty-blocks':
      playing.emptyUntil = one.slot + one.slots
      return
    case 'halt':
      playing.haltedUntil = one.slot + one.slots
      story.reached('chain-halted')
      return
    case 'fork': {
      const block = network.fork(one.who)
      world.judge.ofGuard.look(block)
      if (block.included.some(({ tx }) => tx.from === world.ground.plan.user.address))
        story.reached('reorg-of-our-payment')
      playing.vanishes = one.vanish
      playing.haltedUntil = one.slot + 1
      last(2, () => {
        playing.vanishes = false
      })
      return
    }
    case 'forget-pools':
      story.reached('pools-forgotten')
      for (const each of poolsOf(world)) each.length = 0
      return
    case 'lag':
      network.lag[one.who] = one.blocks
      last(one.slots, () => {
        network.lag[one.who] = 0
      })
      return
    case 'disk': {
      world.hadDiskTrouble = true
      const process = processOf(one.who)
      if (process === undefined) return
      const trouble = { fault: one.fault, chance: one.chance }
      process.trouble = trouble
      last(one.slots, () => {
        if (process.trouble === trouble) process.trouble = undefined
      })
      return
    }
    case 'fill-disk':
      world.hadDiskTrouble = true
      world.isDiskFull = true
      last(one.slots, () => {
        world.isDiskFull = false
      })
      return
    case 'die': {
      const process = processOf(one.who)
      if (process !== undefined) process.death = { ...one.death }
      return
    }
    case 'kill':
      processOf(one.who)?.kill()
      return
    case 'power':
      return world.losePower()
    case 'restart':
      if (one.who === 'watch') await playing.watch?.stop()
      else {
        await leave(playing)
        start(playing)
      }
      return
    case 'second-instance':
      playing.second?.process.kill()
      playing.second = beginWizard(world, 'second instance', CALM)
      return
    case 'clock':
      world.wall.offsetMs += one.jumpMs
      story.reached('clock-jumped')
      return
    case 'clock-stands':
      story.reached('clock-stood')
      world.wall.standsAtMs = world.time.nowMs() + world.wall.offsetMs
      last(one.slots, () => {
        world.wall.standsAtMs = undefined
      })
      return
    case 'by-hand':
      return payByHand(world, one.what)
    case 'forge':
      return beginForging(playing, one)
  }
}

function setBehavior(
  { behaving, network }: World,
  { roles, as: name }: { roles: readonly Role[]; as: BehaviorName },
): void {
  for (const role of roles) behaving[role] = { name, sinceBlock: BigInt(network.blocks.length - 1) }
}

/** Slots in which a finished journey is looked at again. */
const SLOTS_REOPENED = 16

/** The steps whose payment is told as paid. */
function paidIn({ wizard }: Playing): string[] {
  if (wizard === undefined) return []
  const { deposit, topup } = wizard.session.getState()
  return Object.entries({ deposit, topup: topup.send }).flatMap(([step, payment]) =>
    endedOf(payment)?.outcome.is === 'paid' ? [step] : [],
  )
}

/** Opens a finished journey again beside an endpoint that behaves so: nothing that was paid may be denied. */
async function reopen(playing: Playing, from: number): Promise<number> {
  const { world, schedule } = playing
  const { judge, story } = world
  const { reopened } = schedule
  if (reopened === undefined || judge.objections.length > 0) return from
  story.note('WORLD', () => `it is opened again: ${JSON.stringify(reopened)}`)
  const paid = paidIn(playing)
  setBehavior(world, reopened)
  await leave(playing)
  start(playing, CALM)
  const until = from + SLOTS_REOPENED
  let slot = from
  for (; slot < until && judge.objections.length === 0; slot += 1) {
    await nextSlot(playing, slot)
    await beginAnew(playing, slot, true)
  }
  const now = paidIn(playing)
  const denied = paid.filter((step) => !now.includes(step))
  if (denied.length > 0) judge.object('denied', `${denied.join(', ')} was paid: ${whereOf(playing)}`)
  // What is forgotten keeps nobody from proving the registration again.
  const isProven = playing.wizard?.session.facts().registration !== undefined
  if (reopened.as.startsWith('forgets-') && !isProven) judge.object('no-way-on', whereOf(playing))
  for (const role of reopened.roles) delete world.behaving[role]
  return slot
}

/** Everything is well, and somebody does what is offered. Answers in which slot it was over. */
async function playOn(playing: Playing, from: number): Promise<number> {
  const { world } = playing
  const { judge, story, network } = world
  if (judge.objections.length > 0) return from
  story.note('WORLD', () => 'everything is well from now on')
  for (const { end } of playing.ends) end()
  playing.ends = []
  playing.second?.process.kill()
  world.wall.offsetMs = 0
  playing.vanishes = false
  playing.emptyUntil = 0
  playing.haltedUntil = 0
  if (playing.wizard !== undefined) {
    playing.wizard.user.manners = { ...CALM }
    playing.wizard.process.death = undefined
  }
  if (playing.watch !== undefined) playing.watch.process.death = undefined
  let slot = from
  for (; slot < from + SLOTS_TO_THE_END && judge.objections.length === 0; slot += 1) {
    if (isReached(playing)) break
    if (slot === from + SLOTS_OF_GUARD && playing.schedule.guard !== undefined) await wantNonce(playing)
    await nextSlot(playing, slot)
    await beginAnew(playing, slot, true)
  }
  if (judge.objections.length > 0) return slot
  const lost = judge.undelivered()
  if (lost.length > 0) judge.object('alarm-lost', `told and never delivered: ${lost.join(', ')}`)
  if (!isReached(playing))
    judge.object('no-way-on', `after ${SLOTS_TO_THE_END} slots in which all was well: ${whereOf(playing)}`)
  judge.checkFiles()
  judge.checkSecrets()
  void network
  return slot
}

/** Slots in which a watch may be calm before an alarm is over that came again and again. */
const SLOTS_TO_CALM = 360
const SLOTS_OF_CALM = 34

/** Everything is well, and nobody does anything: what stood must end. Answers in which slot it did. */
async function calmDown(playing: Playing, from: number): Promise<number> {
  const { world } = playing
  const { judge, story } = world
  if (judge.objections.length > 0) return from
  story.note('WORLD', () => 'everything is well from now on')
  for (const { end } of playing.ends) end()
  playing.ends = []
  playing.haltedUntil = 0
  if (playing.watch !== undefined) playing.watch.process.death = undefined
  const isOver = () => judge.ofSteadiness.standing().length === 0 && judge.undelivered().length === 0
  let slot = from
  for (; slot < from + SLOTS_TO_CALM && judge.objections.length === 0; slot += 1) {
    if (slot >= from + SLOTS_OF_CALM && isOver()) break
    await nextSlot(playing, slot)
    await beginWatchAnew(playing, slot)
  }
  const lost = judge.undelivered()
  if (lost.length > 0) judge.object('alarm-lost', `told and never delivered: ${lost.join(', ')}`)
  const stand = judge.ofSteadiness.standing()
  if (stand.length > 0)
    judge.object('alternates', `after ${slot - from} slots in which all was well: ${stand.join(', ')}`)
  return slot
}

/** The guard has had its time: its watch ends, and the owner wants the nonce back. */
async function wantNonce(playing: Playing): Promise<void> {
  const { wizard, watch, world } = playing
  world.story.note('WORLD', () => 'the guard is to be over')
  playing.isWatchOver = true
  await watch?.stop()
  if (wizard !== undefined) wizard.user.wants = 'nonce'
}

/** What was wanted is paid for good, the validator is proven, nothing is under way, and every alarm has arrived. */
function isReached({ wizard, leaver, schedule, world }: Playing): boolean {
  if (leaver !== undefined) return leaver.isTold()
  if (schedule.watched !== undefined) {
    const { ofAlarms, ofGuard } = world.judge
    const isTold =
      schedule.watched === 'drops-out'
        ? ofGuard.isLost() && ofAlarms.stands('dropped-out')
        : !ofGuard.isLost() && !ofAlarms.stands('drops-out')
    return isTold && world.judge.undelivered().length === 0
  }
  if (wizard === undefined || wizard.process.isDead()) return false
  const { deposit, topup, status } = wizard.session.getState()
  if (schedule.guard !== undefined) {
    const { ofGuard } = world.judge
    const { here } = topup.guard
    const isTold = status.guard === undefined || status.guard.stand === 'over'
    const isOver =
      ofGuard.isUsed() === true && (isTold || (typeof here === 'object' && here.stand === 'over'))
    // A guard whose place is lost ends by itself; then nothing is left to do, and no key is offered.
    const isVain = ofGuard.isLost() && (isTold || status.guard?.stand === 'armed')
    return (isOver || isVain) && world.judge.undelivered().length === 0
  }
  const payment = schedule.beginning === 'new-key' ? deposit : topup.send
  const isPaid = isSettled(payment) || (payment.payment.phase === 'open' && payment.settled.length > 0)
  const isProven = wizard.session.facts().registration !== undefined
  return isPaid && isProven && world.judge.undelivered().length === 0
}

function isSettled(payment: PaymentState): boolean {
  const ended = endedOf(payment)
  return ended?.outcome.is === 'paid' && !ended.remembered
}

function whereOf({ wizard, world }: Playing): string {
  if (wizard === undefined || wizard.process.isDead()) return 'there is no wizard'
  const { session } = wizard
  const state = session.getState()
  const { title, actions, problem, facts, checks } = viewOf(state.step, state, session)
  const rows = [...facts, ...checks].filter(({ mark }) => mark !== 'proven' && mark !== 'given')
  return [
    `step ${state.step}, “${title}”`,
    problem === undefined ? 'no problem' : `${problem.id} ${problem.title}`,
    `keys ${actions.map(({ key, label }) => `${key} ${label}`).join(', ')}`,
    ...rows.map(({ mark, label, value }) => `${mark} ${label}: ${value}`),
    ...world.judge.undelivered().map((each) => `alarm ${each} never arrived`),
    `active ${validatorIsActive(state.status)}`,
  ].join('\n    ')
}
