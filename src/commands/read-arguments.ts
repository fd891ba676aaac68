import { parseArgs } from 'node:util'
import { endpointTextFault, refuseSecrets, validatorTextFault } from '../compose/network-choice.ts'
import { badUsage } from '../core/base/errors/base.ts'
import { readTokens } from '../core/base/format/amount.ts'
import { invisibleFault } from '../core/base/format/drawable.ts'
import { isHex, ungroupHex } from '../core/base/format/hex.ts'
import { nearWord } from '../core/base/format/near-word.ts'
import { command, type Next, parts } from '../core/base/format/next.ts'
import { safeText } from '../core/base/format/text.ts'
import { BEFORE_A_COMMAND, COMMAND_NAMES } from './table.ts'
import { type CommandSpec, type Kind, type Option, SEED } from './table-options.ts'

export type Arguments = {
  options: Readonly<Record<string, string | undefined>>
  flags: ReadonlySet<string>
  positionals: readonly string[]
}

/**
 * The word that calls a command, and everything else of the line: options that every command takes may come before that
 * word. A line that begins with another option, or has none but these, is one of the wizard: its word is undefined.
 */
export function calledWord(argv: readonly string[]): { word: string | undefined; rest: readonly string[] } {
  const at = wordsBefore(argv)
  const word = argv[at]
  if (word === undefined || word.startsWith('-')) return { word: undefined, rest: argv }
  return { word, rest: argv.toSpliced(at, 1) }
}

/** How many words of a line are options that may come before a command, with their values. */
function wordsBefore([first = '', ...rest]: readonly string[]): number {
  const option = BEFORE_A_COMMAND.find(({ name }) => first.split('=')[0] === `--${name}`)
  if (option === undefined && first !== '-h') return 0
  const taken = option?.value === undefined || first.includes('=') ? 1 : 2
  return taken + wordsBefore(rest.slice(taken - 1))
}

/**
 * Reads a command line by the table of commands; `-h` is `--help`. Throws `usage.option`: for an option that there is
 * not, with the one that was probably meant, and for a value that is wrong whatever any chain says or may be a secret.
 */
export function readArguments(argv: readonly string[], command: CommandSpec): Arguments {
  refuseSecrets(argv, command.name)
  const { values, positionals, tokens } = parsed(argv, command)
  const [extra] = positionals.slice(command.takes?.most ?? 0)
  if (extra !== undefined) throw oneTooMany(extra, command.name)
  refuseTwice(tokens)
  const given = Object.entries(values)
  const options = Object.fromEntries(
    given.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, isTyped(command, name) ? ungroupHex(value) : value]] : [],
    ),
  )
  const flags = new Set(given.flatMap(([name, value]) => (value === true ? [name] : [])))
  if (flags.has('help')) return { options, flags, positionals }
  for (const option of command.options) {
    const text = options[option.name]
    if (text === undefined) continue
    refuseUnseen(option, text, command)
    checkValue(option, text)
  }
  // The wizard says itself what is wrong with two of them.
  if (command.name !== '') requireOneNetwork(options)
  return { options, flags, positionals }
}

function parsed(argv: readonly string[], command: CommandSpec) {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {}
  for (const { name, value } of command.options)
    options[name] = {
      type: value === undefined ? 'boolean' : 'string',
      ...(name === 'help' && { short: 'h' }),
    }
  // What has no document of its own tells at least what is wrong in one.
  options.json ??= { type: 'boolean' }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, tokens: true })
  } catch (thrown) {
    throw isParseFault(thrown) ? explained(thrown, command) : thrown
  }
}

/** Where an option is given with two values, one of them would be left out in silence. A language may be given anew. */
function refuseTwice(tokens: ReturnType<typeof parsed>['tokens']): void {
  const values = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined || token.name === 'lang') continue
    const { name, value } = token
    if ((values.get(name) ?? value) !== value)
      throw badUsage({ sentence: `--${name} is given twice.`, next: 'Give it once.' })
    values.set(name, value)
  }
}

/** Options that each say which network is meant. */
const NAMING = ['network', 'spec', 'devnet'] as const

function requireOneNetwork(options: Arguments['options']): void {
  const [first, second] = NAMING.filter((name) => options[name] !== undefined)
  if (second === undefined) return
  throw badUsage({ sentence: `--${first} and --${second} each name a network.`, next: 'Give one of them.' })
}

function isParseFault(thrown: unknown): thrown is TypeError & { code: string } {
  return thrown instanceof TypeError && 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS')
}

/** What the reader of arguments says, in words of ours: only its kind and the option that it names are taken from it. */
function explained({ code, message }: TypeError & { code: string }, command: CommandSpec): Error {
  const next = helpOf(command.name)
  const [, named = ''] = /'(?:-\w, )?(-[^\s'=]*)/.exec(message) ?? []
  const option = safeText(named, 60)
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const known = command.options.map(({ name }) => name)
    const near = nearWord(named.replace(/^-+/, ''), known)
    return badUsage({
      sentence: `There is no option ${option}.`,
      ...(near === undefined ? {} : { near: `--${near}` }),
      next,
    })
  }
  if (!command.options.some(({ name, value }) => value !== undefined && name === named.slice(2)))
    return badUsage({ sentence: `${option} takes no value.`, next })
  if (!message.includes('ambiguous')) return badUsage({ sentence: `${option} needs a value.`, next })
  return badUsage({
    sentence: `${option} has no value: a dash follows it.`,
    next: parts`Write a value that begins with a dash as ${option}=-5. ${next}`,
  })
}

