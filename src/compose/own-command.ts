import { join } from 'node:path'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import type { OwnCommand } from '../core/base/format/next.ts'
import { PROGRAM_NAME, shellCommand } from '../core/base/format/text.ts'
import type { OwnProgram, Setup } from '../core/chain/facts.ts'
import { PRESETS } from '../core/chain/network/presets.ts'
import type { NetworkChoice } from '../core/wizard/launch/choice.ts'
import { type LanguageCode, languageByOption } from './choose-language.ts'
import { stateDirectory as defaultDirectory } from './state-directory.ts'

/** How this process was started: `language` is that of an option, which the next command must name again to speak it. */
export type StartedAs = { language?: LanguageCode | undefined }

/** Returns what the next command must keep of how this process was started. */
export function startedAs({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): StartedAs {
  return { language: languageByOption(argv.slice(2), env) }
}

/** The words that start this program, before any command: its one name, wherever it runs, and the language of an option. */
export function ownProgram({ language }: StartedAs): readonly [string, ...string[]] {
  return language === undefined ? [PROGRAM_NAME] : [PROGRAM_NAME, '--lang', language]
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
  return { program: ownProgram(started), options: readOnlyOptions(setup, begun) }
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
