import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Keystore } from 'ox'
import type { Hex } from '../core/base/format/hex.ts'
import type { Pools } from '../core/chain/network/network.ts'
import type { Chain } from './consensus/chain.ts'
import { KEY_TYPE_PREFIX } from './consensus/engine.ts'
import { depositContractCodeHash } from './execution/genesis.ts'
import type { RehearsalExecution } from './execution/start.ts'
import { type RehearsalAccount, type RehearsalValidatorKey, seededBytes } from './keys.ts'
import { writeGenesisFile } from './network-files.ts'
import type { Plan } from './scenarios.ts'

/** Returns the engine's genesis file of a plan. */
export function genesisText(plan: Plan, execution: RehearsalExecution): string {
  return writeGenesisFile({
    ...plan.genesis,
    genesisTimeSeconds: plan.genesisTimeSeconds,
    executionGenesisHash: execution.genesisHash,
    executionStateRoot: execution.genesisBlock.stateRoot,
  })
}

export type WriteFilesInput = {
  directory: string
  plan: Plan
  execution: RehearsalExecution
  chain: Chain
  slotMs: number
  scenario: string
  urls: DevnetDescriptor['urls']
  /** A second execution endpoint, where the scenario has one. */
  second?: string
  /** The other endpoints of the node that somebody else runs, where there is one. */
  foreign?: DevnetDescriptor['foreign']
  genesisJson: string
  /** Of a network that plays a scenario: the file of its story, and where it hears wishes. */
  story?: { path: string; control: string }
}

/** Writes the node home, the keystore and the descriptor of a network that answers. */
export async function writeFiles(made: WriteFilesInput): Promise<DevnetDescriptor> {
  const { plan, execution } = made
  const written = await writeHome(made.directory, {
    engineChainId: plan.genesis.engineChainId,
    urls: made.urls,
    feeRecipient: plan.user.address,
    key: plan.fresh,
    genesisJson: made.genesisJson,
    specToml: plan.specToml,
  })
  const keystore = await writeKeystore(made.directory, {
    account: plan.user,
    password: plan.password,
    salt: seededBytes(plan.seed, 'keystore'),
    weight: plan.asOnMainnet ? 'asGeth' : 'light',
  })
  const descriptor: DevnetDescriptor = {
    urls: made.urls,
    chainId: plan.spec.depositChainId,
    genesisRoot: made.chain.input.genesisValidatorsRoot,
    keystore: { path: keystore, password: plan.password },
    home: written.home,
    spec: written.spec,
    engineChainId: plan.genesis.engineChainId,
    genesisForkVersion: plan.genesis.forkVersion,
    executionGenesisHash: execution.genesisHash,
    depositContractCodeHash: depositContractCodeHash(),
    slotMs: made.slotMs,
    clockIsWall: false,
    operator: plan.operator.address,
    withdrawalAddress: plan.payout.address,
    scenario: made.scenario,
    seed: plan.seed,
    pid: process.pid,
    ...(plan.pools === undefined ? {} : { pools: plan.pools }),
    ...(made.second === undefined ? {} : { second: made.second }),
    ...(made.foreign === undefined ? {} : { foreign: made.foreign }),
    ...(made.story === undefined ? {} : { story: made.story.path, control: made.story.control }),
  }
  await writeDescriptor(made.directory, descriptor)
  return descriptor
}

/** What a ready rehearsal network says of itself, as one JSON line. */
export type DevnetDescriptor = {
  urls: { execution: string; node: string; engine: string }
  chainId: number
  genesisRoot: Hex
  keystore: { path: string; password: string }
  home: string
  spec: string
  engineChainId: string
  genesisForkVersion: Hex
  executionGenesisHash: Hex
  depositContractCodeHash: Hex
  slotMs: number
  clockIsWall: boolean
  operator: Hex
  withdrawalAddress: Hex
  scenario: string
  seed: string
  pid: number
  /** A second execution endpoint. */
  second?: string
  /** The node API and the engine RPC of the node behind it, where somebody else runs one. */
  foreign?: { node: string; engine: string } | undefined
  pools?: Pools
  /** Path of the story file, where a scenario is played. */
  story?: string
  /** Where it hears wishes: `POST /key`, `POST /pace`, `POST /arrived`. */
  control?: string
}

/** Writes `descriptor.json` in the directory, 0600, whole or not at all. */
export async function writeDescriptor(directory: string, descriptor: DevnetDescriptor): Promise<void> {
  await writeWhole(join(directory, 'descriptor.json'), `${JSON.stringify(descriptor)}\n`)
}