function oneTooMany(extra: string, name: string): Error {
  const found = safeText(extra, 60)
  const isGroup = /^[0-9a-f]{4}$/i.test(extra)
  const next = isGroup ? 'Put quotation marks around a value that has spaces.' : helpOf(name)
  if (name !== '') return badUsage({ sentence: 'There is one argument too many.', found, next })
  const near = nearWord(extra, COMMAND_NAMES)
  const names = BEFORE_A_COMMAND.map(({ name }) => `--${name}`).join(', ')
  const sentence = `A command comes before its options; only these may come before it: ${names}.`
  return badUsage({
    sentence,
    found,
    next: near === undefined ? next : parts`Write ${command(near)} and then the options.`,
  })
}

function helpOf(name: string): Next {
  return parts`See ${name === '' ? command('--help') : command(name, '--help')}.`
}

/** Whether the value of an option is no name of a file and no seed, which may hold any character. */
function isTyped({ options }: CommandSpec, name: string): boolean {
  const kind = options.find((option) => option.name === name)?.kind
  return name !== SEED.name && kind !== 'file' && kind !== 'folder' && kind !== 'network'
}

function refuseUnseen({ name }: Option, text: string, command: CommandSpec): void {
  const fault = isTyped(command, name) ? invisibleFault(text) : undefined
  if (fault === undefined) return
  throw badUsage({ sentence: `--${name}: ${fault}`, next: 'Correct it and start again.' })
}

/** Refuses a value that is none of its kind. */
function checkValue({ name, kind }: Option, text: string): void {
  const problem = kind === undefined ? undefined : problemOf(name, kind, text)
  if (problem !== undefined) throw badUsage(problem)
}

type Problem = Parameters<typeof badUsage>[0]

function problemOf(name: string, kind: Kind, text: string): Problem | undefined {
  if (typeof kind !== 'string') return problemOfRange(name, kind, text)
  switch (kind) {
    case 'file':
    case 'folder':
    case 'network':
      return undefined
    case 'url':
      return problemOfUrl(name, text)
    case 'urls':
      return addresses(text)
        .map((each) => problemOfUrl(name, each))
        .find((found) => found !== undefined)
    case 'validator': {
      const fault = validatorTextFault(text)
      // What may be a private key is not repeated.
      const next = "Copy it from your own record, or from the engine's status; or give the index."
      return fault === undefined ? undefined : { sentence: `--${name}: ${fault}`, next }
    }
    case 'tokens': {
      const read = readTokens(text)
      if ('amountGwei' in read) return undefined
      const next = `Write tokens, such as --${name} 20000.`
      return { sentence: `--${name}: ${read.error}`, found: safeText(text, 40), next }
    }
    case 'listen':
      return listenAddress(text) === undefined
        ? {
            sentence: `--${name} names no address to listen at.`,
            found: safeText(text, 60),
            next: `Give an address of this computer and a port, such as --${name} 127.0.0.1:9478.`,
          }
        : undefined
  }
}

function problemOfRange(name: string, kind: Exclude<Kind, string>, text: string): Problem | undefined {
  if ('bytes' in kind)
    return isHex(text, kind.bytes) ? undefined : odd(name, text, `${kind.bytes} bytes of 0x hexadecimal`)
  if ('least' in kind) {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= kind.least && value <= kind.most) return undefined
    const sentence = `--${name} takes a whole number from ${kind.least} to ${kind.most}.`
    return { sentence, found: safeText(text, 40), next: 'Correct it and start again.' }
  }
  if (kind.oneOf.includes(text)) return undefined
  const near = nearWord(text, kind.oneOf)
  return {
    sentence: `There is no ${name === 'lang' ? 'language' : name} ${safeText(text, 40)}.`,
    ...(near === undefined ? {} : { near: `--${name} ${near}` }),
    next: `Give one of ${kind.oneOf.join(', ')}.`,
  }
}

function problemOfUrl(name: string, text: string): Problem | undefined {
  const fault = endpointTextFault(name, text)
  if (fault === undefined) return undefined
  const sentence =
    fault.is === 'credentials'
      ? `--${name} has a user name or password in it.`
      : `--${name} is no http or https address.`
  return { sentence, next: fault.next }
}

function odd(name: string, found: string, expected: string): Problem {
  return { sentence: `--${name} cannot be read.`, found: safeText(found, 80), next: `Give ${expected}.` }
}

/** Returns the addresses of an option that takes several. */
export function addresses(text: string): string[] {
  return text.split(',').filter((each) => each !== '')
}

/** Of IPv6 in brackets, of IPv4 or a name before a colon, or nothing before the port. */
const LISTEN = /^(?:\[([0-9a-fA-F:]+)\]:|([A-Za-z0-9.-]+):|:)?(\d{1,5})$/

/** Returns where is to be listened; a port alone is one of this computer. Undefined for a text that names no place. */
export function listenAddress(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits] = LISTEN.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) return undefined
  return { host: bracketed ?? plain ?? '127.0.0.1', port }
}
