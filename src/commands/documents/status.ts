import type { Static } from 'typebox'
import {
  Asked,
  Count,
  Fields,
  Flag,
  Gwei,
  List,
  Name,
  OneOf,
  Place,
  Time,
  Words,
} from '../../core/base/format/shapes.ts'
import { ALARM_PART } from '../../watch/notify/event-shape.ts'
import { REPORT, StatusName, SUBJECT, ValidatorShape } from './parts.ts'

const POWER = { powerGwei: Gwei, height: Place, sameKey: Flag }

export const StatusShape = Fields({
  ...REPORT,
  ...SUBJECT,
  status: Asked(StatusName),
  rank: Asked(Count),
  places: Count,
  balanceGwei: Asked(Gwei),
  validator: Asked(ValidatorShape),
  engine: Asked(Fields({ ...POWER, totalGwei: Gwei, members: Count, catchingUp: Flag })),
  tool: Asked(Fields(POWER)),
  timeline: List(
    Fields({
      id: Name,
      state: OneOf(['done', 'now', 'ahead']),
      words: Fields({ label: Words, when: Words, detail: Words }),
    }),
  ),
  alarms: List(Fields({ ...ALARM_PART, since: Time, acknowledged: Flag })),
  operatorCommands: Asked(List(Name)),
})

export type StatusFields = Static<typeof StatusShape>
