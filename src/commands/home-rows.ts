import type { HomeFinding } from '../core/chain/identity/home-files.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'

/** What in a home is looked at: the findings that belong to one line, and what the line says without any. */
const SUBJECTS = {
  key: {
    label: 'key file',
    good: 'in the home, of this user',
    finds: ['remote-signer', 'key-missing', 'key-not-a-file', 'key-owner'],
  },
  permissions: { label: 'key permissions', good: 'closed to others', finds: ['key-permissions'] },
  'chain-id': { label: 'client.toml', good: 'names this chain', finds: ['chain-id'] },
  'chain-spec': { label: 'chain-spec', good: 'fits this chain', finds: ['chain-spec', 'chain-spec-missing'] },
  genesis: { label: 'genesis.json', good: 'is there', finds: ['genesis-missing'] },
  fees: { label: 'fee recipient', good: 'an address is set', finds: ['fee-recipient-zero'] },
  builder: { label: 'payload builder', good: 'on', finds: ['payload-builder-off'] },
  'node-api': { label: 'node API', good: 'on', finds: ['node-api-off', 'node-api-address'] },
  exposure: {
    label: 'exposure',
    good: 'reached from this computer only',
    finds: ['node-api-exposed', 'engine-rpc-exposed'],
  },
  window: { label: 'proofs kept', good: ROWS_TEXT.proofsKept, finds: ['availability-window-zero'] },
} as const

type Subject = keyof typeof SUBJECTS

/** The ids of all lines about a home. */
export const HOME_ROW_IDS: readonly string[] = Object.entries(SUBJECTS).flatMap(([id, { finds }]) => [
  id,
  ...finds,
])

/**
 * Returns a row for each subject of a home, with what to change in which file: those named, else all. A finding of no known
 * subject has a row of its own. Returns none without findings, which is where the home could not be read.
 */
export function findingRows(
  findings: readonly HomeFinding[] | undefined,
  subjects: readonly Subject[] = Object.keys(SUBJECTS) as Subject[],
): ReportRow[] {
  if (findings === undefined) return []
  const rows = subjects.flatMap((subject) => subjectRows(subject, findings))
  if (subjects.length < Object.keys(SUBJECTS).length) return rows
  const named: readonly string[] = Object.values(SUBJECTS).flatMap(({ finds }) => [...finds])
  const others = findings.filter(({ id }) => !named.includes(id))
  return [...rows, ...others.map((finding) => badRow(finding, finding.id))]
}

function subjectRows(subject: Subject, findings: readonly HomeFinding[]): ReportRow[] {
  const { label, good, finds } = SUBJECTS[subject]
  const names: readonly string[] = finds
  const bad = findings.filter(({ id }) => names.includes(id))
  if (bad.length > 0) return bad.map((finding) => badRow(finding, label))
  const silent = subject === 'permissions' && findings.some(({ id }) => id.startsWith('key-missing'))
  if (silent) return []
  return [{ step: 'identity', id: subject, label, mark: 'proven', value: good, source: 'node home' }]
}

function badRow({ id, text, fix }: HomeFinding, label: string): ReportRow {
  return { step: 'identity', id, label, mark: 'refused', value: text, source: 'node home', next: fix }
}
