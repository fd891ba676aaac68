/** Where things stand in a block header and in the beacon state, in fields, limits and places. */
export type StateLayout = {
  headerFields: number
  headerProposerField: number
  headerStateField: number
  stateFields: number
  validatorsField: number
  balancesField: number
  validatorFields: number
  pubkeyField: number
  credentialsField: number
  /** Limit of the validators and of the balances list. */
  registryLimit: bigint
  balancesPerLeaf: bigint
}

/** The layout from Electra on, Fulu included: 17 fields of state. */
export const ELECTRA_LAYOUT: StateLayout = {
  headerFields: 5,
  headerProposerField: 1,
  headerStateField: 3,
  stateFields: 17,
  validatorsField: 9,
  balancesField: 10,
  validatorFields: 8,
  pubkeyField: 0,
  credentialsField: 1,
  registryLimit: 1n << 40n,
  balancesPerLeaf: 4n,
}

/** The layout before Electra: one field less, so one level less. */
export const DENEB_LAYOUT: StateLayout = { ...ELECTRA_LAYOUT, stateFields: 16 }

/** Generalized index of a validator's pubkey in the block header. Passes 2^53 for large indexes. */
export function pubkeyGindex(index: bigint, layout: StateLayout = ELECTRA_LAYOUT): bigint {
  return child(validatorGindex(index, layout), layout.validatorFields, layout.pubkeyField)
}

/** Generalized index of a validator's withdrawal credentials in the block header. */
export function credentialsGindex(index: bigint, layout: StateLayout = ELECTRA_LAYOUT): bigint {
  return child(validatorGindex(index, layout), layout.validatorFields, layout.credentialsField)
}

/** Generalized index of the leaf that holds a validator's balance beside three neighbours'. */
export function balanceLeafGindex(index: bigint, layout: StateLayout = ELECTRA_LAYOUT): bigint {
  const leaves = layout.registryLimit / layout.balancesPerLeaf
  return listItem(stateField(layout, layout.balancesField), leaves, index / layout.balancesPerLeaf)
}

/** Generalized index of the proposer index in the block header. */
export function proposerGindex(layout: StateLayout = ELECTRA_LAYOUT): bigint {
  return child(1n, layout.headerFields, layout.headerProposerField)
}

/** Generalized index of the state root in the block header. */
export function stateGindex(layout: StateLayout = ELECTRA_LAYOUT): bigint {
  return child(1n, layout.headerFields, layout.headerStateField)
}

function validatorGindex(index: bigint, layout: StateLayout): bigint {
  return listItem(stateField(layout, layout.validatorsField), layout.registryLimit, index)
}

function stateField(layout: StateLayout, field: number): bigint {
  return child(stateGindex(layout), layout.stateFields, field)
}

/** A container of n fields is a tree padded to the next power of two. */
function child(parent: bigint, fields: number, field: number): bigint {
  return (parent << depth(BigInt(fields))) + BigInt(field)
}

/** A list is its data (left) beside its length (right). */
function listItem(list: bigint, limit: bigint, index: bigint): bigint {
  return ((list * 2n) << depth(limit)) + index
}

function depth(size: bigint): bigint {
  return BigInt((size - 1n).toString(2).length)
}
