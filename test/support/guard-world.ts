import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { ProvenSnapshot } from '../../src/core/chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../../src/core/chain/consensus/state.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../src/core/chain/network/presets.ts'
import { type GuardEvent, type GuardState, guardTransition } from '../../src/core/pay/guard/guard.ts'
import { rungAmounts } from '../../src/core/pay/guard/ladder.ts'
import {
  type EndpointLook,
  type GuardLook,
  type GuardPicture,
  guardPicture,
} from '../../src/core/pay/guard/picture.ts'
import { type GuardTerms, ladderOf } from '../../src/core/pay/guard/terms.ts'

/** The epoch at the end of which the place of `MINE` is lost, and the slot of the proven state in it. */
export const EPOCH = 50_000n
export const SLOT = EPOCH * 192n + 90n
export const NOW_SECONDS = 1_790_000_000n
export const NONCE = 5

const key = (digit: string): Hex => `0x${digit.repeat(96)}`
const payout = (digit: string): Hex => `0x01${'00'.repeat(11)}${digit.repeat(40)}`

/** The guarded validator, its payout, and the account that guards it. */
export const MINE = key('5')
export const RIVAL = key('6')
export const MY_PAYOUT = payout('5')
export const PAYER: Hex = `0x${'70'.repeat(20)}`
const OPERATOR: Hex = `0x${'0b'.repeat(20)}`
const GENESIS_HASH: Hex = `0x${'9e'.repeat(32)}`

export const setup: Setup = {
  network: { ...MAINNET, spec: { ...MAINNET.spec, validatorSetCap: 3 } },
  endpoints: { ...LOCAL_ENDPOINTS, secondExecution: 'https://second.example' },
  journalDirectory: '/state',
  lockDirectories: ['/locks'],
  outputDirectory: '/state',
}

export const validator = (pubkey: Hex, stake: bigint, over: Partial<Validator> = {}): Validator => ({
  pubkey,
  withdrawalCredentials: payout(pubkey.charAt(2)),
  effectiveBalanceGwei: tokens(stake),
  slashed: false,
  activationEligibilityEpoch: 1n,
  activationEpoch: 2n,
  exitEpoch: FAR_FUTURE_EPOCH,
  withdrawableEpoch: FAR_FUTURE_EPOCH,
  ...over,
})

/** Three places: two others, and ours at 250,000. A rival of 280,000 is queued and takes it at the end of the epoch. */
export const VALIDATORS: readonly Validator[] = [
  validator(key('1'), 400_000n),
  validator(key('2'), 300_000n),
  validator(MINE, 250_000n, { withdrawalCredentials: MY_PAYOUT }),
  validator(RIVAL, 280_000n, { activationEligibilityEpoch: EPOCH, activationEpoch: FAR_FUTURE_EPOCH }),
]

export type SetOver = {
  validators?: readonly Validator[]
  slot?: bigint
  anchors?: number
  partial?: boolean
  uncounted?: ProvenSnapshot['uncounted']
}

export function provenSet(over: SetOver = {}): ProvenSnapshot {
  const { validators = VALIDATORS, slot = SLOT, anchors = 2, partial = false, uncounted = [] } = over
  const timestampSeconds = NOW_SECONDS + (slot - SLOT) * 2n
  return {
    consensus: {
      slot,
      validators,
      balancesGwei: validators.map(({ effectiveBalanceGwei }) => effectiveBalanceGwei),
      pendingPartialWithdrawals: partial
        ? [{ validatorIndex: 2, amountGwei: tokens(1n), withdrawableEpoch: EPOCH + 200n }]
        : [],
      nextWithdrawalIndex: 0n,
      nextWithdrawalValidatorIndex: 0,
    },
    indexes: validators.map((_, at) => at),
    timestampSeconds,
    uncounted,
    unproven: undefined,
    proof: {
      slot,
      blockRoot: `0x${'aa'.repeat(32)}`,
      anchors,
      block: { number: slot + 1n, hash: `0x${'bb'.repeat(32)}`, timestampSeconds: timestampSeconds + 2n },
    },
  }
}

