import { parse } from 'smol-toml'
import { type Hex, isHex } from '../core/base/format/hex.ts'
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
