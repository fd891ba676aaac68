import { describe, expect, test } from 'vitest'
import { tellReport } from '../../src/commands/report.ts'
import type { ReportRow } from '../../src/commands/report-lines.ts'
import { rendererOf } from '../../src/compose/real-effects.ts'
import { cellsOf } from '../../src/core/base/format/drawable.ts'
import { command, type Next, type OwnCommand, parts } from '../../src/core/base/format/next.ts'
import { MARKS } from '../../src/core/view/marks.ts'
import type { Mark } from '../../src/core/view/view.ts'
import { columnsOf } from '../../src/output/fact-lines.ts'
import type { CommandIo, Renderer } from '../../src/output/io.ts'
import { COLOURS, themeOf } from '../../src/screens/theme.tsx'

const PUBKEY = `0x${'8a3b'.repeat(24)}`
const ROOT = `0x${'5e'.repeat(32)}`
const BASE64 = 'AbCd'.repeat(32)

const row = (id: string, more: Partial<ReportRow> = {}): ReportRow => ({
  step: 'identity',
  id,
  label: id,
  mark: 'proven',
  value: 'is there',
  source: 'this computer',
  ...more,
})

function print(
  rows: readonly ReportRow[],
  renderer?: Renderer,
  { notes = [], ...more }: { notes?: readonly Next[]; run?: NonNullable<CommandIo['run']> } = {},
) {
  const lines: string[] = []
  const io = { out: (line: string) => void lines.push(line), err: () => undefined }
  const signal = new AbortController().signal
  const report = { document: 'doctor' as const, rows, notes, sentence: () => 'The key is sound.', data: {} }
  const effects = { clock: { nowMs: () => 0 } }
  const drawn = { ...io, ...more, signal, ...(renderer === undefined ? {} : { renderer }) }
  const code = tellReport(report, { name: 'doctor', io: drawn, json: false, effects })
  return { code, lines }
}

const UTF8 = { LANG: 'en_US.UTF-8', TERM: 'xterm-256color' }
const terminal = (env: Record<string, string> = {}, columns = 80) =>
  rendererOf({ isTTY: true, columns }, { ...UTF8, ...env }, 'linux')
const ESCAPE = '\u001b['

describe('what was given', () => {
  test('is no check: it neither opens nor shuts, and has a mark of its own', () => {
    const given = row('amount', { mark: 'given' })
    expect(print([given, row('key')]).code).toBe(0)
    expect(print([given, row('key', { mark: 'unknown' })]).code).toBe(3)
    expect(print([given]).lines[0]).toMatch(/^ {2}\* {2}amount/)
    expect(print([given], terminal({ NO_COLOR: '1' })).lines[0]).toMatch(/^ {2}\* {2}amount/)
  })
})

