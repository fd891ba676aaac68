import { cellsOf, isWide, padRight, takeCells, wrapText } from '../core/base/format/drawable.ts'
import { COMMANDS, EXIT_CODES, WIZARD } from './table.ts'
import type { CommandSpec, Option } from './table-options.ts'

const COLUMNS = 80
/** Where the words about an option begin. */
const WORDS_AT = 28

const TITLE = 'bearings: from an unused key to the active set, step by step'

/** Returns the help of a command, or of the program: lines of 80 columns at most. */
export function helpText(command: CommandSpec): string {
  const { about, options, after } = command
  const commands = command === WIZARD ? [COMMANDS.map(commandLine).join('\n')] : []
  const below = after === undefined ? [] : [after]
  const title = command === WIZARD ? [TITLE] : []
  return [
    ...title,
    usageLines(command),
    about,
    ...commands,
    options.map(optionLines).join('\n'),
    ...below,
  ].join('\n\n')
}

function usageLines({ name, usage }: CommandSpec): string {
  const indent = ' '.repeat(`bearings ${name} `.trimEnd().length + 1)
  const lines = usage.flatMap((each) => wrapped(`bearings ${joined(each)}`, indent))
  return lines.join('\n').replaceAll(NO_BREAK, ' ')
}

const NO_BREAK = '\u00a0'

/** An option and what it takes stand on one line. */
function joined(usage: string): string {
  return usage.replace(/(--[a-z-]+) (?=[A-Z])/g, `$1${NO_BREAK}`)
}

function commandLine({ name, summary }: CommandSpec): string {
  return columns(`  ${name}`, summary, 15)
}

function optionLines({ name, value, what }: Option): string {
  return columns(`  --${name}${value === undefined ? '' : ` ${value}`}`, what, WORDS_AT)
}

function columns(left: string, right: string, at: number): string {
  const [first = '', ...more] = wrapText(right, COLUMNS - at)
  return [`${padRight(left, at - 2)}  ${first}`, ...more.map((line) => ' '.repeat(at) + line)].join('\n')
}

/** A usage over as many lines as it takes, cut at blanks. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = []
  let rest = text
  while (cellsOf(rest) > COLUMNS) {
    const most = takeCells(rest, COLUMNS).length
    const space = rest.lastIndexOf(' ', most)
    const cut = space > indent.length ? space : rest.indexOf(' ', most)
    if (cut === -1) break
    lines.push(rest.slice(0, cut).trimEnd())
    rest = indent + rest.slice(cut + 1)
  }
  return [...lines, rest]
}

/** Returns the manual page of the program, as troff's man macros have it. */
export function manualPage(version: string): string {
  const names = COMMANDS.map(({ name, summary }) => `.TP\n.B ${troff(name)}\n${troff(summary)}`)
  return [
    `.TH BEARINGS 1 "" "bearings ${troff(version)}" "User Commands"`,
    '.SH NAME',
    'bearings \\- takes a validator from an unused key to the active set',
    '.SH SYNOPSIS',
    ...WIZARD.usage.map((each) => `.B bearings\n${troff(each)}\n.br`),
    '.SH DESCRIPTION',
    ...prose(WIZARD.about),
    '.SH COMMANDS',
    ...names,
    '.SH OPTIONS OF THE WIZARD',
    ...WIZARD.options.map(option),
    ...COMMANDS.flatMap(section),
    '.SH EXIT STATUS',
    ...prose(EXIT_CODES),
    '',
  ].join('\n')
}

function section(command: CommandSpec): string[] {
  return [
    `.SH ${troff(command.name.toUpperCase())}`,
    ...command.usage.map((each) => `.B bearings\n${troff(each)}\n.br`),
    '.PP',
    ...prose(command.about),
    ...command.options.map(option),
    ...(command.after === undefined ? [] : ['.PP', ...prose(command.after)]),
  ]
}

function option({ name, value, what }: Option): string {
  const word =
    value === undefined ? `.B ${troff(`--${name}`)}` : `.BI ${troff(`--${name}`)} " ${troff(value)}"`
  return `.TP\n${word}\n${troff(what)}`
}

/** Lines that are indented stay as they are; others flow. */
function prose(text: string): string[] {
  let isFixed = false
  const lines = text.split('\n').flatMap((line) => {
    if (line === '') return isFixed ? [''] : ['.PP']
    const fixed = line.startsWith('  ')
    const change = fixed === isFixed ? [] : [fixed ? '.nf' : '.fi']
    isFixed = fixed
    return [...change, troff(line)]
  })
  return (isFixed ? [...lines, '.fi'] : lines).reduce(flowing, [])
}

/** Lines between which no blank belongs are one: troff puts a blank in the place of each end of a line. */
function flowing(lines: string[], line: string): string[] {
  const before = lines.at(-1) ?? ''
  const [end = '', start = ''] = [before.at(-1), line.at(0)]
  const isJoined =
    start !== ' ' && ((isWide(end) && isWide(start)) || WIDE_MARK.test(end) || WIDE_MARK.test(start))
  return isJoined ? [...lines.slice(0, -1), before + line] : [...lines, line]
}

const WIDE_MARK = /[、。「」（），：；！？]/

/** A text as troff prints it: no request at the beginning of a line, hyphens that can be copied. */
function troff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
}
