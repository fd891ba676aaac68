import { gwei } from '../format/amount.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import { refusePresetClash } from './clash.ts'
import type { ChainSpec, Network } from './network.ts'
import {
  BERACHAIN_NAMES,
  DEPOSIT_CONTRACT_CODE_HASH,
  LOCAL_ENDPOINTS,
  MINIMUM_DEPOSIT_GWEI,
  PRESETS,
} from './presets.ts'

/** What a network's genesis file says, its root computed with the limits of the network's own spec. */
export type CustomGenesis = { engineChainId: string; genesisForkVersion: Hex; genesisValidatorsRoot: Hex }

/**
 * The network of a node's own `spec.toml` and `genesis.json`, with Berachain's names. What a built-in network publishes
 * gives that network. The id is made from the root, so that what is remembered of two such networks never mixes.
 *
 * Throws a `NetworkError` for files that claim a part of a built-in network.
 */
export function customNetwork(spec: ChainSpec, genesis: CustomGenesis): Network {
  const found = { ...genesis, executionChainId: spec.depositChainId }
  const preset = PRESETS.find(
    (each) =>
      each.executionChainId === found.executionChainId &&
      each.engineChainId === found.engineChainId &&
      sameHex(each.genesisForkVersion, found.genesisForkVersion) &&
      sameHex(each.genesisValidatorsRoot, found.genesisValidatorsRoot),
  )
  if (preset !== undefined) return preset
  refusePresetClash('pair of spec.toml and genesis.json', found)
  return {
    ...found,
    id: `custom-${found.genesisValidatorsRoot.slice(2, 10).toLowerCase()}`,
    label: 'Custom network',
    kind: 'test',
    depositContractCodeHash: DEPOSIT_CONTRACT_CODE_HASH,
    depositContractCodeHashConfirmed: false,
    minimumDepositGwei: gwei(MINIMUM_DEPOSIT_GWEI),
    clockIsWall: true,
    slotMs: spec.targetSecondsPerSlot * 1000,
    spec,
    names: BERACHAIN_NAMES,
    defaultEndpoints: LOCAL_ENDPOINTS,
  }
}
