import { type ChildProcess, spawn } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { BaseError } from '../errors/base.ts'
import { execError } from '../errors/exec.ts'
import type { Exec, ExecRequest, ExecResult } from './effects.ts'
import { expandHome, roomFault, systemCode } from './node-file-fault.ts'
import { withScratch } from './node-store.ts'

const OTHERS_WRITE = 0o002
const STICKY = 0o1000
/** Where a program finds the desktop of the user who runs it. */
const DESKTOP_SESSION = [
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
]

/**
 * Runs programs by absolute path: no shell, nothing but the given input on stdin, an environment of PATH, LANG and the
 * given HOME only, and of the desktop's session where that was asked for, output capped, stopped at the deadline and by
 * the signal; what it started ends with it where that was asked for, except on Windows, where it alone is ended. A program that other users may replace is refused. A non-zero exit code is a result; everything else that
 * goes wrong is an `exec.*` error, or the reason of the signal.
 */
export function createNodeExec(): Exec {
  return { run, scratch: withScratch }
}

async function run(request: ExecRequest): Promise<ExecResult> {
  await checkProgram(request.path)
  request.signal?.throwIfAborted()
  const child = start(request)
  // A program need not read what it is given.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(request.input)
  return collect(child, request)
}

/** Node throws some of what hinders a start, such as arguments that are too long, or a batch file on Windows. */
function start(request: ExecRequest): ChildProcess {
  const env = {
    PATH: programPath(process.platform, process.env),
    HOME: expandHome(request.home),
    LANG: 'C.UTF-8',
    ...(request.desktop === true ? desktopSession() : {}),
  }
  const input = request.input === undefined ? 'ignore' : 'pipe'
  try {
    return spawn(request.path, [...request.args], {
      shell: false,
      stdio: [input, 'pipe', 'pipe'],
      env,
      windowsHide: true,
      detached: isGroup(request),
    })
  } catch (fault) {
    throw startFault(request.path, fault)
  }
}

/** Returns where a program finds what the system itself brings, and nothing that a user added. */
export function programPath(platform: string, { SystemRoot = 'C:\\Windows' }: NodeJS.ProcessEnv): string {
  if (platform !== 'win32') return '/usr/local/bin:/usr/bin:/bin'
  return `${SystemRoot}\\System32;${SystemRoot};${SystemRoot}\\System32\\WindowsPowerShell\\v1.0`
}

/** Whether the program leads a group of processes of its own, which one signal ends whole. */
function isGroup({ endsWhole }: ExecRequest): boolean {
  return endsWhole === true && process.platform !== 'win32'
}

function kill(child: ChildProcess, request: ExecRequest): void {
  child.kill('SIGKILL')
  if (!isGroup(request) || child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (fault) {
    // Nobody is left in the group, or only who ends already.
    if (systemCode(fault) !== 'ESRCH' && systemCode(fault) !== 'EPERM') throw fault
  }
}

function collect(child: ChildProcess, request: ExecRequest): Promise<ExecResult> {
  return new Promise((resolve, reject) => {
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[], bytes: 0 }
    // No signal of the terminal reaches another group: it must not outlive this process.
    const onExit = () => kill(child, request)
    if (isGroup(request)) process.once('exit', onExit)
    const done = () => {
      clearTimeout(timer)
      process.off('exit', onExit)
      request.signal?.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown) => {
      done()
      kill(child, request)
      child.stdout?.destroy()
      child.stderr?.destroy()
      reject(error)
    }
    const onAbort = () => fail(request.signal?.reason)
    request.signal?.addEventListener('abort', onAbort)
    const timer = setTimeout(
      () => fail(execError('exec.timeout', request.path, request.timeoutMs)),
      request.timeoutMs,
    )
    const take = (into: Buffer[]) => (chunk: Buffer) => {
      output.bytes += chunk.length
      into.push(chunk)
      if (output.bytes > request.maxOutputBytes)
        fail(execError('exec.too-much-output', request.path, request.maxOutputBytes))
    }
    child.stdout?.on('data', take(output.stdout))
    child.stderr?.on('data', take(output.stderr))
    child.on('error', (fault) => fail(startFault(request.path, fault)))
    child.on('close', (exitCode, signal) => {
      if (exitCode === null) {
        fail(execError('exec.killed', request.path, signal ?? 'unknown'))
        return
      }
      done()
      resolve({ exitCode, stdout: join(output.stdout), stderr: join(output.stderr) })
    })
  })
}

function desktopSession(): Record<string, string> {
  return Object.fromEntries(
    DESKTOP_SESSION.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

async function checkProgram(path: string): Promise<void> {
  if (!isAbsolute(path)) throw execError('exec.missing', path, 'the path does not start at the root')
  const program = await statOf(path)
  if (program === undefined || !program.isFile()) throw execError('exec.missing', path, 'no such file')
  if (process.platform === 'win32') return
  if ((program.mode & OTHERS_WRITE) !== 0)
    throw execError('exec.unsafe', path, 'the file is writable by everyone')
  for (const directory of [dirname(path), dirname(await realpath(path))]) {
    const found = await statOf(directory)
    const open = found === undefined || (found.mode & (OTHERS_WRITE | STICKY)) === OTHERS_WRITE
    if (open) throw execError('exec.unsafe', path, 'its directory is writable by everyone')
  }
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch {
    return undefined
  }
}

function startFault(path: string, fault: unknown): BaseError {
  const code = systemCode(fault)
  const room = roomFault(fault)
  if (room !== undefined) return room
  return code === 'ENOENT'
    ? execError('exec.missing', path, code)
    : execError('exec.not-executable', path, code)
}

function join(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
