import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { plainOrPacked } from './lines.ts'

/** Something to check: a file of vectors, a node home, or a path at which there is nothing to read. */
export type Vector = { kind: 'file' | 'home' | 'absent'; path: string }

const NOT_DATA = /^(?:README|LICENSE)\b|^\./

/** All vectors at or below a path, in the order of their names. A folder with a `config/config.toml` is one home. */
export function findVectors(path: string): Vector[] {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return [{ kind: 'absent', path }]
  if (!facts.isDirectory()) return NOT_DATA.test(basename(path)) ? [] : [{ kind: 'file', path }]
  if (plainOrPacked(join(path, 'config/config.toml')) !== undefined) return [{ kind: 'home', path }]
  return readdirSync(path)
    .sort()
    .flatMap((name) => (NOT_DATA.test(name) ? [] : findVectors(join(path, name))))
}
