import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { sampled } from '../support/hard.ts'
import { startProgram } from '../support/pty.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGED = `node-${process.platform}-${process.arch}`
const NODE = 'bin/node'

const folders: string[] = []
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

type Tree = { packaged?: string; linkedBy?: 'npm 11'; libc?: 'musl' }

/** A project as an npm leaves it: with the launcher, a program that says what runs it, and perhaps a Node of its own. */
function project({ packaged, linkedBy, libc }: Tree): string {
  const root = join(mkdtempSync(join(tmpdir(), 'bearings-')), 'mit Leerzeichen и буквами 测试')
  folders.push(dirname(root))
  for (const file of ['scripts/run.js', 'src/packaged-node.js']) cpSync(join(ROOT, file), join(root, file))
  const manifest = { type: 'module', devDependencies: { shown: '1.0.0' } }
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest))
  const shown = join(root, 'node_modules/shown')
  mkdirSync(shown, { recursive: true })
  writeFileSync(join(shown, 'package.json'), JSON.stringify({ bin: { show: 'show.cjs' } }))
  writeFileSync(join(shown, 'show.cjs'), SHOW)
  writeFileSync(join(root, 'scripts/show.cjs'), SHOW)
  writeFileSync(join(root, 'libc.cjs'), libc === 'musl' ? MUSL : '')
  if (packaged === undefined) return root
  const folder = join(root, 'node_modules', PACKAGED)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: packaged }))
  symlinkSync(process.execPath, join(folder, NODE))
  if (linkedBy === undefined) return root
  mkdirSync(join(root, 'node_modules/.bin'))
  symlinkSync(join('..', PACKAGED, NODE), join(root, 'node_modules/.bin/node'))
  return root
}

/** What a Node that was built for musl says of its C library: nothing. */
const MUSL = 'process.report.getReport = () => ({ header: {} })'

const SHOW = `
const { spawnSync } = require('node:child_process')
const [task, ...args] = process.argv.slice(2)
const byName = spawnSync('node', ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim()
if (task === 'show') console.log(JSON.stringify({ self: process.versions.node, byName, args }))
if (task === 'end') process.exitCode = Number(args[0])
if (task === 'wait') setInterval(() => {}, 1000), console.log('waits')
`

/** A Node that takes itself for another one, as the one that npm runs on may be. */
function begin(root: string, version: string): [string, ...string[]] {
  const before = join(root, 'other.cjs')
  const text = `{ value: { ...process.versions, node: '${version}' } }`
  writeFileSync(before, `Object.defineProperty(process, 'versions', ${text})\n`)
  return [process.execPath, '-r', before, '-r', join(root, 'libc.cjs'), join(root, 'scripts/run.js')]
}

function run(root: string, version: string, ...args: string[]) {
  const [file, ...before] = begin(root, version)
  // On the PATH is an old Node, as on the user's computer.
  const bin = join(root, 'path')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:/usr/bin:/bin` }
  const { status, stdout, stderr } = spawnSync(file, [...before, ...args], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

const TREES = [
  ['npm 9', {}],
  ['npm 10', {}],
  ['npm 11', { linkedBy: 'npm 11' }],
] as const

describe.skipIf(process.platform === 'win32').each(TREES)('what %s installed', (_, linked) => {
  test.each(sampled(['18.20.8', '20.20.2', '22.17.1', '22.23.3', '24.9.0'], 3))(
    'runs its scripts with the Node that came with it, begun by Node %s',
    (version) => {
      const root = project({ packaged: '24.21.0', ...linked })
      const here = process.versions.node
      for (const program of ['show', 'scripts/show.cjs']) {
        const { status, stdout, stderr } = run(root, version, program, 'show', 'a b', '--flag', 'é')
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
        expect(JSON.parse(stdout)).toEqual({ self: here, byName: here, args: ['a b', '--flag', 'é'] })
      }
    },
  )

  test('ends as the program ends', () => {
    const root = project({ packaged: '24.21.0', ...linked })
    expect([0, 1, 3].map((code) => run(root, '18.20.8', 'show', 'end', String(code)).status)).toEqual([
      0, 1, 3,
    ])
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('hands %s on, and ends by it', async (signal) => {
    const [file, ...before] = begin(project({ packaged: '24.21.0', ...linked }), '18.20.8')
    const child = spawn(file, [...before, 'show', 'wait'], { stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(child)
    const closed = once(child, 'close')
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await closed).toEqual([null, signal])
  })

  test('is ended by Ctrl-C in a terminal, with the program', async () => {
    const [file, ...before] = begin(project({ packaged: '24.21.0', ...linked }), '18.20.8')
    const program = startProgram({
      program: file,
      args: [...before, 'show', 'wait'],
      cwd: ROOT,
      env: {},
    })
    await program.waitFor('waits')
    program.press('\u0003')
    expect(await program.exit).toMatchObject({ signal: 2 })
  })
})

describe.skipIf(process.platform === 'win32')('where no Node came with it', () => {
  test('runs its scripts with the own one of the user, if that is new enough', () => {
    const root = project({})
    expect(run(root, '22.18.0', 'show', 'end', '3')).toEqual({ status: 3, stdout: '', stderr: '' })
  })

  test.each(['18.20.8', '22.17.1'])('says in a sentence that Node %s is too old', (version) => {
    const stderr = `bearings needs Node 22.18 or newer; this is ${version}.\n`
    expect(run(project({}), version, 'show', 'show')).toEqual({ status: 2, stdout: '', stderr })
  })

  test('runs them with the own one where that which came with it needs another C library', () => {
    const root = project({ packaged: '24.21.0', libc: 'musl' })
    rmSync(join(root, 'node_modules', PACKAGED, NODE))
    expect(run(root, '24.9.0', 'show', 'end', '3')).toMatchObject({ status: 3, stderr: '' })
  })

  test('does not take one that came with it and is too old itself', () => {
    const stderr = 'bearings needs Node 22.18 or newer; this is 20.20.2.\n'
    expect(run(project({ packaged: '22.17.9' }), '20.20.2', 'show', 'show')).toMatchObject({
      status: 2,
      stderr,
    })
  })

  test('says what to run where the command of a package is missing', () => {
    const stderr = 'No package of the project has a command vitest: run npm ci.\n'
    expect(run(project({}), '24.9.0', 'vitest')).toEqual({ status: 2, stdout: '', stderr })
  })
})
