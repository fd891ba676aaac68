import type { Setup } from '../../facts.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { ownCommand } from '../../format/text.ts'
import { known, type Observation } from '../observation.ts'
import { factRow, provenCount } from '../rows.ts'
import type { StepField, StepView } from '../step-view.ts'
import type { FactRow, Mark, Verdict } from '../view.ts'
import type { BackupAnswer, HomeAnswer, PaidAnswer, StatusState } from './machine.ts'
import { STATUS_TEXT } from './text.ts'

const TEXT = STATUS_TEXT.checklist

/** The page behind the status: what is to be seen to once a validator is active, how to leave, and who is no friend. */
export function checklistView(
  view: StepView,
  state: StatusState,
  about: { setup: Setup; pubkey: Hex | undefined },
): StepView {
  const { setup } = about
  const { problem: _, ...rest } = view
  const facts = checklistRows(state)
  const { pubkey } = about
  return {
    ...rest,
    title: TEXT.title,
    verdict: checklistVerdict(facts),
    sections: ['facts', 'fields', 'notes'],
    intro: '',
    facts,
    fields: [backupField(state), ALARMS_FIELD],
    notes: [TEXT.leaving(setup), TEXT.impostors],
    actions: [
      { key: 'b', label: TEXT.keys.backup, does: { edit: 'backup' } },
      { key: 'a', label: TEXT.keys.alarms, does: { edit: 'alarms' } },
      { key: 'r', label: TEXT.keys.again, does: [{ step: 'status', type: 'turned', to: 'checklist' }] },
      { key: 'escape', label: TEXT.keys.status, does: [{ step: 'status', type: 'turned', to: 'status' }] },
    ],
    commands: [
      ownCommand(
        setup.own,
        'watch',
        ...(pubkey === undefined ? [] : [pubkey]),
        '--config',
        alarmsPath(setup),
      ),
      ...view.commands,
    ],
  }
}

/** What of the checklist is known to be wrong, for the page before it. */
export function checklistNotes(state: StatusState): string[] {
  const refused = checklistRows(state).filter(({ mark }) => mark === 'refused')
  return refused.map(({ label, value }) => TEXT.note(label, value))
}

/** Each thing to see to, with what was found out about it. What nobody here can find out says so. */
function checklistRows(state: StatusState): FactRow[] {
  return [feeRow(state), backupRow(state.seen.backup), exposureRow(state), alarmsRow(state), ...NOT_FROM_HERE]
}

/** It is never good as a whole: there is always something that only its owner can know. */
function checklistVerdict(rows: readonly FactRow[]): Verdict {
  const count = (mark: Mark) => rows.filter((row) => row.mark === mark).length
  const [refused, asking] = [count('refused'), count('asking')]
  const text = TEXT.verdict({ rows: rows.length, proven: provenCount(rows), refused, asking })
  return { mark: refused > 0 ? 'refused' : 'unknown', text }
}

function feeRow({ seen }: StatusState): FactRow {
  const said = known(seen.home)
  const paid = known(seen.paid)
  const { mark, value, address } = feeWords(said, paid)
  const told = paid === undefined ? seen.home : seen.paid
  return {
    id: 'fees',
    label: TEXT.fees.label,
    mark,
    value,
    source: 'source' in told ? told.source : '',
    ...('atMs' in told ? { learntAtMs: told.atMs } : {}),
    ...(address === undefined ? {} : { long: address }),
    explain: TEXT.fees.explain,
  }
}

type FeeWords = { mark: Mark; value: string; address?: Hex | undefined }

function feeWords(said: HomeAnswer | undefined, paid: PaidAnswer | undefined): FeeWords {
  const address = paid?.feeRecipient
  if (paid !== undefined && address !== undefined) {
    const { slot } = paid
    if (isZero(address)) return { mark: 'refused', value: TEXT.fees.burnt(slot) }
    if (said === undefined) return { mark: 'unknown', value: TEXT.fees.isYours(slot), address }
    if (isZero(said.feeRecipient)) return { mark: 'refused', value: TEXT.fees.zero }
    return sameHex(address, said.feeRecipient ?? '')
      ? { mark: 'proven', value: TEXT.fees.same(slot), address }
      : { mark: 'refused', value: TEXT.fees.other(slot), address }
  }
  if (said === undefined) return { mark: 'unknown', value: TEXT.fees.unknown }
  if (isZero(said.feeRecipient)) return { mark: 'refused', value: TEXT.fees.zero }
  return { mark: 'unknown', value: TEXT.fees.noBlock, address: said.feeRecipient }
}

