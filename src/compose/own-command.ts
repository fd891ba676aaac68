import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import type { OwnCommand } from '../core/base/format/next.ts'
import { PROGRAM_NAME, shellCommand } from '../core/base/format/text.ts'
import type { OwnProgram, Setup } from '../core/chain/facts.ts'
import { PRESETS } from '../core/chain/network/presets.ts'
import type { NetworkChoice } from '../core/wizard/launch/choice.ts'
import { type LanguageCode, languageByOption } from './choose-language.ts'
import { stateDirectory as defaultDirectory } from './state-directory.ts'

/**
 * What this process was started as, and from where. `isExecutable`: it is no script, whatever it is named. `language`: that
 * of an option, which the next command must name again to speak it.
 */
export type StartedAs = {
  script: string
  path: string
  directory: string
  isExecutable?: boolean
  language?: LanguageCode | undefined
}

const NAME = PROGRAM_NAME

/** Returns what was started: the script, the PATH and the present directory of this process. */
export function startedAs({
  argv,
  env,
  cwd,
  execPath,
}: Pick<NodeJS.Process, 'argv' | 'env' | 'cwd' | 'execPath'>): StartedAs {
  const script = argv[1] ?? NAME
  const language = languageByOption(argv.slice(2), env)
  return { script, path: env.PATH ?? '', directory: cwd(), isExecutable: script === execPath, language }
}

/**
 * The words with which a shell starts this very program again, before any command: its name where that is on the PATH, else
 * the place that it was started from, and the language where an option chose it. `anywhere`: in any directory, not only in
 * the present one.
 */
export function ownProgram(
  started: StartedAs,
  options: { anywhere?: boolean } = {},
): readonly [string, ...string[]] {
  return [...programWords(started, options), ...languageWords(started)]
}

const languageWords = ({ language }: StartedAs): readonly string[] =>
  language === undefined ? [] : ['--lang', language]

function programWords(
  { script, path, directory, isExecutable = false }: StartedAs,
  { anywhere = false }: { anywhere?: boolean },
): readonly [string, ...string[]] {
  const isCommand = isExecutable || /^bearings(?:\.cmd|\.exe|\.ps1)?$/.test(basename(script))
  const name = isExecutable ? basename(script) : NAME
  if (isCommand && path.split(delimiter).includes(dirname(script))) return [name]
  const near = relative(directory, script)
  const isBelow = near !== '' && !near.startsWith('..') && !isAbsolute(near)
  const place = isBelow && !anywhere ? near : script
  if (!isCommand) return ['node', place]
  return [place === near ? `./${near}` : place]
}

/** Returns a command of this program as a shell here takes it; one that names a language keeps that. */
export function startedCommand(command: OwnCommand, started: StartedAs): string {
  const isLine = typeof command === 'string'
  const namesLanguage = isLine ? command.includes(' --lang ') : command.includes('--lang')
  const program = ownProgram(namesLanguage ? { ...started, language: undefined } : started)
  if (isLine) return `${shellCommand(...program)}${command.slice(PROGRAM_NAME.length)}`
  return shellCommand(...program, ...command)
}

/** How a session was begun: the network that was chosen, and where its state is. */
export type Begun = { choice: NetworkChoice | undefined; stateDirectory: string; defaultDirectory: string }

/** The state option, where the state is not at the default place. */
function stateOptions({ stateDirectory, defaultDirectory }: Omit<Begun, 'choice'>): readonly string[] {
  return stateDirectory === defaultDirectory ? [] : ['--state', stateDirectory]
}

/** Returns a command of the wizard as a shell here takes it, with its state. */
export function wizardCommand(
  words: readonly string[],
  started: StartedAs,
  place: Omit<Begun, 'choice'>,
): string {
  return startedCommand([...words, ...stateOptions(place)], started)
}

/** Returns how a session of this process was begun. */
export const begunHere = (choice: NetworkChoice | undefined, stateDirectory: string): Begun => ({
  choice,
  stateDirectory,
  defaultDirectory: defaultDirectory(process.env, process.platform),
})

/** Returns how a session prints the commands of this program. */
export function ownProgramOf(setup: Setup, begun: Begun, started: StartedAs): OwnProgram {
  const elsewhere = [NAME, ...languageWords(started)]
  return { program: ownProgram(started), elsewhere, options: readOnlyOptions(setup, begun) }
}

/** The options with which the wizard comes back to a session: its network, and its state where that is not at the default place. */
export function sessionOptions({ network }: Setup, begun: Begun): readonly string[] {
  return [...networkOptions(network, begun.choice), ...stateOptions(begun)]
}

/** The options with which a command looks at what a session is about; a rehearsal network by its very descriptor. */
export function readOnlyOptions(setup: Setup, begun: Begun): readonly string[] {
  const { network, passwordDescriptor } = setup
  if (network.kind !== 'rehearsal' || passwordDescriptor === undefined) return sessionOptions(setup, begun)
  return ['--devnet', passwordDescriptor]
}

function networkOptions({ id, kind }: Setup['network'], choice: NetworkChoice | undefined): string[] {
  if (choice !== undefined && choice.kind !== 'network') return choiceOptions(choice)
  if (kind === 'rehearsal') return ['--network', 'rehearsal']
  return ['--network', PRESETS.some((preset) => preset.id === id) ? id : '<network file>']
}

/** Returns the options that name a network. */
export function choiceOptions(choice: NetworkChoice): string[] {
  switch (choice.kind) {
    case 'network':
      return ['--network', choice.id]
    case 'file':
      return ['--network', absolutePath(choice.path)]
    case 'files':
      return ['--spec', absolutePath(choice.spec), '--genesis', absolutePath(choice.genesis)]
    case 'as-on-mainnet':
      return ['--network', 'rehearsal']
    case 'rehearsal': {
      const { which } = choice
      if (typeof which === 'string') return ['--network', 'rehearsal']
      const descriptor = 'descriptor' in which ? which.descriptor : join(which.folder, 'descriptor.json')
      return ['--devnet', absolutePath(descriptor)]
    }
  }
}
