import { homeFileMissing } from '../../base/errors/file.ts'
import type { Network, NodeEndpoints } from '../network/network.ts'
import {
  type AppConfig,
  type HomeFile,
  readAppToml,
  readClientToml,
  readConfigToml,
  readListenAddress,
} from './app-toml.ts'
import { type FilePermissions, type HomeFinding, homeFindings, isWholePath } from './home-findings.ts'

/** What is needed to look at a home: reading, never writing. */
export type HomeEffects = {
  files: {
    read(path: string, options: { maxBytes: number; sink?: (piece: Uint8Array) => void }): Promise<Uint8Array>
    facts(path: string): Promise<FilePermissions>
  }
}

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

const MAX_TOML_BYTES = 1024 * 1024

/**
 * Reads `config.toml`, `app.toml` and `client.toml` of a node home and judges them for `network`. The key file is
 * not opened. Throws a `HomeError` that names the file and the field, or a `FileError`.
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
    endpoints: {
      execution: args.network.defaultEndpoints.execution,
      node: readListenAddress(app.nodeApi.address)?.url ?? args.network.defaultEndpoints.node,
      engine: readListenAddress(config.rpcAddress)?.url ?? args.network.defaultEndpoints.engine,
    },
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

/**
 * Where the genesis file of a home is: the `genesis_file` of its `config.toml`. Throws a `HomeError` that names the
 * file and the field, or a `FileError`.
 */
export async function genesisFileOf(effects: HomeEffects, args: { homePath: string }): Promise<string> {
  const path = trimmed(args.homePath)
  const { genesisFile } = readConfigToml(await readFileOf(effects, path, 'config/config.toml'))
  return below(path, genesisFile)
}

/**
 * Where the key file of a home and the state of that key are, and the address of a remote signer that holds the key in
 * its place (else empty), by its `config.toml` alone. Throws a `HomeError` that names the file and the field, or a `FileError`.
 */
export async function keyPlaceOf(
  effects: HomeEffects,
  args: { homePath: string },
): Promise<{ keyFile: string; stateFile: string; remoteSigner: string }> {
  const path = trimmed(args.homePath)
  const config = readConfigToml(await readFileOf(effects, path, 'config/config.toml'))
  const { keyFile, stateFile, remoteSigner } = config
  return { keyFile: below(path, keyFile), stateFile: below(path, stateFile), remoteSigner }
}

function trimmed(homePath: string): string {
  return homePath.replace(/(?<=.)\/+$/, '')
}

async function readFileOf(effects: HomeEffects, home: string, file: string): Promise<HomeFile> {
  const path = below(home, file)
  if ((await effects.files.facts(path)) === undefined) throw homeFileMissing(home, file)
  const bytes = await effects.files.read(path, { maxBytes: MAX_TOML_BYTES })
  return { home, file, text: new TextDecoder().decode(bytes) }
}

function below(home: string, path: string): string {
  return isWholePath(path) ? path : `${home}/${path}`
}
