import type { Network } from '../../network/network.ts'
import { PRESETS } from '../../network/presets.ts'

/** Where the program has the network from, and therefore the root that everything is compared with. */
export const WORDS_OF_SOURCE = {
  descriptor: 'the descriptor of the rehearsal',
  'built in': 'the published network files',
  'your files': 'the network files that you gave',
} as const

/** Where the program has a network from, in two words. */
export function networkSource(network: Network): keyof typeof WORDS_OF_SOURCE {
  if (network.kind === 'rehearsal') return 'descriptor'
  return PRESETS.includes(network) ? 'built in' : 'your files'
}
