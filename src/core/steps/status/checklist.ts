import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { ownCommand, PROGRAM_NAME, shellCommand } from '../../base/format/text.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import type { Setup } from '../../chain/facts.ts'
import { POOLS_TEXT } from '../../chain/network/pools.ts'
import { alarmsPath } from '../../observe/alarms.ts'
import { known, type Observation, type Observations } from '../../view/observation.ts'
import { nothingAsked, provenCount, tableRows } from '../../view/rows.ts'
import type { StepField, StepView } from '../../view/step-view.ts'
import type { FactRow, Mark, Verdict } from '../../view/view.ts'
import { CHECKLIST_FACTS, type ChecklistRows, STATUS_FACTS_TEXT } from './facts.ts'
import { STATUS_LEAVE_TEXT } from './leave-text.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import { STATUS_TEXT } from './text.ts'
import type { BackupAnswer, HomeAnswer, PaidAnswer } from './values.ts'

const TEXT = STATUS_TEXT.checklist
const ROWS = STATUS_FACTS_TEXT.checklist

/** The page behind the status: what is to be seen to once a validator is active, how to leave, and who is no friend. */
export function checklistView<E, O>(
  view: StepView<E | StatusEvent, O>,
  state: StatusState,
  about: { setup: Setup; pubkey: Hex | undefined; isPools: boolean },
): StepView<E | StatusEvent, O> {
  const { setup } = about
  const { problem: _, ...rest } = view
  const facts = checklistRows(state)
  return {
    ...rest,
    page: 'checklist',
    title: TEXT.title,
    verdict: checklistVerdict(facts),
    sections: ['facts', 'fields', 'notes'],
    intro: '',
    facts,
    fields: [backupField(state)],
    notes: [about.isPools ? POOLS_TEXT.left : TEXT.leaving(setup), TEXT.impostors],
    actions: [
      { key: 'b', label: TEXT.keys.backup, does: { edit: 'backup' } },
      { key: 'l', label: STATUS_LEAVE_TEXT.key, does: [{ step: 'status', type: 'turned', to: 'leave' }] },
      { key: 'r', label: TEXT.keys.again, does: [{ step: 'status', type: 'turned', to: 'checklist' }] },
      { key: 'escape', label: TEXT.keys.status, does: [{ step: 'status', type: 'turned', to: 'status' }] },
    ],
    commands: [...alarmCommands(about), ...view.commands],
  }
}

/** Writes a configuration to be filled in, tries it, and begins the watch with it. */
function alarmCommands({ setup, pubkey }: { setup: Setup; pubkey: Hex | undefined }): string[] {
  const path = alarmsPath(setup)
  const program = setup.own?.program ?? [PROGRAM_NAME]
  const [example, config] = [
    [...program, 'watch', '--example-config'],
    ['--config', path],
  ]
  return [
    `${shellCommand(...example)} > ${shellCommand(path)} && ${shellCommand('chmod', '600', path)}`,
    shellCommand(...program, 'watch', ...config, '--test-alarm'),
    ownCommand(setup.own, 'watch', ...(pubkey === undefined ? [] : [pubkey]), ...config),
  ]
}

/** Returns what of the checklist is known to be wrong, for the page before it. */
export function checklistNotes(state: StatusState): string[] {
  const refused = checklistRows(state).filter(({ mark }) => mark === 'refused')
  return refused.map(({ label, value }) => TEXT.note(label, value))
}

/** Of how much that this program can look at it is not known, or known to be bad, whether it was seen to. */
export function openOf(state: StatusState): number {
  const ownersAlone = new Set(NOT_FROM_HERE.map(({ id }) => id))
  return checklistRows(state).filter(({ id, mark }) => mark !== 'proven' && !ownersAlone.has(id)).length
}

/** Each thing to see to, with what was found out about it. What nobody here can find out says so. */
function checklistRows(state: StatusState): FactRow[] {
  const { backup: keyBackup, home: exposure } = state.observed
  return [feeRow(state), ...lookedAt({ keyBackup, exposure }), ...NOT_FROM_HERE]
}

