import type { Effects } from '../core/effects/effects.ts'
import { readGenesisFile } from '../core/identity/read-genesis.ts'
import type { Network } from '../core/network/network.ts'
import { customNetwork } from '../core/network/network-file.ts'
import { readSpecToml } from '../core/network/spec-fields.ts'

const MAX_SPEC_BYTES = 1024 * 1024

/**
 * The network of a node's own `spec.toml` and `genesis.json`: root, fork version and chain ids come out of the files,
 * the names are Berachain's. The published files of a built-in network give that network. Throws a `NetworkError`,
 * a `genesis-file.*` error or a `FileError`.
 */
export async function networkOfFiles(
  { files }: Pick<Effects, 'files'>,
  paths: { spec: string; genesis: string },
): Promise<Network> {
  const bytes = await files.read(paths.spec, { maxBytes: MAX_SPEC_BYTES })
  const spec = readSpecToml(new TextDecoder().decode(bytes))
  const genesis = await readGenesisFile({ files }, { path: paths.genesis, limits: spec })
  const { engineChainId, genesisForkVersion, root } = genesis
  return customNetwork(spec, { engineChainId, genesisForkVersion, genesisValidatorsRoot: root })
}