const isZero = (address: Hex | undefined): boolean => address === undefined || sameHex(address, ZERO_ADDRESS)

/** What is known of the file that was named as a backup of the key. */
export function backupRow(backup: Observation<BackupAnswer>): FactRow {
  const row = factRow({
    id: 'keyBackup',
    label: TEXT.backup.label,
    observation: backup,
    judge: ({ holds }) => holds === 'this-key',
    say: ({ holds }) => TEXT.backup.holds[holds === 'this-key' || holds === 'own' ? holds : 'other'],
    long: ({ holds }) => (holds === 'this-key' || holds === 'own' ? undefined : holds),
    explain: TEXT.backup.explain,
  })
  if (backup.status === 'unasked') return { ...row, mark: 'unknown', value: TEXT.backup.unasked }
  return backup.status === 'failed' ? { ...row, long: backup.error.details.join(' ') } : row
}

function backupField({ backupPath }: StatusState): StepField {
  return {
    id: 'backup',
    takes: { step: 'status', type: 'backupNamed' },
    label: TEXT.backup.field.label,
    value: backupPath ?? '',
    hint: TEXT.backup.field.hint,
    explain: TEXT.backup.explain,
  }
}

const EXPOSED: readonly string[] = ['node-api-exposed', 'engine-rpc-exposed']

/** What is wrong comes with what to change. */
function exposureRow({ seen }: StatusState): FactRow {
  const found = (home: HomeAnswer) => home.findings.filter(({ id }) => EXPOSED.includes(id))
  const row = factRow({
    id: 'exposure',
    label: TEXT.exposure.label,
    observation: seen.home,
    judge: (home) => found(home).length === 0,
    say: (home) => found(home)[0]?.text ?? TEXT.exposure.none,
    long: (home) => found(home)[0]?.fix,
    explain: TEXT.exposure.explain,
  })
  return row.mark === 'unasked' ? { ...row, mark: 'unknown', value: TEXT.exposure.unasked } : row
}

/** Where the wizard keeps the places of alarms, for the watch. */
export function alarmsPath({ journalDirectory }: Pick<Setup, 'journalDirectory'>): string {
  return `${journalDirectory}/watch.toml`
}

/** A test alarm that arrived is no watch that runs: that is for its user to see to. */
function alarmsRow({ seen }: StatusState): FactRow {
  const row = factRow({
    id: 'monitoring',
    label: TEXT.alarms.label,
    observation: seen.alarms,
    judge: ({ isSent }) => (isSent ? 'given' : false),
    say: ({ isSent }) => TEXT.alarms.sent(isSent),
    long: ({ said, path, isSent }) => [...said, ...(isSent ? [TEXT.alarms.kept(path)] : [])].join(' · '),
    explain: TEXT.alarms.explain,
  })
  if (seen.alarms.status === 'unasked') return { ...row, mark: 'unknown', value: TEXT.alarms.unasked }
  return seen.alarms.status === 'failed' ? { ...row, long: seen.alarms.error.details.join(' · ') } : row
}

const ALARMS_FIELD: StepField = {
  id: 'alarms',
  takes: { step: 'status', type: 'alarmsWanted' },
  label: TEXT.alarms.field.label,
  value: '',
  hint: TEXT.alarms.field.hint,
  explain: TEXT.alarms.explain,
}

/** Nobody here can see these. */
const NOT_FROM_HERE: readonly FactRow[] = [
  {
    id: 'metadata',
    mark: 'unknown',
    label: TEXT.metadata.label,
    value: TEXT.metadata.value,
    source: '',
    explain: TEXT.metadata.explain,
  },
]
