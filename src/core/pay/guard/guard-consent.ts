import { type Gwei, type Wei, weiToGwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { isActive } from '../../chain/consensus/state.ts'
import { isPoolValidator } from '../../chain/network/pools.ts'
import { displacedIn } from './forecasts.ts'
import { handedMember, isCancelling, mayHand } from './guard.ts'
import {
  boundarySeconds,
  byEach,
  forksBetween,
  type Held,
  heldIf,
  isLeaving,
  nonceIsFree,
  secondsOf,
} from './judged.ts'
import type { GuardPicture } from './picture.ts'
import { latestSlotsBefore } from './terms.ts'

/** A row of what a guard may do. */
export type ConsentRow = { id: string; name: string; holds: (picture: GuardPicture) => Held }

/**
 * A rung goes out only if every one of these holds, all of it asked anew in this slot and by every endpoint. One that does
 * not, or is unknown, keeps all rungs where they are.
 */
export const SENDS_ONLY_IF = [
  {
    id: 'proven',
    name: 'as many endpoints as are needed hold the root of the set, the record and the waiting deposits',
    holds: ({ proven }) => heldIf(proven === undefined ? undefined : !('unknown' in proven.uncounted)),
  },
  {
    id: 'active',
    name: 'the validator is active and not leaving',
    holds: ({ own }) =>
      heldIf(
        own && isActive(own.validator, own.epoch) && !own.validator.slashed && !isLeaving(own.validator),
      ),
  },
  {
    id: 'no-partial',
    name: 'no part of its stake waits to be paid out',
    holds: ({ proven, own }) =>
      heldIf(
        proven &&
          own &&
          !proven.consensus.pendingPartialWithdrawals.some(
            ({ validatorIndex }) =>
              proven.consensus.validators[validatorIndex]?.pubkey === own.validator.pubkey,
          ),
      ),
  },
  {
    id: 'credentials',
    name: 'its credentials are those that were agreed to, and no pool’s',
    holds: ({ own, state, setup }) => {
      if (own === undefined) return 'unknown'
      const { withdrawalCredentials } = own.validator
      const isAgreed = sameHex(withdrawalCredentials, state.terms.validator.withdrawalCredentials)
      return heldIf(isAgreed && !isPoolValidator(withdrawalCredentials, setup.network))
    },
  },
  {
    id: 'operator',
    name: 'every endpoint names the operator that was agreed to',
    holds: byEach(({ operator }, { state }) => sameHex(operator, state.terms.validator.operator)),
  },
  {
    id: 'chain',
    name: 'every endpoint is of the chain that was agreed to, by its id and its first block, and the set by its genesis',
    holds: (picture) => {
      const { chain } = picture.state.terms
      if (!sameHex(chain.genesisValidatorsRoot, picture.setup.network.genesisValidatorsRoot)) return 'no'
      return byEach(
        ({ chainId, genesisHash }) =>
          chainId === chain.executionChainId && sameHex(genesisHash, chain.executionGenesisHash),
      )(picture)
    },
  },
  {
    id: 'contract',
    name: 'every endpoint has the known code at the deposit contract',
    holds: byEach(({ codeHash }, { setup }) => sameHex(codeHash, setup.network.depositContractCodeHash)),
  },
  {
    id: 'rules',
    name: 'the rules in force are known, and no fork comes before the boundary',
    holds: (picture) => {
      const { forks } = picture.look
      const endSeconds = boundarySeconds(picture)
      const now = picture.proven?.timestampSeconds
      if (forks === undefined || endSeconds === undefined || now === undefined) return 'unknown'
      return heldIf(forks.isKnown && !forksBetween(picture, now, endSeconds))
    },
  },
  {
    id: 'nonce',
    name: 'the nonce is free at every endpoint, and no pool has another transaction with it',
    holds: (picture) => nonceIsFree(picture, { isInPool: picture.waiting !== undefined }),
  },
  {
    id: 'needed',
    name: 'the place is lost if nothing is added, with every deposit that waits',
    holds: ({ need }) => {
      if (need.is === 'unknown') return 'unknown'
      return heldIf(need.is === 'out')
    },
  },
  {
    id: 'keeps',
    name: 'the forecast says that a rung keeps the place, at a fee that a block of now takes',
    holds: ({ need, choice }) => {
      if (need.is === 'unknown') return 'unknown'
      return heldIf(choice !== undefined)
    },
  },
  {
    id: 'own-validators',
    name: 'no validator with the same payout address loses its place by it',
    holds: (picture) => {
      const { proven, choice, state, setup } = picture
      if (proven === undefined || choice === undefined) return 'unknown'
      const { pubkey, withdrawalCredentials } = state.terms.validator
      const about = { pubkey, network: setup.network }
      const displaced = displacedIn(proven, about, weiToGwei(choice.rung.transaction.valueWei))
      return heldIf(!displaced.some((one) => sameHex(one.withdrawalCredentials, withdrawalCredentials)))
    },
  },
  {
    id: 'in-term',
    name: 'the last block that counts is within the term, by the time of the chain',
    holds: (picture) => {
      const { choice, state } = picture
      const atSeconds = choice && secondsOf(picture, choice.lastBlock)
      return heldIf(atSeconds === undefined ? undefined : atSeconds <= state.terms.untilSeconds)
    },
  },
  {
    id: 'due',
    name: 'the proven blocks that were left to the human are over',
    holds: ({ block, choice, state, setup, since }) => {
      if (block === undefined || choice === undefined) return 'unknown'
      if (since === undefined) return 'no'
      const latest = choice.lastBlock - latestSlotsBefore(setup.network)
      const own = since + BigInt(state.terms.slotsToHuman)
      return heldIf(block >= (own < latest ? own : latest))
    },
  },
  {
    id: 'balance',
    name: 'every endpoint says that the account can pay value and fee',
    holds: (picture) => {
      const { choice } = picture
      if (choice === undefined) return 'unknown'
      const { valueWei, gasLimit, maxFeePerGasWei } = choice.rung.transaction
      return byEach(({ balanceWei }) => balanceWei >= valueWei + gasLimit * maxFeePerGasWei)(picture)
    },
  },
  {
    id: 'alone',
    name: 'no payment for the validator from another account is open here',
    holds: ({ look: { otherPayment } }) =>
      otherPayment === 'unknown' ? 'unknown' : heldIf(otherPayment === undefined),
  },
  {
    id: 'not-over',
    name: 'nothing of the nonce is in a block, and the cancellation was not sent',
    holds: ({ state, choice }) =>
      isCancelling(state) ? 'no' : heldIf(choice && mayHand(state, choice.member)),
  },
  {
    id: 'dry-run',
    name: 'every endpoint carries out its exact gas, value and data without a block',
    holds: ({ look: { dryRun, endpoints, facts }, choice }) => {
      if (dryRun === undefined || choice === undefined || dryRun.member !== choice.member) return 'unknown'
      if (dryRun.results.includes('refused')) return 'no'
      const isHeard = dryRun.results.length === endpoints.length && !dryRun.results.includes('unknown')
      return isHeard || (facts !== undefined && dryRun.results.includes('done')) ? 'yes' : 'unknown'
    },
  },
] as const satisfies readonly ConsentRow[]

/** Without these the amount that waits may be given out once more: it was chosen by them, and is held to its choice below. */
const STAYS_WITHOUT: readonly string[] = [
  'due',
  'not-over',
  'in-term',
  'keeps',
  'own-validators',
  'dry-run',
  'balance',
]

/**
 * By itself a guard cancels the amount that waits only if one of these is proven by as many endpoints as are needed, and the
 * nonce is free at every one.
 */
export const CANCELS_ONLY_IF = [
  {
    id: 'too-late',
    name: 'the last block that counts has passed, and no rung that waits keeps the place any more',
    holds: ({ block, state: { target }, need, choice, waiting }) => {
      if (block === undefined || target === undefined || need.is === 'unknown') return 'unknown'
      return heldIf(block > target.lastBlock && choice?.member !== waiting)
    },
  },
  {
    id: 'leaving',
    name: 'the validator is leaving',
    holds: ({ need }) => (need.is === 'unknown' ? 'unknown' : heldIf(need.is === 'leaving')),
  },
  {
    id: 'saved',
    name: 'the validator keeps its place without what waits',
    holds: ({ need }) => (need.is === 'unknown' ? 'unknown' : heldIf(need.is === 'kept')),
  },
] as const satisfies readonly ConsentRow[]

export type SendRowId = (typeof SENDS_ONLY_IF)[number]['id']

/** The rows that keep a rung from being sent, with whether they are bad or only unknown. */
export function keptBackBy(picture: GuardPicture): readonly { id: SendRowId; held: 'no' | 'unknown' }[] {
  return SENDS_ONLY_IF.flatMap(({ id, holds }) => {
    const held = holds(picture)
    return held === 'yes' ? [] : [{ id, held }]
  })
}

/**
 * Why the bytes of the amount that was handed over last are not given out again in this slot; undefined where they may be.
 * One that keeps the place no more would only use the nonce up.
 */
export function notAgainBy(picture: GuardPicture): SendRowId | undefined {
  const against = keptBackBy(picture).find(({ id }) => !STAYS_WITHOUT.includes(id))
  if (against !== undefined) return against.id
  return picture.choice?.member === handedMember(picture.state) ? undefined : 'keeps'
}

/** Why the amount that waits is cancelled now; undefined where it is not. */
export function cancelledBy(picture: GuardPicture): (typeof CANCELS_ONLY_IF)[number]['id'] | undefined {
  const { waiting, state } = picture
  if (waiting === undefined || isCancelling(state)) return undefined
  if (nonceIsFree(picture, { isInPool: true }) !== 'yes') return undefined
  return CANCELS_ONLY_IF.find(({ holds }) => holds(picture) === 'yes')?.id
}

/** What the word `guard` agrees to. */
export type GuardAgreed = {
  capGwei: Gwei
  untilSeconds: bigint
  slotsToHuman: number
  from: Hex
  nonce: number
  /** The most that any member may cost. */
  feeLimitWei: Wei
}
