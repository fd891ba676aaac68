import { devnetRefused } from '../../base/errors/devnet.ts'
import { nearWord } from '../../base/format/near-word.ts'
import { safeText } from '../../base/format/text.ts'

export const SCENARIO_NAMES = [
  'set-full',
  'as-on-mainnet',
  'free-places',
  'tie-at-the-last-place',
  'squatted-key',
  'burnt-deposit',
  'exited-key',
  'outbid-while-active',
  'node-stops',
  'troubles-while-active',
] as const

/** What waits for the user on a rehearsal network. */
export type ScenarioName = (typeof SCENARIO_NAMES)[number]

/** Reads the name of a scenario. Throws `devnet.refused` with the names there are, and the nearest of them. */
export function readScenarioName(text: string): ScenarioName {
  const found = SCENARIO_NAMES.find((name) => name === text)
  if (found !== undefined) return found
  const nearest = nearWord(text, SCENARIO_NAMES)
  throw devnetRefused(`There is no scenario ${safeText(text, 40)}.`, [
    ...(nearest === undefined ? [] : [`nearest: ${nearest}`]),
    `scenarios: ${SCENARIO_NAMES.join(', ')}`,
  ])
}
