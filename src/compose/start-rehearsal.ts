import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { absolutePath, roomFault, toFileError } from '../core/base/effects/node-file-fault.ts'
import { makeDirectory } from '../core/base/effects/node-files.ts'
import { BaseError } from '../core/base/errors/base.ts'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import { LANGUAGE } from '../core/base/format/language.ts'
import { safeText } from '../core/base/format/text.ts'
import type { Setup } from '../core/chain/facts.ts'
import { readDescriptor } from '../core/chain/network/rehearsal.ts'
import type { RehearsalChoice } from '../core/wizard/launch/choice.ts'
import type { Session } from '../core/wizard/session.ts'
import { attachRehearsal, networkNumber, rehearsalAnswers, rehearsalFolders } from './attach-rehearsal.ts'
import { givenValidator } from './given-validator.ts'
import { begunHere, ownProgramOf, startedAs } from './own-command.ts'
import { wishNewKey } from './rehearsal-wishes.ts'
import { typedOf } from './typed-rehearsal.ts'

export type RehearsalOptions = {
  /** Directory under which each network gets a folder of its own. */
  directory: string
  scenario?: string
  seed?: string
  slotMs?: number
  signal?: AbortSignal
}

/** A network that was started here. */
export type StartedNetwork = {
  folder: string
  /** Tells it to end; where it has ended already, nothing happens. */
  end: () => void
}

const READY_MS = 30_000
const MOST_LINES = 9
/** After so long without a question a rehearsal network ends itself. */
export const IDLE_MINUTES = 10
/** The same where somebody writes down and types first, and nothing is asked meanwhile. */
const IDLE_MINUTES_AS_ON_MAINNET = 60

/**
 * Starts a rehearsal network as a process of its own that outlives this one, and waits until it is ready.
 * Its folder holds `descriptor.json`. Throws a `file.*` error, which is why it did not start where the disk is full, `exec.no-room`, `rehearsal.not-started` with the
 * network's own words, or the reason of the signal; then no process of it is left.
 */
export async function startRehearsal(options: RehearsalOptions): Promise<StartedNetwork> {
  const last = rehearsalFolders(options.directory).at(-1)
  const folder = join(
    options.directory,
    `network-${last === undefined ? 1 : networkNumber(last.slice(last.lastIndexOf('network-'))) + 1}`,
  )
  await makeDirectory(folder)
  options.signal?.throwIfAborted()
  const logPath = join(folder, 'network.log')
  const log = onDisk(logPath, () => openSync(logPath, 'a', 0o600))
  const [program = '', ...rest] = devnetArguments(folder, options)
  const child = begin(program, rest, log)
  try {
    await ready(child, options.signal)
  } catch (cause) {
    // Its execution client ends with it, however it ends.
    child.kill('SIGKILL')
    options.signal?.throwIfAborted()
    const room = roomFault(cause)
    if (room !== undefined) throw room
    // On a full disk the log holds no words: that it cannot be written is why then.
    onDisk(logPath, () => writeSync(log, '\n'))
    const why = [cause instanceof Error ? cause.message : 'no reason given', ...lastWords(logPath)]
    throw rehearsalError('rehearsal.not-started', why, logPath, cause)
  } finally {
    closeSync(log)
    child.stdout?.destroy()
    child.unref()
  }
  return { folder, end: () => void child.kill('SIGTERM') }
}

/** Node throws some of what hinders a start, and tells the rest of it later. */
function begin(program: string, args: readonly string[], log: number): ReturnType<typeof spawn> {
  try {
    return spawn(program, [...args], { detached: true, stdio: ['ignore', 'pipe', log], windowsHide: true })
  } catch (thrown) {
    closeSync(log)
    throw roomFault(thrown) ?? thrown
  }
}

/** Uses a network that was just started; one that nobody gets to use is ended again. Throws what the use throws. */
export async function firstUse<T>({ end }: StartedNetwork, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (thrown) {
    end()
    throw thrown
  }
}

function onDisk<T>(path: string, run: () => T): T {
  try {
    return run()
  } catch (thrown) {
    throw toFileError(path, thrown)
  }
}

/** The last lines of the network's log: why it did not start. */
function lastWords(logPath: string): string[] {
  const lines = readFileSync(logPath, 'utf8').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-MOST_LINES)
    .map((line) => safeText(line, 200))
}

