import type { Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import { neededMarks } from '../../view/rows.ts'
import { feeLimitWei } from '../funds.ts'
import type { AgreedTerms } from '../gate/consent.ts'
import { GATE_FACTS } from '../gate/facts.ts'
import { nonceFor, signsExternally } from '../gate/nonce.ts'
import { draftOf, liveOf } from '../payment/candidates.ts'
import type { PaymentPlan, PaymentState } from '../payment/payment.ts'
import { mayReplaceBy } from '../payment/sign-again.ts'
import type { Offer, OfferedState, PaymentOffer, ReplacementOffer, SetAsideOffer } from './offer.ts'

/** What an offer of either paying step says by the answers of the gate. */
export function gateOffer(
  state: PaymentState,
  plan: PaymentPlan,
  setup: Setup,
): Omit<PaymentOffer, 'kind' | 'level' | keyof OfferedState> {
  const { seen } = state
  const sender = known(seen.sender)
  const latest = known(seen.nonce)?.latest
  const price = known(seen.balance)?.price
  const own = signsExternally(state, setup) ? 'external' : 'keystore'
  const from = sender?.address
  const isContract = sender?.contract === true
  return {
    plan,
    signer: isContract ? 'contract' : own,
    chainId: setup.network.executionChainId,
    from,
    nonce:
      isContract || from === undefined || latest === undefined
        ? undefined
        : nonceFor(state, { from, nonce: latest }),
    feeLimitWei: isContract ? 0n : price && feeLimitWei(price),
    checks: neededMarks(GATE_FACTS, seen, { seen, setup }),
  }
}

/** What is agreed to with an offer beside its plan and its world; undefined where a part of it is not known. */
export function termsOf({
  from,
  nonce,
  feeLimitWei: limit,
  deposits,
}: PaymentOffer): AgreedTerms | undefined {
  if (from === undefined || limit === undefined || deposits === undefined) return undefined
  return { from, nonce, feeLimitWei: limit, deposits: deposits.map(({ hash }) => hash) }
}

/** The offer of another transaction in the place of the live payment; undefined where there is none. */
export function replacementOffer(
  state: PaymentState,
  { kind, transaction }: Pick<ReplacementOffer, 'kind' | 'transaction'>,
  about: OfferedState,
): ReplacementOffer | undefined {
  const live = liveOf(state)
  if (live === undefined) return undefined
  const { nonce } = live.draft.transaction
  return {
    kind,
    transaction: { ...transaction, nonce },
    isInBlock: live.included !== undefined,
    mayReplace: mayReplaceBy(state, { kind, transaction }),
    ...about,
  }
}

/** The offer to set aside what was exported; undefined where nothing is under way. */
export function setAsideOffer(state: PaymentState): SetAsideOffer | undefined {
  const live = liveOf(state)
  const draft = draftOf(state)
  if (live === undefined || draft === undefined) return undefined
  const { from, transaction } = draft
  return { kind: 'set-aside', from, nonce: transaction.nonce, isInBlock: live.included !== undefined }
}

/** An offer about a payment that is under way, over the state of now; undefined where it can be made no more. */
export function underWayOffer(
  state: PaymentState,
  opened: Exclude<Offer, PaymentOffer>,
  about: OfferedState,
): Offer | undefined {
  return opened.kind === 'set-aside' ? setAsideOffer(state) : replacementOffer(state, opened, about)
}
