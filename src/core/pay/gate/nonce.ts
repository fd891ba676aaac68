import { walletError } from '../../base/errors/wallet.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { Facts, OwnNonce, Setup } from '../../chain/facts.ts'
import { candidatesOf, draftOf, includedOf, liveOf, paymentBytes } from '../payment/candidates.ts'
import type { PayingStep, PaymentState } from '../payment/payment.ts'
import { isUnsigned } from '../payment/sign-again.ts'
import { GATE_TEXT } from './text.ts'

type Nonce = { from: Hex; nonce: number }

/** Returns the nonces of the payments of one step that are used, or may still be; none of a contract account. */
export function ownNonces(state: PaymentState, step: PayingStep): OwnNonce[] {
  const set = state.abandoned.filter(({ signer }) => signer !== 'contract')
  const aside = set.map(
    ({ from, transaction: { nonce } }) => ({ from, nonce, use: 'abandoned', step, hash: undefined }) as const,
  )
  const draft = draftOf(state)
  if (draft === undefined || draft.signer === 'contract' || isUnsigned(state)) return aside
  const { from, transaction } = draft
  const use = liveOf(state) === undefined ? 'used' : 'open'
  const hash = includedOf(state)?.hash ?? paymentBytes(state)?.hash
  const found = candidatesOf(state).flatMap((one) =>
    one.kind === 'found' ? [{ from, nonce: one.nonce, use, step, hash: one.hash } as const] : [],
  )
  return [...aside, { from, nonce: transaction.nonce, use, step, hash }, ...found]
}

/**
 * Why a nonce cannot be that of a new payment, whatever an endpoint says: a payment of this journal from the same account
 * has used it, or a later one, or may still. The nonce of an abandoned draft may be taken, so that only one of the two can
 * happen; one below it may not, for then both could. undefined where nothing is known against it.
 */
export function nonceFault({ from, nonce }: Nonce, own: readonly OwnNonce[]): string | undefined {
  const against = own.find(
    (one) => sameHex(one.from, from) && (one.use === 'abandoned' ? nonce < one.nonce : nonce <= one.nonce),
  )
  return against && GATE_TEXT.nonceTaken(nonce, against)
}

/**
 * The nonce of a new draft: the account's next one, or that of an abandoned draft where that is higher. Then only one of the
 * two can happen, and the payment waits until the nonces before it are used.
 */
export function nonceFor({ abandoned }: PaymentState, { from, nonce }: Nonce): number {
  const own = abandoned.filter((draft) => draft.signer !== 'contract' && sameHex(draft.from, from))
  return Math.max(nonce, ...own.map(({ transaction }) => transaction.nonce))
}

/** Throws a `wallet.*` error for a nonce that a payment of this journal has used, or may still use. */
export function requireFree(offered: Nonce, { nonces = [] }: Facts): void {
  const fault = nonceFault(offered, nonces)
  if (fault !== undefined) throw walletError('wallet.gate-closed', { nonceFault: fault })
}

/** Whether an external signer signs: by choice, or because no keystore is set. */
export function signsExternally({ external }: PaymentState, { keystore }: Setup): boolean {
  return external || keystore === undefined
}

/** Whether the paying account is said and not known: by the user, or by a keystore that nobody has opened yet. */
export function accountIsSaid(state: PaymentState, setup: Setup): boolean {
  return signsExternally(state, setup) || setup.passwordDescriptor === undefined
}
