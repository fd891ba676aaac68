import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DIRECTORY = join(import.meta.dirname, '../../test/vectors/corpus')
/** A longer input is not kept: its parts are in a shorter one. */
const LONGEST = 4000
const MOST_KEPT = 40

const pathOf = (name: string): string => join(DIRECTORY, `${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}.json`)

/** Inputs of a parser that once led where no sample did. */
export function corpusOf(name: string): readonly string[] {
  const path = pathOf(name)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : []
}

/** Keeps inputs of a parser beside those that are kept. Answers how many there are now. */
export function keepInCorpus(name: string, found: readonly string[]): number {
  const short = found.filter((text) => text.length <= LONGEST && text.isWellFormed())
  const kept = [...new Set([...corpusOf(name), ...short])].slice(0, MOST_KEPT)
  if (kept.length === 0) return 0
  mkdirSync(DIRECTORY, { recursive: true })
  writeFileSync(pathOf(name), `${JSON.stringify(kept, undefined, 1)}\n`)
  return kept.length
}
