import { release } from 'node:os'
import { LANGUAGES } from '../compose/choose-language.ts'
import { badUsage } from '../core/base/errors/base.ts'
import { LANGUAGE } from '../core/base/format/language.ts'
import { EXIT, type ExitCode } from '../output/io.ts'
import { type Call, commandOf, type Environment, pathOf } from './command.ts'
import type { SupportFields } from './documents/support.ts'
import { count, type Leaf, type ReportFacts, version, withoutNone, wordOf } from './support/closed.ts'
import { nodeFacts } from './support/node.ts'
import { tellDocument } from './tell-document.ts'

/** The command `report`: versions and the findings of doctor, in a file that can be shown to anybody. */
export const report = commandOf('report', run)

async function run(call: Call): Promise<ExitCode> {
  const { io, json, flags, effects, environment } = call
  const { out } = call.options
  const path = pathOf(out ?? 'bearings-report.txt', environment)
  const mayWrite = !json && (flags.has('yes') || call.ask !== undefined)
  if (out !== undefined && !mayWrite)
    throw badUsage({
      sentence: 'Nobody can be asked here whether the report may be written.',
      next: json ? 'Leave --out out: with --json it is only shown.' : 'Add --yes, or leave --out out.',
    })
  // Their type lets nothing in but yes and no, numbers, and words of this program.
  const facts: Readonly<Record<string, ReportFacts>> = {
    program: programFacts(call),
    terminal: terminalFacts(environment),
    node: await nodeFacts(call),
  }
  if (json) {
    // The fields of the parts are held by the tests.
    const fields = withoutNone(facts) as SupportFields
    tellDocument('report', { network: null, verdict: 'yes', fields }, call)
    return EXIT.done
  }
  const lines = Object.entries(facts).flatMap(([name, part]) => [...factLines(name, part), ''])
  for (const line of lines) io.out(line)
  if (!mayWrite) return EXIT.done
  if (!flags.has('yes') && (await call.ask?.(`Write this to ${path}? Type yes: `))?.trim() !== 'yes') {
    io.err('Nothing was written.')
    return EXIT.stopped
  }
  await effects.store.writeText(path, `${lines.join('\n')}\n`, { replace: false })
  io.err(`Written to ${path}.`)
  return EXIT.done
}

/**
 * Returns a part of a report as lines, under the names that its fields have with `--json`: the same in every language. A
 * list is a table under the names of its first record.
 */
function factLines(name: string, facts: ReportFacts, indent = ''): string[] {
  if (isLeaf(facts)) return [`${indent}${name}: ${String(facts)}`]
  const inner = `${indent}  `
  if (!isList(facts))
    return [
      `${indent}${name}`,
      ...Object.entries(facts).flatMap(([field, each]) => factLines(field, each, inner)),
    ]
  const [first] = facts
  if (first === undefined) return [`${indent}${name}: none`]
  const rows = facts.map((record) => inner + Object.values(record).join(', '))
  return [`${indent}${name} (${Object.keys(first).join(', ')})`, ...rows]
}

const isLeaf = (facts: ReportFacts): facts is Leaf => typeof facts !== 'object'
const isList = (facts: ReportFacts): facts is readonly ReportFacts[] => Array.isArray(facts)

const language = wordOf(LANGUAGES)
const platform = wordOf(['linux', 'darwin', 'win32', 'freebsd', 'openbsd'])
const processor = wordOf(['x64', 'arm64', 'arm', 'ia32', 'riscv64', 'ppc64', 's390x'])

/** Returns the versions of the program and of what it runs on. */
function programFacts(call: Pick<Call, 'version'>): ReportFacts {
  const { versions, arch } = process
  return {
    version: version(call.version),
    language: language(LANGUAGE),
    node: version(versions.node),
    openssl: version(versions.openssl),
    platform: platform(process.platform),
    processor: processor(arch),
    system: version(release()),
  }
}

const term = wordOf(
  [
    ['xterm', 'xterm-256color', 'xterm-color', 'xterm-direct', 'xterm-kitty', 'xterm-ghostty'],
    ['screen', 'screen-256color', 'tmux', 'tmux-256color', 'linux', 'dumb', 'ansi', 'cygwin'],
    ['rxvt', 'rxvt-unicode', 'rxvt-unicode-256color', 'st-256color', 'alacritty', 'foot', 'wezterm'],
    ['konsole', 'konsole-256color', 'putty', 'putty-256color', 'vt100', 'vt102', 'vt220'],
  ].flat(),
)
const WINDOWS_TERMINAL = 'windows-terminal'
const terminalProgram = wordOf(
  [
    ['Apple_Terminal', 'iTerm.app', 'vscode', 'WezTerm', 'ghostty', 'tmux', 'WarpTerminal', 'Hyper'],
    ['mintty', 'kitty', 'rio', 'Tabby', 'zed', WINDOWS_TERMINAL],
  ].flat(),
)
const colours = wordOf(['none', '16', '256', 'all'])
const COLOURS: Readonly<Record<number, string>> = { 1: 'none', 4: '16', 8: '256', 24: 'all' }

/** Returns the terminal, and what the environment says about it. */
function terminalFacts(environment: Environment): ReportFacts {
  const { stdout } = process
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG
  const isSet = (name: string) => (environment[name] ?? '') !== ''
  return {
    isTerminal: stdout.isTTY === true,
    columns: count(stdout.isTTY ? stdout.columns : 0),
    rows: count(stdout.isTTY ? stdout.rows : 0),
    term: term(environment.TERM),
    program: terminalProgram(environment.TERM_PROGRAM || (isSet('WT_SESSION') ? WINDOWS_TERMINAL : '')),
    tmux: isSet('TMUX'),
    ssh: isSet('SSH_CONNECTION'),
    colours: colours(stdout.isTTY ? COLOURS[stdout.getColorDepth()] : 'none'),
    screenReader: isSet('INK_SCREEN_READER'),
    utf8: /utf-?8/i.test(locale ?? ''),
  }
}
