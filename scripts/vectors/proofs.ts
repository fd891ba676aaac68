import type { Hex } from '../../src/core/base/format/hex.ts'
import { type BeaconBlockHeader, headerRoot } from '../../src/core/chain/proofs/merkle.ts'
import {
  type ProofVerdict,
  verifyProposer,
  verifyValidatorBalance,
  verifyValidatorCredentials,
  verifyValidatorPubkey,
} from '../../src/core/chain/proofs/verify.ts'

type Row = Record<string, unknown>
type Proven = {
  name: string
  proof: readonly Hex[]
  index: bigint
  leaf: Hex
  neighbours: boolean
  verify: Verify
}
type Verify = (change: { proof?: readonly Hex[]; index?: bigint; leaf?: Hex }) => ProofVerdict

/**
 * Checks lines of proofs.jsonl (a header with proofs of three validators) and of recorded/proofs.jsonl (replies of
 * the node with the root that the next execution block carried): every root and proof must be right, and no proof
 * may survive a changed hash, leaf or index. A balance proof alone does not say which validator it is: where
 * balances are equal, another index may be just as true, so there only indexes of another leaf are tried.
 */
export async function check(
  lines: AsyncIterable<string> | readonly string[],
): Promise<{ passed: number; failures: string[] }> {
  let passed = 0
  const failures: string[] = []
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    for (const wrong of checkRow(JSON.parse(line) as Row)) {
      if (wrong.length === 0) passed += 1
      failures.push(...wrong.map((what) => `line ${number}: ${what}`))
    }
  }
  return { passed, failures }
}

/** What is wrong with each root and each proof of a row; an empty list for one that is right. */
function checkRow(row: Row): string[][] {
  if ('reply' in row) return checkReply(row)
  const given = row.header as Record<string, string>
  const header = toHeader(given, given.parentRoot)
  const root = headerRoot(header) === row.root ? [] : ['the header has another root']
  const proposer = proposerProof(header, row.proposerIndexProof as Hex[])
  const proofs = (row.proofs as Row[]).flatMap((item) => validatorProofs(header, item))
  return [root, ...[proposer, ...proofs].map(checkProof)]
}

function checkReply(row: Row): string[][] {
  const reply = row.reply as Record<string, unknown>
  if (!('beacon_block_header' in reply)) return [checkHeaderReply(row, reply)]
  const given = reply.beacon_block_header as Record<string, string>
  const header = toHeader(given, given.parent_block_root)
  const root = headerRoot(header)
  const failures = root === reply.beacon_block_root ? [] : ['the header has another root']
  if (root !== row.nextParentBeaconBlockRoot) failures.push('the next execution block carries another root')
  return [failures, ...replyProofs(header, String(row.path), reply).map(checkProof)]
}

function checkHeaderReply(row: Row, reply: Record<string, unknown>): string[] {
  const data = reply.data as { header: { message: Record<string, string> } }
  const header = toHeader(data.header.message, data.header.message.parent_root)
  return headerRoot(header) === row.nextParentBeaconBlockRoot ? [] : ['the next block carries another root']
}

function replyProofs(header: BeaconBlockHeader, path: string, reply: Record<string, unknown>): Proven[] {
  const proofs: Proven[] = []
  const asked = BigInt(/\/(\d+)$/.exec(path)?.[1] ?? 0)
  const index = 'proposer_index_proof' in reply ? header.proposerIndex : asked
  if ('proposer_index_proof' in reply) proofs.push(proposerProof(header, reply.proposer_index_proof as Hex[]))
  if ('validator_pubkey_proof' in reply) {
    proofs.push(
      pubkeyProof(header, index, reply.validator_pubkey as Hex, reply.validator_pubkey_proof as Hex[]),
    )
  }
  if ('withdrawal_credentials_proof' in reply) {
    const value = reply.validator_withdrawal_credentials as Hex
    proofs.push(credentialsProof(header, index, value, reply.withdrawal_credentials_proof as Hex[]))
  }
  if ('balance_proof' in reply) {
    const balance = BigInt(reply.validator_balance as string)
    proofs.push(balanceProof(header, index, balance, reply.balance_leaf as Hex, reply.balance_proof as Hex[]))
  }
  return proofs
}

