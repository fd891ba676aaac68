import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

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

describe('the toolchain', () => {
  test('runs on the pinned Node 24, or where none is pinned for the platform, on one that is new enough', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    expect(major * 1000 + minor).toBeGreaterThanOrEqual(22_013)
    if (pinned !== undefined) expect(process.versions.node).toBe(pinned)
  })

  test('pins one and the same Node for every platform', () => {
    expect(nodePackages.length).toBeGreaterThanOrEqual(3)
    expect(new Set(nodePackages.map(([, version]) => version)).size).toBe(1)
    expect(nodePackages[0]?.[1]).toMatch(/^24\.\d+\.\d+$/)
  })

  test('finds that Node first in the scripts of npm, whatever the Node of the computer is', () => {
    const bin = join(ROOT, 'node_modules/.bin/node')
    if (pinned === undefined) return
    expect(execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${pinned}`)
  })

  test('declares the oldest Node that can run the program, and the program knows the same', () => {
    expect(engines).toEqual({ node: '>=22.13' })
    const [, major, minor] = /const OLDEST = \[(\d+), (\d+)\]/.exec(read('src/launch.ts')) ?? []
    expect(`>=${major}.${minor}`).toBe(engines.node)
  })

  test('tests everything with one command, cheapest first', () => {
    const parts = (scripts.test ?? '').split(' && ').map((part) => part.replace(/^npm run /, ''))
    expect(parts).toEqual(['types', 'lint', 'layers', 'unused', 'build', 'vitest run'])
    for (const part of parts.slice(0, -1)) expect(scripts).toHaveProperty(part)
  })

  test('has the same command run from a clean installation', () => {
    const lines = read('.ci/run').split('\n')
    expect(lines.slice(0, 2)).toEqual(['#!/usr/bin/env bash', 'set -euo pipefail'])
    expect(lines.filter((line) => line.startsWith('npm '))).toEqual(['npm ci', 'npm test'])
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
  })
})
