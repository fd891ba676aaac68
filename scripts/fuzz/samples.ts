import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Text of a file below test/vectors. */
export function vector(path: string): string {
  return readFileSync(join(import.meta.dirname, '../../test/vectors', path), 'utf8')
}

/** Its lines as JSON values. */
export function vectorRows<T>(path: string): T[] {
  return vector(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

/** A settings file without its remarks, which no parser reads. */
export function withoutRemarks(toml: string): string {
  return toml
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n')
}
