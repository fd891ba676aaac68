import { release } from 'node:os'
import { LANGUAGES } from '../../compose/choose-language.ts'
import { LANGUAGE } from '../../core/base/format/language.ts'
import type { Call, Environment } from '../command.ts'
import { count, type ReportFacts, version, wordOf } from './closed.ts'

const language = wordOf(LANGUAGES)
const platform = wordOf(['linux', 'darwin', 'win32', 'freebsd', 'openbsd'])
const processor = wordOf(['x64', 'arm64', 'arm', 'ia32', 'riscv64', 'ppc64', 's390x'])

/** Returns the versions of the program and of what it runs on. */
export function programFacts(call: Pick<Call, 'version'>): ReportFacts {
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
export function terminalFacts(environment: Environment): ReportFacts {
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
