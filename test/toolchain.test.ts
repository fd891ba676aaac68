import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const GUARDED = /^node (?:-r \.\/)?scripts\/oldest-node\.cjs /

type Package = {
  engines: Record<string, string>
  optionalDependencies: Record<string, string>
  scripts: Record<string, string>
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { engines, optionalDependencies, scripts } = JSON.parse(read('package.json')) as Package
const nodePackages = Object.entries(optionalDependencies).filter(([name]) =>
  /^node-[a-z]+-[a-z0-9]+$/.test(name),
)
const ourPackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const pinned = optionalDependencies[ourPackage]
/** It is optional: without it the computer's own Node serves. */
const isInstalled = existsSync(join(ROOT, 'node_modules', ourPackage))

/** Where the two commands of the README do all the set-up. */
const MACHINES = ['linux x64', 'linux arm64', 'darwin arm64', 'darwin x64', 'win32 x64']

describe('the toolchain', () => {
  test('runs on the pinned Node 24, or where that is not installed, on one that is new enough', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    expect(major * 1000 + minor).toBeGreaterThanOrEqual(22_018)
    if (isInstalled) expect(process.versions.node).toBe(pinned)
  })

  test('pins one and the same Node for every platform', () => {
    expect(nodePackages.length).toBeGreaterThanOrEqual(3)
    expect(new Set(nodePackages.map(([, version]) => version)).size).toBe(1)
    expect(nodePackages[0]?.[1]).toMatch(/^24\.\d+\.\d+$/)
  })

  test('finds that Node first in the scripts of npm, whatever the Node of the computer is', () => {
    const bin = join(ROOT, 'node_modules/.bin/node')
    if (!isInstalled) return
    expect(execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${pinned}`)
  })

  test.each([
    // What builds the program, and what it calls.
    ['@esbuild/', []],
    ['@chainsafe/blst-', []],
    // Without it the same is hashed more slowly.
    ['@chainsafe/hashtree-', ['darwin x64']],
    // The execution client of the rehearsal network.
    [/^@foundry-rs\/anvil-|^@nomicfoundation\/edr-/, []],
    // Where there is none, the Node of the computer serves.
    [/^node-(?:linux|win)-/, ['darwin arm64', 'darwin x64']],
  ])('locks native code of %s for every platform but %j', (start, without) => {
    type Locked = { os?: string[]; cpu?: string[] }
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
    const locked = Object.entries(packages).filter(([path]) => {
      const name = path.replace('node_modules/', '')
      return typeof start === 'string' ? name.startsWith(start) : start.test(name)
    })
    const isFor = (machine: string) =>
      locked.some(
        ([, { os, cpu }]) =>
          [os].flat().includes(machine.split(' ')[0]) && [cpu].flat().includes(machine.split(' ')[1]),
      )
    expect(MACHINES.filter((machine) => !isFor(machine))).toEqual(without)
  })

  test('runs real programs in tests that a platform may lack and that are not shipped', () => {
    const programs = JSON.parse(read('test/programs/package.json')) as Partial<Package>
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> }
    const names = ['@foundry-rs/cast-linux-amd64', '@nomicfoundation/edr-linux-x64-gnu']
    expect(Object.keys(programs.optionalDependencies ?? {})).toEqual(names)
    for (const [name, version] of Object.entries(programs.optionalDependencies ?? {})) {
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, dev: true, optional: true })
      expect(optionalDependencies).not.toHaveProperty(name)
      // Tests that need it are left out where it is not: on the platform that has it, it must be there.
      const isThere = existsSync(join(ROOT, 'node_modules', name))
      expect(isThere, name).toBe(process.platform === 'linux' && process.arch === 'x64')
    }
  })

  test('names one oldest Node everywhere: the first that reads these sources as they are', () => {
    expect(engines).toEqual({ node: '>=22.18' })
    const [, major, minor] = /const OLDEST = \[(\d+), (\d+)\]/.exec(read('src/launch.ts')) ?? []
    expect(`>=${major}.${minor}`).toBe(engines.node)
    expect(read('scripts/build/bundle.ts')).toContain(`target: 'node${major}.${minor}'`)
    expect(read('README.md')).toContain(`Node ${major}.${minor} or newer`)
  })

  test('says so in a sentence, before a Node that is older meets a source', () => {
    const own = Object.entries(scripts).filter(([, script]) => /(?:scripts|bench)\//.test(script))
    expect(own.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'test', 'build', 'bench']))
    for (const [name, script] of own) expect(script, name).toMatch(GUARDED)
    const guard = join(ROOT, 'scripts/oldest-node.cjs')
    const old = "Object.defineProperty(process, 'versions', { value: { node: '22.17.1' } })"
    const code = `${old}; require(${JSON.stringify(guard)})`
    const { status, stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' })
    const said = 'Bearings needs Node 22.18 or newer; this is 22.17.1.\n'
    expect({ status, stderr }).toEqual({ status: 2, stderr: said })
    expect(spawnSync(process.execPath, [guard]).status).toBe(0)
  })

  test('tests everything with one command, cheapest first', () => {
    const parts = (scripts.test ?? '').split(' && ').map((part) => part.replace(/^npm run /, ''))
    const checks = ['types', 'lint', 'layers', 'unused', 'build']
    expect(parts).toEqual(['node scripts/oldest-node.cjs', ...checks, 'vitest run'])
    for (const check of checks) expect(scripts).toHaveProperty(check)
  })

  test('has the same command run from a clean installation', () => {
    const lines = read('.ci/run').split('\n')
    expect(lines.slice(0, 2)).toEqual(['#!/usr/bin/env bash', 'set -euo pipefail'])
    expect(lines.filter((line) => line.startsWith('npm '))).toEqual(['npm ci', 'npm test'])
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
  })
})
