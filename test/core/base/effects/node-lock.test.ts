import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isOfThisKernel, ownClaim } from '../../../../src/core/base/effects/node-claim.ts'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import { HARD } from '../../../support/hard.ts'

const IS_LINUX = process.platform === 'linux'
const CONTAINER = [
  'unshare',
  '--user',
  '--map-root-user',
  '--pid',
  '--net',
  '--fork',
  '--kill-child',
  '--mount-proc',
]
const HAS_CONTAINERS = spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0
const HOLDER = join(import.meta.dirname, '../../../support/hold-lock.ts')

const store = createNodeStore()
let directory = ''
const children: ChildProcess[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-lock-'))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map(end))
  rmSync(directory, { recursive: true, force: true })
})

type HolderOptions = { name?: string; inContainer?: boolean }

/** A program with a TMPDIR and a HOME of its own that tries to take the lock and keeps it. */
function holder(path: string, { name = 'one', inContainer = false }: HolderOptions = {}) {
  const places = { TMPDIR: join(directory, `tmp-${name}`), HOME: join(directory, `home-${name}`) }
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
  const program = [HOLDER, path, '']
  const [command = '', ...args] = [...(inContainer ? CONTAINER : []), process.execPath, ...program]
  const env = { ...process.env, ...places, XDG_STATE_HOME: places.HOME }
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const answer = once(child.stdout, 'data').then(([data]) => String(data).trim())
  return { child, answer, tmp: places.TMPDIR }
}

/** A program that takes the lock and gives it back until it is killed. */
function loop(path: string, { log, name, inContainer }: { log: string; name: string; inContainer: boolean }) {
  const program = [process.execPath, HOLDER, path, log, name]
  const [command = '', ...args] = [...(inContainer ? CONTAINER : []), ...program]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const waiting = new Set<() => void>()
  child.stdout.on('data', () => {
    for (const told of waiting) told()
  })
  /** Resolves once it had the lock at least so many times more. */
  const entered = (times: number) =>
    new Promise<void>((resolve) => {
      let left = times
      const told = () => {
        left -= 1
        if (left > 0) return
        waiting.delete(told)
        resolve()
      }
      waiting.add(told)
    })
  return { child, entered }
}

