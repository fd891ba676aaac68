import { ContainerType } from '@chainsafe/ssz'
import { BeaconBlockHeaderType, BeaconStateType } from './beacon-state.ts'

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