function devnetArguments(folder: string, options: RehearsalOptions): string[] {
  const script = process.argv[1] ?? ''
  const optional = [
    ...(options.scenario === undefined ? [] : ['--scenario', options.scenario]),
    ...(options.seed === undefined ? [] : ['--seed', options.seed]),
    ...(options.slotMs === undefined ? [] : ['--slot-ms', String(options.slotMs)]),
  ]
  return [
    process.execPath,
    script,
    'devnet',
    '--directory',
    folder,
    '--idle-minutes',
    String(options.scenario === 'as-on-mainnet' ? IDLE_MINUTES_AS_ON_MAINNET : IDLE_MINUTES),
    '--lang',
    LANGUAGE,
    ...optional,
  ]
}

function ready(child: ReturnType<typeof spawn>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready after ${READY_MS / 1000} s`)), READY_MS)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      act()
    }
    const giveUp = () => settle(() => reject(new Error('the start was abandoned')))
    if (signal?.aborted === true) giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    child.stdout?.once('data', () => settle(resolve))
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', (code) => settle(() => reject(new Error(`it ended with exit code ${code ?? 'none'}`))))
  })
}

type RehearsalContext = { effects: Effects; stateDirectory: string; signal: AbortSignal }
type Begin = (setup: Setup) => Promise<Session>

/**
 * Begins a session on a rehearsal network. A network that ended with something under way on it is never replaced by
 * itself: another one has another key. Throws `rehearsal.ended`, what the start or the
 * descriptor throws, or the reason of the signal.
 */
export async function rehearsalFor(
  context: RehearsalContext,
  choice: RehearsalChoice,
  begin: Begin,
): Promise<Session> {
  const { stateDirectory, effects, signal } = context
  const { which, scenario, validator, newKey } = choice
  const directory = join(stateDirectory, 'rehearsal')
  const enter = async (folder: string, descriptorPath = join(folder, 'descriptor.json')) => {
    const places = { descriptorPath, journalDirectory: join(folder, 'journal'), outputDirectory: folder }
    const again = typeof which === 'object' ? which : { folder }
    const typed = validator === undefined ? await typedOf(effects, descriptorPath) : {}
    const attached = await attachRehearsal(effects, { ...places, ...typed, which: again })
    if (newKey === true) await wishNewKey(effects, attached)
    const own = ownProgramOf(attached, begunHere(choice, stateDirectory), startedAs(process))
    const setup = { ...attached, own }
    return begin(validator === undefined ? setup : await ofValidator(effects, setup, validator))
  }
  const start = async () => {
    const wanted = scenario === undefined ? {} : { scenario }
    const started = await startRehearsal({ directory, signal, seed: randomUUID(), ...wanted })
    return firstUse(started, () => enter(started.folder))
  }
  if (which === 'new') return start()
  if (typeof which === 'object' && 'descriptor' in which) {
    const descriptor = absolutePath(which.descriptor)
    const own = rehearsalFolders(directory).find((folder) => join(folder, 'descriptor.json') === descriptor)
    if (own !== undefined) return enter(own)
    await rememberAttached(stateDirectory, descriptor)
    return enter(stateDirectory, descriptor)
  }
  const folders = which === 'last' ? rehearsalFolders(directory) : [which.folder]
  const last = folders.at(-1)
  if (last === undefined) return start()
  const running = await runningOf(effects, scenario === undefined ? [last] : folders)
  const wanted = running.findLast((found) => scenario === undefined || found.scenario === scenario)
  if (wanted !== undefined) return enter(wanted.folder)
  // Another story runs: this one begins on a network beside it, and the first screen leads back to the other one.
  if (running.length > 0) return start()
  if (which === 'last' && !hasJournal(last)) return start()
  throw rehearsalError('rehearsal.ended', last)
}

/** The networks of these folders that still run, with their scenarios. */
async function runningOf(effects: Effects, folders: readonly string[]) {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const path = join(folder, 'descriptor.json')
      if (!(await rehearsalAnswers(effects, path))) return []
      const { scenario = 'unknown' } = readDescriptor(readFileSync(path, 'utf8'))
      return [{ folder, scenario }]
    }),
  )
  return found.flat()
}

/** The setup of a rehearsal network for one of its validators: nothing of the node home is read. */
async function ofValidator(effects: Effects, setup: Setup, text: string): Promise<Setup> {
  const { homePath: _, ...rest } = setup
  const { network, endpoints } = setup
  return { ...rest, validator: await givenValidator(effects, { text, node: endpoints.node, network }) }
}

function hasJournal(folder: string): boolean {
  const directory = join(folder, 'journal')
  return existsSync(directory) && readdirSync(directory).length > 0
}

/** For the first screen of the next start alone: where it cannot be kept, nothing is lost. */
async function rememberAttached(stateDirectory: string, descriptor: string): Promise<void> {
  const { ATTACHED, openSettings } = await import('./settings.ts')
  try {
    openSettings(stateDirectory).remember(ATTACHED, { descriptor })
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
  }
}
