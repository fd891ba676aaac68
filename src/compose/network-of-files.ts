import { genesisValidatorsRoot } from '../core/deposit/genesis-root.ts'
import type { Effects } from '../core/effects/effects.ts'
import { readGenesis } from '../core/identity/read-genesis.ts'
import { customNetwork } from '../core/network/custom-network.ts'
import type { Network } from '../core/network/network.ts'
import { readSpecToml } from '../core/network/read-spec-toml.ts'

const MAX_SPEC_BYTES = 1024 * 1024
const MAX_GENESIS_BYTES = 512 * 1024 * 1024

/**
 * The network of a node's own `spec.toml` and `genesis.json`: root, fork version and chain ids come out of the files,
 * the names are Berachain's. The published files of a built-in network give that network. Throws a `NetworkError`,
 * a `genesis-file.*` error or a `FileError`.
 */
export async function networkOfFiles(
  { files }: Pick<Effects, 'files'>,
  paths: { spec: string; genesis: string },
): Promise<Network> {
  const read = async (path: string, maxBytes: number) =>
    new TextDecoder().decode(await files.read(path, { maxBytes }))
  const spec = readSpecToml(await read(paths.spec, MAX_SPEC_BYTES))
  const genesis = readGenesis(await read(paths.genesis, MAX_GENESIS_BYTES))
  const { engineChainId, genesisForkVersion, deposits } = genesis
  const root = genesisValidatorsRoot(deposits, spec)
  return customNetwork(spec, { engineChainId, genesisForkVersion, genesisValidatorsRoot: root })
}
