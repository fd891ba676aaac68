import { formatMinute } from '../core/base/format/amount.ts'
import type { Words } from './words.ts'

/** Words of a chain, or of the own node, that stands at the very moment at which the rules change. */
export function atForkWords(
  { title, what }: Words,
  { fork, who }: { fork: bigint; who: 'chain' | 'node' },
): Words {
  const at = formatMinute(Number(fork) * 1000)
  return who === 'chain'
    ? {
        title: `${title} It is a known moment of a fork.`,
        what: `${what} The rules change on ${at}: validators that were not upgraded stop there, until enough of them are.`,
        next: 'Look at the announcements of the network: is the halt planned, and are your node and your execution client of the release for it? Keep them running.',
      }
    : {
        title: `${title} It is at a fork.`,
        what: `${what} The rules changed on ${at}: a client that is not of the release for it stops there.`,
        next: 'Look whether your node and your execution client are of the release for this fork. If not, upgrade them: a restart alone does not help.',
      }
}
