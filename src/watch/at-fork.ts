import { isNear } from '../core/chain/consensus/fork-outlook.ts'
import { forkMoments } from '../core/chain/consensus/lacked-fork.ts'
import type { Network } from '../core/chain/network/network.ts'
import type { NetworkPicture } from '../core/observe/picture.ts'
import type { Severity } from '../core/view/alarm-event.ts'
import { atForkWords } from './at-fork-words.ts'
import type { Words } from './words.ts'

/** A planned halt that lasts longer is looked at as a failure. */
const LONGEST_PLANNED_MS = 3_600_000

/** The fork at whose moment the newest own block was made, Unix seconds; undefined where it is at none that is known. */
function forkOfHead({ headTimeMs, namedForks, atMs }: NetworkPicture, network: Network): bigint | undefined {
  if (headTimeMs === undefined) return undefined
  const headSeconds = BigInt(Math.floor(headTimeMs / 1000))
  const nowSeconds = BigInt(Math.floor(atMs / 1000))
  return forkMoments(namedForks ?? { own: undefined, others: [] }, { network, nowSeconds }).find(
    (atSeconds) => isNear(headSeconds, atSeconds),
  )
}

/**
 * Returns what is said of a standstill of `forMs`: at a moment at which the rules are known to change it is told apart from a
 * failure, and no more than a warning for an hour.
 */
export function standingAtFork(
  picture: NetworkPicture,
  network: Network,
  { forMs, who, text }: { forMs: number; who: 'chain' | 'node'; text: Words },
): Words & { severity: Severity } {
  const fork = forkOfHead(picture, network)
  if (fork === undefined) return { ...text, severity: 'critical' }
  const isPlanned = who === 'chain' && forMs <= LONGEST_PLANNED_MS
  return { ...atForkWords(text, { fork, who }), severity: isPlanned ? 'warning' : 'critical' }
}
