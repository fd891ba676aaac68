import { parseArgs } from 'node:util'
import { COMMAND_NAMES } from '../compose/own-command.ts'
import { badUsage } from '../core/errors/base.ts'
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

/** Options that every command about a node takes. */
export const NODE_OPTIONS = [
  'network',
  'spec',
  'genesis',
  'devnet',
  'home',
  'execution',
  'second-execution',
  'node',
  'engine',
  'state',
] as const

export type NodeOption = (typeof NODE_OPTIONS)[number]

/** Their part of a command's help. */
export const NODE_OPTIONS_HELP = `  --network NAME           mainnet, bepolia, rehearsal, or a network FILE.json
                           (docs/network-file.md)
  --spec FILE --genesis FILE   another network, from the node's own files
                           spec.toml and genesis.json
  --devnet FILE_OR_JSON    a running rehearsal network, by its descriptor
  --home DIR               the node's home; it is only read
  --execution URL          execution RPC
  --second-execution URL   one more, of another operator
  --node URL               node API
  --engine URL             RPC of the consensus engine (CometBFT)
  --state DIR              where settings are kept
  --json                   one JSON document on stdout
  --help                   this text
Without --network the chain id in the home's client.toml counts. Endpoints that
are not given come from what was set up before, then from the home, then from
the network's defaults on this computer.
Exit codes: 0 yes, 1 no, 2 wrong use, 3 could not find out.`

const LONGEST_TEXT = 1_000_000

/**
 * A value as JSON text for a terminal or a pipe: bigints as decimal text, bytes as 0x hex, absent fields left out, and
 * every text of a stranger without control, direction or invisible characters.
 */
export function printable(value: unknown, options: { indent?: number } = {}): string {
  return JSON.stringify(value, replacer, options.indent) ?? 'null'
}

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  return typeof value === 'string' ? safeText(value, LONGEST_TEXT) : value
}
