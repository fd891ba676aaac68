import type { Network, NodeEndpoints } from '../network/network.ts'
import { type AppConfig, listenersIn, readAppToml, readClientToml, readConfigToml } from './app-toml.ts'
import {
  below,
  type FilePermissions,
  type HomeEffects,
  type HomeFinding,
  readFileOf,
  trimmed,
} from './home-files.ts'
import { homeFindings } from './home-findings.ts'

/** A node home, read for what a registration needs. Paths are absolute when the home is. */
export type NodeHome = {
  path: string
  keyFile: string
  stateFile: string
  genesisFile: string
  /** Address of a remote signer, or empty. */
  remoteSigner: string
  engineChainId: string
  app: AppConfig
  /** Permissions and owner of the key file; undefined when it is not there. */
  key: FilePermissions
  /** Where the services of this node should be reached from this computer. */
  endpoints: NodeEndpoints
  findings: readonly HomeFinding[]
}

/**
 * Reads `config.toml`, `app.toml` and `client.toml` of a node home and judges them for `network`. The key file is
 * not opened. Throws a `home.*` error that names the file and the field, or a `file.*` error.
 */
export async function readHome(
  effects: HomeEffects,
  args: { homePath: string; network: Network },
): Promise<NodeHome> {
  const path = trimmed(args.homePath)
  const [configFile, appFile, clientFile] = await Promise.all([
    readFileOf(effects, path, 'config/config.toml'),
    readFileOf(effects, path, 'config/app.toml'),
    readFileOf(effects, path, 'config/client.toml'),
  ])
  const config = readConfigToml(configFile)
  const app = readAppToml(appFile, args.network.names)
  const { engineChainId } = readClientToml(clientFile)
  const keyFile = below(path, config.keyFile)
  const genesisFile = below(path, config.genesisFile)
  const [key, genesis, specFound] = await Promise.all([
    effects.files.facts(keyFile),
    effects.files.facts(genesisFile),
    isSpecThere(effects, path, app),
  ])
  const genesisFound = genesis !== undefined
  const parts = { app, config, engineChainId, keyPath: keyFile, key, genesisFound, specFound }
  return {
    path,
    keyFile,
    stateFile: below(path, config.stateFile),
    genesisFile,
    remoteSigner: config.remoteSigner,
    engineChainId,
    app,
    key,
    endpoints: { ...args.network.defaultEndpoints, ...listenersIn({ config, app }) },
    findings: homeFindings(parts, args.network),
  }
}

/** The chain spec of `chain-spec = "file"`; a relative path is looked for in the home and in its config folder. */
async function isSpecThere(
  { files }: HomeEffects,
  home: string,
  { chainSpecFile }: AppConfig,
): Promise<boolean> {
  if (chainSpecFile === '') return false
  const places = [below(home, chainSpecFile), below(`${home}/config`, chainSpecFile)]
  const found = await Promise.all(places.map((place) => files.facts(place)))
  return found.some((facts) => facts?.kind === 'file')
}
