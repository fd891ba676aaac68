import { command, type Next, parts } from '../format/next.ts'

/** Where the stake is, as far as this failure lets us say. */
export type MoneyState = 'untouched' | 'unknown' | 'moved'

/** What an error says. Texts must be safe to draw. */
export type ErrorParts = {
  /** One sentence for a tired operator. */
  short: string
  /** Lines of detail: what was found, what was expected. Free of secrets and of raw remote text. */
  details?: readonly string[]
  cause?: unknown
  /** What the user can do next, most useful first. */
  next?: readonly Next[]
  /** True when the same call may succeed later without anything being changed. */
  retryable?: boolean
  money?: MoneyState
  /** The other side's own reason, safe to draw in quotes. For people alone: nothing is ever decided by it. */
  said?: string | undefined
}

/** A field that is missing or odd. All parts must be safe to draw. */
export type OddField = { field: string; found: string; expected: string }

/** The root of every error that the program raises on purpose. `code` is stable and machine-readable (`domain.what`). */
export class BaseError extends Error {
  readonly code: string
  readonly shortMessage: string
  readonly details: readonly string[]
  readonly nextSteps: readonly Next[]
  readonly retryable: boolean
  readonly money: MoneyState
  readonly said: string | undefined

  constructor(code: string, parts: ErrorParts) {
    const { short, details = [], next = [], retryable = false, money = 'untouched', said, cause } = parts
    super([short, ...details].join('\n'), { cause })
    this.name = 'BaseError'
    this.code = code
    this.shortMessage = short
    this.details = details
    this.nextSteps = next
    this.retryable = retryable
    this.money = money
    this.said = said
  }
}

/** What an error of one code says: always the same, or made from what is given. */
type Entry<Parts> = Parts | ((...given: never[]) => Parts)
export type Given<Said> = Said extends (...given: infer All extends unknown[]) => unknown ? All : []

/** Makes the error of a code of the catalogue, which its docs page and its samples are made from too. */
export type ErrorsOf<Catalogue, Made> = {
  <Code extends keyof Catalogue & string>(code: Code, ...given: Given<Catalogue[Code]>): Made
  readonly catalogue: Catalogue
}

/** Returns what makes the errors of a catalogue, each of them an instance of `Made`. */
export function errorsOf<
  Parts extends ErrorParts,
  Catalogue extends Readonly<Record<string, Entry<Parts>>>,
  Made extends BaseError,
>(Made: new (code: string, parts: Parts) => Made, catalogue: Catalogue): ErrorsOf<Catalogue, Made> {
  const make = <Code extends keyof Catalogue & string>(code: Code, ...given: Given<Catalogue[Code]>) => {
    const entry: Entry<Parts> = catalogue[code] as Entry<Parts>
    const parts = typeof entry === 'function' ? (entry as (...given: unknown[]) => Parts)(...given) : entry
    return new Made(code, parts)
  }
  return Object.assign(make, { catalogue })
}

