import {
  AnyOf,
  Bytes,
  Count,
  Epoch,
  Fields,
  Maybe,
  Name,
  OneOf,
  Place,
  Time,
  Words,
} from '../../core/base/format/shapes.ts'
import { ALARMS, SEVERITIES } from '../../core/view/alarm-event.ts'

/** What an alarm is, in an event as in a list of those that stand. */
export const ALARM_PART = {
  id: Name,
  alarm: AnyOf(ALARMS),
  severity: OneOf(SEVERITIES),
  until: Maybe(Fields({ epoch: Epoch, slot: Place, at: Time })),
  words: Fields({ title: Words, what: Words, next: Maybe(Words) }),
}

/** One change of one alarm, as `watch --json` prints it and as the webhook gets it. */
const EVENT = {
  ...ALARM_PART,
  sequence: Count,
  change: OneOf(['fired', 'repeated', 'worse', 'cleared']),
  validator: Maybe(Fields({ pubkey: Bytes(48), index: Maybe(Place), name: Maybe(Name) })),
  droppedBefore: Count,
}

/** The shape of an event's document beside its head. */
export const EventShape = Fields(EVENT)
