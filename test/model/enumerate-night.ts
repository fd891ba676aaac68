import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSearch, type Found, type Search } from './enumerate.ts'
import { ALPHABETS, nameOfSetting, settingsOf } from './enumerate-settings.ts'
import type { Setting } from './schedule.ts'

/** Where the counts of a night are left. */
const NIGHT_DIRECTORY = join(import.meta.dirname, '../../.enumerated')

type Row = { setting: string; tries: string; depth: number; states: number; transitions: number }

/**
 * Searches every setting of a kind for so many minutes of a processor, however busy the computer is: always that search goes deeper which has tried least, so
 * that all of them get to about the same number of steps. Writes down how deep each got, and returns the first objection.
 */
export async function searchAllNight(
  kind: Setting['kind'],
  minutes: number,
): Promise<{ rows: readonly Row[]; found: (Found & { setting: string }) | undefined }> {
  const beganAt = process.cpuUsage()
  const isTime = () => {
    const { user, system } = process.cpuUsage(beganAt)
    return user + system >= minutes * 60_000_000
  }
  const searches: { setting: string; tries: string; search: Search }[] = []
  for (const setting of settingsOf(kind))
    for (const [tries, alphabet] of Object.entries(ALPHABETS))
      searches.push({
        setting: nameOfSetting(setting),
        tries,
        search: await createSearch(setting, { alphabet }),
      })
  mkdirSync(NIGHT_DIRECTORY, { recursive: true })
  const note = (rows: readonly Row[]) =>
    writeFileSync(join(NIGHT_DIRECTORY, `${kind}.json`), `${JSON.stringify(rows, undefined, 1)}\n`)
  const rowsOf = (): Row[] =>
    searches.map(({ setting, tries, search }) => ({
      setting,
      tries,
      depth: search.depth(),
      states: search.states(),
      transitions: search.transitions(),
    }))
  let found: (Found & { setting: string }) | undefined
  while (!isTime() && found === undefined) {
    const next = searches.reduce((least, one) => (weight(one) < weight(least) ? one : least))
    const one = await next.search.deeper(isTime)
    found = one && { ...one, setting: next.setting }
    note(rowsOf())
  }
  return { rows: rowsOf(), found }
}

/** Everything that can happen gets most of the time. */
const weight = ({ tries, search }: { tries: string; search: Search }): number =>
  search.transitions() / (tries === 'everything' ? 8 : 1)
