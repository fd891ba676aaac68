import { createHash } from 'node:crypto'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import { type Gwei, tokens } from '../core/base/format/amount.ts'
import { bytesToHex, type Hex } from '../core/base/format/hex.ts'
import { genesisState } from '../core/chain/consensus/process-epoch.ts'
import type { ConsensusState } from '../core/chain/consensus/state.ts'
import type { ChainSpec, Pools } from '../core/chain/network/network.ts'
import type { ScenarioName } from '../core/chain/network/scenario-names.ts'
import { readSpecToml } from '../core/chain/network/spec-fields.ts'
import {
  account,
  type RehearsalAccount,
  type RehearsalValidatorKey,
  seededPassword,
  validatorKey,
} from './keys.ts'
import {
  decodeGenesis,
  REHEARSAL_ENGINE_CHAIN_ID,
  REHEARSAL_FORK_VERSION,
  rehearsalSpecToml,
  type WrittenGenesis,
} from './network-files.ts'

/** A validator of the genesis. */
type ScenarioValidator = { key: RehearsalValidatorKey; amountGwei: Gwei }

/** A deposit that somebody makes before the user arrives; its signature never verifies. */
export type LostDeposit = { sender: 'user' | 'stranger'; amountGwei: Gwei }

/**
 * A validator to which somebody adds stake: once the user's own one has been active for an epoch, or once the user reads the
 * last step, and `laterSlots` later.
 */
export type Rival = {
  pubkey: Hex
  topUpGwei: Gwei
  after: 'active' | 'arrival'
  laterSlots: bigint
}

type Scenario = {
  name: ScenarioName
  validatorSetCap: number
  withdrawabilityDelayEpochs: number
  validators: readonly ScenarioValidator[]
  /** A deposit for the fresh key in the first block. */
  lostDeposit: LostDeposit | undefined
  rival: Rival | undefined
  /** Whether the key in the user's node home is a validator of a staking pool. */
  freshIsPools: boolean
  /** For how many slots the node stops answering once the user's validator is active. */
  silentSlots: number | undefined
  /** Whether nothing is made easier: three accounts, a keystore as heavy as geth's, a second execution endpoint. */
  asOnMainnet: boolean
  /** Whether the user's validator misses blocks and its operator is to be changed once it is active. */
  troubles: boolean
  /** Slots that pass before the network is ready. */
  warmupSlots: number
}

const CAP = 12
const DELAY_EPOCHS = 4
const LAST_PLACE = tokens(270_000n)
const THRESHOLD = tokens(250_000n)
const STEP = tokens(10_000n)
const SILENT_SLOTS = 40
/** Time to read the last step before it tells of the gift. */
const GIFT_SLOTS = 16n
/** Time to arm a guard. */
const NIGHT_SLOTS = 176n
/** Above what the least top-up gives, and below all but one of the others. */
const RIVAL_TOP_UP = tokens(290_000n)

/**
 * Returns the scenario of a name, with the validators of its genesis. `freshPubkey` is the key in the user's node home.
 *
 * - `set-full`: twelve places, all taken, the last one at 270,000
 * - `as-on-mainnet`: the same, and nothing easier than with real money
 * - `free-places`: three places are free
 * - `tie-at-the-last-place`: the last place has exactly the activation threshold and a larger public key than ours
 * - `squatted-key`: a stranger is the operator of our key, by a deposit that was lost
 * - `burnt-deposit`: our own first deposit was lost; we are the operator, consensus does not know the key
 * - `exited-key`: our key was a validator, lost its place and was paid out
 * - `outbid-while-active`: once our validator has been active for an epoch, somebody adds 290,000 to 10,000
 * - `outbid-at-night`: the same, three minutes after our validator is active, so that a guard can be armed before
 * - `node-stops`: once our validator has been active for an epoch, its node answers nothing for five epochs
 * - `troubles-while-active`: once our validator has been active for an epoch, it misses blocks, and an operator change is
 *   queued and cancelled
 * - `pool-validator`: our key is a staking pool's validator, and somebody adds stake to it directly once the last step is read
 */
