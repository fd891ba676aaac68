import type { Finding } from '../core/observe/memory.ts'
import {
  GUARD_TROUBLES,
  type GuardStanding,
  type GuardTroubleId,
  heldElsewhereBy,
} from '../core/observe/picture.ts'
import type { AlarmId, Severity } from '../core/view/alarm-event.ts'
import type { About } from './endpoint-findings.ts'
import * as words from './guard-words.ts'

/** The alarm of each trouble. */
const ALARMS: Readonly<Record<GuardTroubleId, AlarmId>> = {
  nonce: 'guard-nonce',
  balance: 'guard-balance',
  cap: 'guard-cap',
  term: 'guard-term',
  fee: 'guard-fee',
  unproven: 'guard-unproven',
  blind: 'guard-blind',
  fork: 'guard-fork',
  'other-payment': 'guard-other-payment',
  'cannot-send': 'guard-cannot-send',
}

const SEVERITIES: Readonly<Record<GuardTroubleId, Severity>> = {
  nonce: 'critical',
  balance: 'warning',
  cap: 'critical',
  term: 'warning',
  fee: 'warning',
  unproven: 'critical',
  blind: 'critical',
  fork: 'critical',
  'other-payment': 'warning',
  'cannot-send': 'critical',
}

const STANDING: readonly AlarmId[] = ['guard-held', 'guard-unheld', 'guard-sent']

/**
 * Finds what keeps the guards here from helping, whether somebody holds them, and what they have handed over. Nothing is
 * found where nobody looked for guards.
 */
export function guardFindings({ picture, memory, context }: About): Finding[] {
  const { guards, unguarded } = picture
  if (guards === undefined) return []
  const about = (guard: GuardStanding) => {
    const watched = picture.validators.find(({ pubkey }) => pubkey === guard.pubkey) ?? guard
    return { validator: watched, guard, context }
  }
  const on = guards.flatMap((guard): Extract<Finding, { is: 'on' }>[] => {
    const { pubkey } = guard
    const shape = { subject: pubkey, is: 'on', degree: [], validator: { pubkey } } as const
    const told = about(guard)
    return [
      ...standing(guard).map(({ alarm, severity }) => ({
        ...shape,
        alarm,
        severity,
        ...words.standingWords(alarm, told),
      })),
      ...(guard.stand === 'over' ? [] : GUARD_TROUBLES)
        .filter((id) => guard.troubles.includes(id))
        .map((id) => ({
          ...shape,
          alarm: ALARMS[id],
          severity: SEVERITIES[id],
          ...words.troubleWords(id, told),
        })),
    ]
  })
  const off = memory.alarms.flatMap(({ alarm, subject, validator }): Finding[] => {
    if (!isOfGuard(alarm) || validator === undefined) return []
    if (on.some((each) => each.alarm === alarm && each.subject === subject)) return []
    const guard = guards.find(({ pubkey }) => pubkey === validator.pubkey)
    // One that was not looked at yet is as it was.
    if (guard === undefined && unguarded?.includes(validator.pubkey) !== true) return []
    return [{ is: 'off', alarm, subject, validator, words: () => words.overWords(guard, validator, context) }]
  })
  return [...on, ...off]
}

const isOfGuard = (alarm: AlarmId): boolean =>
  STANDING.includes(alarm) || GUARD_TROUBLES.some((id) => alarm === ALARMS[id])

/** Whether somebody holds it, and what it has handed over. */
function standing({ stand, holder }: GuardStanding): { alarm: AlarmId; severity: Severity }[] {
  if (stand === 'over' || stand === 'exported') return []
  const isHeldElsewhere = heldElsewhereBy({ holder }) !== undefined
  if (stand === 'unreadable' || (holder !== 'here' && !isHeldElsewhere))
    return [{ alarm: 'guard-unheld', severity: 'critical' }]
  if (isHeldElsewhere) return [{ alarm: 'guard-held', severity: 'info' }]
  return stand === 'armed' ? [] : [{ alarm: 'guard-sent', severity: 'warning' }]
}
