import { nearWord } from '../core/format/near-word.ts'

/** Names of networks as people type them, and the name that is taken. */
const NETWORKS: Readonly<Record<string, string>> = {
  mainnet: 'mainnet',
  bepolia: 'bepolia',
  rehearsal: 'rehearsal',
  berachain: 'mainnet',
  testnet: 'bepolia',
  devnet: 'rehearsal',
}

/** The network that a mistyped name most likely means; undefined for what looks like a path. */
export function nearNetwork(text: string): string | undefined {
  if (/[/\\.]/.test(text)) return undefined
  const near = nearWord(text, Object.keys(NETWORKS))
  return near === undefined ? undefined : NETWORKS[near]
}
