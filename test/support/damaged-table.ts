import type { AlarmId } from '../../src/core/view/alarm-event.ts'
import type { Damage } from './damaged-files.ts'

/** The kinds of files in a state directory that somebody reads again. */
export const KINDS = [
  'guard journal',
  'guard bytes',
  'journal',
  'settings',
  'watch memory',
  'acknowledged',
  'outbox',
  'watch settings',
] as const

export type Kind = (typeof KINDS)[number]

/**
 * What the doors say of a damaged file, each with its path: a row of `status` or of `topup-plan` that isn't good, an alarm, an
 * error or a line of a watch, and a row of what is under way at the wizard's start. Left out where that door has no need of it.
 */
export type Said = {
  status?: 'no'
  plan?: 'not certain'
  watch?: AlarmId | 'error' | 'line'
  start?: 'row'
}

const each = (said: Said): Readonly<Record<Damage, Said>> => ({
  missing: said,
  empty: said,
  cut: said,
  changed: said,
  unreadable: said,
  directory: said,
})

const GUARD: Said = { status: 'no', watch: 'guard-unheld', start: 'row' }
const JOURNAL: Said = { status: 'no', plan: 'not certain', watch: 'journal-unread', start: 'row' }

/**
 * What each door says, kind by kind. A file that was never written can't be told from one that is missing; one changed digit of a
 * file without checksums can't be told from what was written.
 */
export const TABLE: Readonly<Record<Kind, Readonly<Record<Damage, Said>>>> = {
  'guard journal': each({ ...GUARD, plan: 'not certain' }),
  'guard bytes': each(GUARD),
  journal: each(JOURNAL),
  settings: { ...each({ start: 'row' }), missing: {}, changed: {} },
  'watch memory': { ...each({ watch: 'error' }), missing: {}, changed: {} },
  acknowledged: { ...each({ watch: 'line' }), missing: {}, changed: {} },
  outbox: { ...each({ watch: 'error' }), missing: {}, changed: {} },
  'watch settings': { ...each({ watch: 'error' }), changed: {} },
}
