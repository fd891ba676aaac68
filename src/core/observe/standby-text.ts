import { formatCount, formatDuration } from '../base/format/amount.ts'
import type { Network } from '../chain/network/network.ts'
import { judgeNode } from './findings.ts'
import { isStateAhead, judgeStandby, type Standby } from './standby.ts'

/** What to do where only somebody else's endpoint says that a key is silent. */
export const ASK_OWN_ENGINE =
  'let your own node follow the chain with another key first, and ask it: docs/moving.md'

/** What to do with a signing state that the chain doesn't have. */
export const REPLACE_STATE =
  'find the node that signs with this key, stop it, then copy its data/priv_validator_state.json as it is afterwards'

/** Says that the signing state of the home names a block that the chain doesn't have; undefined where it doesn't. */
export function stateAheadWords(standby: Standby, network: Network): string | undefined {
  if (isStateAhead(standby, network) === false) return undefined
  const { votes, signedTo = 0n } = standby
  return `the signing state says block ${formatCount(signedTo)}, and the newest is ${formatCount(votes.head)}`
}

/** Returns what the last commits hold of a key, and who made its votes. */
export function standbyWords(standby: Standby, network: Network): string {
  const { votes, signedTo, ageMs } = standby
  const ahead = stateAheadWords(standby, network)
  if (ahead !== undefined) return ahead
  const { vote, blocks, head, headMs, by, isOwn } = votes
  if (vote === undefined) {
    const alone = isOwn ? '' : `; only ${by} says so, which is not yours`
    const old = judgeNode('age', { ageMs }, network) ? '' : `; the newest is ${formatDuration(ageMs)} old`
    return `no vote in the last ${formatCount(blocks)} blocks, up to ${formatCount(head)}${alone}${old}`
  }
  const agoMs = network.clockIsWall ? ageMs + headMs - vote.timeMs : headMs - vote.timeMs
  const block = formatCount(vote.height)
  const signed = network.clockIsWall
    ? `signed block ${block}, ${formatDuration(agoMs)} ago`
    : `signed block ${block} (the newest is ${formatCount(head)})`
  if (judgeStandby(standby, network) === true) return `${signed}, by this node`
  const file =
    signedTo === undefined || vote.height <= signedTo
      ? ''
      : `; its file here ends at block ${formatCount(signedTo)}`
  return `${signed}, not by this node${file}`
}
