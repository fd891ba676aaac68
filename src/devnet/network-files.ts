import { parse } from 'smol-toml'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import { isRecord } from '../core/base/format/decode.ts'
import { type Hex, isHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import type { GenesisBalance } from '../core/chain/consensus/process-epoch.ts'
import type { Inflation, InflationEntry } from './consensus/state-tree.ts'

/** Chain id of the rehearsal network: no public chain has it. */
const REHEARSAL_CHAIN_ID = 809_480_069
/** The engine's name for the network. */
export const REHEARSAL_ENGINE_CHAIN_ID = `rehearsal-beacon-${REHEARSAL_CHAIN_ID}`
/** The network starts with Fulu's rules, so its genesis version is Fulu's and not that of the real networks. */
export const REHEARSAL_FORK_VERSION: Hex = '0x06000000'

export type RehearsalSpecOptions = {
  genesisTimeSeconds: number
  secondsPerSlot: number
  validatorSetCap: number
  withdrawabilityDelayEpochs: number
}

/** The `spec.toml` of a rehearsal network: the limits of the real networks, but short epochs and a small set. */
export function rehearsalSpecToml(options: RehearsalSpecOptions): string {
  return `# Chain spec of a rehearsal network. Nothing here is worth anything.

# Gwei value constants
max-effective-balance = 10_000_000_000_000_000
effective-balance-increment = 10_000_000_000_000

# Hysteresis parameters
hysteresis-quotient = 4
hysteresis-downward-multiplier = 1
hysteresis-upward-multiplier = 5

# Time parameters
slots-per-epoch = 8
slots-per-historical-root = 8
min-epochs-to-inactivity-penalty = 4

# Signature domains
domain-type-beacon-proposer = 0
domain-type-beacon-attester = 1
domain-type-randao = 2
domain-type-deposit = 3
domain-type-voluntary-exit = 4
domain-type-selection-proof = 5
domain-type-aggregate-and-proof = 6
domain-type-application-mask = 16777216

# Eth1-related values
deposit-contract-address = "0x4242424242424242424242424242424242424242"
max-deposits-per-block = 16
deposit-eth1-chain-id = ${REHEARSAL_CHAIN_ID}
eth1-follow-distance = 1
target-seconds-per-eth1-block = ${options.secondsPerSlot}

# Fork-related values
genesis-time = ${options.genesisTimeSeconds}
deneb-one-fork-time = 0
electra-fork-time = 0
electra-one-fork-time = 0
fulu-fork-time = 0

# State list lengths
epochs-per-historical-vector = 8
epochs-per-slashings-vector = 8
historical-roots-limit = 8
validator-registry-limit = 1_099_511_627_776

# Capella values
max-withdrawals-per-payload = 16
max-validators-per-withdrawals-sweep = 31

# Deneb values
min-epochs-for-blobs-sidecars-request = 4096
max-blob-commitments-per-block = 4096
max-blobs-per-block = 6
field-elements-per-blob = 4096
bytes-per-blob = 131072

# Genesis values
validator-set-cap = ${options.validatorSetCap}
evm-inflation-address = "0x0000000000000000000000000000000000000000"
evm-inflation-per-block = 0
evm-inflation-address-deneb-one = "0x0000000000000000000000000000000000000000"
evm-inflation-per-block-deneb-one = 0

# Electra values
min-activation-balance = 250_000_000_000_000
min-validator-withdrawability-delay = ${options.withdrawabilityDelayEpochs}

# Fulu values
hysteresis-quotient-fulu = 100
hysteresis-upward-multiplier-fulu = 10
evm-inflation-address-fulu = "0x0000000000000000000000000000000000000000"
evm-inflation-per-block-fulu = 0
`
}

const NO_INFLATION: InflationEntry = { address: `0x${'00'.repeat(20)}`, amountGwei: 0n }

/** Returns the inflation entries of a spec file, from Fulu on and before; nothing where the file has none. */
export function readInflation(specToml: string): Inflation {
  const spec = parse(specToml, { integersAsBigInt: true })
  const entry = (fork: string): InflationEntry => {
    const address = spec[`evm-inflation-address-${fork}`]
    const amountGwei = spec[`evm-inflation-per-block-${fork}`]
    if (!isHex(address, 20) || typeof amountGwei !== 'bigint') return NO_INFLATION
    return { address: address.toLowerCase() as Hex, amountGwei }
  }
  return { beforeFulu: entry('deneb-one'), fulu: entry('fulu') }
}

/** A deposit of a genesis file. */
type GenesisFileDeposit = GenesisBalance & { signature: Hex }

/** What a rehearsal network needs of the engine's genesis file. */
export type WrittenGenesis = {
  engineChainId: string
  forkVersion: Hex
  deposits: readonly GenesisFileDeposit[]
}

export type GenesisFileInput = WrittenGenesis & {
  genesisTimeSeconds: number
  executionGenesisHash: Hex
  executionStateRoot: Hex
}

const EMPTY_RECEIPTS_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const EMPTY_TRANSACTIONS_ROOT = '0x7ffe241ea60187fdb0187bfa22de35d1f9bed7ab061d9401fd47e34a54fbede1'
const EMPTY_WITHDRAWALS_ROOT = '0x792930bbd5baac43bcc798ee49aa8185ef76bb3b44ba62b91d86ae569e4bb535'
const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`

/** Returns the engine's genesis file in the form that the node tool writes. */
export function writeGenesisFile(input: GenesisFileInput): string {
  const content = {
    app_name: '<appd>',
    app_version: '',
    genesis_time: new Date(input.genesisTimeSeconds * 1000).toISOString(),
    chain_id: input.engineChainId,
    initial_height: 1,
    app_hash: null,
    app_state: {
      beacon: {
        fork_version: input.forkVersion,
        deposits: input.deposits.map((deposit, index) => ({
          pubkey: deposit.pubkey,
          credentials: deposit.withdrawalCredentials,
          amount: `0x${deposit.amountGwei.toString(16)}`,
          signature: deposit.signature,
          index,
        })),
        execution_payload_header: payloadHeader(input),
      },
    },
    consensus: { params: CONSENSUS_PARAMS },
  }
  return JSON.stringify(content, null, 2)
}

/** Parameters of the engine, as the node tool writes them. */
const CONSENSUS_PARAMS = {
  block: { max_bytes: '104857600', max_gas: '10000000' },
  evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
  validator: { pub_key_types: ['bls12_381'] },
  version: { app: '0' },
  synchrony: { precision: '505000000', message_delay: '15000000000' },
  feature: { vote_extensions_enable_height: '0', pbts_enable_height: '1', sbt_enable_height: '2' },
} as const

function payloadHeader(input: GenesisFileInput) {
  return {
    parentHash: zeros(32),
    feeRecipient: zeros(20),
    stateRoot: input.executionStateRoot,
    receiptsRoot: EMPTY_RECEIPTS_ROOT,
    logsBloom: zeros(256),
    prevRandao: zeros(32),
    blockNumber: '0x0',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: `0x${input.genesisTimeSeconds.toString(16)}`,
    extraData: zeros(32),
    baseFeePerGas: '1000000000',
    blockHash: input.executionGenesisHash,
    transactionsRoot: EMPTY_TRANSACTIONS_ROOT,
    withdrawalsRoot: EMPTY_WITHDRAWALS_ROOT,
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
  }
}

/** Reads what a rehearsal network needs out of a genesis file. Throws `devnet.refused` with the field. */
export function decodeGenesis(text: string): WrittenGenesis {
  const file = object(parseJson(text), 'the file')
  const beacon = object(object(file.app_state, 'app_state').beacon, 'app_state.beacon')
  if (typeof file.chain_id !== 'string') throw odd('chain_id', file.chain_id, 'a text')
  if (!isHex(beacon.fork_version, 4)) throw odd('fork_version', beacon.fork_version, '4 bytes of 0x hex')
  if (!Array.isArray(beacon.deposits)) throw odd('deposits', beacon.deposits, 'a list')
  return {
    engineChainId: file.chain_id,
    forkVersion: beacon.fork_version,
    deposits: beacon.deposits.map((item, at) =>
      readDeposit(object(item, `deposits[${at}]`), `deposits[${at}]`),
    ),
  }
}

function readDeposit(item: Record<string, unknown>, at: string): GenesisFileDeposit {
  const { pubkey, credentials, amount, signature } = item
  if (!isHex(pubkey, 48)) throw odd(`${at}.pubkey`, pubkey, '48 bytes of 0x hex')
  if (!isHex(credentials, 32)) throw odd(`${at}.credentials`, credentials, '32 bytes of 0x hex')
  if (!isHex(signature, 96)) throw odd(`${at}.signature`, signature, '96 bytes of 0x hex')
  if (typeof amount !== 'string' || !/^(0x[0-9a-f]{1,16}|\d{1,20})$/i.test(amount)) {
    throw odd(`${at}.amount`, amount, 'gwei as 0x hex or decimal digits')
  }
  return {
    pubkey: lower(pubkey),
    withdrawalCredentials: lower(credentials),
    amountGwei: BigInt(amount),
    signature: lower(signature),
  }
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw rehearsalError('devnet.refused', 'The genesis file is not JSON.', [
      safeText(cause instanceof Error ? cause.message : ''),
    ])
  }
}

function object(value: unknown, field: string): Record<string, unknown> {
  if (isRecord(value)) return value
  throw odd(field, value, 'an object')
}

function odd(field: string, found: unknown, expected: string) {
  return rehearsalError('devnet.refused', 'The genesis file cannot be used.', [
    `field: ${field}`,
    `found: ${found === undefined ? 'nothing' : safeText(found, 60)}`,
    `expected: ${expected}`,
  ])
}
