import type { Network } from '../chain/network/network.ts'
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
  /** Whether the own engine runs with it and votes; undefined where that is not known. */
  runs: boolean | undefined
  /** How old the newest commit is, by the clock of this computer, in milliseconds. */
  ageMs: number
}

/**
 * Whether a key signs nowhere but in the own node: no vote that the own node did not make. That there is none is believed
 * of an own endpoint alone, and of commits of now; undefined where what is known settles nothing.
 */
export function judgeStandby(
  { votes, signedTo, runs, ageMs }: Standby,
  network: Network,
): boolean | undefined {
  if (votes.vote === undefined)
    return votes.isOwn && judgeNode('age', { ageMs }, network) === true ? true : undefined
  return signedTo === undefined ? runs === true : votes.vote.height <= signedTo
}

/** What was found of the votes of a key, in numbers: heights of blocks, and how many were looked at. */
export function standbyNumbers({ votes: { vote, head, blocks } }: Standby) {
  const newest = { headHeight: head, blockCount: Number(blocks) }
  return vote === undefined ? newest : { voteHeight: vote.height, ...newest }
}
