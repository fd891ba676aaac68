import { cellsOf, padRight, takeCells, wrapText } from '../core/base/format/drawable.ts'
import { COMMANDS, WIZARD } from './table.ts'
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
