import fc from 'fast-check'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { BeaconBlockHeader } from '../../src/core/chain/proofs/merkle.ts'
import { type ValidatorFacts, verifyProposer, verifyValidator } from '../../src/core/chain/proofs/verify.ts'
import type { TargetResult } from './run-target.ts'
import { vectorRows } from './samples.ts'

type HeaderRow = { slot: string; proposerIndex: string; parentRoot: Hex; stateRoot: Hex; bodyRoot: Hex }
type ProofRow = {
  index: number
  pubkey: Hex
  credentials: Hex
  balanceGwei: string
  balanceLeaf: Hex
  pubkeyProof: Hex[]
  credentialsProof: Hex[]
  balanceProof: Hex[]
}
type Row = { header: HeaderRow; proposerIndexProof: Hex[]; proofs: ProofRow[] }

const rows = vectorRows<Row>('proofs.jsonl')
const facts: readonly ValidatorFacts[] = rows.flatMap(({ header, proofs }) =>
  proofs.map((proof) => factsOf(header, proof)),
)
const proposers = rows.map(({ header, proposerIndexProof }) => ({
  header: headerOf(header),
  index: BigInt(header.proposerIndex),
  proof: proposerIndexProof,
}))

/** What is changed last: the proof of the proposer. */
const PROPOSER = 16

type Change = { fact: number; other: number; what: number; place: number; digit: number; by: number }
const change: fc.Arbitrary<Change> = fc.record({
  fact: fc.nat(facts.length - 1),
  other: fc.nat(facts.length - 1),
  what: fc.nat(PROPOSER),
  place: fc.nat(1_000),
  digit: fc.nat(1_000),
  by: fc.integer({ min: 1, max: 15 }),
})

/** Real proofs changed in one place, or put together from two: none may hold. Those as they are must. */
export function checkMutatedProofs({ runs, seed }: { runs: number; seed: number }): TargetResult {
  const counts = { runs: 0, accepted: 0, refused: 0 }
  const name = 'changed proofs'
  const whole =
    facts.every((fact) => verifyValidator(fact).ok) && proposers.every((claim) => verifyProposer(claim).ok)
  if (!whole) return { name, ...counts, slowestMs: 0, failure: 'a proof as it is does not hold' }
  const details = fc.check(
    fc.property(change, (chosen) => {
      const held = holds(chosen)
      fc.pre(held !== undefined)
      counts.runs += 1
      counts[held === true ? 'accepted' : 'refused'] += 1
      if (held === true) throw new Error('a changed proof holds')
    }),
    { numRuns: runs, seed },
  )
  const failure = details.failed
    ? `${String(details.errorInstance)} ${JSON.stringify(details.counterexample)}`
    : undefined
  return { name, ...counts, slowestMs: 0, failure }
}

/** Whether the changed proof holds; undefined where nothing was changed by it. */
function holds(chosen: Change): boolean | undefined {
  if (chosen.what === PROPOSER) return proposerHolds(chosen)
  const fact = facts[chosen.fact]
  const other = facts[chosen.other]
  if (fact === undefined || other === undefined) return undefined
  const changed = changedFacts(fact, other, chosen)
  return same(changed, fact) ? undefined : verifyValidator(changed).ok
}

function changedFacts(fact: ValidatorFacts, other: ValidatorFacts, chosen: Change): ValidatorFacts {
  const { header, pubkey, credentials, balance } = fact
  const flipped = (hex: Hex) => flip(hex, chosen)
  switch (chosen.what) {
    case 0:
      return { ...fact, pubkey: { ...pubkey, value: flipped(pubkey.value) } }
    case 1:
      return { ...fact, pubkey: { ...pubkey, proof: changedProof(pubkey.proof, chosen) } }
    case 2:
      return { ...fact, credentials: { ...credentials, value: flipped(credentials.value) } }
    case 3:
      return { ...fact, credentials: { ...credentials, proof: changedProof(credentials.proof, chosen) } }
    case 4:
      return { ...fact, balance: { ...balance, leaf: flipped(balance.leaf) } }
    case 5:
      return { ...fact, balance: { ...balance, proof: changedProof(balance.proof, chosen) } }
    case 6:
      return { ...fact, balance: { ...balance, balanceGwei: balance.balanceGwei + BigInt(chosen.by) } }
    case 7:
      return { ...fact, index: fact.index + BigInt(chosen.by) - 8n }
    case 8:
      return { ...fact, header: { ...header, slot: header.slot + BigInt(chosen.by) } }
    case 9:
      return { ...fact, header: { ...header, proposerIndex: header.proposerIndex + BigInt(chosen.by) } }
    case 10:
      return { ...fact, header: { ...header, stateRoot: flipped(header.stateRoot) } }
    case 11:
      return { ...fact, header: { ...header, parentRoot: flipped(header.parentRoot) } }
    case 12:
      return { ...fact, header: { ...header, bodyRoot: flipped(header.bodyRoot) } }
    case 13:
      return { ...fact, pubkey: other.pubkey }
    case 14:
      return { ...fact, header: other.header }
    default:
      return { ...fact, index: fact.index + (1n << 40n) }
  }
}

function proposerHolds(chosen: Change): boolean | undefined {
  const claim = proposers[chosen.fact % proposers.length]
  if (claim === undefined) return undefined
  const proof = changedProof(claim.proof, chosen)
  return proof.join() === claim.proof.join() ? undefined : verifyProposer({ ...claim, proof }).ok
}

/** A hash changed, left out, doubled, put at the end, or two exchanged. */
function changedProof(proof: readonly string[], { place, digit, by, other }: Change): string[] {
  const at = place % proof.length
  const hash = proof[at] ?? ''
  switch (by % 5) {
    case 0:
      return proof.toSpliced(at, 1)
    case 1:
      return proof.toSpliced(at, 0, hash)
    case 2:
      return [...proof, hash]
    case 3: {
      const to = other % proof.length
      return proof.with(at, proof[to] ?? '').with(to, hash)
    }
    default:
      return proof.with(at, flip(hash as Hex, { digit, by }))
  }
}

function flip(hex: Hex, { digit, by }: { digit: number; by: number }): Hex {
  const at = 2 + (digit % (hex.length - 2))
  const turned = (Number.parseInt(hex.charAt(at), 16) ^ by).toString(16)
  return `0x${hex.slice(2, at)}${turned}${hex.slice(at + 1)}`
}

/** Two equal hashes exchanged, or a part of the same validator, change nothing. */
function same(a: ValidatorFacts, b: ValidatorFacts): boolean {
  const text = (value: unknown) =>
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
  return text(a) === text(b)
}

function factsOf(header: HeaderRow, row: ProofRow): ValidatorFacts {
  return {
    header: headerOf(header),
    index: BigInt(row.index),
    pubkey: { value: row.pubkey, proof: row.pubkeyProof },
    credentials: { value: row.credentials, proof: row.credentialsProof },
    balance: { balanceGwei: BigInt(row.balanceGwei), leaf: row.balanceLeaf, proof: row.balanceProof },
  }
}

function headerOf({ slot, proposerIndex, parentRoot, stateRoot, bodyRoot }: HeaderRow): BeaconBlockHeader {
  return { slot: BigInt(slot), proposerIndex: BigInt(proposerIndex), parentRoot, stateRoot, bodyRoot }
}
