import { devnetRefused } from '../core/errors/devnet.ts'
import { safeText } from '../core/format/text.ts'
import { SCENARIO_NAMES } from '../core/network/scenario-names.ts'

/** Shorter slots than this pass faster than seven steps can follow them. */
const LEAST_MS = 50
const MOST_MS = 600_000

/** The time between two blocks of a rehearsal network, from a command line. Throws `devnet.refused`. */
export function readSlotMs(text: string): number {
  const slotMs = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (slotMs >= LEAST_MS && slotMs <= MOST_MS) return slotMs
  const expected = `a whole number from ${LEAST_MS} to ${MOST_MS}`
  throw devnetRefused(`--slot-ms takes ${expected}.`, [`found: ${safeText(text, 40)}`])
}

const HELP_COLUMNS = 80

/** The names of all scenarios as lines of a help, each indented by so many columns. */
export function scenarioLines(indent: number): string {
  const lines: string[] = []
  for (const name of SCENARIO_NAMES) {
    const last = lines.at(-1)
    const joined = `${last}, ${name}`
    if (last === undefined || indent + joined.length + 1 > HELP_COLUMNS) lines.push(name)
    else lines[lines.length - 1] = joined
  }
  return lines.map((line) => ' '.repeat(indent) + line).join(',\n')
}
