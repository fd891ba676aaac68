import { createHeadAlarm } from '../../clients/heads.ts'
import type { SetSnapshot } from '../../consensus/snapshot.ts'
import { BaseError } from '../../errors/base.ts'
import { formatMinute } from '../../format/amount.ts'
import { record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { jsonText } from '../../format/strict-json.ts'
import { offeredValue } from '../../network/offered.ts'
import { loadWatchConfig } from '../../notify/config.ts'
import { type AlarmView, alarmView, type InDanger, worstFirst } from '../../watch/alarm-view.ts'
import { inDanger } from '../../watch/drops-out.ts'
import type { AlarmId, WatchEvent } from '../../watch/event.ts'
import { isWorthKeeping, keptMemory, memoryOf } from '../../watch/keep.ts'
import { createLooker } from '../../watch/look.ts'
import type { Heard, LookInput } from '../../watch/look-input.ts'
import { type Alarm, emptyMemory, type WatchMemory } from '../../watch/memory.ts'
import { limitsOf, type Sighting, type Watched, type WatchLimits } from '../../watch/sighting.ts'
import { acknowledge, watchTransition } from '../../watch/transition.ts'
import { known } from '../observation.ts'
import { clientsOf, type World } from '../world.ts'
import { alarmsPath } from './checklist.ts'
import type { PastAlarm, StatusEvent, StatusState } from './machine.ts'
import { keptFile } from './seen-commands.ts'
import { type Situation, situationOf } from './situation.ts'
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

type SetSeen = SetSnapshot | undefined | Promise<SetSnapshot | undefined>

/** The alarms of one validator, look by look. */
export type AlarmLook = {
  /**
   * Looks once by the rules of the command `watch`, tells which alarms stand, and gives what was heard. The set is awaited
   * once everything else of the look was asked.
   */
  look(set: SetSeen): Promise<Heard>
  /** Keeps what was seen for runs to come. */
  end(): Promise<void>
}

/**
 * Makes the looks for alarms. The set that they rest on, and the peers, are asked for by others. What was seen is kept for
 * runs to come: an alarm goes on under its first time, and what changed in between is found.
 */
export async function createAlarmLook(
  world: World<StatusEvent>,
  getState: () => StatusState,
  pubkey: Hex,
): Promise<AlarmLook> {
  const { setup } = world
  const { network } = setup
  const watched = { pubkey, name: TEXT.alarm.about }
  const peers = () => offeredValue(known(getState().seen.peers))
  let set: SetSeen
  const looker = lookerOf(world, watched, { set: () => set, peers })
  const limitsNow = limitsReader(world)
  const wizardOptions = setup.own?.wizard ?? setup.own?.options ?? []
  const file = keptFile(world, 'alarms', record({ memory: memoryOf(network) }))
  let memory: WatchMemory = (await file?.read())?.memory ?? emptyMemory(network)
  let written: WatchMemory | undefined
  let past: PastAlarm | undefined
  let told: string | undefined
  /** With what somebody took for known since the last look was told. */
  const acknowledged = () =>
    getState().alarms.reduce(
      (all, { id, acknowledged }) => (acknowledged ? acknowledge(all, id) : all),
      memory,
    )
  const keep = async () => {
    if (file === undefined || (written !== undefined && !isWorthKeeping(memory, written))) return
    await file.write({ memory: keptMemory(memory) })
    written = memory
  }
  return {
    async look(now) {
      set = now
      const sighting = await looker.look(memory)
      const { limits, limitsFault } = await limitsNow()
      const context = { network, wizardOptions, limits }
      const next = watchTransition(acknowledged(), sighting, context)
      memory = next.memory
      const danger = inDanger(watched, { memory, sighting, context })
      const isToldHere = toldHere(limits, situationOf(getState(), world.facts(), setup))
      past = pastAlarm(next.events.filter(isToldHere)) ?? past
      const alarms = worstFirst(memory.alarms)
        .filter(isToldHere)
        .map((alarm) => standing(alarm, sighting))
      const said = { alarms, past, limitsFault, inDanger: danger && asSaid(danger) }
      const text = jsonText(said)
      if (text !== told) await world.dispatch({ step: 'status', type: 'alarmed', ...said })
      told = text
      await keep()
      return looker.heard()
    },
    async end() {
      memory = acknowledged()
      if (written !== undefined) await keep()
    },
  }
}

/** Looks slot by slot. What a look hears the other questions of the step rest on; the set they read is the one of the look. */
export async function watchAlarms(
  world: World<StatusEvent>,
  getState: () => StatusState,
  beats: Beating,
): Promise<void> {
  const { effects, setup, signal } = world
  const pubkey = await pubkeyOf(world, beats)
  const pause = createHeadAlarm(clientsOf(world), { clock: effects.clock, slotMs: setup.network.slotMs })
  const alarms = await createAlarmLook(world, getState, pubkey)
  try {
    for (let isFirst = true; ; isFirst = false) {
      beats.tell(await alarms.look(getState().lastSnapshot))
      // With the first answers of the others the first look is whole.
      await (isFirst ? Promise.race([pause.wait(signal), beats.firstUse]) : pause.wait(signal))
    }
  } finally {
    await alarms.end()
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
  watched: Watched,
  elsewhere: NonNullable<LookInput['elsewhere']>,
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
    validators: [watched],
    isOwnTransaction,
    elsewhere,
  })
}

