import { type ChildProcess, spawn } from 'node:child_process'

export type GuardedProcessInput = {
  path: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  directory: string
}

/** How a process ended, in words. */
type ProcessEnd = { how: string }

/** A program that this process started. */
export type WatchedProcess = {
  /** The last few thousand characters of both outputs together. */
  output: () => string
  /** Calls back with all the output so far, at once and whenever it grows, until told to stop. */
  onOutput: (listener: (output: string) => void) => () => void
  ended: Promise<ProcessEnd>
  /** Ends it and waits for that; calling it twice is safe. */
  stop: () => Promise<void>
}

const KEPT_CHARACTERS = 8000

/**
 * A shell that holds a pipe on its input and ends the program as soon as that pipe closes: that happens when we want
 * it, and also when our own process dies in whatever way.
 */
const GUARD = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- &',
  'child=$!',
  '{ read -r _ <&3; kill -9 "$child"; } 2>/dev/null &',
  'watcher=$!',
  'exec 3<&-',
  'wait "$child"',
  'code=$?',
  'kill "$watcher" 2>/dev/null',
  'exit "$code"',
].join('\n')

/**
 * Starts a program that never outlives this process. It gets the given environment only and its own process group, so
 * that a Ctrl-C in the terminal does not take it away before its owner has ended. Never throws: a program that cannot
 * be started is one that has ended.
 */
export function guardedProcess(input: GuardedProcessInput): WatchedProcess {
  const child = start(input)
  if (child instanceof Error) return neverStarted(child)
  child.stdin?.on('error', () => undefined)
  return watchedProcess(child, () => {
    child.stdin?.destroy()
    if (process.platform === 'win32') child.kill()
  })
}

/** Returns what a process that was just started says, and its end. `end` tells it to end. */
export function watchedProcess(child: ChildProcess, end: () => void): WatchedProcess {
  const listeners = new Set<(output: string) => void>()
  let text = ''
  const collect = (chunk: unknown): void => {
    text = `${text}${String(chunk)}`.slice(-KEPT_CHARACTERS)
    for (const listener of listeners) listener(text)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const ended = whenEnded(child)
  return {
    output: () => text,
    onOutput(listener) {
      listeners.add(listener)
      listener(text)
      return () => listeners.delete(listener)
    },
    ended,
    async stop() {
      end()
      await ended
    },
  }
}

/** Returns a program that could not be started, as one that has ended. */
export function neverStarted({ message }: Error): WatchedProcess {
  return {
    output: () => '',
    onOutput: (listener) => {
      listener('')
      return () => undefined
    },
    ended: Promise.resolve({ how: message }),
    stop: async () => undefined,
  }
}

function start(input: GuardedProcessInput): ChildProcess | Error {
  const options = { cwd: input.directory, env: { ...input.env } }
  return startedOr(() =>
    process.platform === 'win32'
      ? spawn(input.path, [...input.args], { ...options, windowsHide: true })
      : spawn('/bin/sh', ['-c', GUARD, 'guard', input.path, ...input.args], { ...options, detached: true }),
  )
}

/** What `begin` starts, or why it does not: Node throws some of what hinders a start, and tells the rest of it later. */
export function startedOr(begin: () => ChildProcess): ChildProcess | Error {
  try {
    return begin()
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}

function whenEnded(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ how: error.message }))
    child.once('exit', (code, signal) => {
      child.stdin?.destroy()
      resolve({ how: signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.` })
    })
  })
}
