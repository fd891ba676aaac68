import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const OURS = pathToFileURL(join(import.meta.dirname, '../../src/')).href

/** Places in the code of the program, as `file:offset` of a character. */
export type Places = ReadonlySet<string>

/** What of the program's code has run, by V8's own block coverage, in this very process. */
export type Coverage = {
  /** Places that ran since the last look and never before. */
  fresh(): Promise<Places>
  /** Which of some places ran since the last look. */
  among(places: Places): Promise<Places>
  /** How many characters of the code have run so far. */
  total(): number
  end(): Promise<void>
}

/** Begins to count. Everything that ran before is left out. */
export async function startCoverage(): Promise<Coverage> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const covered = new Map<string, Uint8Array>()
  let total = 0

  /** Which characters of each file ran since the last look: the inner ranges of a function say more than the outer ones. */
  const ran = async (): Promise<Map<string, Uint8Array>> => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = new Map<string, Uint8Array>()
    for (const { url, functions } of result) {
      if (!url.startsWith(OURS)) continue
      const ranges = functions.flatMap((each) => each.ranges)
      const length = Math.max(0, ...ranges.map(({ endOffset }) => endOffset))
      const marks = new Uint8Array(length)
      for (const { startOffset, endOffset, count } of ranges)
        marks.fill(count > 0 ? 1 : 0, startOffset, endOffset)
      files.set(url, marks)
    }
    return files
  }

  return {
    async fresh() {
      const places = new Set<string>()
      for (const [url, marks] of await ran()) {
        const known = covered.get(url) ?? new Uint8Array(marks.length)
        covered.set(url, known)
        for (const [at, mark] of marks.entries()) {
          if (mark === 0 || known[at] !== 0) continue
          known[at] = 1
          total += 1
          places.add(`${url}:${at}`)
        }
      }
      return places
    },
    async among(places) {
      const files = await ran()
      return new Set(
        [...places].filter((place) => {
          const colon = place.lastIndexOf(':')
          return files.get(place.slice(0, colon))?.[Number(place.slice(colon + 1))] === 1
        }),
      )
    },
    total: () => total,
    async end() {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}
