import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CLIENT_PACKAGES,
  CLIENT_VERSION,
  findLibrary,
  startClient,
} from '../../../src/devnet/execution/client.ts'
import { executionGenesis } from '../../../src/devnet/execution/genesis.ts'
import { startExecution } from '../../../src/devnet/execution/start.ts'
import { clientInput, freshDirectory, genesisInput, startNetwork } from './support.ts'

const genesis = executionGenesis(genesisInput)

describe('the client underneath', () => {
  test('leaves nothing behind', async () => {
    const { execution, directory, next } = await startNetwork()
    for (let slot = 0; slot < 200; slot += 1) await next()
    await execution.stop()
    await execution.stop()
    expect(readdirSync(directory)).toEqual([])
  })

  test('is given up when it is not ready in time', async () => {
    const hasty = { nowMs: () => 0, sleep: () => Promise.resolve() }
    const start = startClient({ genesis, ...clientInput(freshDirectory()), clock: hasty })
    await expect(start).rejects.toMatchObject({
      code: 'devnet.client-not-started',
      details: [expect.stringContaining('20 s'), expect.anything()],
    })
  })

  test('is given up when its start is no longer wanted', async () => {
    const directory = freshDirectory()
    const ending = new AbortController()
    const start = startClient({ genesis, ...clientInput(directory), signal: ending.signal })
    ending.abort(new Error('no longer wanted'))
    await expect(start).rejects.toThrow('no longer wanted')
    expect(clientsOf(directory)).toEqual([])
  })

  test('says so when it ends by itself, and every call after that fails', async () => {
    const directory = freshDirectory()
    const execution = await startExecution({ genesis, ...clientInput(directory) })
    for (const client of clientsOf(directory)) process.kill(client, 'SIGKILL')
    expect(await execution.died).toMatchObject({ code: 'devnet.client-ended', retryable: true })
    await expect(execution.rpc('eth_chainId', [])).rejects.toMatchObject({ code: 'devnet.client-silent' })
    await execution.stop()
  })

  test('ends when the process that started it is killed', async () => {
    const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url))
    const directory = freshDirectory()
    const parent = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(parent.stdout, 'data')
    expect(clientsOf(directory)).toHaveLength(1)
    parent.kill('SIGKILL')
    await expect.poll(() => clientsOf(directory)).toEqual([])
  })

  test('says what is wrong with a library that cannot be loaded', async () => {
    const directory = freshDirectory()
    const library = join(directory, 'nothing')
    await expect(startClient({ genesis, ...clientInput(directory), library })).rejects.toMatchObject({
      code: 'devnet.client-not-started',
      details: ['It ended with exit code 1.', expect.stringContaining('nothing')],
    })
  })

  test('says that it did not start where the system refuses its start at once', async () => {
    const directory = freshDirectory()
    // Longer than the arguments of a program may be.
    const library = join(directory, 'x'.repeat(4_000_000))
    await expect(startClient({ genesis, ...clientInput(directory), library })).rejects.toMatchObject({
      code: 'devnet.client-not-started',
      details: [expect.stringContaining('spawn'), expect.anything()],
    })
  })

  test('outlives what a terminal sends to all its programs: its owner ends it', async () => {
    const directory = freshDirectory()
    const execution = await startExecution({ genesis, ...clientInput(directory) })
    onTestFinished(() => execution.stop())
    for (const client of clientsOf(directory)) {
      process.kill(client, 'SIGINT')
      process.kill(client, 'SIGHUP')
    }
    expect(await execution.rpc('eth_chainId', [])).toBe('0x138d7')
  })
})

/** Process ids of the clients that work in a directory, as the kernel lists them. */
function clientsOf(directory: string): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.filter((entry) => isIn(entry, directory) && isClient(entry)).map(Number)
}

function isIn(entry: string, directory: string): boolean {
  try {
    return readlinkSync(`/proc/${entry}/cwd`) === directory
  } catch {
    return false
  }
}

function isClient(entry: string): boolean {
  try {
    return readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('edr-child')
  } catch {
    return false
  }
}

describe('finding the library of the client', () => {
  test.each([...CLIENT_PACKAGES])('on %s takes %s', (machine, name) => {
    expect(findLibrary(machine, (asked) => asked)).toBe(name)
  })

  test.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'takes the one that npm ci brings',
    () => {
      expect(findLibrary()).toBe('@nomicfoundation/edr-linux-x64-gnu')
    },
  )

  const nothing = (): never => {
    throw new Error('not installed')
  }

  test('names the package that is missing, and what brings it', () => {
    expect(() => findLibrary('linux x64', nothing)).toThrow(
      expect.objectContaining({
        code: 'devnet.client-missing',
        money: 'untouched',
        details: [
          'Looked for the package @nomicfoundation/edr-linux-x64-gnu@0.20.0.',
          expect.stringContaining('older Node'),
          expect.stringContaining('musl'),
        ],
        // As a package of its own npm installs it on any Node: what is optional alone is left out.
        nextSteps: [
          expect.stringContaining('`npm install @nomicfoundation/edr-linux-x64-gnu@0.20.0`'),
          expect.stringContaining('single executable'),
          expect.anything(),
        ],
      }),
    )
  })

  test('says where there is none', () => {
    expect(() => findLibrary('freebsd x64', nothing)).toThrow(
      expect.objectContaining({
        code: 'devnet.client-missing',
        details: ['No package brings one for freebsd x64.'],
        nextSteps: [expect.anything()],
      }),
    )
  })
})

describe('the packages that bring one', () => {
  type Locked = { version: string; os: string[]; cpu: string[]; optional: boolean }
  const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'))
  const { optionalDependencies } = read('package.json') as { optionalDependencies: Record<string, string> }
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }

  test.each([...CLIENT_PACKAGES])('are locked for %s alone, in one version', (machine, name) => {
    expect(optionalDependencies[name]).toBe(CLIENT_VERSION)
    const [os, cpu] = machine.split(' ')
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version: CLIENT_VERSION,
      os: [os],
      cpu: [cpu],
      optional: true,
    })
  })
})
