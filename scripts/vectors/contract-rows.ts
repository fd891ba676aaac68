import type { Hex } from '../../src/core/base/format/hex.ts'

/** A log of a recorded transaction. */
export type RecordedLog = { address: Hex; topics: Hex[]; data: Hex }
export type RecordedReply = { result?: unknown; error?: { code: number; message: string; data?: string } }
export type CallRow = {
  kind: 'eth_call'
  note: string
  from: Hex
  data: Hex
  valueWei: string
  reply: RecordedReply
}
export type OperatorRow = { kind: 'getOperator'; note: string; pubkey: Hex; operator: Hex }
export type DepositRow = {
  kind: 'deposit'
  note: string
  from: Hex
  pubkey: Hex
  credentials: Hex
  signature: Hex
  operator: Hex
  amountGwei: string
  status: string
  input: Hex
  logs: RecordedLog[]
}

/** One row of `recorded/contract.jsonl`. */
export type ContractRow = CallRow | OperatorRow | DepositRow

/** What is wrong with a value, for a list of differences; an empty list for one that is right. */
export function difference(what: string, found: unknown, expected: unknown): string[] {
  return found === expected ? [] : [`${what}: found ${String(found)}, expected ${String(expected)}`]
}
