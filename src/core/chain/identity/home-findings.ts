import { type Hex, sameHex } from '../../base/format/hex.ts'
import { safeText, shellCommand, shellWord } from '../../base/format/text.ts'
import type { Network } from '../network/network.ts'
import { PRESETS } from '../network/presets.ts'
import { type AppConfig, type EngineConfig, readListenAddress } from './app-toml.ts'
import { type FilePermissions, type HomeFinding, isWholePath } from './home-files.ts'

export type HomeParts = {
  app: AppConfig
  config: EngineConfig
  engineChainId: string
  keyPath: string
  key: FilePermissions
  genesisFound: boolean
  /** Whether the file of a chain spec that is in one was found. */
  specFound: boolean
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  directory: 'directory',
  symlink: 'symlink',
  other: 'pipe or device',
}

const ZERO: Hex = `0x${'00'.repeat(20)}`
const FILE_SPECS = new Set(['file', 'devnet'])
/** What `chain-spec` is called for the built-in networks. */
export const CHAIN_SPECS: Readonly<Record<string, string>> = { mainnet: 'mainnet', bepolia: 'testnet' }

/** Everything in a node home that stops a deposit or is worth a warning. */
export function homeFindings(parts: HomeParts, network: Network): readonly HomeFinding[] {
  const all = [
    ...identityFindings(parts),
    ...chainFindings(parts, network),
    ...feeFindings(parts.app, network),
  ]
  return [...all, ...apiFindings(parts, network)]
}

function* identityFindings({ config, keyPath, key }: HomeParts): Generator<HomeFinding> {
  if (config.remoteSigner !== '') {
    const where = safeText(config.remoteSigner, 80)
    yield stop(
      'remote-signer',
      `A remote signer at ${where} holds the key, not the file of this home.`,
      'Use the key machine for signing, or set priv_validator_laddr = "" in config/config.toml.',
    )
    return
  }
  const path = safeText(keyPath)
  if (key === undefined) {
    yield stop(
      'key-missing',
      `There is no key file at ${path}.`,
      'Give the home the node runs with, or correct priv_validator_key_file in config/config.toml.',
    )
    return
  }
  if (key.kind !== 'file') {
    yield stop(
      'key-not-a-file',
      `The key at ${path} is a ${KIND_WORDS[key.kind] ?? key.kind}, not a file.`,
      'Set priv_validator_key_file in config/config.toml to the real file.',
    )
  }
  if (!key.ownedByUser) {
    yield stop(
      'key-owner',
      'The key file belongs to another user.',
      `Run: chown "$(id -u)" ${shellWord(keyPath)}`,
    )
  }
  if (key.mode !== undefined && (key.mode & 0o077) !== 0) {
    yield warn(
      'key-permissions',
      'Other users of this computer may open the key file.',
      `Run: ${shellCommand('chmod', '600', keyPath)}`,
    )
  }
}

function* chainFindings(
  { app, engineChainId, genesisFound, specFound, config }: HomeParts,
  network: Network,
): Generator<HomeFinding> {
  if (engineChainId !== network.engineChainId) {
    yield stop(
      'chain-id',
      `client.toml names the chain ${safeText(engineChainId, 60)}, not ${network.engineChainId}.`,
      `Set chain-id = "${network.engineChainId}" in config/client.toml, or give the home of the right node.`,
    )
  }
  yield* specFindings(app, { network, specFound })
  if (!genesisFound) {
    yield stop(
      'genesis-missing',
      `There is no ${safeText(config.genesisFile)} in the home.`,
      genesisFix(network),
    )
  }
}

/** Where a network publishes its files: the built-in ones in the repository of their node software. */
function genesisFix({ id, executionChainId, label }: Network): string {
  return id in CHAIN_SPECS
    ? `Put that of ${label} there: genesis.json in testing/networks/${executionChainId} of the repository berachain/beacon-kit on GitHub.`
    : `Put the genesis.json of ${label} there: who runs that network gives it.`
}

/** The name of the built-in network that this one is, by its root: a file may describe that one too. */
function specNameOf({ genesisValidatorsRoot }: Network): string | undefined {
  const known = PRESETS.find((each) => sameHex(each.genesisValidatorsRoot, genesisValidatorsRoot))
  return known && CHAIN_SPECS[known.id]
}

