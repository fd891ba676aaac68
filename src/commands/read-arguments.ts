import { parseArgs } from 'node:util'
import { COMMAND_NAMES } from '../compose/own-command.ts'
import { badUsage } from '../core/errors/usage.ts'
import { nearWord } from '../core/format/near-word.ts'
import { safeText } from '../core/format/text.ts'

/** What a command line may have: options with a value, options without one, and so many arguments without a name. */
export type Accepted = {
  options: readonly string[]
  flags: readonly string[]
  mostPositionals: number
  /** The name of the command, for the way to its help; the wizard has none. */
  command?: string
}

export type Arguments = {
  options: Readonly<Record<string, string | undefined>>
  flags: ReadonlySet<string>
  positionals: readonly string[]
}

/** Reads a command line; `-h` is `--help`. Throws `usage.option`, with the option that was probably meant. */
export function readArguments(argv: readonly string[], accepted: Accepted): Arguments {
  const { values, positionals } = parsed(argv, accepted)
  const { mostPositionals, command } = accepted
  const [extra] = positionals.slice(mostPositionals)
  if (extra !== undefined) throw oneTooMany(extra, command)
  const given = Object.entries(values)
  return {
    options: Object.fromEntries(
      given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
    positionals,
  }
}

function parsed(argv: readonly string[], accepted: Accepted) {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {}
  for (const name of accepted.options) options[name] = { type: 'string' }
  for (const name of accepted.flags) options[name] = { type: 'boolean' }
  if (accepted.flags.includes('help')) options.help = { type: 'boolean', short: 'h' }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (thrown) {
    throw isParseFault(thrown) ? explained(thrown, accepted) : thrown
  }
}

function isParseFault(thrown: unknown): thrown is TypeError & { code: string } {
  return thrown instanceof TypeError && 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS')
}

/** What the reader of arguments says, in words of ours: only its kind and the option that it names are taken from it. */
function explained({ code, message }: TypeError & { code: string }, accepted: Accepted): Error {
  const next = helpOf(accepted.command)
  const [, named = ''] = /'(?:-\w, )?(-[^\s'=]*)/.exec(message) ?? []
  const option = safeText(named, 60)
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const known = [...accepted.options, ...accepted.flags]
    const near = nearWord(named.replace(/^-+/, ''), known)
    return badUsage({
      sentence: `There is no option ${option}.`,
      ...(near === undefined ? {} : { near: `--${near}` }),
      next,
    })
  }
  if (!accepted.options.includes(named.slice(2)))
    return badUsage({ sentence: `${option} takes no value.`, next })
  if (!message.includes('ambiguous')) return badUsage({ sentence: `${option} needs a value.`, next })
  return badUsage({
    sentence: `${option} has no value: a dash follows it.`,
    next: `Write a value that begins with a dash as ${option}=-5. ${next}`,
  })
}

function oneTooMany(extra: string, command: string | undefined): Error {
  const found = safeText(extra, 60)
  const next = helpOf(command)
  if (command !== undefined) return badUsage({ sentence: 'There is one argument too many.', found, next })
  const near = nearWord(extra, COMMAND_NAMES)
  const sentence = 'A command comes first, before its options.'
  return badUsage({
    sentence,
    found,
    next: near === undefined ? next : `Write bearings ${near} and then the options.`,
  })
}

function helpOf(command: string | undefined): string {
  return command === undefined ? 'See bearings --help.' : `See bearings ${command} --help.`
}
