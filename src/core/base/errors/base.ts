import { command, type Next, parts } from '../format/next.ts'

/** Where the stake is, as far as this failure lets us say. */
export type MoneyState = 'untouched' | 'unknown' | 'moved'

export type ErrorOptions = {
  /** Lines of detail: what was found, what was expected. Free of secrets and of raw remote text. */
  details?: readonly string[]
  cause?: unknown
  /** What the user can do next, most useful first. */
  nextSteps?: readonly Next[]
  /** True when the same call may succeed later without anything being changed. */
  retryable?: boolean
  money?: MoneyState
  /** The other side's own reason, safe to draw in quotes. For people alone: nothing is ever decided by it. */
  said?: string | undefined
}

/**
 * The root of every error that the program raises on purpose.
 *
 * `code` is stable and machine-readable (`domain.what`), `shortMessage` is one sentence for a tired operator.
 */
export class BaseError extends Error {
  readonly code: string
  readonly shortMessage: string
  readonly details: readonly string[]
  readonly nextSteps: readonly Next[]
  readonly retryable: boolean
  readonly money: MoneyState
  readonly said: string | undefined

  constructor(code: string, shortMessage: string, options: ErrorOptions = {}) {
    const details = options.details ?? []
    super([shortMessage, ...details].join('\n'), { cause: options.cause })
    this.name = 'BaseError'
    this.code = code
    this.shortMessage = shortMessage
    this.details = details
    this.nextSteps = options.nextSteps ?? []
    this.retryable = options.retryable ?? false
    this.money = options.money ?? 'untouched'
    this.said = options.said
  }
}

/** A failure in one line: what happened and, in quotes and as theirs, the words of the other side. */
export function failureWords({
  shortMessage,
  said,
}: {
  shortMessage: string
  said?: string | undefined
}): string {
  return said === undefined ? shortMessage : `${shortMessage} It said: "${said}"`
}

/** A command was called in a way that has no meaning. */
class UsageError extends BaseError {
  override name = 'UsageError'
}

/** What was written, the known word that is near it, and what to do. */
type Problem = { sentence: string; found?: string; near?: string; next: Next }

/** One option or argument is missing or odd. Texts must already be safe to draw. */
export function badUsage({ sentence, found, near, next }: Problem): UsageError {
  return new UsageError('usage.option', sentence, {
    details: found === undefined ? [] : [`found: ${found}`],
    nextSteps: [...meant(near), next],
  })
}

/** There is no command of this name. `found` must already be safe to draw. */
export function noSuchCommand(found: string, near: string | undefined): UsageError {
  return new UsageError('usage.no-such-command', 'There is no command of this name.', {
    details: [`found: ${found}`],
    nextSteps: [...meant(near && command(near)), SEE_HELP],
  })
}

const SEE_HELP = parts`See ${command('--help')}.`

function meant(near: Next | undefined): Next[] {
  return near === undefined ? [] : [parts`Did you mean ${near}?`]
}

/** The command needs to know its network and nothing says which. */
export function noNetwork(): UsageError {
  return new UsageError('usage.no-network', 'No network is selected.', {
    nextSteps: [
      'Give --network mainnet, bepolia or a network FILE.json, or --spec with --genesis.',
      'Give --network rehearsal for the rehearsal that the wizard runs, or --devnet with the line or file of another one.',
      'Or give --home: the chain id in its client.toml names a built-in network.',
    ],
  })
}

/** A network that is no built-in name and no file. `found` must already be safe to draw. */
export function noSuchNetwork(found: string, near?: string): UsageError {
  return new UsageError('usage.no-such-network', 'There is no network of this name, and no such file.', {
    details: [`found: ${found}`],
    nextSteps: [
      ...meant(near && `--network ${near}`),
      'Give mainnet, bepolia or rehearsal, in small letters, or the path of a network FILE.json.',
      'Or describe another network with --spec and --genesis.',
    ],
  })
}

/** The directory that should be the node's home is not there. `path` and `next` must already be safe to draw. */
export function noHome(path: string, next: readonly string[]): UsageError {
  return new UsageError('usage.no-home', 'There is no node home here.', {
    details: [`path: ${path}`],
    nextSteps: next,
  })
}

/** No rehearsal network was ever started below this state directory. */
export function noRehearsal(): UsageError {
  return new UsageError('usage.no-rehearsal', 'There is no rehearsal network to look at.', {
    nextSteps: [
      'Start one in the wizard, with --network rehearsal.',
      parts`Or start one with ${command('devnet')} and give its line or file with --devnet.`,
    ],
  })
}

/** The node's list of validators ends before this index. `label` names the network. */
export function unknownIndex(index: number, label: string): BaseError {
  return new BaseError('validator.unknown-index', `The node knows no validator ${index}.`, {
    details: [`network: ${label}`],
    nextSteps: ['Compare the index with your own record, or give the public key.'],
  })
}

/** A part of the program with native code is not installed, or the system does not load it. */
export function libraryFailed(why: string, cause: unknown): BaseError {
  return new BaseError('install.library', 'A native library of this program is missing or does not load.', {
    details: [why],
    nextSteps: ['Install again without `--omit=optional`, on a system that the library is made for.'],
    cause,
  })
}

/** Node was started without a right that the program needs. `why`: its own words, safe to draw. */
export function forbiddenByNode(why: string, cause: unknown): BaseError {
  return new BaseError('install.forbidden', 'Node was started so that it forbids what this program needs.', {
    details: [why],
    nextSteps: ['Start it without `--permission` and `--no-addons`, also in NODE_OPTIONS.'],
    cause,
  })
}

const TEMPORARY_FOUND: Readonly<Record<string, string>> = {
  ENOENT: 'no such directory',
  ENOTDIR: 'no directory, but a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOEXEC: 'programs may not run from there',
}

/** Where temporary files go: the directory, the variable that names it, and the system's name for what is wrong with it. */
export type TemporaryFault = { directory: string; variable?: string; found: string }

/** The system's directory for temporary files cannot be used. `directory` must be safe to draw. */
export function temporaryUnusable(fault: TemporaryFault, cause: unknown): BaseError {
  const { directory, variable = 'TMPDIR', found } = fault
  const set =
    fault.variable === undefined ? `${variable}: not set, so ${directory}` : `${variable}: ${directory}`
  const words = TEMPORARY_FOUND[found]
  return new BaseError('install.temporary', 'The directory for temporary files cannot be used.', {
    details: [set, `found: ${words === undefined ? found : `${words} (${found})`}`],
    nextSteps: [
      `Set ${variable} to a directory of yours that exists, where you may write and from which programs may run, then start again.`,
    ],
    cause,
  })
}
