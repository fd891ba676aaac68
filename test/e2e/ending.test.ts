import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { one } from '../support/hard.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, type Run, runCli, runDevnetCli } from '../support/run-cli.ts'
import { STALLS, type Stall, type StallingProxy, stallingProxy } from '../support/stalling-proxy.ts'

const SERVICES = ['execution', 'node', 'engine'] as const
type Service = (typeof SERVICES)[number]
type Way = NodeJS.Signals | 'q' | 'Ctrl-C'

/** Less than any of the waits that are ended here: a question is asked for eight seconds. */
const AT_ONCE_MS = 7_000

let directory: string
let network: Run
let descriptor: DevnetDescriptor
const programs: PtyProgram[] = []
const proxies: StallingProxy[] = []

beforeAll(async () => {
  await buildCli()
  directory = await mkdtemp(join(tmpdir(), 'ending-'))
  const started = await runDevnetCli(['--directory', join(directory, 'network'), '--slot-ms', '150'])
  network = started.run
  descriptor = started.descriptor
})
afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill('SIGKILL')
    await program.exit
  }
  for (const proxy of proxies.splice(0)) proxy.close()
})
afterAll(async () => {
  network.kill('SIGTERM')
  await network.end
  await rm(directory, { recursive: true, maxRetries: 5 })
})

/** A state directory whose last rehearsal network is the one here, with proxies before its services. */
async function stateWithProxies(name: string) {
  const state = join(directory, name)
  const folder = join(state, 'rehearsal/network-1')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { execution, node, engine } = descriptor.urls
  const before = {
    execution: await stallingProxy(execution),
    node: await stallingProxy(node),
    engine: await stallingProxy(engine),
  }
  proxies.push(...Object.values(before))
  const urls = { execution: before.execution.url, node: before.node.url, engine: before.engine.url }
  await writeFile(join(folder, 'descriptor.json'), JSON.stringify({ ...descriptor, urls }))
  return { state, folder, before }
}

/** The wizard, run by a shell that afterwards says how it ended and what it did to the terminal. */
function openWizard(state: string): PtyProgram {
  const wizard = `echo $$ > '${state}/pid'; exec '${process.execPath}' '${CLI}' --state '${state}' --network rehearsal`
  const script = `/bin/sh -c "${wizard.replaceAll('$', '\\$')}"; echo "ended $?"; stty -a; echo all over; read -r _`
  const program = startProgram({ program: '/bin/sh', args: ['-c', script], cwd: state, env: { HOME: state } })
  programs.push(program)
  return program
}

function end(program: PtyProgram, state: string, way: Way): void {
  if (way === 'q') program.press('q')
  else if (way === 'Ctrl-C') program.press('\u0003')
  else process.kill(Number(readFileSync(join(state, 'pid'), 'utf8')), way)
}