function* specFindings(
  { chainSpec, chainSpecFile }: AppConfig,
  { network, specFound }: { network: Network; specFound: boolean },
): Generator<HomeFinding> {
  const expected = specNameOf(network)
  const section = `[${network.names.appSection}] in config/app.toml`
  if (expected === undefined ? !FILE_SPECS.has(chainSpec) : chainSpec !== expected) {
    const reason = FILE_SPECS.has(chainSpec) ? ' A deposit signed by that node would be burnt here.' : ''
    const other =
      expected === undefined && NAMED_SPECS.has(chainSpec)
        ? `, which is another chain than ${network.label}`
        : ''
    yield stop(
      'chain-spec',
      `app.toml has chain-spec "${safeText(chainSpec, 40)}"${other}.${reason}`,
      `Set chain-spec = "${expected ?? 'file'}" under ${section}.`,
    )
    return
  }
  if (chainSpec !== 'file' || specFound) return
  const named = chainSpecFile === '' ? 'none' : safeText(chainSpecFile)
  // A relative path may be meant from the folder in which the node is started.
  const found = isWholePath(chainSpecFile) || chainSpecFile === '' ? stop : warn
  yield found(
    'chain-spec-missing',
    `app.toml takes its chain spec from a file, and there is no such file in the home: ${named}.`,
    `Set chain-spec-file to the whole path of the network's spec.toml, under ${section}.`,
  )
}

const NAMED_SPECS = new Set(Object.values(CHAIN_SPECS))

function* feeFindings(app: AppConfig, network: Network): Generator<HomeFinding> {
  const section = `[${network.names.appSection}.payload-builder] in config/app.toml`
  if (app.feeRecipient === undefined || app.feeRecipient === ZERO) {
    yield warn(
      'fee-recipient-zero',
      'The fee recipient is zero: the fees of every block this validator makes are burnt.',
      `Set suggested-fee-recipient to an address of yours under ${section}.`,
    )
  }
  if (!app.payloadBuilderEnabled) {
    yield warn(
      'payload-builder-off',
      'The payload builder is off: an active validator could not build blocks.',
      `Set enabled = true under ${section}.`,
    )
  }
}

function* apiFindings({ app, config }: HomeParts, network: Network): Generator<HomeFinding> {
  const section = `[${network.names.nodeApiSection}] in config/app.toml`
  if (!app.nodeApi.enabled) {
    yield stop(
      'node-api-off',
      'The node API is off, so nothing can be proven.',
      `Set enabled = "true" under ${section} and restart the node.`,
    )
  }
  const api = readListenAddress(app.nodeApi.address)
  if (api === undefined) {
    yield stop(
      'node-api-address',
      `The node API listens at no usable address: ${safeText(app.nodeApi.address, 60)}.`,
      `Set address = "127.0.0.1:3500" under ${section}.`,
    )
  }
  if (api?.exposed === true && app.nodeApi.enabled) {
    yield warn(
      'node-api-exposed',
      'The node API is open to other computers; it asks nobody who they are.',
      `Set address = "127.0.0.1:${new URL(api.url).port}" under ${section}.`,
    )
  }
  if (app.availabilityWindow === 0n) {
    yield stop(
      'availability-window-zero',
      'The node keeps no blocks for proofs (availability-window is 0).',
      'Set availability-window = "8192" in config/app.toml and restart the node.',
    )
  }
  if (readListenAddress(config.rpcAddress)?.exposed === true) {
    yield warn(
      'engine-rpc-exposed',
      'The engine RPC is open to other computers.',
      'Set laddr = "tcp://127.0.0.1:26657" under [rpc] in config/config.toml.',
    )
  }
}

function stop(id: string, text: string, fix: string): HomeFinding {
  return { id, severity: 'stop', text, fix }
}

function warn(id: string, text: string, fix: string): HomeFinding {
  return { id, severity: 'warn', text, fix }
}

/** What a home says of the place of its key. */
type HomeWords = { remoteSigner: string; findings: readonly HomeFinding[] }

const KEY_PLACE_FINDINGS: readonly string[] = ['remote-signer', 'key-missing']

/** Whether the home says that its key is not on this computer: a remote signer holds it, or there is no key file. */
export function keyIsElsewhere({ remoteSigner, findings }: HomeWords): boolean {
  return remoteSigner !== '' || findings.some(({ id }) => id === 'key-missing')
}

/** Returns what in the home stops a deposit. A key on another machine does not: its public half can be typed. */
export function homeStops({ findings }: HomeWords): readonly HomeFinding[] {
  return findings.filter(({ id, severity }) => severity === 'stop' && !KEY_PLACE_FINDINGS.includes(id))
}
