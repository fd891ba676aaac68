import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../core/effects/node-files.ts'
import { rehearsalNotStarted } from '../core/errors/devnet.ts'
import { safeText } from '../core/format/text.ts'

export type RehearsalOptions = {
  /** Directory under which each network gets a folder of its own. */
  directory: string
  scenario?: string
  seed?: string
  slotMs?: number
  signal?: AbortSignal
}

/** A network that was started here. */
export type Started = {
  folder: string
  /** Tells it to end; where it has ended already, nothing happens. */
  end: () => void
}

const READY_MS = 30_000
const MOST_LINES = 9
/** After so long without a question a rehearsal network ends itself. */
export const IDLE_MINUTES = 10

/** Folders of the networks that were started below a directory, newest last. */
export function rehearsalFolders(directory: string): string[] {
  if (!existsSync(directory)) return []
  const numbered = readdirSync(directory).filter((name) => /^network-\d+$/.test(name))
  return numbered.sort((a, b) => numberOf(a) - numberOf(b)).map((name) => join(directory, name))
}

function numberOf(name: string): number {
  return Number(name.slice('network-'.length))
}

/**
 * Starts a rehearsal network as a process of its own that outlives this one, and waits until it is ready.
 * Its folder holds `descriptor.json`. Throws a `FileError`, `rehearsal.not-started` with the
 * network's own words, or the reason of the signal; then no process of it is left.
 */
export async function startRehearsal(options: RehearsalOptions): Promise<Started> {
  const last = rehearsalFolders(options.directory).at(-1)
  const folder = join(
    options.directory,
    `network-${last === undefined ? 1 : numberOf(last.slice(last.lastIndexOf('network-'))) + 1}`,
  )
  await makeDirectory(folder)
  options.signal?.throwIfAborted()
  const logPath = join(folder, 'network.log')
  const log = openSync(logPath, 'a', 0o600)
  const [program = '', ...rest] = devnetArguments(folder, options)
  const child = spawn(program, rest, { detached: true, stdio: ['ignore', 'pipe', log] })
  try {
    await ready(child, options.signal)
  } catch (cause) {
    // Its execution client ends with it, however it ends.
    child.kill('SIGKILL')
    options.signal?.throwIfAborted()
    const why = [cause instanceof Error ? cause.message : 'no reason given', ...lastWords(logPath)]
    throw rehearsalNotStarted(why, logPath, cause)
  } finally {
    closeSync(log)
    child.stdout?.destroy()
    child.unref()
  }
  return { folder, end: () => void child.kill('SIGTERM') }
}

/** Uses a network that was just started; one that nobody gets to use is ended again. Throws what the use throws. */
export async function firstUse<T>({ end }: Started, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (thrown) {
    end()
    throw thrown
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
    String(IDLE_MINUTES),
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
