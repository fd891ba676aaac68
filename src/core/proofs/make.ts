import { Tree } from '@chainsafe/persistent-merkle-tree'
import { ProofTargetError } from '../errors/proofs.ts'
import { bytesToHex, type Hex, hexToBytes } from '../format/hex.ts'
import { BeaconBlockHeaderType, type BeaconStateTree } from './beacon-state.ts'
import { balanceLeafGindex, credentialsGindex, proposerGindex, pubkeyGindex, stateGindex } from './gindex.ts'
import type { BeaconBlockHeader } from './header.ts'

/** A state with the header whose `stateRoot` is the state's. */
export type ProvableState = { header: BeaconBlockHeader; state: BeaconStateTree }

/** Sibling hashes from the pubkey of validator `index` up to the header's root. Throws ProofTargetError. */
export function proveValidatorPubkey(from: ProvableState, index: number): Hex[] {
  return prove(from, index, pubkeyGindex)
}

/** Sibling hashes from the credentials of validator `index` up to the header's root. Throws ProofTargetError. */
export function proveValidatorCredentials(from: ProvableState, index: number): Hex[] {
  return prove(from, index, credentialsGindex)
}

/** The leaf of four balances that holds that of `index`, and its sibling hashes. Throws ProofTargetError. */
export function proveValidatorBalance(from: ProvableState, index: number): { leaf: Hex; proof: Hex[] } {
  const proof = prove(from, index, balanceLeafGindex)
  const leaf = new Uint8Array(32)
  const view = new DataView(leaf.buffer)
  const first = index - (index % 4)
  const balances = from.state.balances
  for (let at = first; at < Math.min(first + 4, balances.length); at += 1) {
    view.setBigUint64(8 * (at - first), balances.get(at), true)
  }
  return { leaf: bytesToHex(leaf), proof }
}

/** Sibling hashes of the proposer index in the header. */
export function proveProposer(header: BeaconBlockHeader): Hex[] {
  return headerTree(header).getSingleProof(proposerGindex()).map(bytesToHex)
}

/** Both halves in one: from the leaf to the state's root, then from there to the header's root. */
function prove(from: ProvableState, index: number, gindexOf: (index: bigint) => bigint): Hex[] {
  const count = from.state.validators.length
  if (!Number.isSafeInteger(index) || index < 0 || index >= count) throw new ProofTargetError(index, count)
  const inState = belowState(gindexOf(BigInt(index)))
  const lower = new Tree(from.state.node).getSingleProof(inState)
  const upper = headerTree(from.header).getSingleProof(stateGindex())
  return [...lower, ...upper].map(bytesToHex)
}

function headerTree(header: BeaconBlockHeader): Tree {
  const value = {
    slot: header.slot,
    proposerIndex: header.proposerIndex,
    parentRoot: hexToBytes(header.parentRoot),
    stateRoot: hexToBytes(header.stateRoot),
    bodyRoot: hexToBytes(header.bodyRoot),
  }
  return new Tree(BeaconBlockHeaderType.toView(value).node)
}

/** The same place seen from the state's root: the path below it with a one in front. */
function belowState(gindex: bigint): bigint {
  const stateBits = stateGindex().toString(2).length
  return BigInt(`0b1${gindex.toString(2).slice(stateBits)}`)
}
