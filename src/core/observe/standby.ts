import { formatCount, formatDuration } from '../base/format/amount.ts'
import { MOST_SLOTS_APART, type Network } from '../chain/network/network.ts'
import { judgeNode } from './findings.ts'

/** What the last commits of the chain hold of a key, by one endpoint. Times in Unix milliseconds of chain time. */
export type KeyVotes = {
  by: string
  /** Whether it is an endpoint of the own node. */
  isOwn: boolean
  head: bigint
  headMs: number
  /** How many commits were looked at. */
  blocks: bigint
  /** The newest block among them that the key voted for. */
  vote?: { height: bigint; timeMs: number }
}

/** What tells whether a key signs elsewhere. */
export type Standby = {
  votes: KeyVotes
  /** The newest block that the node of the home signed with it, by its own file; undefined where no file tells. */
  signedTo: bigint | undefined
  /** Whether the own engine votes with it; false where it runs with another key, undefined where that is not known. */
  runs: boolean | undefined
  /** How old the newest commit is, by the clock of this computer, in milliseconds. */
  ageMs: number
}

/**
 * Whether the file of the home names a block that the chain doesn't have: a node votes one block ahead of what it shows, and a
 * few are made while it is asked. Such a file says nothing of who signs, and a node that has it signs nothing until then.
 * undefined where the newest block that is known is not of now.
 */
export function isStateAhead(
  { votes, signedTo = 0n, ageMs }: Standby,
  network: Network,
): boolean | undefined {
  if (signedTo <= votes.head + MOST_SLOTS_APART) return false
  return judgeNode('age', { ageMs }, network) === true ? true : undefined
}

/**
 * Whether a key signs nowhere but in the own node: no vote that the own node did not make, and a file of the home that the
 * chain can have. That there is no vote is believed of an own endpoint alone, and of commits of now; while the own engine
 * runs with another key, none is its own. undefined where what is known settles nothing.
 */
export function judgeStandby(standby: Standby, network: Network): boolean | undefined {
  const { votes, signedTo, runs, ageMs } = standby
  const isAhead = isStateAhead(standby, network)
  if (isAhead !== false) return isAhead === true ? false : undefined
  if (votes.vote === undefined)
    return votes.isOwn && judgeNode('age', { ageMs }, network) === true ? true : undefined
  if (runs === false) return false
  return signedTo === undefined ? runs === true : votes.vote.height <= signedTo
}

/** What was found of the votes of a key, in numbers: heights of blocks, and how many were looked at. */
export function standbyNumbers({ votes: { vote, head, blocks } }: Standby) {
  const newest = { headHeight: head, blockCount: Number(blocks) }
  return vote === undefined ? newest : { voteHeight: vote.height, ...newest }
}

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
