import { inDanger } from '../../../watch/drops-out.ts'
import { isWorthKeeping, keptMemory, memoryOf } from '../../../watch/keep.ts'
import { loadWatchConfig } from '../../../watch/notify/config.ts'
import { alarmView, worstFirst } from '../../../watch/shown-alarm.ts'
import { acknowledge, watchTransition } from '../../../watch/transition.ts'
import { BaseError } from '../../base/errors/base.ts'
import { formatMinute } from '../../base/format/amount.ts'
import { record } from '../../base/format/decode.ts'
import { jsonText } from '../../base/format/strict-json.ts'
import { type Alarm, emptyMemory, type WatchMemory } from '../../observe/memory.ts'
import { limitsOf, type Sighting, type Watched, type WatchLimits } from '../../observe/sighting.ts'
import type { CommandContext } from '../../observe/world.ts'
import type { AlarmId, WatchEvent } from '../../view/alarm-event.ts'
import type { AlarmView, InDanger } from '../../view/alarm-view.ts'
import { alarmsPath } from './checklist.ts'
import type { PastAlarm, StatusEvent, StatusState } from './machine.ts'
import { keptFile } from './seen-commands.ts'
import { type Situation, situationOf } from './situation.ts'
import { STATUS_TEXT as TEXT } from './text.ts'

/** The alarms of one validator, look by look. */
export type Alarms = {
  /** What is remembered of the looks before. */
  memory(): WatchMemory
  /** Takes in what a look saw, by the rules of the command `watch`, and tells which alarms stand. */
  tell(sighting: Sighting): Promise<void>
  /** Keeps what was seen for runs to come. */
  end(): Promise<void>
}

/**
 * Opens what is known of the alarms of a validator. What was seen is kept for runs to come: an alarm goes on under its first
 * time, and what changed in between is found.
 */
export async function openAlarms(
  world: CommandContext<StatusEvent>,
  getState: () => StatusState,
  watched: Watched,
): Promise<Alarms> {
  const { setup } = world
  const { network } = setup
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
    memory: () => memory,
    async tell(sighting) {
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
    },
    async end() {
      memory = acknowledged()
      if (written !== undefined) await keep()
    },
  }
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
}: Pick<CommandContext<never>, 'effects' | 'setup'>): () => Promise<Limited> {
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