function scenario(name: ScenarioName, seed: string, fresh: RehearsalValidatorKey): Scenario {
  const base: Scenario = {
    name,
    validatorSetCap: CAP,
    withdrawabilityDelayEpochs: DELAY_EPOCHS,
    validators: ranked(seed, CAP, LAST_PLACE),
    lostDeposit: undefined,
    rival: undefined,
    freshIsPools: false,
    silentSlots: undefined,
    troubles: false,
    asOnMainnet: false,
    warmupSlots: 2,
  }
  const lost: LostDeposit = { sender: 'user', amountGwei: tokens(10_000n) }
  switch (name) {
    case 'set-full':
      return base
    case 'as-on-mainnet':
      return { ...base, asOnMainnet: true }
    case 'free-places':
      return { ...base, validators: base.validators.slice(0, CAP - 3) }
    case 'tie-at-the-last-place':
      return { ...base, validators: withTie(seed, base.validators, fresh.pubkey) }
    case 'squatted-key':
      return { ...base, lostDeposit: { ...lost, sender: 'stranger' } }
    case 'burnt-deposit':
      return { ...base, lostDeposit: lost }
    case 'exited-key':
      return {
        ...base,
        validators: [...base.validators, { key: fresh, amountGwei: THRESHOLD }],
        warmupSlots: 58,
      }
    case 'node-stops':
      return { ...base, silentSlots: SILENT_SLOTS }
    case 'troubles-while-active':
      return { ...base, troubles: true }
    case 'pool-validator': {
      const { pubkey } = fresh
      const gift: Rival = { pubkey, topUpGwei: STEP, after: 'arrival', laterSlots: GIFT_SLOTS }
      const validators = [...base.validators.slice(0, -1), { key: fresh, amountGwei: LAST_PLACE }]
      return { ...base, validators, rival: gift, freshIsPools: true }
    }
    case 'outbid-while-active':
    case 'outbid-at-night': {
      const key = validatorKey(seed, 'rival')
      const laterSlots = name === 'outbid-at-night' ? NIGHT_SLOTS : 0n
      return {
        ...base,
        validators: [...base.validators, { key, amountGwei: STEP }],
        rival: { pubkey: key.pubkey, topUpGwei: RIVAL_TOP_UP, after: 'active', laterSlots },
      }
    }
  }
}

const genesisKey = (seed: string, place: number) => validatorKey(seed, `genesis/${place}`)

/** Places from rich to poor, the last one at `lastPlace`, with growing gaps of whole increments between them. */
function ranked(seed: string, places: number, lastPlace: Gwei): ScenarioValidator[] {
  return Array.from({ length: places }, (_, place) => {
    const steps = BigInt(places - 1 - place)
    const amountGwei = lastPlace + STEP * (steps + (steps * (steps + 1n)) / 2n)
    return { key: genesisKey(seed, place), amountGwei }
  })
}

function withTie(seed: string, places: readonly ScenarioValidator[], ours: Hex): ScenarioValidator[] {
  return [...places.slice(0, -1), { key: keyAbove(seed, ours), amountGwei: THRESHOLD }]
}

/** The first key of the seed that is larger than ours, for at equal stake the smaller key goes. */
function keyAbove(seed: string, ours: Hex): RehearsalValidatorKey {
  for (let attempt = 0; attempt < 4096; attempt += 1) {
    const key = validatorKey(seed, `tie/${attempt}`)
    if (key.pubkey > ours) return key
  }
  throw rehearsalError('devnet.refused', 'This seed gives a public key that no other one is larger than.', [
    'Choose another --seed.',
  ])
}

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
    keys: keysOf([
      fresh,
      validatorKey(seed, SECOND_NODE),
      ...story.validators.map(({ key }) => key),
      ...genesis.deposits.map((_, place) => genesisKey(seed, place)),
    ]),
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
