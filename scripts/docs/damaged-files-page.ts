import { DAMAGES, type Damage } from '../../test/support/damaged-files.ts'
import { KINDS, type Kind, type Said, TABLE } from '../../test/support/damaged-table.ts'

/** What each kind of file is, and what to do where it's gone for good. */
const FILES: Readonly<Record<Kind, readonly [file: string, what: string, next: string]>> = {
  'guard journal': [
    'guard-…/journal.jsonl',
    'the terms of a guard and what it has sent',
    'Use the nonce of the guard for a transaction of 0 to yourself. Once that is final, move the folder away and arm another guard.',
  ],
  'guard bytes': [
    'guard-…/members.json',
    'the signed transactions of a guard',
    'The same. Until then the signed transactions stay valid, wherever a copy of them is.',
  ],
  journal: [
    '…-…-…/journal.jsonl',
    'every decision and every signed byte for one validator',
    'Open that validator in the wizard. A missing or empty journal is begun again, and a last line that is cut off is left out; the chain is looked at before anything is sent. Any other damage: keep a copy of the folder elsewhere and move it away first.',
  ],
  settings: [
    'settings.json',
    'paths and addresses of endpoints of the last start',
    'Move it away. The wizard asks for them again.',
  ],
  'watch memory': [
    'watch.json',
    'which alarms the watch has told already',
    'Move it away. The alarms that stand are told once more.',
  ],
  acknowledged: [
    'watch-acknowledged.json',
    'which alarms you acknowledged by a command',
    'Move it away, and acknowledge them again.',
  ],
  outbox: [
    'watch-outbox.json',
    'alarms that are still to be delivered',
    'Move it away. Alarms that stand are told again; what had ended and waited in it is lost.',
  ],
  'watch settings': [
    'watch.toml, or the file of --config',
    'where a watch sends its alarms',
    'Set it up again in the wizard, or begin with the example: bearings watch --example-config.',
  ],
}

const NAMES: Readonly<Record<Damage, string>> = {
  missing: 'missing',
  empty: 'empty',
  cut: 'cut off',
  changed: 'one digit changed',
  unreadable: 'unreadable',
  directory: 'a directory in its place',
}

const STATUS = { no: '`NO`, exit 1' } as const
const PLAN = { 'not certain': '`??`, exit 3' } as const
const START = { row: 'names it' } as const

function watchWords(said: Said['watch']): string {
  if (said === undefined) return ''
  if (said === 'error') return 'stops with an error'
  return said === 'line' ? 'says so, and goes on' : `alarm \`${said}\``
}

function cellsOf(said: Said): string[] {
  const { status, plan, watch, start } = said
  return [status && STATUS[status], plan && PLAN[plan], watchWords(watch), start && START[start]].map(
    (words) => words || '–',
  )
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Rows of one kind; damages of which the same is said are one row. */
function rowsOf(kind: Kind): string[] {
  const groups = Map.groupBy(DAMAGES, (how) => rowOf(cellsOf(TABLE[kind][how])))
  return [...groups].map(
    ([cells, hows]) => `| ${kind} | ${hows.map((how) => NAMES[how]).join(', ')} ${cells}`,
  )
}

/** Returns the page of what each command and the wizard say of a damaged file. */
export function damagedFilesPage(): string {
  return `# When a file is damaged

Bearings keeps its state in files ([where](help.md)). A file that is missing, cut or unreadable is never "nothing there": whatever needs it names the file, says what is wrong with it, that nothing is sent, and what to do. It leaves the file as it is.

| file | what it holds | if there is no copy |
|---|---|---|
${KINDS.map((kind) => rowOf([`${kind}: \`${FILES[kind][0]}\``, FILES[kind][1], FILES[kind][2]])).join('\n')}

First put the file back from a copy, if you have one. It must be the newest: an older copy of a journal doesn't know what was sent after it. Of a guard any copy will do, since all that it can send has one nonce.

## Who says so
\`topup-plan\` stands for \`sign\` and \`leave\`, which say the same. While a journal or a guard can't be read, \`leave\` makes no request, and no other guard of that account is armed. "–" means that the command doesn't need the file, or that the damage can't be seen.

| file | damage | \`status\` | \`topup-plan\` | \`watch\` | the wizard's first screen |
|---|---|---|---|---|---|
${KINDS.flatMap(rowsOf).join('\n')}

- Two damages can't be seen. A file of the watch, or the settings, that is missing was perhaps never written. These files have no checksums, so that one digit that changed is taken as it is; a file that isn't whole is refused. Journals and signed transactions have checksums.
- A guard whose last line is cut off is held all the same, if its terms are there: a crash leaves such a line, and nothing relied on it. A journal whose last line is cut off says so until you open its validator in the wizard.
- A guard that can't be read is told for every validator that it may be of. While another process has it open, that process goes on with what it read before, and the alarm says so.
- The status screen and the page of the guard show the same row as \`status\`. A file that asks whoever holds a guard to void it (\`void-asked\`) and can't be read stops that guard: nothing of it is sent, and \`guard-unheld\` says why.
- What the status screen told of alarms (\`alarms-….json\`) is named there if it can't be read; alarms that stand are told once more. Its chart (\`history-….json\`) and the validator's first block (\`seen-….json\`) are looked up on the chain again. None of the three is written over.
- A lock names whoever has it. If its name can't be read, it isn't known who; the kernel's lock decides all the same, so that two processes never have one journal.
- Receipts, deposit files and exported transactions are written for you and other programs. Bearings reads a deposit file or a signed transaction only when you give it, and checks every field then.
`
}
