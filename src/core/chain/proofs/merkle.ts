import { hasher, Tree } from '@chainsafe/persistent-merkle-tree'
import { ByteVectorType, ContainerType } from '@chainsafe/ssz'
import { depositError } from '../../base/errors/deposit.ts'
import { bytesToHex, type Hex, hexToBytes, isHex } from '../../base/format/hex.ts'
import {
  BeaconBlockHeaderType,
  type BeaconState,
  type BeaconStateTree,
  BeaconStateType,
  ValidatorType,
} from './beacon-state.ts'

/** A header with the whole state in the place of the state's root: the tree that a proof climbs. */
const HeaderOverState = new ContainerType({ ...BeaconBlockHeaderType.fields, stateRoot: BeaconStateType })

/** Limit of the validators and of the balances list. */
export const REGISTRY_LIMIT = BigInt(BeaconStateType.fields.validators.limit)

/** How many balances, of 8 bytes each, share one leaf of 32. */
export const BALANCES_PER_LEAF = BigInt(32 / BeaconStateType.fields.balances.elementType.byteLength)

/** Generalized index of a validator's pubkey in the block header, from Electra on. Passes 2^53 for large indexes. */
export const pubkeyGindex = (index: bigint): bigint =>
  gindexOf('stateRoot', 'validators', Number(index), 'pubkey')

/** Generalized index of a validator's withdrawal credentials in the block header. */
export const credentialsGindex = (index: bigint): bigint =>
  gindexOf('stateRoot', 'validators', Number(index), 'withdrawalCredentials')

/** Generalized index of the leaf that holds a validator's balance beside three neighbours'. */
export const balanceLeafGindex = (index: bigint): bigint => gindexOf('stateRoot', 'balances', Number(index))

/** Generalized index of the proposer index in the block header. */
export const proposerGindex = (): bigint => gindexOf('proposerIndex')

/** Generalized index of the state root in the block header. */
export const stateGindex = (): bigint => gindexOf('stateRoot')

/** SSZ `get_generalized_index`. Every index below the registry's limit of 2^40 is a whole number of JavaScript. */
function gindexOf(...path: (string | number)[]): bigint {
  return HeaderOverState.getPathInfo(path).gindex
}

/** The header of a beacon block. Roots are 32 bytes. */
export type BeaconBlockHeader = {
  slot: bigint
  proposerIndex: bigint
  parentRoot: Hex
  stateRoot: Hex
  bodyRoot: Hex
}

/**
 * `hash_tree_root(BeaconBlockHeader)` (phase 0 specification): the root that EIP-4788 stores one block later.
 *
 * Throws a RangeError when a root is not hexadecimal or a number does not fit 64 bits.
 */
export function headerRoot(header: BeaconBlockHeader): Hex {
  for (const root of [header.parentRoot, header.stateRoot, header.bodyRoot]) {
    if (!isHex(root, 32)) throw new RangeError('a root is 32 bytes')
  }
  for (const number of [header.slot, header.proposerIndex]) {
    if (!fitsUint64(number)) throw new RangeError('a number of a header fits 64 bits')
  }
  return bytesToHex(BeaconBlockHeaderType.hashTreeRoot(headerValue(header)))
}

/** Whether a number can stand in a field of 64 bits. */
export const fitsUint64 = (value: bigint): boolean => value >= 0n && value < 1n << 64n

/** Returns a header in the form that the SSZ library takes. */
export function headerValue(header: BeaconBlockHeader) {
  return {
    slot: header.slot,
    proposerIndex: header.proposerIndex,
    parentRoot: hexToBytes(header.parentRoot),
    stateRoot: hexToBytes(header.stateRoot),
    bodyRoot: hexToBytes(header.bodyRoot),
  }
}

/**
 * Climbs from a leaf to the root with the sibling hashes of a single Merkle proof, lowest first; the bits of
 * the generalized index say on which side each sibling stands (SSZ merkle proofs, `is_valid_merkle_branch`).
 */
export function rootFromProof(leaf: Uint8Array, gindex: bigint, proof: readonly Uint8Array[]): Uint8Array {
  let node = leaf
  let position = gindex
  for (const sibling of proof) {
    node = position % 2n === 1n ? hasher.digest64(sibling, node) : hasher.digest64(node, sibling)
    position /= 2n
  }
  return node
}

/** Returns how many hashes a proof of this generalized index has: the depth of the leaf below the root. */
export function proofLength(gindex: bigint): number {
  return gindex.toString(2).length - 1
}

/** A state with the header whose `stateRoot` is the state's. */
export type ProvableState = { header: BeaconBlockHeader; state: BeaconStateTree }

