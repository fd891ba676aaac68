import {
  type Claims,
  type CommitRow,
  readClaims,
  readCommitFile,
  rememberVotes,
} from '../../../../scripts/vectors/commits.ts'
import { hashSet } from '../../../../src/core/chain/light/encode.ts'
import {
  stepTo,
  type TrustedHeader,
  trustGenesis,
  type VerifyVotes,
} from '../../../../src/core/chain/light/light-client.ts'
import { verifyVotes } from '../../../../src/core/chain/light/verify-votes.ts'
import { vectorLines } from '../../../support/vector-lines.ts'

const { chainId, rows } = readCommitFile(vectorLines('commits.jsonl'))

/** How the curve judges, with each claim judged once in all tests of a file. */
let calls=0; const byMs:number[]=[]
process.on("exit",()=>console.log("curve",calls, byMs.reduce((a,b)=>a+b,0), byMs.filter(m=>m>10).length))
const remembered: VerifyVotes = rememberVotes((c)=>{calls++; const t=performance.now(); const r=verifyVotes(c); byMs.push(performance.now()-t); return r})

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

/** Returns trust in each row, in their order, by following them from the genesis set on. */
export async function followRows(): Promise<TrustedHeader[]> {
  const trail: TrustedHeader[] = []
  for (const row of rows) {
    const claims = await readClaims(row)
    const before = trail.at(-1)
    const step = before === undefined ? trustGenesis(claims.set, claims, RULES) : stepTo(before, claims, RULES)
    if (step.is !== 'trusted') throw new Error(`height ${row.height}: ${JSON.stringify(step)}`)
    trail.push(step.trusted)
  }
  return trail
}

/** Returns a header of a made-up moment, one block before another, with a set that names itself as the next one. */
export function trustSet(height: bigint, set: TrustedHeader['set']): TrustedHeader {
  return { height, hash: '', time: { seconds: 0n, nanos: 0 }, set, nextSetHash: hashSet(set) }
}
