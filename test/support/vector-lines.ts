import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Text of a file below test/vectors. */
export function vectorText(path: string): string {
  return readFileSync(join(import.meta.dirname, '../vectors', path), 'utf8')
}

/** Its lines that are not empty. */
export function vectorLines(path: string): string[] {
  return vectorText(path)
    .split('\n')
    .filter((line) => line !== '')
}