/** Sibling hashes from the pubkey of validator `index` up to the header's root. Throws `proofs.no-such-validator`. */
export function proveValidatorPubkey(from: ProvableState, index: number): Hex[] {
  return prove(from, index, pubkeyGindex)
}

/** Sibling hashes from the credentials of validator `index` up to the header's root. Throws `proofs.no-such-validator`. */
export function proveValidatorCredentials(from: ProvableState, index: number): Hex[] {
  return prove(from, index, credentialsGindex)
}

/** Returns the leaf of four balances that holds that of `index`, and its sibling hashes. Throws `proofs.no-such-validator`. */
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
  if (!Number.isSafeInteger(index) || index < 0 || index >= count)
    throw depositError('proofs.no-such-validator', index, count)
  const inState = belowState(gindexOf(BigInt(index)))
  const lower = new Tree(from.state.node).getSingleProof(inState)
  const upper = headerTree(from.header).getSingleProof(stateGindex())
  return [...lower, ...upper].map(bytesToHex)
}

function headerTree(header: BeaconBlockHeader): Tree {
  return new Tree(BeaconBlockHeaderType.toView(headerValue(header)).node)
}

/** The same place seen from the state's root: the path below it with a one in front. */
function belowState(gindex: bigint): bigint {
  const stateBits = stateGindex().toString(2).length
  return BigInt(`0b1${gindex.toString(2).slice(stateBits)}`)
}

/** Lets others work. Called often enough that nothing waits for long. */
export type Rest = () => Promise<void>

const CHUNK = 32
const REGISTRY_DEPTH = 40
const MIXES_DEPTH = 16
const VALIDATORS_AT_ONCE = 512
const PAIRS_AT_ONCE = 8192
const Root = new ByteVectorType(CHUNK)

/** The state with the roots of its long lists in their places: it has the same root. */
const ShortStateType = new ContainerType({ ...BeaconStateType.fields, validators: Root, randaoMixes: Root })

/**
 * `hash_tree_root(BeaconState)`, what stands as `state_root` in the header of the state's slot, made in parts of a
 * few milliseconds with a `rest` between them.
 */
export async function stateRoot(state: BeaconState, rest: Rest): Promise<Hex> {
  const validators = await registryRoot(state.validators, rest)
  const randaoMixes = await listRoot(Buffer.concat(state.randaoMixes), { depth: MIXES_DEPTH }, rest)
  return bytesToHex(ShortStateType.hashTreeRoot({ ...state, validators, randaoMixes }))
}

async function registryRoot(validators: BeaconState['validators'], rest: Rest): Promise<Uint8Array> {
  const roots = new Uint8Array(validators.length * CHUNK)
  for (const [index, validator] of validators.entries()) {
    if (index % VALIDATORS_AT_ONCE === VALIDATORS_AT_ONCE - 1) await rest()
    roots.set(ValidatorType.hashTreeRoot(validator), index * CHUNK)
  }
  return listRoot(roots, { depth: REGISTRY_DEPTH }, rest)
}

/** Root of an SSZ list of 2^depth places from the roots of its entries, one after another, and its length. */
async function listRoot(roots: Uint8Array, { depth }: { depth: number }, rest: Rest): Promise<Uint8Array> {
  const length = Buffer.alloc(CHUNK)
  length.writeBigUInt64LE(BigInt(roots.length / CHUNK))
  let layer = roots
  let zero: Uint8Array = new Uint8Array(CHUNK)
  for (let level = 0; level < depth; level += 1) {
    layer = await parentLayer(layer, zero, rest)
    zero = hasher.digest64(zero, zero)
  }
  return hasher.digest64(roots.length === 0 ? zero : layer, length)
}

async function parentLayer(layer: Uint8Array, zero: Uint8Array, rest: Rest): Promise<Uint8Array> {
  const odd = layer.length % (2 * CHUNK) !== 0
  const whole = odd ? Buffer.concat([layer, zero]) : layer
  const parents = new Uint8Array(whole.length / 2)
  const step = 2 * CHUNK * PAIRS_AT_ONCE
  for (let at = 0; at < whole.length; at += step) {
    if (at > 0) await rest()
    const pairs = whole.subarray(at, at + step)
    hasher.hashInto(pairs, parents.subarray(at / 2, at / 2 + pairs.length / 2))
  }
  return parents
}

/** Forks whose beacon state has the 17 fields of Electra. */
const SAME_AS_ELECTRA: ReadonlySet<string> = new Set<Hex>(['0x05000000', '0x05010000', '0x06000000'])

/**
 * Whether the layout of a state of this fork is known: Electra, Electra1 and Fulu. A state of any other fork could
 * be hashed by a guess only, so it is not.
 */
export function isKnownLayout(currentVersion: Hex): boolean {
  return SAME_AS_ELECTRA.has(currentVersion.toLowerCase())
}
