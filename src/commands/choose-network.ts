import { genesisValidatorsRoot } from '../core/deposit/genesis-root.ts'
import type { Effects } from '../core/effects/effects.ts'
import { badUsage } from '../core/errors/usage.ts'
import { gwei } from '../core/format/amount.ts'
import { sameHex } from '../core/format/hex.ts'
import { readClientToml } from '../core/identity/config-toml.ts'
import { readGenesis } from '../core/identity/read-genesis.ts'
import { refusePresetClash } from '../core/network/clash.ts'
import type { Network } from '../core/network/network.ts'
import { readNetworkFile } from '../core/network/network-file.ts'
import {
  BERACHAIN_NAMES,
  DEPOSIT_CONTRACT_CODE_HASH,
  LOCAL_ENDPOINTS,
  MINIMUM_DEPOSIT_GWEI,
  PRESETS,
} from '../core/network/presets.ts'
import { readSpecToml } from '../core/network/read-spec-toml.ts'

type Files = Pick<Effects, 'files'>

const MAX_BYTES = 512 * 1024 * 1024

/** The text of a file that the user named. Throws a `FileError`. */
export async function readTextFile({ files }: Files, path: string): Promise<string> {
  return new TextDecoder().decode(await files.read(path, { maxBytes: MAX_BYTES }))
}

/** A built-in network by its name, else the network that a file describes. Throws a `NetworkError` or a `FileError`. */
export async function namedNetwork(effects: Files, name: string, path: string): Promise<Network> {
  const preset = PRESETS.find(({ id }) => id === name)
  return preset ?? readNetworkFile(await readTextFile(effects, path))
}

/**
 * The network of a node's own `spec.toml` and `genesis.json`: root, fork version and chain ids come out of the files,
 * the names are Berachain's. The published files of a built-in network give that network. Throws a `NetworkError`,
 * a `genesis-file.*` error or a `FileError`.
 */
export async function networkOfFiles(
  effects: Files,
  paths: { spec: string; genesis: string },
): Promise<Network> {
  const spec = readSpecToml(await readTextFile(effects, paths.spec))
  const genesis = readGenesis(await readTextFile(effects, paths.genesis))
  const found = {
    executionChainId: spec.depositChainId,
    engineChainId: genesis.engineChainId,
    genesisValidatorsRoot: genesisValidatorsRoot(genesis.deposits, spec),
    genesisForkVersion: genesis.genesisForkVersion,
  }
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
    id: 'custom',
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

/** The built-in network that a home's `client.toml` names, or undefined when there is no home or it names another. */
export async function networkOfHome({ files }: Files, home: string): Promise<Network | undefined> {
  const file = 'config/client.toml'
  if ((await files.facts(`${home}/${file}`)) === undefined) return undefined
  const text = await readTextFile({ files }, `${home}/${file}`)
  const { engineChainId } = readClientToml({ home, file, text })
  return PRESETS.find((preset) => preset.engineChainId === engineChainId)
}

/** Refuses one of two options that only mean something together. Throws `usage.option`. */
export function refuseHalf(options: { spec: string | undefined; genesis: string | undefined }): void {
  if ((options.spec === undefined) === (options.genesis === undefined)) return
  throw badUsage({
    sentence: '--spec and --genesis go together.',
    next: "Give the node's own spec.toml and genesis.json, or a network file with --network.",
  })
}