type Limited = { limits: WatchLimits; limitsFault: string | undefined }

/** The file hardly ever changes, and is read again so often. */
const SLOTS_BETWEEN_LIMITS = 15

/**
 * The limits of the configuration that a watch of this validator would have; where that cannot be used, those without one,
 * and why.
 */
function limitsReader({
  effects: { files, clock },
  setup,
}: Pick<World<never>, 'effects' | 'setup'>): () => Promise<Limited> {
  const path = alarmsPath(setup)
  const everyMs = SLOTS_BETWEEN_LIMITS * setup.network.slotMs
  let last: { atMs: number; found: Limited } | undefined
  const read = async (): Promise<Limited> => {
    try {
      const isThere = (await files.facts(path)) !== undefined
      const config = isThere ? (await loadWatchConfig(files, path)).config : undefined
      return { limits: limitsOf(config), limitsFault: undefined }
    } catch (thrown) {
      if (!(thrown instanceof BaseError)) throw thrown
      return { limits: limitsOf(undefined), limitsFault: TEXT.alarm.limitsFault(thrown.shortMessage, path) }
    }
  }
  return async () => {
    const atMs = clock.monotonicMs()
    if (last === undefined || atMs - last.atMs >= everyMs) last = { atMs, found: await read() }
    return last.found
  }
}

/** What is about the place itself the screen tells by the same outlook: in title, money and problem. */
const TOLD_BY_SCREEN: readonly AlarmId[] = ['drops-out', 'dropped-out', 'exit-begun']

/** Which alarms are told as such. Of the margin the screen knows only what one deposit can lift, and no limit of the user. */
function toldHere(
  { marginGwei, marginPlaces, marginEpochs }: WatchLimits,
  situation: Situation,
): (alarm: Pick<Alarm, 'alarm' | 'id'>) => boolean {
  const isLimited = marginGwei > 0n || marginPlaces !== undefined || marginEpochs !== undefined
  const isSaid = 'margin' in situation && situation.margin.is === 'thin'
  return ({ alarm, id }) => {
    if (alarm === 'margin') return isLimited && !isSaid
    return !TOLD_BY_SCREEN.includes(alarm) || id.includes('/part/')
  }
}

function standing(alarm: Alarm, { atMs }: Sighting): AlarmView {
  const view = alarmView(alarm, { nowMs: atMs })
  return { ...view, title: asSentence(view.title) }
}

function asSaid({ instead, ...danger }: InDanger): InDanger {
  return { ...danger, instead: instead && { ...instead, title: asSentence(instead.title) } }
}

/** Words may begin with what the validator is called. */
const asSentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

function pastAlarm(events: readonly WatchEvent[]): PastAlarm | undefined {
  const last = events.findLast(({ change }) => change === 'cleared')
  return last && { title: asSentence(last.title), at: formatMinute(last.atMs) }
}
