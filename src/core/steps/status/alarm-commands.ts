import { createHeadAlarm } from '../../clients/heads.ts'
import type { SetSnapshot } from '../../consensus/snapshot.ts'
import { record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { jsonText } from '../../format/strict-json.ts'
import { type AlarmView, alarmView, timeView, worstFirst } from '../../watch/alarm-view.ts'
import type { AlarmId, WatchEvent } from '../../watch/event.ts'
import { isWorthKeeping, keptMemory, memoryOf } from '../../watch/keep.ts'
import { createLooker } from '../../watch/look.ts'
import type { Heard } from '../../watch/look-node.ts'
import { type Alarm, emptyMemory, type WatchMemory } from '../../watch/memory.ts'
import { LIMITS } from '../../watch/sighting.ts'
import { watchTransition } from '../../watch/transition.ts'
import { clientsOf, type World } from '../world.ts'
import type { PastAlarm, StatusEvent, StatusState } from './machine.ts'
import { keptFile } from './seen-commands.ts'
import { STATUS_TEXT as TEXT } from './text.ts'

/** What the looks for alarms hear slot by slot, for whoever asks more beside them. */
export type Beats = {
  /** Resolves with the newest look that was not made use of, else with the one to come. */
  next(): Promise<Heard>
  /** The first answers that rest on one are there. */
  used(): void
}

type Beating = Beats & { tell(heard: Heard): void; firstUse: Promise<void> }

/** A beat with each look. Who is busy meanwhile gets the newest one. */
export function createBeats(): Beating {
  const { promise: firstUse, resolve: used } = Promise.withResolvers<void>()
  let newest: Heard | undefined
  let resolveNext: ((heard: Heard) => void) | undefined
  return {
    firstUse,
    used,
    next() {
      const heard = newest
      newest = undefined
      if (heard !== undefined) return Promise.resolve(heard)
      const { promise, resolve } = Promise.withResolvers<Heard>()
      resolveNext = resolve
      return promise
    },
    tell(heard) {
      if (resolveNext === undefined) newest = heard
      else resolveNext(heard)
      resolveNext = undefined
    },
  }
}

/**
 * Looks slot by slot by the rules of the command `watch`, and tells which alarms stand for the validator. What a look hears
 * the other questions of the step rest on; the set they read is the one of the look. What was seen is kept for runs to
 * come: an alarm goes on under its first time, and what changed in between is found.
 */
export async function watchAlarms(
  world: World<StatusEvent>,
  getState: () => StatusState,
  beats: Beating,
): Promise<void> {
  const { effects, setup, signal } = world
  const { network } = setup
  const pubkey = await pubkeyOf(world, beats)
  const looker = lookerOf(world, pubkey, () => getState().lastSnapshot)
  const pause = createHeadAlarm(clientsOf(world), { clock: effects.clock, slotMs: network.slotMs })
  const context = { network, wizardOptions: setup.own?.options ?? [], limits: LIMITS }
  const file = keptFile(world, 'alarms', record({ memory: memoryOf(network) }))
  let memory: WatchMemory = (await file?.read())?.memory ?? emptyMemory(network)
  let written: WatchMemory | undefined
  let past: PastAlarm | undefined
  let told: string | undefined
  for (;;) {
    const next = watchTransition(memory, await looker.look(memory), context)
    memory = next.memory
    past = pastAlarm(next.events) ?? past
    const alarms = worstFirst(memory.alarms).filter(isForAlarms).map(standing)
    const isWhole = ['known', 'failed'].includes(getState().seen.snapshot.status)
    const text = jsonText({ alarms, past, isWhole })
    const isFirst = told === undefined
    if (text !== told) await world.dispatch({ step: 'status', type: 'alarmed', alarms, past })
    told = text
    if (file !== undefined && (written === undefined || isWorthKeeping(memory, written))) {
      await file.write({ memory: keptMemory(memory) })
      written = memory
    }
    beats.tell(looker.heard())
    // With the first answers of the others the first look is whole.
    await (isFirst ? Promise.race([pause.wait(signal), beats.firstUse]) : pause.wait(signal))
  }
}

/** The key of the validator, as soon as it is known; nothing is heard before. */
async function pubkeyOf({ effects, setup, facts }: World<StatusEvent>, beats: Beating): Promise<Hex> {
  for (;;) {
    const { pubkey } = facts().identity ?? {}
    if (pubkey !== undefined) return pubkey
    beats.tell({})
    await effects.clock.sleep(setup.network.slotMs)
  }
}

function lookerOf(
  { effects, setup, facts }: Pick<World<never>, 'effects' | 'setup' | 'facts'>,
  pubkey: Hex,
  set: () => SetSnapshot | undefined,
) {
  const { node, execution, secondExecution: second, engine } = setup.endpoints
  const isOwnTransaction = (hash: Hex) => {
    const { nonces = [], deposit, topup } = facts()
    return [deposit, topup, ...nonces].some((own) => own?.hash === hash)
  }
  return createLooker({
    effects,
    network: setup.network,
    endpoints: {
      node: [node],
      execution: second === undefined ? [execution] : [execution, second],
      engine: engine === undefined ? [] : [engine],
    },
    validators: [{ pubkey, name: TEXT.alarm.about }],
    isOwnTransaction,
    set,
  })
}

/** What is about the place itself the screen tells by the same outlook: in title, money and problem. */
const TOLD_BY_SCREEN: readonly AlarmId[] = ['drops-out', 'dropped-out', 'exit-begun', 'margin']

function isForAlarms({ alarm, id }: Pick<Alarm, 'alarm' | 'id'>): boolean {
  return !TOLD_BY_SCREEN.includes(alarm) || id.includes('/part/')
}

function standing(alarm: Alarm): AlarmView {
  const view = alarmView(alarm)
  return { ...view, title: asSentence(view.title) }
}

/** Words may begin with what the validator is called. */
const asSentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

function pastAlarm(events: readonly WatchEvent[]): PastAlarm | undefined {
  const last = events.findLast((event) => event.change === 'cleared' && isForAlarms(event))
  return last && { title: asSentence(last.title), at: timeView(last.atMs) }
}
