export const SCENARIO_NAMES = [
  'set-full',
  'as-on-mainnet',
  'free-places',
  'tie-at-the-last-place',
  'squatted-key',
  'burnt-deposit',
  'exited-key',
  'outbid-while-active',
  'outbid-at-night',
  'node-stops',
  'troubles-while-active',
  'pool-validator',
] as const

/** Ways to show a chain without the keys of its set. */
export const FORGERS = ['other-keys', 'unsigned', 'own-set', 'other-data', 'stale'] as const

export type Forger = (typeof FORGERS)[number]

/** What waits for the user on a rehearsal network. */
export type ScenarioName = (typeof SCENARIO_NAMES)[number]
