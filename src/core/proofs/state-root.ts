import { hasher } from '@chainsafe/persistent-merkle-tree'
import { ByteVectorType, ContainerType } from '@chainsafe/ssz'
import { bytesToHex, type Hex } from '../format/hex.ts'
import { type BeaconState, BeaconStateType, ValidatorType } from './beacon-state.ts'

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
