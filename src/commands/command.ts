import type { Effects } from '../core/base/effects/effects.ts'
import { effectsUntil } from '../core/base/effects/effects-until.ts'
import { runLater } from '../core/base/effects/node-clock.ts'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import { withOneSilence } from '../core/base/effects/one-silence.ts'
import { isError } from '../core/base/errors/base.ts'
import { type Next, withoutKeys } from '../core/base/format/next.ts'
import { READ } from '../core/clients/json-rpc.ts'
import { type TellWait, tellWaits } from '../core/clients/tell-waits.ts'
import { type ErrorFacts, errorFacts } from '../core/view/observation.ts'
import { MONEY_WORDS, PLAIN_RENDERER } from '../output/fact-lines.ts'
import { type CommandIo, EXIT, type ExitCode, isOfDisk, nextWords, VERDICT_OF } from '../output/io.ts'
import type { OpenGuards } from '../watch/keep-guards.ts'
import type { WatchScreen, WatchScreenInput } from '../watch/screen.ts'
import type { ErrorFields } from './documents/error.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { type ReportRow, textLines } from './report-lines.ts'
import { commandNamed } from './table.ts'
import type { CommandName, CommandSpec } from './table-options.ts'
import type { Asked } from './tell-document.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What a command gets from outside. */
export type CommandInput = {
  argv: readonly string[]
  effects: Effects
  io: CommandIo
  /** Used where --state does not say. */
  stateDirectory: string
  environment: Environment
  /** All of what comes in through stdin; undefined at a terminal, where nothing does. */
  stdin?: () => Promise<string | undefined>
  /** Opens the table of a watch; undefined where no terminal is. */
  openScreen?: (given: WatchScreenInput) => Promise<WatchScreen>
  /** Holds or looks for guards; undefined where this program is embedded without payments. */
  openGuards?: OpenGuards
  /** The version of the program. */
  version?: string
}

/** A command's arguments, read. */
export type Call = CommandInput & Arguments & { name: CommandName; json: boolean }

/** What a command does with its arguments. */
type Run = (call: Call) => Promise<ExitCode>

/**
 * A command of the table, on effects that end with the signal: reads its arguments, prints its help, and turns whatever
 * it throws into words on stderr, into a JSON document on stdout where that was asked for, and into an exit code. It does
 * not throw. `stopsItself`: where it ends by itself when it is stopped, and says so with its exit code.
 */
export function commandOf(
  name: CommandName,
  run: Run,
  { stopsItself = false }: { stopsItself?: boolean } = {},
): (input: CommandInput) => Promise<ExitCode> {
  return async (input) => {
    const { io } = input
    const json = input.argv.includes('--json')
    try {
      const command = commandNamed(name)
      const read = readArguments(input.argv, command)
      if (read.flags.has('help')) return await tellHelp(command, io)
      const lasting = effectsUntil(input.effects, io.signal)
      const effects = stopsItself
        ? lasting
        : tellWaits(
            withOneSilence(lasting, READ.deadlineMs),
            (...wait) => io.err(waitWords(...wait)),
            runLater,
          )
      const call = { ...input, ...read, name, effects, json }
      const ran = run(call)
      return await (stopsItself ? ran : Promise.race([ran, stopped(io.signal)]))
    } catch (thrown) {
      return io.signal.aborted
        ? EXIT.stopped
        : tellFailure(thrown, { io, json, name, effects: input.effects })
    }
  }
}

function waitWords(...[endpoint, askedMs]: Parameters<TellWait>): string {
  return askedMs === undefined
    ? `${endpoint} hasn’t answered yet. Still waiting.`
    : `${endpoint} limits how often it is asked, and asks to wait ${askedMs / 1000} s.`
}

/** Prints what there is to know of a command, or of the program. */
export async function tellHelp(command: CommandSpec, io: CommandIo): Promise<ExitCode> {
  const { helpText } = await import('./help-text.ts')
  io.out(helpText(command))
  return EXIT.done
}

/** Returns a path as the user gave it, absolute; `~` is the user's own directory. */
export function pathOf(text: string, environment: Environment): string {
  return absolutePath(text, environment.HOME ?? environment.USERPROFILE)
}

function stopped(signal: AbortSignal): Promise<ExitCode> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(EXIT.stopped)
    signal.addEventListener('abort', () => resolve(EXIT.stopped), { once: true })
  })
}

/**
 * Whatever a command threw, in words on stderr and, with `json`, as the one document on stdout. Gives its exit code.
 * The wizard's own arguments have an empty name.
 */
export async function tellFailure(
  thrown: unknown,
  asked: Asked & { io: CommandIo; json: boolean },
): Promise<ExitCode> {
  const { io } = asked
  const ofError = errorFacts(thrown)
  const facts = { ...ofError, nextSteps: stepsOf(ofError.nextSteps).map((step) => nextWords(step, io)) }
  const code = exitFor(facts.code)
  if (asked.json) {
    const { tellDocument } = await import('./tell-document.ts')
    tellDocument('error', { network: null, verdict: VERDICT_OF[code], fields: errorFields(facts) }, asked)
  }
  const texts = [
    `${facts.shortMessage} (${facts.code}, money ${MONEY_WORDS[facts.money]})`,
    ...facts.details.map((text) => `  ${text}`),
    ...facts.nextSteps.map((text) => `  next: ${text}`),
  ]
  for (const line of texts.flatMap((text) => textLines(text, PLAIN_RENDERER))) io.err(line)
  return code
}

/** What to do next where there are no keys: what one of them asks again, the same command does. */
function stepsOf(steps: readonly Next[]): Next[] {
  const { next, asks } = withoutKeys(steps)
  return asks ? [...next, 'Run the same command again.'] : next
}

function errorFields(facts: Omit<ErrorFacts, 'nextSteps'> & { nextSteps: readonly string[] }): ErrorFields {
  const { code, money, retryable, shortMessage: sentence, details, nextSteps: next, said } = facts
  return { error: { code, money, retryable }, words: { sentence, details, next, said } }
}

/** What was given and cannot be used is wrong use; what is read and is not what it claims is a "no". */
const EXITS: readonly (readonly [RegExp, ExitCode])[] = [
  [/^(?:usage|network|file|validator|watch-config)\.|^devnet\.refused$/, EXIT.wrongUse],
  [/^(?:deposit|genesis-file|key-file)\.|^home\.encoding$/, EXIT.no],
]

function exitFor(code: string): ExitCode {
  if (isOfDisk(code)) return EXIT.unknown
  return EXITS.find(([pattern]) => pattern.test(code))?.[1] ?? EXIT.unknown
}

/** What a row says where the node tool gave no opinion: unknown, or not asked where it cannot be asked at all. */
export function toolFault(thrown: unknown): Pick<ReportRow, 'mark' | 'value'> {
  return {
    mark: isError(thrown, 'tool.not-asked') ? 'unasked' : 'unknown',
    value: errorFacts(thrown).shortMessage,
  }
}
