import { formatMinute } from '../../base/format/amount.ts'
import { jsonText } from '../../base/format/strict-json.ts'
import { type Alarms, alarmsPath, alarmView, type KeepGuard, type OpenAlarms } from '../../observe/alarms.ts'
import type { CommandContext } from '../../observe/context.ts'
import type { Alarm } from '../../observe/memory.ts'
import type { GuardStanding, NetworkPicture, Watched, WatchLimits } from '../../observe/picture.ts'
import type { LeaveAnswers } from '../../pay/leave/facts.ts'
import type { AlarmId, WatchEvent } from '../../view/alarm-event.ts'
import type { AlarmView, InDanger } from '../../view/alarm-view.ts'
import type { PastAlarm, StatusEvent, StatusState } from './machine.ts'
import { type Situation, situationOf } from './situation.ts'
import { STATUS_TEXT as TEXT } from './text.ts'

/** What the commands of this step are given: a session's context, and what judges its looks. */
export type StatusContext = CommandContext<StatusEvent> & {
  /** What the journals here hold. */
  kept(): Promise<LeaveAnswers['open']['kept']>
  openAlarms: OpenAlarms
  keepGuard: KeepGuard
  /** The guards of the validator here, those that are over among them: their transactions are the own ones. */
  guardsSeen(): readonly Pick<GuardStanding, 'hashes'>[]
}

/** The alarms of the step, look by look. */
export type StepAlarms = {
  /** What is remembered of the looks before. */
  memory: Alarms['memory']
  /** Takes in what a look saw, by the rules of the command `watch`, and tells which alarms stand. */
  tell(picture: NetworkPicture): Promise<void>
  /** Keeps what was seen for runs to come. */
  end(): Promise<void>
}

/** Opens the alarms of the validator of the step. */
export async function openStepAlarms(
  context: StatusContext,
  getState: () => StatusState,
  watched: Watched,
): Promise<StepAlarms> {
  const { setup } = context
  const path = alarmsPath(setup)
  const alarms = await context.openAlarms(context, { watched, limitsPath: path })
  let past: PastAlarm | undefined
  let lastText: string | undefined
  /** What somebody took for known since the last look was told. */
  const known = () =>
    getState()
      .alarms.filter(({ acknowledged }) => acknowledged)
      .map(({ id }) => id)
  return {
    memory: () => alarms.memory(),
    async tell(picture) {
      const judged = await alarms.judge(picture, known())
      const { danger, limits, limitsFault: fault, memoryUnread } = judged
      const isToldHere = toldHere(limits, situationOf(getState(), context.facts(), setup))
      past = pastAlarm(judged.events.filter(isToldHere)) ?? past
      const standing = judged.alarms
        .filter((alarm) => isToldHere(alarm) && !isOnlyHeld(alarm))
        .map((alarm) => asShown(alarm, picture))
      const fileFaults = [
        ...(fault === undefined ? [] : [TEXT.alarm.limitsFault(fault.shortMessage, path)]),
        ...(memoryUnread === undefined ? [] : [TEXT.alarm.memoryUnread(memoryUnread)]),
      ]
      const { operator } = picture.validators.find(({ pubkey }) => pubkey === watched.pubkey) ?? {}
      const shown = { alarms: standing, past, fileFaults, inDanger: danger && asSaid(danger), operator }
      const text = jsonText(shown)
      if (text !== lastText) await context.dispatch({ step: 'status', type: 'alarmed', ...shown })
      lastText = text
    },
    end: () => alarms.end(known()),
  }
}

/** Channels aren't told at once that an alarm is over; who looks at the screen is. One that came again says so itself. */
const isOnlyHeld = ({ quietSinceMs, spells }: Alarm): boolean =>
  quietSinceMs !== undefined && spells === undefined

/** What is about the place itself the screen tells by the same outlook: in title, money and problem. */
const TOLD_BY_SCREEN: readonly AlarmId[] = ['drops-out', 'dropped-out', 'exit-begun']
/** Nothing is to be done about it, and the row of the guard says it. */
const TOLD_BY_ROW: AlarmId = 'guard-held'

/** Which alarms are told as such. Of the margin the screen knows only what one deposit can lift, and no limit of the user. */
function toldHere(
  { marginGwei, marginPlaces, marginEpochs }: WatchLimits,
  situation: Situation,
): (alarm: Pick<Alarm, 'alarm' | 'id'>) => boolean {
  const isLimited = marginGwei > 0n || marginPlaces !== undefined || marginEpochs !== undefined
  const isSaid = 'margin' in situation && situation.margin.is === 'thin'
  return ({ alarm, id }) => {
    if (alarm === 'margin') return isLimited && !isSaid
    if (alarm === TOLD_BY_ROW) return false
    return situation.is === 'unheard' || !TOLD_BY_SCREEN.includes(alarm) || id.includes('/part/')
  }
}

function asShown(alarm: Alarm, { atMs }: NetworkPicture): AlarmView {
  return { ...alarmView(alarm, { nowMs: atMs }), title: titleOf(alarm) }
}

function asSaid({ instead, ...danger }: InDanger): InDanger {
  return { ...danger, instead: instead && { ...instead, title: asSentence(instead.title) } }
}

/** Words may begin with what the validator is called. */
const asSentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The title of an alarm; where it is about no validator it may begin with the name of an endpoint, which stays as it is. */
const titleOf = ({ title, validator }: { title: string; validator?: unknown }): string =>
  validator === undefined ? title : asSentence(title)

function pastAlarm(events: readonly WatchEvent[]): PastAlarm | undefined {
  const last = events.findLast(({ change }) => change === 'cleared')
  return last && { title: titleOf(last), at: formatMinute(last.atMs) }
}
