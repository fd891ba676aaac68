import { devnetRefused } from '../core/errors/devnet.ts'
import { safeText } from '../core/format/text.ts'

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