describe('the lines of a report', () => {
  test('stand in columns, and what does not fit is continued below its own column', () => {
    const long = 'a value of so many words that it does not fit into what is left of eighty columns'
    expect(print([row('key'), row('permissions', { value: long })]).lines).toEqual([
      '  ok key          is there (this computer)',
      '  ok permissions  a value of so many words that it does not fit into what is',
      '                  left of eighty columns (this computer)',
      '',
      'ok The key is sound.',
    ])
  })

  test('are measured in cells, and end beside wide letters', () => {
    const value = '若无其他变化，在接下来的五个纪元边界都保住名额；不需要追加，现有质押能保住名额'
    const rows = [
      row('权限', { value: '他人无法访问', source: '本机' }),
      row('验证者集', { value, source: '本机' }),
    ]
    const renderer = terminal({ NO_COLOR: '1' }, 60)
    const { lines } = print(rows, renderer)
    expect(lines).toEqual([
      '  ✔  权限      他人无法访问 (本机)',
      '  ✔  验证者集  若无其他变化，在接下来的五个纪元边界都保住名',
      '               额；不需要追加，现有质押能保住名额 (本机)',
      '',
      `✔ ${ESCAPE}1mThe key is sound.${ESCAPE}0m`,
    ])
    const notes = print([row('key', { mark: 'refused', next: value })], renderer).lines
    expect(notes.filter((line) => cellsOf(line) > 60)).toEqual([])
  })

  test('have the groups of the steps in their order, whatever came first', () => {
    const rows = [row('sync', { step: 'status' }), row('key'), row('file', { step: 'genesis' })]
    expect(print(rows).lines.filter((line) => !line.startsWith(' '))).toEqual([
      'genesis',
      'identity',
      'status',
      '',
      'ok The key is sound.',
    ])
  })

  test('hold hex whole or between groups, never wider than the renderer allows', () => {
    const rows = [
      row('root', { long: ROOT }),
      row('key', { long: PUBKEY }),
      row('base64', { value: '', long: BASE64 }),
      row('inside', { value: `start the node with root ${ROOT}, or name another network` }),
      row('bad', { mark: 'refused', next: `put the file of root ${PUBKEY} there` }),
    ]
    const colourless = { NO_COLOR: '1' }
    for (const renderer of [undefined, ...[80, 60, 40].map((columns) => terminal(colourless, columns))]) {
      const { lines: plain } = print(rows, renderer)
      const columns = renderer?.columns ?? 80
      const wide = plain.filter((line) => line.length > columns)
      expect(wide.filter((line) => !line.includes('AbCd'))).toEqual([])
      expect(plain.join('').replaceAll(' ', '')).toContain(PUBKEY)
      expect(plain.join('').replaceAll(' ', '')).toContain(ROOT)
    }
    expect(print(rows).lines).toContain(`      ${ROOT}`)
  })

  test('do not write a public key twice, and an address as often as it is said', () => {
    const address = `0x${'7c'.repeat(20)}`
    const rows = [row('operator', { long: address }), row('withdrawal', { long: address })]
    expect(print(rows).lines.filter((line) => line.includes(address))).toHaveLength(2)
    const { lines } = print([
      row('index', { long: PUBKEY }),
      row('key', { long: `0x${PUBKEY.slice(2).toUpperCase()}` }),
    ])
    expect(lines.filter((line) => line.includes('8a3b'))).toHaveLength(2)
    expect(lines.filter((line) => line.includes('8A3B'))).toEqual([])
  })

  test('say below a refusal what to change, and below what is not known what to try', () => {
    const { code, lines } = print([
      row('a', { mark: 'refused', next: 'set it' }),
      row('b', { mark: 'unknown', next: 'ask again' }),
      row('c', { next: 'nothing' }),
    ])
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(/change: set it.*try: ask again/s)
    expect(lines.join('\n')).not.toContain('nothing')
    expect(lines.at(-1)).toBe('NO The key is sound.')
  })

  test('have the commands of this program as they are started here', () => {
    const run = (own: OwnCommand) => ['node', 'cli.js', ...own].join(' ')
    const rows = [row('a', { mark: 'refused', next: parts`run ${command('keys')}` })]
    const long = command('status', '--validator', 'f'.repeat(80))
    const notes = [parts`next: ${command('status')}`, parts`next: ${long}`, 'It speaks of bearings status.']
    const { lines } = print(rows, undefined, { notes, run })
    expect(lines.join('\n')).toContain('change: run node cli.js keys')
    expect(lines).toContain('next: node cli.js status')
    expect(lines.slice(lines.indexOf('next:'), -2)).toEqual([
      'next:',
      `node cli.js status --validator ${'f'.repeat(80)}`,
      'It speaks of bearings status.',
    ])
  })
})

describe('what is written on', () => {
  const first = (renderer: Renderer) => print([row('key')], renderer).lines[0] ?? ''

  test('has marks and colours at a terminal', () => {
    expect(first(terminal())).toBe(
      `  ${ESCAPE}32m✔ ${ESCAPE}0m key  is there ${ESCAPE}2m(this${ESCAPE}0m ${ESCAPE}2mcomputer)${ESCAPE}0m`,
    )
  })

  test.each(Object.entries(MARKS))(
    'draws %s in the colour that it has on the screens',
    (mark, { sign, tone }) => {
      const line = print([row('key', { mark: mark as Mark })], terminal()).lines[0]
      const { color, dimColor } = themeOf(UTF8, 'linux').style(tone)
      const code = color === undefined ? dimColor && 2 : COLOURS[color]
      expect(line).toContain(code === undefined ? `  ${sign}  key` : `${ESCAPE}${code}m${sign} ${ESCAPE}0m`)
    },
  )

  test.each<[string, Renderer, string]>([
    ['NO_COLOR', terminal({ NO_COLOR: '1' }), '  ✔  key  is there (this computer)'],
    ['FORCE_COLOR=0', terminal({ FORCE_COLOR: '0' }), '  ✔  key  is there (this computer)'],
    ['a dumb terminal', terminal({ TERM: 'dumb' }), '  ok key  is there (this computer)'],
    ['a pipe', rendererOf({}, UTF8, 'linux'), '  ok key  is there (this computer)'],
  ])('has no colour with %s', (_what, renderer, line) => {
    expect(first(renderer)).toBe(line)
  })

  test('has plain marks where letters beyond ASCII cannot be drawn', () => {
    expect(first(terminal({ LANG: 'C', NO_COLOR: '1' }))).toBe('  ok key  is there (this computer)')
  })

  test('has colours in a pipe where they are asked for', () => {
    const forced = (env: Record<string, string>) => first(rendererOf({}, { ...UTF8, ...env }, 'linux'))
    expect(forced({ FORCE_COLOR: '1' })).toContain(`${ESCAPE}32mok${ESCAPE}0m`)
    expect(forced({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain(ESCAPE)
  })

  test('is never wider than can be read, and has 80 columns where the terminal says 0', () => {
    expect(terminal({}, 300).columns).toBe(100)
    expect(terminal({}, 0).columns).toBe(80)
    expect(columnsOf({ isTTY: true, columns: 0 })).toBe(80)
    expect(columnsOf({ isTTY: true, columns: 132 })).toBe(132)
    expect(columnsOf({ columns: 0 })).toBeUndefined()
  })
})
