import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSearch } from './enumerate.ts'
import { ALPHABETS, nameOfSetting, settingsOf } from './enumerate-settings.ts'
import type { Setting } from './schedule.ts'
import type { Found, Search } from './search.ts'

/** Where the counts of a night are left. */
const NIGHT_DIRECTORY = join(import.meta.dirname, '../../.enumerated')

type Row = { setting: string; tries: string; depth: number; states: number; transitions: number }

/** A search of one setting, and what it tries. */
export type Part = { setting: string; tries: string; search: Search<unknown> }

/** The searches of every setting of a payment of a kind. */
export async function partsOf(kind: Setting['kind']): Promise<Part[]> {
  const parts: Part[] = []
  for (const setting of settingsOf(kind))
    for (const [tries, alphabet] of Object.entries(ALPHABETS))
      parts.push({
        setting: nameOfSetting(setting),
        tries,
        search: await createSearch(setting, { alphabet }),
      })
  return parts
}

/**
 * Goes on with searches for so many minutes of a processor, however busy the computer is: always that one goes deeper which
 * has tried least, so that all of them get to about the same number of steps. Writes down how deep each got, and returns the
 * first objection.
 */
export async function searchAllNight(
  name: string,
  parts: readonly Part[],
  minutes: number,
): Promise<{ rows: readonly Row[]; found: (Found<unknown> & { setting: string }) | undefined }> {
  const beganAt = process.cpuUsage()
  const isTime = () => {
    const { user, system } = process.cpuUsage(beganAt)
    return user + system >= minutes * 60_000_000
  }
  mkdirSync(NIGHT_DIRECTORY, { recursive: true })
  const note = (rows: readonly Row[]) =>
    writeFileSync(join(NIGHT_DIRECTORY, `${name}.json`), `${JSON.stringify(rows, undefined, 1)}\n`)
  const rowsOf = (): Row[] =>
    parts.map(({ setting, tries, search }) => ({
      setting,
      tries,
      depth: search.depth(),
      states: search.states(),
      transitions: search.transitions(),
    }))
  let found: (Found<unknown> & { setting: string }) | undefined
  while (!isTime() && found === undefined) {
    const next = parts.reduce((least, one) => (weight(one) < weight(least) ? one : least))
    const one = await next.search.deeper(isTime)
    found = one && { ...one, setting: next.setting }
    note(rowsOf())
  }
  return { rows: rowsOf(), found }
}

/** Everything that can happen gets most of the time. */
const weight = ({ tries, search }: Part): number => search.transitions() / (tries === 'everything' ? 8 : 1)