function expectSaneTerminal(program: PtyProgram): void {
  const after = program.screen().join('\n')
  expect(after).toContain('ended 4')
  expect(after).toMatch(/(?<!-)icanon/)
  expect(after).toMatch(/(?<!-)echo\b/)
  const written = program.written()
  expect(written.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(written.lastIndexOf('\u001b[?1049h'))
  expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'))
}

async function expectFreeLocks(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const journal = names.find((name) => name.endsWith('journal.jsonl'))
  expect(journal).toBeDefined()
  const { release } = await createNodeStore().lock(`${join(folder, journal ?? '')}.lock`)
  expect(release).toBeDefined()
  await release?.()
}

/** The row of a service waits, and all others have been answered: nothing else could end the step. */
const WAITS_FOR: Readonly<Record<Service, RegExp>> = {
  execution: /^(?![\s\S]*… +(?:consensus engine|beacon state) +asking)[\s\S]*… +operator +asking/,
  node: /^(?![\s\S]*… +(?:consensus engine|operator) +asking)[\s\S]*… +beacon state +asking/,
  engine: /^(?![\s\S]*… +(?:beacon state|operator) +asking)[\s\S]*… +consensus engine +asking/,
}

/** Opens the journal, lets one service stall, asks again, and ends the wizard in the middle of it. */
async function endWhile(stall: Stall, service: Service, way: Way): Promise<void> {
  const { state, folder, before } = await stateWithProxies(`${service} ${stall}`)
  const program = openWizard(state)
  await program.waitFor('Check the chain')
  await program.waitFor('Enter continue')
  program.press('\r')
  await program.waitFor('Check the key')
  await program.waitFor('Enter continue')
  const isAsked = before[service].stall(stall)
  program.press('r')
  await isAsked
  await program.waitFor(WAITS_FOR[service])
  end(program, state, way)
  await program.waitFor('all over', AT_ONCE_MS)
  expectSaneTerminal(program)
  await expectFreeLocks(folder)
}

const WAYS: Readonly<Record<Stall, Readonly<Record<Service, Way>>>> = {
  '429 with Retry-After 8': { execution: 'SIGTERM', node: 'q', engine: 'SIGHUP' },
  'a dripping reply': { execution: 'Ctrl-C', node: 'SIGTERM', engine: 'SIGINT' },
  '30 s of delay': { execution: 'q', node: 'SIGHUP', engine: 'Ctrl-C' },
}

/** In the suite each service stalls in one way. */
const STALLING = STALLS.map((stall, at) => [stall, one(SERVICES, at)] as const)

test.each(STALLING)('one signal or key ends the wizard at once under %s of %s', async (stall, services) => {
  await Promise.all(services.map((service) => endWhile(stall, service, WAYS[stall][service])))
})

test('q ends the wizard while its network starts, and leaves no process of it', async () => {
  const state = join(directory, 'starting')
  await mkdir(state)
  const program = openWizard(state)
  await program.waitFor('for the rehearsal network to start')
  await expect.poll(() => processesAt(join(state, 'rehearsal')), { timeout: 20_000 }).not.toEqual([])
  program.press('q')
  await program.waitFor('all over', AT_ONCE_MS)
  expectSaneTerminal(program)
  await expect.poll(() => processesAt(join(state, 'rehearsal'))).toEqual([])
})

/** The programs that have a path in their arguments. */
function processesAt(path: string): string[] {
  const all = execFileSync('sh', ['-c', 'ps -eo args'], { encoding: 'utf8' })
  return all.split('\n').filter((line) => line.includes(path))
}

/** The whole test, its start included: less than the waits that are ended in it. */
const SHORTER_THAN_WAITS = { timeout: 20_000 }

test.each(STALLS)('one signal ends a rehearsal at once under %s', SHORTER_THAN_WAITS, async (stall) => {
  const { state, before } = await stateWithProxies(`rehearse ${stall}`)
  const run = runCli(['rehearse', '--state', state])
  await before.execution.stall(stall)
  run.kill('SIGTERM')
  expect(await run.end).toMatchObject({ code: 4, signal: null })
})

test('one signal lets a watch write down what it saw last, and give its locks back', async () => {
  const state = join(directory, 'watched')
  const memory = () => {
    const text = readFileSync(join(state, memoryPath()), 'utf8')
    return (JSON.parse(text) as { lookedMs: number }).lookedMs
  }
  const memoryPath = () => filesBelow(state).find((name) => name.endsWith('watch.json')) ?? 'none yet'
  const run = runCli([
    'watch',
    '--devnet',
    join(directory, 'network/descriptor.json'),
    '--state',
    state,
    '--json',
    '0',
  ])
  await expect.poll(() => existsSync(join(state, memoryPath()))).toBe(true)
  const firstMs = memory()
  // So much later than the first look that only the write at the end tells of it.
  await expect.poll(() => Date.now() - firstMs).toBeGreaterThan(3000)
  const toldMs = Date.now()
  run.kill('SIGTERM')
  expect(await run.end).toMatchObject({ code: 4, signal: null })
  expect(memory()).toBeGreaterThan(toldMs - 2000)
  expect(filesBelow(state).filter((name) => /\.lock(\.sock)?$/.test(name))).toEqual([])
})

function filesBelow(path: string): string[] {
  return existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
}
