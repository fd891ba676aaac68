import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { devnet } from '../../src/commands/devnet.ts'
import { createNodeRandom } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { bareEffects } from '../support/run-command.ts'

let stateDirectory: string

beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'devnet-command-'))
})

afterEach(() => rm(stateDirectory, { recursive: true }))

/** Runs the command; `ready` resolves to its line on stdout, `code` to its exit code. */
function run(argv: readonly string[], clock = createNodeClock()) {
  const stop = new AbortController()
  const line = Promise.withResolvers<string>()
  const err: string[] = []
  const io = { out: line.resolve, err: (text: string) => err.push(text), signal: stop.signal }
  const http = { request: () => Promise.reject(new Error('it asks nobody')) }
  const effects = bareEffects({ clock, http, random: createNodeRandom() })
  const code = devnet({ argv, effects, io, stateDirectory, environment: {} })
  const ready = async () => JSON.parse(await line.promise) as DevnetDescriptor
  return { code, ready, line: line.promise, err, stop: () => stop.abort() }
}

async function headSlot(descriptor: DevnetDescriptor): Promise<number> {
  const reply = await fetch(`${descriptor.urls.node}/eth/v1/node/syncing`)
  return Number(((await reply.json()) as { data: { head_slot: string } }).data.head_slot)
}

describe('devnet', () => {
  test('says one line when it is ready, makes slots, ends with 0 and leaves nothing behind', async () => {
    const network = run(['--slot-ms', '50'])
    const descriptor = await network.ready()
    const first = await headSlot(descriptor)
    await expect.poll(() => headSlot(descriptor)).toBeGreaterThan(first + 2)
    network.stop()
    expect(await network.code).toBe(0)
    expect(await readdir(stateDirectory)).toEqual([])
    await expect(fetch(descriptor.urls.engine)).rejects.toThrow()
  })

  test('ends at once while it starts, with 4 and nothing left behind', async () => {
    const network = run(['--slot-ms', '50'])
    // The directory is made right before its program is started, which takes many turns of this loop to be ready.
    await expect
      .poll(async () => (await readdir(stateDirectory, { recursive: true })).join(), { interval: 0 })
      .toContain('execution')
    network.stop()
    expect(await network.code).toBe(4)
    expect({ err: network.err, left: await readdir(stateDirectory) }).toEqual({ err: [], left: [] })
  })

  test('keeps its files in the directory it was given', async () => {
    const directory = join(stateDirectory, 'kept')
    const network = run(['--directory', directory, '--scenario', 'free-places', '--seed', '7'])
    const descriptor = await network.ready()
    const kept = JSON.parse(await readFile(join(directory, 'descriptor.json'), 'utf8')) as object
    expect(descriptor).toMatchObject({ schema: 'bearings.devnet/1', network: 'rehearsal', ...kept })
    expect(descriptor).toMatchObject({ scenario: 'free-places', seed: '7', pid: process.pid })
    network.stop()
    expect(await network.code).toBe(0)
    expect(await readdir(directory)).toContain('home')
  })

  test('starts from the files of another network', async () => {
    const file = (name: string) => join(import.meta.dirname, '../vectors/recorded', name)
    const network = run(['--genesis', file('genesis.json'), '--spec', file('spec.toml')])
    expect(await network.ready()).toMatchObject({ chainId: 80087, engineChainId: 'beacond-2061' })
    network.stop()
    expect(await network.code).toBe(0)
  })

  test('ends by itself when nobody asks anything', async () => {
    const IDLE_CHECK_MS = 5000
    const clock = createNodeClock()
    const hurried = {
      ...clock,
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms === IDLE_CHECK_MS ? 20 : ms, signal),
    }
    const network = run(['--idle-minutes', '1'], hurried)
    await network.line
    expect(await network.code).toBe(0)
    expect(network.err).toEqual([expect.stringMatching(/ 1 min: /)])
  })

  test.skipIf(process.platform !== 'linux')('ends with 3 when the execution client dies', async () => {
    const before = await clients()
    const network = run([])
    await network.ready()
    for (const pid of await clients()) if (!before.includes(pid)) process.kill(pid, 'SIGKILL')
    expect(await network.code).toBe(3)
    expect(network.err.join('\n')).toMatch(/execution client/)
  })

  test.each([
    [['--slot-ms', 'fast'], '--slot-ms takes a whole number'],
    [['--slot-ms', '49'], '--slot-ms takes a whole number from 50 to 600000.'],
    [['--seed', '-5'], '--seed has no value: a dash follows it.'],
    [['--port-base', '70000'], '--port-base takes a whole number'],
    [['--scenario', 'nope'], 'There is no scenario nope.'],
    [['--genesis', 'x.json'], '--genesis and --spec go together.'],
    [['--genesis', 'x.json', '--spec', 'y.toml'], 'The file x.json cannot be read.'],
    [['--nonsense'], 'There is no option'],
  ])('refuses %j', async (argv, words) => {
    const network = run(argv)
    expect(await network.code).toBe(2)
    expect(network.err.join('\n')).toContain(words)
  })

  test.each(['execution', 'node', 'engine'] as const)(
    'says what to do when the port of %s is taken',
    async (name) => {
      const place = { execution: 0, node: 1, engine: 2 }[name]
      const base = await threeFreePorts()
      const port = base + place
      const other = await take(port)
      const network = run(['--port-base', String(base)])
      expect(await network.code).toBe(3)
      expect(network.err).toEqual([
        `Port ${port} on 127.0.0.1 cannot be opened. (devnet.port, money untouched)`,
        expect.stringMatching(/^ {2}next: .* --port-base, /),
        expect.stringMatching(/^ {2}next: /),
      ])
      await new Promise((resolve) => other?.close(resolve))
    },
  )

  test('names the field of a genesis file that cannot be used', async () => {
    const genesis = join(stateDirectory, 'genesis.json')
    await writeFile(
      genesis,
      JSON.stringify({ chain_id: 'x', app_state: { beacon: { fork_version: '0x05' } } }),
    )
    const spec = join(import.meta.dirname, '../vectors/recorded/spec.toml')
    const network = run(['--genesis', genesis, '--spec', spec])
    expect(await network.code).toBe(2)
    expect(network.err).toContain('  field: fork_version')
  })

  test.each(['--help', '-h'])('explains itself with %s', async (flag) => {
    const network = run([flag])
    expect(await network.line).toContain('--port-base')
    expect(await network.code).toBe(0)
  })
})

/**
 * The first of three ports in a row that nobody holds, and that nobody is given: they lie below those which a system
 * gives to who asks for any, and another process begins to look elsewhere.
 */
async function threeFreePorts(): Promise<number> {
  const PLACES = 7_000
  for (let place = process.pid; ; place += 1) {
    const base = 10_000 + 3 * (place % PLACES)
    const taken = await Promise.all([base, base + 1, base + 2].map(take))
    const held = taken.filter((server) => server !== undefined)
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
    if (held.length === 3) return base
  }
}

/** Takes a port; undefined when another holds it. */
function take(port: number): Promise<Server | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** Execution clients that were started by this process, directly or not. */
async function clients(): Promise<number[]> {
  const found: number[] = []
  const visit = async (pid: number): Promise<void> => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    for (const child of children.split(' ').filter(Boolean).map(Number)) {
      const line = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
      if (line.includes('edr-child')) found.push(child)
      await visit(child)
    }
  }
  await visit(process.pid)
  return found
}
