import {
  type Claims,
  type CommitRow,
  readClaims,
  readCommitFile,
  rememberVotes,
} from '../../../../scripts/vectors/commits.ts'
import type { TrustedHeader, VerifyVotes } from '../../../../src/core/chain/light/light-client.ts'
import { verifyVotes } from '../../../../src/core/chain/light/verify-votes.ts'
import { vectorLines } from '../../../support/vector-lines.ts'

const { chainId, rows } = readCommitFile(vectorLines('commits.jsonl'))

/** How the curve judges, with each claim judged once in all tests of a file. */
const remembered: VerifyVotes = rememberVotes(verifyVotes)

/** The chain of the recorded rows, and the real curve. */
export const RULES = { chainId, verifyVotes: remembered }

/** Blocks of a real chain, with each kind of change of its set. */
export const ROWS: readonly CommitRow[] = rows

/** Returns the recorded row of a height. */
export function rowAt(height: number): CommitRow {
  const row = rows.find((each) => each.height === height)
  if (row === undefined) throw new RangeError(`no row of height ${height}`)
  return row
}

/** Returns what the row of a height claims, read by the product's decoders. */
export const claimsAt = (height: number): Promise<Claims> => readClaims(rowAt(height))

/** Returns trust in what a row claims, as if everything before it had been verified. */
export function trustIn({ signed: { header, commit }, set }: Claims): TrustedHeader {
  const { height, time, nextValidatorsHash: nextSetHash } = header
  return { height, hash: commit.blockId.hash, time, set, nextSetHash }
}
