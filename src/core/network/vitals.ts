import type { Network } from './network.ts'
import { BEPOLIA } from './presets.ts'

/** What a node says of its own readiness. */
export type NodeHealth = 'ready' | 'syncing' | 'not-initialized'

/** How many peers each half of a node has; undefined for one that does not say. */
export type PeerCounts = { engine: number | undefined; node: number | undefined }

const HEALTH_WORDS: Readonly<Record<NodeHealth, string>> = {
  ready: 'reports that it is ready',
  syncing: 'reports that it is syncing',
  'not-initialized': 'reports that it is not ready',
}

/** A node's readiness in words. */
export function healthWords(health: NodeHealth): string {
  return HEALTH_WORDS[health]
}

/** Whether a network may be one node alone: a rehearsal always is, a test network of somebody's own can be. */
function mayBeOneNode({ kind, id }: Network): boolean {
  return kind === 'rehearsal' || (kind === 'test' && id !== BEPOLIA.id)
}

/** Whether half of a node has nobody to talk to on a network of many. */
export function isAlone({ engine, node }: PeerCounts, network: Network): boolean {
  return !mayBeOneNode(network) && (engine === 0 || node === 0)
}

/** The counts in words. */
export function peersWords(counts: PeerCounts, network: Network): string {
  const { engine, node } = counts
  const parts = [
    ...(engine === undefined ? [] : [`engine ${engine}`]),
    ...(node === undefined ? [] : [`node API ${node}`]),
  ]
  const said = parts.join(', ')
  if (network.kind === 'rehearsal') return `${said}; a rehearsal has none`
  if (mayBeOneNode(network) && (engine === 0 || node === 0)) return `${said}; none in a network of one node`
  return isAlone(counts, network) ? `${said}: nobody hears this node` : said
}
