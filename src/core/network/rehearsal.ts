import { networkField } from '../errors/http.ts'
import { gwei } from '../format/amount.ts'
import type { Hex } from '../format/hex.ts'
import { refusePresetClash } from './clash.ts'
import type { Descriptor } from './descriptor.ts'
import type { Network } from './network.ts'
import { BERACHAIN_NAMES, DEPOSIT_CONTRACT_CODE_HASH, MINIMUM_DEPOSIT_GWEI } from './presets.ts'
import { readSpecToml } from './spec-fields.ts'

const SOURCE = 'rehearsal descriptor'

/** What the home's genesis.json says, for a descriptor that does not say it itself. */
export type HomeGenesis = { genesisForkVersion: Hex; engineChainId: string }

/**
 * The network that a rehearsal descriptor and its `spec.toml` describe. `homeGenesis` fills what the descriptor
 * leaves out. A rehearsal never shares chain ids or genesis root with a built-in network.
 *
 * Throws a `NetworkError` that names the field that is missing or odd.
 */
export function rehearsalNetwork(
  descriptor: Descriptor,
  specToml: string,
  homeGenesis?: HomeGenesis,
): Network {
  const spec = readSpecToml(specToml)
  const engineChainId = descriptor.engineChainId ?? homeGenesis?.engineChainId ?? missing('engineChainId')
  const genesisForkVersion =
    descriptor.genesisForkVersion ?? homeGenesis?.genesisForkVersion ?? missing('genesisForkVersion')
  if (spec.depositChainId !== descriptor.chainId) {
    throw networkField(SOURCE, {
      path: 'chainId',
      expected: `${spec.depositChainId}, as deposit-eth1-chain-id in spec.toml`,
      found: String(descriptor.chainId),
    })
  }
  const network: Network = {
    id: 'rehearsal',
    label: 'Rehearsal',
    kind: 'rehearsal',
    executionChainId: descriptor.chainId,
    engineChainId,
    genesisValidatorsRoot: descriptor.genesisRoot,
    genesisForkVersion,
    depositContractCodeHash: descriptor.depositContractCodeHash ?? DEPOSIT_CONTRACT_CODE_HASH,
    depositContractCodeHashConfirmed: descriptor.depositContractCodeHash !== undefined,
    minimumDepositGwei: gwei(descriptor.minimumDepositGwei ?? MINIMUM_DEPOSIT_GWEI),
    clockIsWall: descriptor.clockIsWall ?? false,
    slotMs: descriptor.slotMs ?? spec.targetSecondsPerSlot * 1000,
    spec,
    names: BERACHAIN_NAMES,
    defaultEndpoints: { ...descriptor.urls },
  }
  refusePresetClash(SOURCE, network)
  return network
}

function missing(path: string): never {
  throw networkField(SOURCE, {
    path,
    expected: 'a value here or in genesis.json of the home',
    found: 'nothing',
  })
}