function validatorProofs(header: BeaconBlockHeader, item: Row): Proven[] {
  const index = BigInt(item.index as number)
  const balance = BigInt(item.balanceGwei as string)
  return [
    pubkeyProof(header, index, item.pubkey as Hex, item.pubkeyProof as Hex[]),
    credentialsProof(header, index, item.credentials as Hex, item.credentialsProof as Hex[]),
    balanceProof(header, index, balance, item.balanceLeaf as Hex, item.balanceProof as Hex[]),
  ]
}

function proposerProof(header: BeaconBlockHeader, proof: readonly Hex[]): Proven {
  const index = header.proposerIndex
  const verify: Verify = (change) => verifyProposer({ header, index, proof, ...change })
  return { name: 'proposer', proof, index, leaf: '0x', neighbours: false, verify }
}

function pubkeyProof(header: BeaconBlockHeader, index: bigint, leaf: Hex, proof: readonly Hex[]): Proven {
  const verify: Verify = ({ leaf: value = leaf, ...change }) =>
    verifyValidatorPubkey({ header, index, value, proof, ...change })
  return { name: `pubkey of ${index}`, proof, index, leaf, neighbours: false, verify }
}

function credentialsProof(
  header: BeaconBlockHeader,
  index: bigint,
  leaf: Hex,
  proof: readonly Hex[],
): Proven {
  const verify: Verify = ({ leaf: value = leaf, ...change }) =>
    verifyValidatorCredentials({ header, index, value, proof, ...change })
  return { name: `credentials of ${index}`, proof, index, leaf, neighbours: false, verify }
}

function balanceProof(
  header: BeaconBlockHeader,
  index: bigint,
  balanceGwei: bigint,
  leaf: Hex,
  proof: readonly Hex[],
): Proven {
  const verify: Verify = (change) =>
    verifyValidatorBalance({ header, index, balanceGwei, leaf, proof, ...change })
  return { name: `balance of ${index}`, proof, index, leaf, neighbours: true, verify }
}

function checkProof(proven: Proven): string[] {
  if (!proven.verify({}).ok) return [`${proven.name}: refused`]
  const survived = (what: string): string[] => [`${proven.name}: accepted with ${what}`]
  for (const [at, hash] of proven.proof.entries()) {
    if (proven.verify({ proof: proven.proof.with(at, flip(hash, at)) }).ok)
      return survived(`hash ${at} changed`)
  }
  if (proven.verify({ proof: proven.proof.slice(1) }).ok) return survived('a hash less')
  if (proven.verify({ proof: [...proven.proof, `0x${'00'.repeat(32)}`] }).ok) return survived('a hash more')
  if (proven.leaf !== '0x' && proven.verify({ leaf: flip(proven.leaf, 7) }).ok)
    return survived('another leaf')
  for (const index of otherIndexes(proven)) {
    if (proven.verify({ index }).ok) return survived(`index ${index}`)
  }
  return []
}

/** Indexes for which the statement is false: a balance may truly be the same in the leaf beside an equal leaf. */
function otherIndexes(proven: Proven): bigint[] {
  const outside = [proven.index + (1n << 40n), -1n]
  if (!proven.neighbours) return [...outside, proven.index + 1n, proven.index + 64n]
  return proven.proof[0] === proven.leaf
    ? outside
    : [...outside, proven.index + (proven.index % 8n < 4n ? 4n : -4n)]
}

/** One bit of one byte turned over; which one depends on `at`. */
function flip(hex: Hex, at: number): Hex {
  const digit = 2 + ((at * 7) % (hex.length - 2))
  const turned = (Number.parseInt(hex.charAt(digit), 16) ^ 1).toString(16)
  return `0x${hex.slice(2, digit)}${turned}${hex.slice(digit + 1)}`
}

function toHeader(given: Record<string, string>, parentRoot: string | undefined): BeaconBlockHeader {
  return {
    slot: BigInt(given.slot ?? ''),
    proposerIndex: BigInt(given.proposer_index ?? given.proposerIndex ?? ''),
    parentRoot: (parentRoot ?? '') as Hex,
    stateRoot: (given.state_root ?? given.stateRoot ?? '') as Hex,
    bodyRoot: (given.body_root ?? given.bodyRoot ?? '') as Hex,
  }
}
