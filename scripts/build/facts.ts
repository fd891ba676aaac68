import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRESETS } from '../../src/core/chain/network/presets.ts'
import { commitOf } from './stamp.ts'

/** What `bearings --version` says, put into the program when it is built. */
export type BuildFacts = { version: string; commit: string; networks: string }

/** The facts of a build of this checkout. */
export function buildFacts(root: string): BuildFacts {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { version, commit: commitOf(root), networks: networksHash(PRESETS) }
}

/**
 * SHA-256 over every constant of these networks: their JSON with the keys in order of the alphabet and each bigint as its
 * decimal digits with an n behind them. 64 hex digits.
 */
export function networksHash(networks: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(networks, inOrder)).digest('hex')
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
