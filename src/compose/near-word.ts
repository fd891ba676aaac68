import { closestMatch } from 'leven'

const LONGEST = 40
const SHORTEST_BEGINNING = 3

/** The known word that a mistyped one most likely means; undefined where none is near. Whatever its length, it costs little. */
export function nearWord(word: string, known: readonly string[]): string | undefined {
  const typed = word.slice(0, LONGEST).toLowerCase()
  if (known.includes(typed)) return typed
  const begun = typed.length < SHORTEST_BEGINNING ? [] : known.filter((each) => each.startsWith(typed))
  if (begun.length === 1) return begun[0]
  // Two letters changed places count as two changes.
  return closestMatch(typed, known, { maxDistance: typed.length < 4 ? 1 : 2 + Math.floor(typed.length / 10) })
}

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
