import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNodeExec, programPath } from '../../../../src/core/base/effects/node-exec.ts'
import { isError } from '../../../../src/core/base/errors/base.ts'

const exec = createNodeExec()
let directory = ''

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-exec-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function program(name: string, script: string, mode = 0o755): string {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, mode)
  return path
}

const run = (path: string, args: string[] = [], more = {}) =>
  exec.run({ path, args, home: '/nowhere', timeoutMs: 5000, maxOutputBytes: 10_000, ...more })

async function faultOf(result: Promise<unknown>): Promise<string> {
  const thrown: unknown = await result.then(
    () => undefined,
    (fault) => fault,
  )
  if (isError(thrown, 'exec')) return thrown.code.slice('exec.'.length)
  throw new Error(`expected an exec.* error, got ${String(thrown)}`)
}

function pidIn(name: string): number {
  const path = join(directory, name)
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether it runs; one that has ended and waits to be buried does not. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout.trim())
}

describe.runIf(process.platform !== 'win32')('what a program started itself', () => {
  test.each(['at the deadline', 'by the signal'])(
    'ends with it %s',
    async (how) => {
      const name = how.replaceAll(' ', '-')
      const path = program(
        name,
        `sleep 60 >/dev/null 2>&1 & echo $! > ${join(directory, `${name}.pid`)}; wait`,
      )
      const stop = new AbortController()
      const timeoutMs = how === 'at the deadline' ? 5000 : 60_000
      const ended = run(path, [], { endsWhole: true, timeoutMs, signal: stop.signal }).catch(() => 'ended')
      await expect.poll(() => pidIn(`${name}.pid`), { timeout: 20_000 }).toBeGreaterThan(0)
      const pid = pidIn(`${name}.pid`)
      if (how === 'by the signal') {
        expect(isRunning(pid)).toBe(true)
        stop.abort(new Error('stopped'))
      }
      expect(await ended).toBe('ended')
      await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)
    },
    60_000,
  )
})

describe('running a program', () => {
  test('gives it what it is to read, and nothing where that is nothing', async () => {
    const path = program('reads', 'cat')
    expect((await run(path, [], { input: 'one\ntwo' })).stdout).toBe('one\ntwo')
    expect((await run(path)).stdout).toBe('')
  })

  test('does not mind a program that reads nothing of it', async () => {
    const path = program('deaf', 'exec <&-; exit 4')
    expect((await run(path, [], { input: 'x'.repeat(1_000_000) })).exitCode).toBe(4)
  })

  test('takes ~ for the own directory of the user, and names the session of the desktop only where it is asked to', async () => {
    const path = program('names', 'printf "%s|%s" "$HOME" "$DISPLAY"')
    const before = process.env.DISPLAY
    process.env.DISPLAY = ':7'
    try {
      expect((await run(path, [], { home: '~' })).stdout).toBe(`${homedir()}|`)
      expect((await run(path, [], { home: '~', desktop: true })).stdout).toBe(`${homedir()}|:7`)
    } finally {
      if (before === undefined) delete process.env.DISPLAY
      else process.env.DISPLAY = before
    }
  })

  test('gives exit code, stdout and stderr, and passes arguments untouched', async () => {
    const path = program('echo', 'printf "%s|" "$@"; echo bad >&2; exit 3')
    expect(await run(path, ['a b', '$HOME', '; rm -rf'])).toEqual({
      exitCode: 3,
      stdout: 'a b|$HOME|; rm -rf|',
      stderr: 'bad\n',
    })
  })

  test('hands over three environment variables and an empty stdin', async () => {
    const path = program(
      'env',
      'cat; /usr/bin/env | cut -d= -f1 | sort | grep -v -E "^(PWD|SHLVL|_|OLDPWD)$"',
    )
    expect((await run(path)).stdout).toBe('HOME\nLANG\nPATH\n')
    const home = program('home', 'printf %s "$HOME"')
    expect((await run(home, [], { home: '/somewhere' })).stdout).toBe('/somewhere')
  })

  test('lends an empty directory of its own, and takes it away however that ends', async () => {
    const lent: string[] = []
    const look = async (path: string) => {
      lent.push(path)
      expect([readdirSync(path), statSync(path).mode & 0o777]).toEqual([[], 0o700])
      mkdirSync(join(path, 'config'))
      writeFileSync(join(path, 'config/app.toml'), 'x')
      return 'answer'
    }
    expect(await exec.scratch(look)).toBe('answer')
    const failing = exec.scratch(async (path) => {
      await look(path)
      throw new Error('the tool failed')
    })
    await expect(failing).rejects.toThrow('the tool failed')
    expect(new Set(lent).size).toBe(2)
    expect(lent.filter((path) => existsSync(path))).toEqual([])
  })

  test('stops it at the deadline, at the output cap and tells a signal', async () => {
    expect(await faultOf(run(program('slow', 'exec sleep 30'), [], { timeoutMs: 100 }))).toBe('timeout')
    expect(await faultOf(run(program('loud', 'exec yes'), [], { maxOutputBytes: 5000 }))).toBe(
      'too-much-output',
    )
    expect(await faultOf(run(program('dies', 'kill -9 $$')))).toBe('killed')
  })

  test('ends it with the signal, and starts nothing after it', async () => {
    const stop = new AbortController()
    const running = run(program('waits', `echo $$ > ${directory}/pid; exec sleep 30`), [], {
      signal: stop.signal,
    })
    await expect.poll(() => pidIn('pid')).toBeGreaterThan(0)
    stop.abort(new Error('the end'))
    await expect(running).rejects.toThrow('the end')
    await expect.poll(() => isAlive(pidIn('pid'))).toBe(false)
    await expect(run(program('later', 'true'), [], { signal: stop.signal })).rejects.toThrow('the end')
  })

  test('refuses what is not absolute, missing, or replaceable by others', async () => {
    expect(await faultOf(run('sh'))).toBe('missing')
    expect(await faultOf(run(join(directory, 'none')))).toBe('missing')
    expect(await faultOf(run(directory))).toBe('missing')
    expect(await faultOf(run(program('open', 'true', 0o757)))).toBe('unsafe')
    const shared = join(directory, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    expect(await faultOf(run(program('shared/tool', 'true')))).toBe('unsafe')
  })

  test('says so when the file cannot be started', async () => {
    expect(await faultOf(run(program('plain', 'true', 0o644)))).toBe('not-executable')
    const path = join(directory, 'no-interpreter')
    writeFileSync(path, '#!/no/such/interpreter\n')
    chmodSync(path, 0o755)
    expect(await faultOf(run(path))).toBe('missing')
  })

  // Node throws this, as it throws what Windows says of a batch file.
  test('that the system refuses to start at all is told as one that cannot be started', async () => {
    const tooLong = 'x'.repeat(4_000_000)
    expect(await faultOf(run(program('long', 'true'), [tooLong]))).toBe('not-executable')
  })

  test.each([
    ['linux', {}, '/usr/local/bin:/usr/bin:/bin'],
    [
      'win32',
      { SystemRoot: 'D:\\Windows' },
      'D:\\Windows\\System32;D:\\Windows;D:\\Windows\\System32\\WindowsPowerShell\\v1.0',
    ],
  ])('on %s finds what the system brings', (platform, environment, expected) => {
    expect(programPath(platform, environment)).toBe(expected)
  })
})