/** It is never good as a whole: there is always something that only its owner can know. */
function checklistVerdict(rows: readonly FactRow[]): Verdict {
  const count = (mark: Mark) => rows.filter((row) => row.mark === mark).length
  const [refused, asking] = [count('refused'), count('asking')]
  const text = TEXT.verdict({ rows: rows.length, proven: provenCount(rows), refused, asking })
  return { mark: refused > 0 ? 'refused' : 'unknown', text }
}

function feeRow({ observed }: StatusState): FactRow {
  const home = known(observed.home)
  const paid = known(observed.paid)
  const { mark, value, address } = feeWords(home, paid)
  const observation = paid === undefined ? observed.home : observed.paid
  return {
    id: 'fees',
    label: TEXT.fees.label,
    mark,
    value,
    source: 'source' in observation ? observation.source : '',
    ...('atMs' in observation ? { learntAtMs: observation.atMs } : {}),
    ...(address === undefined ? {} : { long: withChecksum(address) }),
    explain: TEXT.fees.explain,
  }
}

type FeeWords = { mark: Mark; value: string; address?: Hex | undefined }

function feeWords(home: HomeAnswer | undefined, paid: PaidAnswer | undefined): FeeWords {
  const address = paid?.feeRecipient
  if (paid !== undefined && address !== undefined) {
    const { slot } = paid
    if (isZero(address)) return { mark: 'refused', value: TEXT.fees.burnt(slot) }
    if (home === undefined) return { mark: 'unknown', value: TEXT.fees.isYours(slot), address }
    if (isZero(home.feeRecipient)) return { mark: 'refused', value: TEXT.fees.zero }
    return sameHex(address, home.feeRecipient ?? '')
      ? { mark: 'proven', value: TEXT.fees.same(slot), address }
      : { mark: 'refused', value: TEXT.fees.other(slot), address }
  }
  if (home === undefined) return { mark: 'unknown', value: TEXT.fees.unknown }
  if (isZero(home.feeRecipient)) return { mark: 'refused', value: TEXT.fees.zero }
  return { mark: 'unknown', value: TEXT.fees.noBlock, address: home.feeRecipient }
}

const isZero = (address: Hex | undefined): boolean => address === undefined || sameHex(address, ZERO_ADDRESS)

/** What is known of the file that was named as a backup of the key, as one row. */
export const backupRows = (keyBackup: Observation<BackupAnswer>): FactRow[] =>
  lookedAt({ ...nothingAsked(CHECKLIST_FACTS), keyBackup }, { keyBackup: ROWS.keyBackup })

/** What stands between the details of a failure; of others they are not shown. */
const DETAILS_BETWEEN: { readonly [K in keyof ChecklistRows]?: string } = {
  keyBackup: ' ',
}

/** What was not looked at is not known: what was not checked does not count as good. */
function lookedAt(observed: Observations<ChecklistRows>, texts: Partial<typeof ROWS> = ROWS): FactRow[] {
  return tableRows(CHECKLIST_FACTS, texts, observed, undefined).map((row) => {
    const id = row.id as keyof ChecklistRows
    const observation: Observation<unknown> = observed[id]
    if (observation.status === 'unasked') return { ...row, mark: 'unknown' }
    const between = DETAILS_BETWEEN[id]
    return observation.status === 'failed' && between !== undefined
      ? { ...row, long: observation.error.details.join(between) }
      : row
  })
}

function backupField({ backupPath }: StatusState): StepField<StatusEvent> {
  return {
    id: 'backup',
    takes: { step: 'status', type: 'backupNamed' },
    label: TEXT.backup.label,
    value: backupPath ?? '',
    hint: TEXT.backup.hint,
    explain: ROWS.keyBackup.explain,
  }
}

/** Nobody here can see these. */
const NOT_FROM_HERE: readonly FactRow[] = [
  { id: 'monitoring', mark: 'unknown', ...TEXT.monitoring, source: '' },
  { id: 'metadata', mark: 'unknown', ...TEXT.metadata, source: '' },
]
