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

/** Builds the offer of a paying step from the replies of the gate. */
export function gateOffer(
  state: PaymentState,
  plan: PaymentPlan,
  setup: Setup,
): Omit<PaymentOffer, 'kind' | 'level' | keyof OfferedState> {
  const { observed } = state
  const sender = known(observed.sender)
  const latest = known(observed.nonce)?.latest
  const price = known(observed.balance)?.price
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
    checks: neededMarks(GATE_FACTS, observed, { observed, setup }),
  }
}

/** Returns the terms agreed to besides the plan and the key's state; undefined where a part of them is unknown. */
export function termsOf({
  from,
  nonce,
  feeLimitWei: limit,
  deposits,
}: PaymentOffer): AgreedTerms | undefined {
  if (from === undefined || limit === undefined || deposits === undefined) return undefined
  return { from, nonce, feeLimitWei: limit, deposits: deposits.map(({ hash }) => hash) }
}

/** Builds the offer of a replacement for the live payment; undefined where there is no live payment. */
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

/** Builds the offer to set aside an exported payment; undefined where no payment is under way. */
export function setAsideOffer(state: PaymentState): SetAsideOffer | undefined {
  const live = liveOf(state)
  const draft = draftOf(state)
  if (live === undefined || draft === undefined) return undefined
  const { from, transaction } = draft
  return { kind: 'set-aside', from, nonce: transaction.nonce, isInBlock: live.included !== undefined }
}

/** Builds the offer about the payment under way from the present state; undefined where it is no longer possible. */
export function paymentOffer(
  state: PaymentState,
  opened: ReplacementOffer | SetAsideOffer,
  about: OfferedState,
): Offer | undefined {
  return opened.kind === 'set-aside' ? setAsideOffer(state) : replacementOffer(state, opened, about)
}