/** Who had the lock while another had it: one that is inside when the next enters must have been killed there. */
function overlaps(steps: readonly string[]): string[] {
  let inside: string | undefined
  const dead = new Set<string>()
  const found: string[] = []
  for (const [index, step] of steps.entries()) {
    const [what, name = ''] = step.split(' ')
    if (dead.has(name)) found.push(`${index}: ${step} after another had entered`)
    if (what === 'in' && inside !== undefined) dead.add(inside)
    inside = what === 'in' ? name : undefined
  }
  return found
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function winners(holders: readonly ReturnType<typeof holder>[]) {
  const answers = await Promise.all(holders.map(({ answer }) => answer))
  return holders.filter((_, index) => answers[index] === 'held')
}

/** A path that is longer than a socket's may be, and one that is short. */
function paths(): string[] {
  const deep = join(directory, `deep-${'x'.repeat(90)}`)
  mkdirSync(deep)
  return [join(deep, 'journal.jsonl.lock'), join(directory, 'journal.jsonl.lock')]
}

describe('the lock', () => {
  test('is held by one at a time and free again after release', async () => {
    const path = join(directory, 'lock')
    const { release } = await store.lock(path)
    expect(release).toBeTypeOf('function')
    expect((await store.lock(path)).heldBy).toMatch(
      new RegExp(
        `^Process ${process.pid} on .+ holds the lock since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC \\(${path}\\)\\.$`,
      ),
    )
    await release?.()
    await release?.()
    const again = await store.lock(path)
    expect(again.release).toBeTypeOf('function')
    await again.release?.()
    expect(readdirSync(directory)).toEqual(['lock.db'])
  })

  test('goes to one of six programs that start together', async () => {
    const path = join(directory, 'lock')
    expect(await winners(Array.from({ length: 6 }, () => holder(path)))).toHaveLength(1)
  })

  test('has one holder and is never stuck, whoever is killed whenever', async () => {
    const path = join(directory, 'lock')
    const log = join(directory, 'log')
    const names = ['a', 'b', 'c', 'd', 'e']
    const begin = (name: string) => loop(path, { log, name, inContainer: HAS_CONTAINERS && name < 'c' })
    const running = names.slice(0, 3).map(begin)
    for (const name of names.slice(3)) {
      await Promise.all(running.map(({ entered }) => entered(5)))
      const [victim] = running.splice(0, 1, begin(name))
      await victim?.entered(1)
      if (victim !== undefined) await end(victim.child)
    }
    await Promise.all(running.map(({ entered }) => entered(5)))
    await Promise.all(running.map(({ child }) => end(child)))
    const steps = readFileSync(log, 'utf8').trim().split('\n')
    expect(steps.length).toBeGreaterThan(60)
    expect(overlaps(steps)).toEqual([])
    // What ran in a container may end a moment after it, and its lock with it.
    const taken: Awaited<ReturnType<typeof store.lock>>[] = []
    await expect
      .poll(async () => {
        taken.push(await store.lock(path))
        return taken.at(-1)?.release
      })
      .toBeTypeOf('function')
    await taken.at(-1)?.release?.()
  })

  test('left by an earlier boot or with unreadable content is taken over', async () => {
    const path = join(directory, 'lock')
    for (const left of [{ pid: process.pid, startTime: '1', bootId: 'another', host: hostname() }, '', 'x']) {
      writeFileSync(path, typeof left === 'string' ? left : JSON.stringify(left))
      const { release } = await store.lock(path)
      expect(release).toBeTypeOf('function')
      await release?.()
    }
  })

  test('left by a crash is taken over though its process id was given to another program', async () => {
    const path = join(directory, 'lock')
    const left = { ...(await ownClaim()), pid: process.ppid, startTime: 'unknown' }
    writeFileSync(path, JSON.stringify(left))
    const { release } = await store.lock(path)
    expect(release).toBeTypeOf('function')
    await release?.()
  })

  test.each([
    ['runs', process.ppid],
    ['is gone', 2 ** 22 + 1],
  ])('of an older version stays shut whose process %s, and says what to do', async (_, pid) => {
    const path = join(directory, 'lock')
    const left = JSON.stringify({ pid, startTime: '1', bootId: 'another' })
    writeFileSync(path, left)
    await expect(store.lock(path)).rejects.toMatchObject({
      code: 'lock.older-version',
      nextSteps: [expect.stringContaining(`ps -p ${pid}`), expect.stringContaining(`remove ${path}`)],
    })
    expect(readFileSync(path, 'utf8')).toBe(left)
    // A question that was refused keeps nothing, and the way out that it names is one.
    rmSync(path)
    const { release } = await store.lock(path)
    expect(release).toBeTypeOf('function')
    await release?.()
  })
})

describe('two programs with a temporary directory and a home each', () => {
  test.runIf(HARD && HAS_CONTAINERS)(
    'in two containers that share the directory: one of them gets it',
    async () => {
      for (const path of paths()) {
        const first = holder(path, { name: 'one', inContainer: true })
        expect(await first.answer).toBe('held')
        const second = holder(path, { name: 'two', inContainer: true })
        expect(await second.answer).toMatch(/^refused: Process \d+ on /)
        expect(await holder(path, { name: 'three' }).answer).toMatch(/^refused/)
        await end(first.child)
        expect(await holder(path, { name: 'four', inContainer: true }).answer).toBe('held')
      }
    },
  )

  test('leave nothing there when they are killed', async () => {
    const [path = ''] = paths()
    const first = holder(path)
    expect(await first.answer).toBe('held')
    await end(first.child)
    const second = holder(path)
    expect(await second.answer).toBe('held')
    await end(second.child)
    expect(readdirSync(first.tmp)).toEqual([])
  })
})

describe.runIf(IS_LINUX)('a lock file of another computer', () => {
  const SHARED = '/proc'
  test('is never judged from here, unless this very computer has started anew since', async () => {
    const own = { ...(await ownClaim()), bootId: 'this-boot', machineId: 'this-machine', host: 'here' }
    const cases = [
      [own, true],
      [{ ...own, pid: 1, startTime: '0' }, true],
      [{ ...own, bootId: 'an-earlier-boot' }, true],
      [{ ...own, bootId: 'another', machineId: 'another' }, false],
      [{ ...own, bootId: 'another', host: 'there' }, false],
      [{ ...own, bootId: 'unknown', machineId: 'another' }, false],
      [undefined, false],
    ] as const
    for (const [claim, gone] of cases) expect(await isOfThisKernel(claim, own, SHARED)).toBe(gone)
    const nameless = { ...own, bootId: 'unknown', machineId: 'unknown' }
    expect(await isOfThisKernel(nameless, nameless, SHARED)).toBe(false)
  })

  test('on a disk that only this kernel uses was left by one that is gone', async () => {
    const own = await ownClaim()
    expect(await isOfThisKernel({ ...own, bootId: 'another', host: 'there' }, own, directory)).toBe(true)
  })
})
