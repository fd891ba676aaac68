import { parseArgs } from 'node:util'
import { plainAscii } from '../compose/fact-lines.ts'
import type { Effects } from '../core/effects/effects.ts'
import { effectsUntil } from '../core/effects/effects-until.ts'
import { badUsage } from '../core/errors/usage.ts'
import { safeText } from '../core/format/text.ts'
import { type ErrorFacts, errorFacts } from '../core/steps/observation.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { CommandIo } from './io.ts'
import { printable } from './printable.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What a command gets from outside. */
export type CommandInput = {
  argv: readonly string[]
  effects: Effects
  io: CommandIo
  /** Used where --state does not say. */
  stateDirectory: string
  environment: Environment
}

/** A command's arguments, read. */
export type Call = CommandInput & {
  options: Readonly<Record<string, string | undefined>>
  flags: ReadonlySet<string>
  positionals: readonly string[]
  json: boolean
}

export type Command = {
  name: string
  help: string
  /** Names of options that take a value. */
  options: readonly string[]
  flags?: readonly string[]
  /** How many arguments without a name it takes at most. */
  mostPositionals: number
  /** True where it ends by itself when it is stopped, and says so with its exit code. */
  stopsItself?: true
  run(call: Call): Promise<ExitCode>
}

/**
 * Runs a command on effects that end with the signal: reads its arguments, prints its help, and turns whatever it throws into words on stderr, into a
 * JSON document on stdout where that was asked for, and into an exit code. Does not throw.
 */
export async function runCommand(command: Command, input: CommandInput): Promise<ExitCode> {
  const { io } = input
  const json = input.argv.includes('--json')
  try {
    const effects = effectsUntil(input.effects, io.signal)
    const call = { ...input, ...readArguments(command, input.argv), effects, json }
    if (call.flags.has('help')) {
      io.out(command.help)
      return EXIT.done
    }
    const run = command.run(call)
    return await (command.stopsItself ? run : Promise.race([run, stopped(io.signal)]))
  } catch (thrown) {
    return io.signal.aborted ? EXIT.stopped : tellFailure(thrown, { io, json, command: command.name })
  }
}

function readArguments(
  command: Command,
  argv: readonly string[],
): Pick<Call, 'options' | 'flags' | 'positionals'> {
  const flags = [...(command.flags ?? []), 'json', 'help']
  const table: Record<string, { type: 'string' | 'boolean'; short?: string }> = {}
  for (const name of command.options) table[name] = { type: 'string' }
  for (const name of flags) table[name] = { type: 'boolean' }
  table.help = { type: 'boolean', short: 'h' }
  const { values, positionals } = parseArgs({ args: [...argv], options: table, allowPositionals: true })
  const [extra] = positionals.slice(command.mostPositionals)
  if (extra !== undefined) {
    const next = `See bearings ${command.name} --help.`
    throw badUsage({ sentence: 'There is one argument too many.', found: safeText(extra, 60), next })
  }
  const given = Object.entries(values)
  return {
    options: Object.fromEntries(given.flatMap(([k, v]) => (typeof v === 'string' ? [[k, v]] : []))),
    flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
    positionals,
  }
}

function stopped(signal: AbortSignal): Promise<ExitCode> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(EXIT.stopped)
    signal.addEventListener('abort', () => resolve(EXIT.stopped), { once: true })
  })
}

/**
 * Whatever a command threw, in words on stderr and, with `json`, as the one document on stdout. Gives its exit code.
 * The wizard's own arguments have no `command`.
 */
export function tellFailure(
  thrown: unknown,
  { io, json, command }: { io: CommandIo; json: boolean; command?: string },
): ExitCode {
  const facts = isParseFault(thrown) ? parseFacts(thrown, command) : errorFacts(thrown)
  const code = exitFor(facts.code)
  if (json) io.out(printable({ command, verdict: VERDICTS[code] ?? 'unknown', error: facts }))
  io.err(plainAscii(`${facts.shortMessage} (${facts.code}, money ${facts.money})`))
  for (const text of facts.details) io.err(plainAscii(`  ${text}`))
  for (const text of facts.nextSteps) io.err(plainAscii(`  next: ${text}`))
  return code
}

const VERDICTS: Readonly<Record<number, string>> = { [EXIT.no]: 'no', [EXIT.wrongUse]: 'wrong use' }

function isParseFault(thrown: unknown): thrown is TypeError {
  return thrown instanceof TypeError && 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS')
}

/** The first sentence of what the reader of arguments says, and what to write instead. */
function parseFacts(thrown: TypeError, command: string | undefined): ErrorFacts {
  const [sentence = ''] = thrown.message.split(/\. |\n/)
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(sentence) ?? []
  const help = command === undefined ? 'bearings --help' : `bearings ${command} --help`
  return {
    code: 'usage.option',
    shortMessage: safeText(option === undefined ? sentence : `${option} has no value: a dash follows it.`),
    details: [],
    nextSteps: [
      ...(option === undefined ? [] : [`Write a value that begins with a dash as ${option}=-5.`]),
      `See ${help}.`,
    ],
    retryable: false,
    money: 'untouched',
  }
}

/** What was given and cannot be used is wrong use; what is read and is not what it claims is a "no". */
const EXITS: readonly (readonly [RegExp, ExitCode])[] = [
  [/^(?:usage|network|file|validator)\.|^devnet\.refused$/, EXIT.wrongUse],
  [/^(?:deposit|genesis-file|key-file)\./, EXIT.no],
]

function exitFor(code: string): ExitCode {
  return EXITS.find(([pattern]) => pattern.test(code))?.[1] ?? EXIT.unknown
}