/** Paths of what was written. */
type WrittenHome = { home: string; spec: string }

/**
 * Writes a fresh node home below `directory` in the form of the node tool: key, genesis file, configuration with
 * the network's ports, and the network's `spec.toml`. Directories are 0700, the key file 0600.
 */
async function writeHome(
  directory: string,
  input: HomeInput & { genesisJson: string; specToml: string },
): Promise<WrittenHome> {
  const home = join(directory, 'home')
  const config = join(home, 'config')
  await mkdir(config, { recursive: true, mode: 0o700 })
  await mkdir(join(home, 'data'), { recursive: true, mode: 0o700 })
  const spec = join(config, 'spec.toml')
  await writeWhole(join(config, KEY_FILE), keyJson(input.key))
  await writeWhole(join(config, 'genesis.json'), input.genesisJson)
  await writeWhole(join(config, 'app.toml'), appToml(input))
  await writeWhole(join(config, 'config.toml'), configToml(input))
  await writeWhole(join(config, 'client.toml'), clientToml(input))
  await writeWhole(spec, input.specToml)
  await writeKeyState(directory, 0n)
  return { home, spec }
}

/** Puts another validator key in its place in a home that was written; the one before stays beside it, under a name of its own. */
export async function replaceKey(
  directory: string,
  key: RehearsalValidatorKey,
  oldName: string,
): Promise<void> {
  const config = join(directory, 'home', 'config')
  await rename(join(config, KEY_FILE), join(config, oldName))
  await writeWhole(join(config, KEY_FILE), keyJson(key))
}

/** Writes down up to which block the node of a home has signed: whole or not at all, for it is read while it changes. */
export async function writeKeyState(directory: string, height: bigint): Promise<void> {
  const path = join(directory, 'home', 'data', 'priv_validator_state.json')
  await writeFile(`${path}.part`, keyStateJson(height), { mode: 0o600 })
  await rename(`${path}.part`, path)
}

const KEY_FILE = 'priv_validator_key.json'

/** scrypt work of a play-money keystore: light, for it protects nothing, or what geth writes. */
const SCRYPT_N = { light: 1024, asGeth: 262_144 }

/** Writes a version 3 keystore of the account, 0600, and gives its path; `weight`: how much work its password takes. */
export async function writeKeystore(
  directory: string,
  input: { account: RehearsalAccount; password: string; salt: Uint8Array; weight: keyof typeof SCRYPT_N },
): Promise<string> {
  const [key, options] = Keystore.scrypt({
    password: input.password,
    n: SCRYPT_N[input.weight],
    r: 8,
    p: 1,
    salt: input.salt,
    iv: input.salt.subarray(0, 16),
  })
  const sealed = Keystore.encrypt(input.account.privateKey, key, { ...options, id: uuid(input.salt) })
  const path = join(directory, 'keystore.json')
  const content = { address: input.account.address.slice(2), ...sealed }
  await writeWhole(path, JSON.stringify(content, null, 2))
  return path
}

/** Writes a file 0600 so that a reader sees all of it or nothing. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(part, path)
}

function uuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What the files of a node home say of the network and of the node. */
type HomeInput = {
  engineChainId: string
  urls: { execution: string; node: string; engine: string }
  feeRecipient: string
  key: RehearsalValidatorKey
}

/** `config/app.toml`: the sections that the node tool writes, with the network's own ports. */
export function appToml(input: HomeInput): string {
  return `# This is a TOML config file.
# For more information, see https://github.com/toml-lang/toml

###############################################################################
###                           Base Configuration                            ###
###############################################################################

pruning = "everything"
pruning-keep-recent = "0"
pruning-interval = "0"
halt-height = 0
halt-time = 0
min-retain-blocks = 0
inter-block-cache = true
iavl-cache-size = 2500
iavl-disable-fastnode = true

###############################################################################
###                         Telemetry Configuration                         ###
###############################################################################

[telemetry]
service-name = ""
enabled = true
enable-hostname = false
enable-hostname-label = false
enable-service-label = false
prometheus-retention-time = 0
global-labels = [
]
metrics-sink = ""
statsd-addr = ""
datadog-hostname = ""

###############################################################################
###                                BeaconKit                                ###
###############################################################################

[beacon-kit]
# ChainSpec is the type of chain spec to use.
chain-spec = "file"

# ChainSpecFilePath is the path to the chain spec file to use.
chain-spec-file = "spec.toml"

shutdown-timeout = "5m0s"

[beacon-kit.engine]
# HTTP url of the execution client JSON-RPC endpoint.
rpc-dial-url = "${input.urls.execution}"
rpc-timeout = "2s"
rpc-startup-check-interval = "3s"
rpc-jwt-refresh-interval = "30s"
jwt-secret-path = "./jwt.hex"

[beacon-kit.logger]
time-format = "RFC3339"
log-level = "info"
style = "pretty"

[beacon-kit.kzg]
trusted-setup-path = "./testing/files/kzg-trusted-setup.json"
implementation = "crate-crypto/go-kzg-4844"

[beacon-kit.payload-builder]
enabled = true

# This address receives the transaction fees of the blocks of this node.
suggested-fee-recipient = "${input.feeRecipient}"
payload-timeout = "850ms"

[beacon-kit.validator]
graffiti = ""

[beacon-kit.block-store-service]
availability-window = "8192"

[beacon-kit.node-api]
# Enabled determines if the node API is enabled.
enabled = "true"

# Address is the address to bind the node API to.
address = "${hostPort(input.urls.node)}"

# Logging determines if the node API logging is enabled.
logging = "false"
`
}

