import { type Gwei, gweiToWei } from '../../base/format/amount.ts'
import { leastLiftGwei } from '../../chain/consensus/placing.ts'
import { questionOf } from '../../chain/consensus/snapshot.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { tokensOf } from '../../chain/network/network.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import { type GuardOffer, gateOffer, type Offer } from '../../pay/desk/offer.ts'
import { signsExternally } from '../../pay/gate/nonce.ts'
import { MOST_RUNGS, mostFeeOf, RUNGS_OF_EXTERNAL, rungAmounts } from '../../pay/guard/ladder.ts'
import { shortWords, GUARD_TEXT as TEXT } from '../../pay/guard/text.ts'
import { known } from '../../view/observation.ts'
import { type TopUpState, topUpPlan } from './machine.ts'

/** What a guard is offered by: the cap on the table, and what is proven. */
export type AboutGuard = { capGwei: Gwei | undefined; facts: Facts; setup: Setup }

/** The offer of a guard by what is known now; undefined while cap or term is not chosen. */
export function guardOffer(state: TopUpState, { capGwei, facts, setup }: AboutGuard): GuardOffer | undefined {
  const { send, guard } = state
  if (capGwei === undefined || guard.untilSeconds === undefined) return undefined
  const plan = topUpPlan(capGwei, facts, setup)
  const amounts = amountsOf(state, capGwei, setup)
  if (plan === undefined || amounts === undefined) return undefined
  if (capFaultOf(state, capGwei, { facts, setup }) !== undefined) return undefined
  const gate = gateOffer(send, plan, setup)
  const money = known(send.observed.balance)
  const feeLimitWei = money && mostFeeOf(amounts.length, money.price.gasLimit)
  const isEnough =
    money && feeLimitWei !== undefined && money.balanceWei >= plan.valueWei + feeLimitWei
      ? 'proven'
      : 'refused'
  return {
    kind: 'guard',
    capGwei,
    untilSeconds: guard.untilSeconds,
    slotsToHuman: guard.slots,
    chainId: gate.chainId,
    signer: gate.signer,
    from: gate.from,
    nonce: gate.nonce,
    feeLimitWei,
    checks: {
      ...gate.checks,
      signer: gate.signer === 'contract' ? 'refused' : 'proven',
      'guard-balance': money === undefined ? 'unknown' : isEnough,
      registration: facts.registration !== undefined ? 'proven' : 'unknown',
    },
  }
}

/** The amounts that a guard of a cap would have; undefined for a cap that is none. */
export const amountsOf = ({ send }: TopUpState, capGwei: Gwei, setup: Setup) =>
  rungAmounts(capGwei, setup.network, signsExternally(send, setup) ? RUNGS_OF_EXTERNAL : MOST_RUNGS)

/** Why an amount is the cap of no guard: no whole steps, or too little to lift what counts of the stake. */
export function capFaultOf(
  state: TopUpState,
  capGwei: Gwei,
  { facts, setup }: Omit<AboutGuard, 'capGwei'>,
): string | undefined {
  const { spec, minimumDepositGwei } = setup.network
  const { fault, liftsNothing } = TEXT.fields.cap
  if (amountsOf(state, capGwei, setup) === undefined)
    return fault(tokensOf(spec.effectiveBalanceIncrementGwei, setup))
  const set = known(state.snapshot)
  const pubkey = facts.identity?.pubkey
  const leastGwei = set && pubkey && leastLiftGwei({ ...questionOf(set, spec), pubkey, minimumDepositGwei })
  return leastGwei === undefined || capGwei >= leastGwei
    ? undefined
    : liftsNothing(tokensOf(capGwei, setup), tokensOf(leastGwei, setup))
}

/** Whether the day that was typed is over, by the time of the set that was read last. */
export function dayIsPast({ guard: { untilSeconds }, snapshot }: TopUpState): boolean {
  const now = known(snapshot)?.timestampSeconds
  return untilSeconds !== undefined && now !== undefined && untilSeconds <= now
}

/** What the account lacks for what is offered, where its balance is known. */
export function offerIsShort({ send }: TopUpState, offer: GuardOffer | undefined, setup: Setup) {
  const money = known(send.observed.balance)
  if (money === undefined || offer?.feeLimitWei === undefined) return undefined
  return shortWords(gweiToWei(offer.capGwei) + offer.feeLimitWei, money.balanceWei, setup.network)
}

/** The offer to use up the nonce of the guard that is here. */
export const takeBackOffer = ({ from, nonce }: GuardStanding): Offer => ({
  kind: 'set-aside',
  from,
  nonce,
  isInBlock: false,
})
