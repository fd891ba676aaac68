import { formatCount } from '../core/base/format/amount.ts'
import { tokensOf } from '../core/chain/network/network.ts'
import { GUARD_TROUBLES_TEXT } from '../core/observe/guard-text.ts'
import type { Finding } from '../core/observe/memory.ts'
import {
  GUARD_TROUBLES,
  type GuardStanding,
  type GuardTroubleId,
  heldElsewhereBy,
  type Watched,
} from '../core/observe/picture.ts'
import type { AlarmId, Severity } from '../core/view/alarm-event.ts'
import type { About } from './endpoint-findings.ts'
import { type TextContext, validatorName, type Words } from './words.ts'

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
        ...standingWords(alarm, told),
      })),
      ...(guard.stand === 'over' ? [] : GUARD_TROUBLES)
        .filter((id) => guard.troubles.includes(id))
        .map((id) => ({
          ...shape,
          alarm: ALARMS[id],
          severity: SEVERITIES[id],
          ...troubleWords(id, told),
        })),
    ]
  })
  const off = memory.alarms.flatMap(({ alarm, subject, validator }): Finding[] => {
    if (!isOfGuard(alarm) || validator === undefined) return []
    if (on.some((each) => each.alarm === alarm && each.subject === subject)) return []
    const guard = guards.find(({ pubkey }) => pubkey === validator.pubkey)
    // One that was not looked at yet is as it was.
    if (guard === undefined && unguarded?.includes(validator.pubkey) !== true) return []
    return [{ is: 'off', alarm, subject, validator, words: () => overWords(guard, validator, context) }]
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

type Told = { validator: Watched; guard: GuardStanding; context: TextContext }

/** Texts of alarms about guards: top-ups that were agreed beforehand. */

const NEXT: Readonly<Record<GuardTroubleId, string>> = {
  nonce: 'Arm another one in the wizard, once that transaction is in a final block.',
  balance: 'Bring tokens to the paying account, or cancel the guard.',
  cap: 'Top the validator up yourself: the guard cannot.',
  term: 'Cancel it in the wizard and arm another one, if it is to go on.',
  fee: 'Watch the base fee: above its cap no amount gets into a block.',
  unproven: 'See that both execution endpoints and the node API answer.',
  blind: 'Start your node again, or name another node API behind it: --node OWN,OTHER.',
  fork: 'Install a newer Bearings.',
  'other-payment': 'Let that payment end, or cancel it.',
  'cannot-send': 'Top the validator up yourself: the guard cannot.',
}

/** Words of what keeps a guard from helping. */
function troubleWords(id: GuardTroubleId, { validator, guard, context }: Told): Words {
  const missing =
    id === 'cap' && guard.missingGwei !== undefined
      ? ` It needs ${tokensOf(guard.missingGwei, context)}, and the cap is ${tokensOf(guard.capGwei, context)}.`
      : ''
  const why = id === 'cannot-send' && guard.keptBack !== undefined ? ` Why: ${guard.keptBack}.` : ''
  return {
    title: `The guard of ${validatorName(validator)} is kept from helping: ${GUARD_TROUBLES_TEXT[id]}.`,
    what: `It may add up to ${tokensOf(guard.capGwei, context)} from ${guard.from}, nonce ${guard.nonce}.${missing}${why}`,
    next: NEXT[id],
  }
}

/** Words of who holds a guard, or of what it has sent. */
function standingWords(alarm: AlarmId, { validator, guard, context }: Told): Words {
  const name = validatorName(validator)
  const cap = tokensOf(guard.capGwei, context)
  if (alarm === 'guard-sent') return sentWords(name, guard, context)
  const heldBy = heldElsewhereBy(guard)
  if (heldBy !== undefined)
    return {
      title: `The guard of ${name} is held by another process.`,
      what: `It may add up to ${cap}. ${heldBy}`,
      next: 'Nothing is to be done while that one runs.',
    }
  if (guard.stand === 'unreadable')
    return {
      title: `The guard of ${name} cannot be held: its signed transactions are not those of its terms.`,
      what: `Nothing of it is sent. It was to add up to ${cap}.`,
      next: 'Use its nonce for a transaction of nothing to yourself, then arm another one.',
    }
  const title = `The guard of ${name} is armed, and held by nobody: it does nothing.`
  if (typeof guard.holder === 'object' && 'barredBy' in guard.holder)
    return {
      title,
      what: `It may add up to ${cap}. Another window has its account, so that it cannot be held here. ${guard.holder.barredBy}`,
      next: 'Open the status screen in that window, or end it.',
    }
  return {
    title,
    what: `It may add up to ${cap} from ${guard.from}, nonce ${guard.nonce}, and only while somebody holds it.`,
    next: 'Begin a watch with --guard, or open the status screen of the wizard.',
  }
}

function sentWords(name: string, guard: GuardStanding, context: TextContext): Words {
  const { stand, amountGwei, block } = guard
  const amount = tokensOf(amountGwei ?? 0n, context)
  const blockText = formatCount(block ?? 0n)
  if (stand === 'cancelling')
    return {
      title: `The guard of ${name} is being cancelled.`,
      what:
        amountGwei === undefined
          ? 'A cancellation with its nonce waits for a block. No amount was sent.'
          : `A cancellation with its nonce waits for a block; ${amount} may still be first.`,
    }
  if (stand === 'in-block' && amountGwei === undefined)
    return {
      title: `The guard of ${name} is being cancelled.`,
      what: `Its cancellation is in block ${blockText}, which is not final yet.`,
    }
  return {
    title: `The guard of ${name} has sent ${amount}.`,
    what:
      stand === 'in-block'
        ? `It is in block ${blockText}, which is not final yet. Without it the place would be lost.`
        : 'It waits for a block. Without it the place would be lost.',
    next: 'Arm another guard when this one is over: it pays once.',
  }
}

/** How a guard came to its end. */
function endWords({ end, amountGwei = 0n, block = 0n }: GuardStanding, context: TextContext): string {
  switch (end) {
    case 'paid':
      return `It paid ${tokensOf(amountGwei, context)} in block ${formatCount(block)}, and pays no more.`
    case 'cancelled':
      return `It was cancelled in block ${formatCount(block)}. Nothing was paid.`
    case 'reverted':
      return 'Its transaction was reverted. Nothing was paid but the fee.'
    default:
      return 'Another transaction has used its nonce: it can no longer pay.'
  }
}

/** Words of the end of an alarm about a guard. */
function overWords(
  guard: GuardStanding | undefined,
  validator: Watched,
  context: TextContext,
): { title: string; what: string } {
  const name = validatorName(validator)
  if (guard === undefined) return { title: `${name} has no guard any more.`, what: 'Nothing is held for it.' }
  if (guard.stand === 'over')
    return { title: `The guard of ${name} is over.`, what: endWords(guard, context) }
  return { title: `The guard of ${name} is as it should be.`, what: 'What was told of it holds no more.' }
}
