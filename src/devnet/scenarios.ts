import { devnetRefused } from '../core/base/errors/devnet.ts'
import { type Gwei, tokens } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import type { ScenarioName } from '../core/chain/network/scenario-names.ts'
import { type RehearsalValidatorKey, validatorKey } from './keys.ts'

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

export type Scenario = {
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
export function scenario(name: ScenarioName, seed: string, fresh: RehearsalValidatorKey): Scenario {
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

/** Places from rich to poor, the last one at `lastPlace`, with growing gaps of whole increments between them. */
function ranked(seed: string, places: number, lastPlace: Gwei): ScenarioValidator[] {
  return Array.from({ length: places }, (_, place) => {
    const steps = BigInt(places - 1 - place)
    const amountGwei = lastPlace + STEP * (steps + (steps * (steps + 1n)) / 2n)
    return { key: validatorKey(seed, `genesis/${place}`), amountGwei }
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
  throw devnetRefused('This seed gives a public key that no other one is larger than.', [
    'Choose another --seed.',
  ])
}