/** Whether what was thrown is an error of this kind: a whole code, or what stands before its point. */
export function isError<const Kind extends string>(
  thrown: unknown,
  kind: Kind,
): thrown is BaseError & { code: Kind | `${Kind}.${string}` } {
  return thrown instanceof BaseError && (thrown.code === kind || thrown.code.startsWith(`${kind}.`))
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

/** What was written, the known word that is near it, and what to do. */
type Problem = { sentence: string; found?: string; near?: string; next: Next }

const SEE_HELP = parts`See ${command('--help')}.`

function meant(near: Next | undefined): Next[] {
  return near === undefined ? [] : [parts`Did you mean ${near}?`]
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

/** A command was called in a way that has no meaning, or the program cannot run as it is installed. */
export const programError = errorsOf(BaseError, {
  /** One option or argument is missing or odd. Texts must already be safe to draw. */
  'usage.option': ({ sentence, found, near, next }: Problem) => ({
    short: sentence,
    details: found === undefined ? [] : [`found: ${found}`],
    next: [...meant(near), next],
  }),
  /** There is no command of this name. `found` must already be safe to draw. */
  'usage.no-such-command': (found: string, near: string | undefined) => ({
    short: 'There is no command of this name.',
    details: [`found: ${found}`],
    next: [...meant(near && command(near)), SEE_HELP],
  }),
  /** The command needs to know its network and nothing says which. */
  'usage.no-network': {
    short: 'No network is selected.',
    next: [
      'Give --network mainnet, bepolia or a network FILE.json, or --spec with --genesis.',
      'Give --network rehearsal for the rehearsal that the wizard runs, or --devnet with the line or file of another one.',
      'Or give --home: the chain id in its client.toml names a built-in network.',
    ],
  },
  /** A network that is no built-in name and no file. `found` must already be safe to draw. */
  'usage.no-such-network': (found: string, near?: string) => ({
    short: 'There is no network of this name, and no such file.',
    details: [`found: ${found}`],
    next: [
      ...meant(near && `--network ${near}`),
      'Give mainnet, bepolia or rehearsal, in small letters, or the path of a network FILE.json.',
      'Or describe another network with --spec and --genesis.',
    ],
  }),
  /** The directory that should be the node's home is not there. `path` and `next` must already be safe to draw. */
  'usage.no-home': (path: string, next: readonly string[]) => ({
    short: 'There is no node home here.',
    details: [`path: ${path}`],
    next,
  }),
  /** No rehearsal network was ever started below this state directory. */
  'usage.no-rehearsal': {
    short: 'There is no rehearsal network to look at.',
    next: [
      'Start one in the wizard, with --network rehearsal.',
      parts`Or start one with ${command('devnet')} and give its line or file with --devnet.`,
    ],
  },
  /** The node's list of validators ends before this index. `label` names the network. */
  'validator.unknown-index': (index: number, label: string) => ({
    short: `The node knows no validator ${index}.`,
    details: [`network: ${label}`],
    next: ['Compare the index with your own record, or give the public key.'],
  }),
  /** A part of the program with native code is not installed, or the system does not load it. */
  'install.library': (why: string, cause: unknown) => ({
    short: 'A native library of this program is missing or does not load.',
    details: [why],
    next: ['Install again without `--omit=optional`, on a system that the library is made for.'],
    cause,
  }),
  /** Node was started without a right that the program needs. `why`: its own words, safe to draw. */
  'install.forbidden': (why: string, cause: unknown) => ({
    short: 'Node was started so that it forbids what this program needs.',
    details: [why],
    next: ['Start it without `--permission` and `--no-addons`, also in NODE_OPTIONS.'],
    cause,
  }),
  /** The system's directory for temporary files cannot be used. `directory` must be safe to draw. */
  'install.temporary': (fault: TemporaryFault, cause: unknown) => {
    const { directory, variable = 'TMPDIR', found } = fault
    const set =
      fault.variable === undefined ? `${variable}: not set, so ${directory}` : `${variable}: ${directory}`
    const words = TEMPORARY_FOUND[found]
    return {
      short: 'The directory for temporary files cannot be used.',
      details: [set, `found: ${words === undefined ? found : `${words} (${found})`}`],
      next: [
        `Set ${variable} to a directory of yours that exists, where you may write and from which programs may run, then start again.`,
      ],
      cause,
    }
  },
})

/** One option or argument is missing or odd. Texts must already be safe to draw. */
export const badUsage = (problem: Problem): BaseError => programError('usage.option', problem)

/** Returns a promise that may fail before anything awaits it. The failure appears when the caller awaits it. */
export function unawaited<T>(reply: Promise<T>): Promise<T> {
  reply.catch(() => undefined)
  return reply
}

/**
 * Waits until a promise has settled and ignores how: for a pause that a signal may cut short, for the next in a queue, and for
 * cleanup. The promise's own caller still gets its failure.
 */
export async function onceSettled(reply: Promise<unknown>): Promise<void> {
  await Promise.allSettled([reply])
}