export function terms(over: Partial<GuardTerms> = {}): GuardTerms {
  return {
    chain: {
      executionChainId: setup.network.executionChainId,
      executionGenesisHash: GENESIS_HASH,
      genesisValidatorsRoot: setup.network.genesisValidatorsRoot,
      depositContract: setup.network.spec.depositContract,
    },
    validator: { pubkey: MINE, withdrawalCredentials: MY_PAYOUT, operator: OPERATOR },
    from: PAYER,
    nonce: NONCE,
    rungsGwei: rungAmounts(tokens(50_000n), setup.network) ?? [],
    gasLimit: 150_000n,
    untilSeconds: NOW_SECONDS + 30n * 86_400n,
    slotsToHuman: 60,
    signer: 'keystore',
    ...over,
  }
}

export const endpoint = (name: string, over: Partial<EndpointLook> = {}): EndpointLook => ({
  endpoint: name,
  chainId: setup.network.executionChainId,
  genesisHash: GENESIS_HASH,
  codeHash: setup.network.depositContractCodeHash,
  operator: OPERATOR,
  nonce: { latest: NONCE, pending: NONCE, final: NONCE },
  balanceWei: 60_000n * 10n ** 18n,
  baseFeeWei: 10n ** 9n,
  head: SLOT + 1n,
  ...over,
})

function look(over: Partial<GuardLook> = {}): GuardLook {
  return {
    atMs: 1_000_000,
    set: { snapshot: provenSet(), isRecent: true },
    endpoints: [endpoint('first'), endpoint('second')],
    forks: { isKnown: true, ahead: [] },
    otherPayment: undefined,
    dryRun: { member: 3, results: ['done', 'done'] },
    ...over,
  }
}

export const hashOf = (member: number): Hex => `0x${(member + 1).toString(16).padStart(64, '0')}`

/** How the guarded validator was registered. */
export const REGISTRATION = {
  validatorIndex: 2,
  slot: SLOT - 10_000n,
  blockRoot: `0x${'aa'.repeat(32)}`,
  balanceGwei: tokens(250_000n),
  anchors: 2,
} as const

/** A guard with nothing handed over. */
export function armed(over: Partial<GuardTerms> = {}): GuardState {
  const own = terms(over)
  const hashes = ladderOf(own).map((_, member) => hashOf(member))
  const state = guardTransition(undefined, { type: 'armed', terms: own, hashes })
  if (state === undefined) throw new Error('it was not armed')
  return state
}

/** The same with a member handed over. The endpoint that was asked last names a head far ahead of what is proven. */
export function handed(
  member: number,
  from: GuardState = armed(),
  lastBlock = EPOCH * 192n + 191n,
): GuardState {
  const isRung = member < from.hashes.length - 1
  const state = guardTransition(from, {
    type: 'handing',
    member,
    raw: '0x02',
    hash: hashOf(member),
    target: isRung ? { outAtEpoch: EPOCH + 1n, lastBlock, provenBlock: SLOT + 1n } : undefined,
    baseline: { blockNumber: SLOT + 1_000n, blockHash: `0x${'bb'.repeat(32)}`, balanceWei: 0n },
  })
  if (state === undefined || state === from) throw new Error('it was not handed over')
  return state
}

/** A guard after some events. */
export const guardAfter = (state: GuardState, ...events: readonly GuardEvent[]): GuardState =>
  events.reduce((now, event) => guardTransition(now, event) ?? now, state)

/** A block holds what has this hash. */
export const includedIn = (hash: Hex): GuardEvent => ({
  type: 'included',
  hash,
  blockNumber: SLOT + 3n,
  blockHash: `0x${'bb'.repeat(32)}`,
  feeWei: 1n,
})

/** A look of a moment in which everything holds: the human's slots are over, and 40,000 keep the place. */
export function picture(
  over: Partial<GuardLook> = {},
  {
    state = armed(),
    since = SLOT + 1n - 60n,
    own = setup,
  }: { state?: GuardState; since?: bigint; own?: Setup } = {},
): GuardPicture {
  return guardPicture(state, look(over), { setup: own, since })
}

/** What a look sees where nothing is proven. */
export const UNPROVEN: Partial<GuardLook> = { set: { unknown: 'no state' } }

/** The same where the proven set is another one. */
export const inSet = (over: SetOver): Partial<GuardLook> => ({
  set: { snapshot: provenSet(over), isRecent: true },
})

/** The same where the record of the guarded validator is another one. */
export const withMine = (change: Partial<Validator>): Partial<GuardLook> =>
  inSet({ validators: VALIDATORS.map((one, at) => (at === 2 ? { ...one, ...change } : one)) })

/** The same where the second endpoint says something else. */
export const bySecond = (over: Partial<EndpointLook>): Partial<GuardLook> => ({
  endpoints: [endpoint('first'), endpoint('second', over)],
})
