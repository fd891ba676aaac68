import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { readDocument } from './documents.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The program as it is shipped. */
export const CLI = join(ROOT, 'dist/cli.js')

let built: Promise<unknown> | undefined

/** Builds the program unless what is there is newer than every source; once for each test file. */
export async function buildCli(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: ROOT })
  await built
}

export type Run = {
  pid: number
  /** The first whole line on stdout; rejects when the program ends without one. */
  firstLine: Promise<string>
  /** Settles when the program has ended and its output is complete. */
  end: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>
  kill(signal: NodeJS.Signals): void
}

/** Starts the shipped program with no terminal and nothing on stdin, in this environment or in another one. */
export function runCli(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Run {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const line = Promise.withResolvers<string>()
  const end = Promise.withResolvers<Awaited<Run['end']>>()
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    const place = stdout.indexOf('\n')
    if (place >= 0) line.resolve(stdout.slice(0, place))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.on('error', end.reject)
  child.on('close', (code, signal) => {
    line.reject(new Error(`it ended without a line: ${stderr}`))
    if (args.includes('--json') && code !== null)
      end.resolve(Promise.resolve().then(() => checked({ code, signal, stdout, stderr })))
    else end.resolve({ code, signal, stdout, stderr })
  })
  line.promise.catch(() => undefined)
  return {
    pid: child.pid ?? 0,
    firstLine: line.promise,
    end: end.promise,
    kill: (signal) => child.kill(signal),
  }
}

/** The same end, where everything that was printed is a document that its schema takes. */
function checked<Ended extends { stdout: string }>(ended: Ended): Ended {
  for (const line of ended.stdout.split('\n')) if (line.startsWith('{"schema"')) readDocument(line)
  return ended
}

/** A rehearsal network of the shipped program in a process of its own. */
export async function runDevnetCli(
  args: readonly string[],
): Promise<{ descriptor: DevnetDescriptor; run: Run }> {
  // The lock on a paying account holds for the whole computer: no two networks of the tests have one account.
  const seed = args.includes('--seed') ? [] : ['--seed', randomUUID()]
  const run = runCli(['devnet', ...args, ...seed])
  return { descriptor: JSON.parse(await run.firstLine) as DevnetDescriptor, run }
}