/** `config/config.toml`: where the key files are and where the engine listens. */
export function configToml(input: HomeInput): string {
  return `# This is a TOML config file.
# For more information, see https://github.com/toml-lang/toml

version = "1.0.1"
proxy_app = "tcp://127.0.0.1:26658"
moniker = "rehearsal"
db_backend = "pebbledb"
db_dir = "data"
log_level = "info"
log_format = "plain"
genesis_file = "config/genesis.json"
priv_validator_key_file = "config/priv_validator_key.json"
priv_validator_state_file = "data/priv_validator_state.json"
priv_validator_laddr = ""
node_key_file = "config/node_key.json"
abci = "socket"
filter_peers = false

#######################################################
###       RPC Server Configuration Options          ###
#######################################################

[rpc]
laddr = "tcp://${hostPort(input.urls.engine)}"
cors_allowed_origins = []
cors_allowed_methods = ["HEAD", "GET", "POST", ]
cors_allowed_headers = ["Origin", "Accept", "Content-Type", "X-Requested-With", "X-Server-Time", ]
unsafe = false
max_open_connections = 900
max_body_bytes = 1000000
max_header_bytes = 1048576
tls_cert_file = ""
tls_key_file = ""
pprof_laddr = ""

[grpc]
laddr = ""

[p2p]
laddr = "tcp://127.0.0.1:26656"
external_address = ""
seeds = ""
persistent_peers = ""
addr_book_file = "config/addrbook.json"
addr_book_strict = true
max_num_inbound_peers = 40
max_num_outbound_peers = 10
pex = true
seed_mode = false

[mempool]
type = "nop"

[consensus]
wal_file = "data/cs.wal/wal"
double_sign_check_height = 0
create_empty_blocks = true
create_empty_blocks_interval = "0s"

[storage]
discard_abci_responses = true

[tx_index]
indexer = "null"
psql-conn = ""

[instrumentation]
prometheus = true
prometheus_listen_addr = ":26660"
namespace = "cometbft"
`
}

/** `config/client.toml`: which chain and which engine the node tool asks. */
export function clientToml(input: HomeInput): string {
  return `# This is a TOML config file.
# For more information, see https://github.com/toml-lang/toml

###############################################################################
###                           Client Configuration                          ###
###############################################################################

# The network chain ID
chain-id = "${input.engineChainId}"
keyring-backend = "test"
keyring-default-keyname = ""
output = "text"
# <host>:<port> to CometBFT RPC interface for this chain
node = "tcp://${hostPort(input.urls.engine)}"
broadcast-mode = "sync"
grpc-address = ""
grpc-insecure = false
`
}

/** `config/priv_validator_key.json`. */
export function keyJson(key: RehearsalValidatorKey): string {
  const content = {
    address: key.address,
    pub_key: { type: `${KEY_TYPE_PREFIX}/PubKeyBls12_381`, value: key.uncompressedBase64 },
    priv_key: { type: `${KEY_TYPE_PREFIX}/PrivKeyBls12_381`, value: key.secretBase64 },
  }
  return JSON.stringify(content, null, 2)
}

/** `data/priv_validator_state.json` of a key that signed up to a block; of one that never signed at 0. */
function keyStateJson(height: bigint): string {
  return JSON.stringify({ height: String(height), round: 0, step: height === 0n ? 0 : 3 }, null, 2)
}

function hostPort(url: string): string {
  return new URL(url).host
}
