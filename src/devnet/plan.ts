import { createHash } from 'node:crypto'
import { bytesToHex, type Hex } from '../core/base/format/hex.ts'
import { genesisState } from '../core/chain/consensus/process-epoch.ts'
import type { ConsensusState } from '../core/chain/consensus/state.ts'
import type { ChainSpec, Pools } from '../core/chain/network/network.ts'
import type { ScenarioName } from '../core/chain/network/scenario-names.ts'
import { readSpecToml } from '../core/chain/network/spec-fields.ts'
import { decodeGenesis, type WrittenGenesis } from './genesis-file.ts'
import {
  account,
  type RehearsalAccount,
  type RehearsalValidatorKey,
  seededPassword,
  validatorKey,
} from './keys.ts'
import { type LostDeposit, type Rival, type Scenario, scenario } from './scenarios.ts'
import { REHEARSAL_ENGINE_CHAIN_ID, REHEARSAL_FORK_VERSION, rehearsalSpecToml } from './spec.ts'

/** What a rehearsal network is made from: a scenario, or the files of another network. */
export type PlanInput = {
  scenario: ScenarioName
  seed: string
  slotMs: number
  /** Unix seconds; when left out the network starts so that its head is at `nowSeconds` when it is ready. */
  genesisTimeSeconds?: number
  nowSeconds: number
  warmupSlots?: number
  files?: { genesisJson: string; specToml: string }
}

/** Everything about a network before anything runs. The same input gives the same plan. */
export type Plan = {
  seed: string
  spec: ChainSpec
  specToml: string
  genesis: WrittenGenesis
  /** Given where the network is made from files; else it is written once the execution genesis is known. */
  genesisJson: string | undefined
  genesisTimeSeconds: number
  secondsPerSlot: number
  state: ConsensusState
  genesisDepositsRoot: Hex
  fresh: RehearsalValidatorKey
  /** Keys whose secrets are held here, by their uncompressed form in base64. */
  keys: Map<string, RehearsalValidatorKey>
  user: RehearsalAccount
  stranger: RehearsalAccount
  /** Where the stake is paid back to, and who manages it: in most scenarios the user's one account. */
  payout: RehearsalAccount
  operator: RehearsalAccount
  /** Of the user's keystore. */
  password: string
  asOnMainnet: boolean
  /** The staking pools of a scenario; addresses without code, of which no more is needed here. */
  pools: Pools | undefined
  lostDeposit: LostDeposit | undefined
  rival: Rival | undefined
  silentSlots: number | undefined
  troubles: boolean
  warmupSlots: number
}

/** Genesis deposits were never checked against a signature; the field is filled with zeros. */
const NO_SIGNATURE: Hex = `0x${'00'.repeat(96)}`

/** Works a network out from its scenario and seed, or from files. Throws `devnet.refused` and NetworkErrors. */
export function planDevnet(input: PlanInput): Plan {
  const { seed } = input
  const fresh = validatorKey(seed, 'fresh')
  const user = account(seed, 'user')
  // What an evicted neighbour gets back must not look like the user's own money.
  const others = account(seed, 'others')
  const pools = poolsOf(seed)
  const payeeOf = (key: RehearsalValidatorKey, at: number): Hex => {
    if (at === POOL_VALIDATOR || (key === fresh && story.freshIsPools)) return pools.vault
    return key === fresh ? user.address : others.address
  }
  const secondsPerSlot = Math.max(1, Math.round(input.slotMs / 1000))
  const story = scenario(input.scenario, seed, fresh)
  const lostDeposit = input.files === undefined ? story.lostDeposit : undefined
  const warmupSlots = input.warmupSlots ?? (input.files === undefined ? story.warmupSlots : 1)
  const startSeconds = input.genesisTimeSeconds ?? input.nowSeconds - warmupSlots * secondsPerSlot
  const specToml =
    input.files?.specToml ?? rehearsalSpecToml({ ...story, genesisTimeSeconds: startSeconds, secondsPerSlot })
  const spec = readSpecToml(specToml)
  const genesis =
    input.files === undefined
      ? {
          engineChainId: REHEARSAL_ENGINE_CHAIN_ID,
          forkVersion: REHEARSAL_FORK_VERSION,
          deposits: story.validators.map(({ key, amountGwei }, at) => ({
            pubkey: key.pubkey,
            withdrawalCredentials: withdrawalCredentials(payeeOf(key, at)),
            amountGwei,
            signature: NO_SIGNATURE,
          })),
        }
      : decodeGenesis(input.files.genesisJson)
  return {
    seed,
    spec,
    specToml,
    genesis,
    genesisJson: input.files?.genesisJson,
    genesisTimeSeconds: startSeconds,
    secondsPerSlot,
    state: genesisState(genesis.deposits, spec),
    genesisDepositsRoot: depositsRoot(genesis),
    fresh,
    keys: keysOf([fresh, validatorKey(seed, SECOND_NODE), ...story.validators.map(({ key }) => key)]),
    user,
    stranger: account(seed, 'stranger'),
    pools: input.files === undefined ? pools : undefined,
    ...ownersOf(story, seed, user),
    lostDeposit,
    rival: input.files === undefined ? story.rival : undefined,
    silentSlots: input.files === undefined ? story.silentSlots : undefined,
    troubles: input.files === undefined && story.troubles,
    warmupSlots,
  }
}

/** What the key of the second node is made for. */
export const SECOND_NODE = 'second node'

const keysOf = (keys: readonly RehearsalValidatorKey[]) =>
  new Map(keys.map((key) => [key.uncompressedBase64, key]))

/** The index of the genesis validator that belongs to a staking pool. */
const POOL_VALIDATOR = 5

const VAULT = 'pool-vault'

function poolsOf(seed: string): Pools {
  return { vault: account(seed, VAULT).address, factories: [account(seed, 'pool-factory').address] }
}

/** The accounts and the password that the user has: where nothing is easier, three accounts, and a password to type. A pool’s validator pays out to the vault. */
function ownersOf({ asOnMainnet, freshIsPools }: Scenario, seed: string, user: RehearsalAccount) {
  if (freshIsPools)
    return { asOnMainnet, payout: account(seed, VAULT), operator: user, password: 'rehearsal' }
  if (!asOnMainnet) return { asOnMainnet, payout: user, operator: user, password: 'rehearsal' }
  const payout = account(seed, 'payout')
  const operator = account(seed, 'operator')
  return { asOnMainnet, payout, operator, password: seededPassword(seed) }
}

/** Credentials of an execution address. */
export function withdrawalCredentials(address: Hex): Hex {
  return `0x01${'00'.repeat(11)}${address.slice(2).toLowerCase()}`
}

/** A root that no two lists of genesis deposits share. */
function depositsRoot(genesis: WrittenGenesis): Hex {
  const hash = createHash('sha256')
  for (const { pubkey, withdrawalCredentials: credentials, amountGwei, signature } of genesis.deposits) {
    hash.update(`${pubkey}${credentials}${amountGwei}${signature};`)
  }
  return bytesToHex(hash.digest())
}
