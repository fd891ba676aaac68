import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OLDEST_NODE } from '../src/packaged-node.js'

const ROOT = join(import.meta.dirname, '..')

type Package = {
  name: string
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

type Manifest = { name?: string; version?: string; engines?: { node?: string } }

function installedPackages(): Manifest[] {
  const paths = globSync(['node_modules/*/package.json', 'node_modules/@*/*/package.json'], { cwd: ROOT })
  return paths.map((path) => JSON.parse(read(path)) as Manifest)
}

/** Whether a version is in a range of npm, as far as packages use its language in `engines`. */
function isWithin(version: string, range: string): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .replaceAll(/([<>=^~]) +/g, '$1')
      .split(/ +/)
      .every((each) => meets(version, each)),
  )
}

function meets(version: string, condition: string): boolean {
  const [, sign = '', rest = ''] = /^([<>=^~]*)v?(.*)$/.exec(condition) ?? []
  const wanted = rest.split('.').filter((each) => /^\d+$/.test(each))
  const [is, bound] = [version.split('.'), wanted].map((each) =>
    [0, 1, 2].reduce((sum, place) => sum * 1000 + Number(each[place] ?? 0), 0),
  ) as [number, number]
  const same = (count: number) => version.split('.').slice(0, count).join() === wanted.slice(0, count).join()
  if (sign === '<') return is < bound
  if (sign === '>=') return is >= bound
  if (sign === '>') return is > bound
  if (sign === '^') return is >= bound && same(1)
  if (sign === '~') return is >= bound && same(2)
  return same(wanted.length)
}

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

  test.each([
    // What builds the program, and what it calls.
    ['@esbuild/', []],
    ['@chainsafe/blst-', []],
    // Without it the same is hashed more slowly.
    ['@chainsafe/hashtree-', ['darwin x64']],
    // The execution client of the rehearsal network.
    ['@nomicfoundation/edr-', []],
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
    const names = ['@foundry-rs/cast-linux-amd64']
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
    const [major, minor] = OLDEST_NODE
    expect(read('scripts/build/bundle.ts')).toContain(`target: 'node${major}.${minor}'`)
    expect(read('README.md')).toContain(`Node ${major}.${minor} or newer`)
  })

  test('runs with that Node and the pinned one, as each package that is installed wants it', () => {
    const wants = installedPackages().filter(({ engines: { node = '*' } = {} }) =>
      [`${OLDEST_NODE.join('.')}.0`, pinned ?? ''].some((version) => !isWithin(version, node)),
    )
    expect(wants.map(({ name, engines: { node = '' } = {} }) => `${name}: ${node}`)).toEqual([])
  })

  test('is installed whole by an npm on any Node: the Node that runs it is the one that npm ci brings', () => {
    // npm leaves out an optional package whose `engines` its own Node does not meet, and says nothing; of others it warns.
    // So they are taken out of the lockfile: npm run lockfile, whenever `npm install` has put them back.
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, Partial<Package>>
    }
    const asking = Object.entries(packages).filter(([path, locked]) => path !== '' && locked.engines)
    expect(asking.map(([path]) => path)).toEqual([])
    // The oldest that brings an npm for which this holds, and that reads the launchers.
    expect(engines).toEqual({ node: '>=18' })
  })

  test('begins each script with the launcher, with a program that is there', () => {
    const parts = Object.values(scripts).flatMap((script) => script.split(' && '))
    const programs = parts.flatMap((part) => {
      const [, name] = /^node scripts\/run\.js (\S+)/.exec(part) ?? []
      if (name === undefined) expect(part).toMatch(/^npm run [a-z]+$/)
      return name ?? []
    })
    const commands = programs.filter((name) => !name.includes('/'))
    expect(new Set(commands)).toEqual(new Set(['tsc', 'biome', 'oxlint', 'depcruise', 'knip', 'vitest']))
    for (const name of programs.filter((each) => each.includes('/')))
      expect(existsSync(join(ROOT, name))).toBe(true)
  })

  test('tests everything with one command, cheapest first', () => {
    const parts = (scripts.test ?? '').split(' && ').map((part) => part.replace(/^npm run /, ''))
    const checks = ['types', 'lint', 'layers', 'unused', 'build']
    expect(parts).toEqual([...checks, 'node scripts/run.js vitest run'])
    for (const check of checks) expect(scripts).toHaveProperty(check)
  })

  test('has the same command run from a clean installation', () => {
    const lines = read('.ci/run').split('\n')
    expect(lines.slice(0, 2)).toEqual(['#!/usr/bin/env bash', 'set -euo pipefail'])
    // By an npm that most people have, and that does less than the newest.
    const npm = 'npx --yes npm@10.9.4'
    expect(lines.filter((line) => /^np[mx] /.test(line))).toEqual([`${npm} ci`, `${npm} test`])
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
  })
})
