import { WalletError } from '../../errors/wallet.ts'
import type { Facts, OwnNonce } from '../../facts.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { candidatesOf, draftOf, includedOf, liveOf, paymentBytes } from '../payment/candidates.ts'
import type { Payer, PaymentState } from '../payment/payment.ts'
import { isUnsigned } from '../payment/sign-again.ts'

type Nonce = { from: Hex; nonce: number }

/** The nonces of the payments of one step that are used, or may still be; none of a contract account. */
export function ownNonces(state: PaymentState, payer: Payer): OwnNonce[] {
  const set = state.abandoned.filter(({ signer }) => signer !== 'contract')
  const aside = set.map(
    ({ from, transaction: { nonce } }) =>
      ({ from, nonce, use: 'abandoned', payer, hash: undefined }) as const,
  )
  const draft = draftOf(state)
  if (draft === undefined || draft.signer === 'contract' || isUnsigned(state)) return aside
  const { from, transaction } = draft
  const use = liveOf(state) === undefined ? 'used' : 'open'
  const hash = includedOf(state)?.hash ?? paymentBytes(state)?.hash
  const found = candidatesOf(state).flatMap((one) =>
    one.kind === 'found' ? [{ from, nonce: one.nonce, use, payer, hash: one.hash } as const] : [],
  )
  return [...aside, { from, nonce: transaction.nonce, use, payer, hash }, ...found]
}

const NAMES = { deposit: 'the first deposit', topup: 'the top-up' } as const
const USES = { used: 'used', open: 'may still use', abandoned: 'was abandoned and may still use' } as const

/**
 * Why a nonce cannot be that of a new payment, whatever an endpoint says: a payment of this journal from the same account
 * has used it, or a later one, or may still. The nonce of an abandoned draft may be taken, so that only one of the two can
 * happen; one below it may not, for then both could. undefined where nothing is known against it.
 */
export function nonceFault({ from, nonce }: Nonce, own: readonly OwnNonce[]): string | undefined {
  const against = own.find(
    (one) => sameHex(one.from, from) && (one.use === 'abandoned' ? nonce < one.nonce : nonce <= one.nonce),
  )
  if (against === undefined) return undefined
  const name = `${NAMES[against.payer]}${against.hash === undefined ? '' : ` ${against.hash}`}`
  return `the endpoint names nonce ${nonce}, but ${name} ${USES[against.use]} nonce ${against.nonce}`
}

/**
 * The nonce of a new draft: the account's next one, or that of an abandoned draft where that is higher. Then only one of the
 * two can happen, and the payment waits until the nonces before it are used.
 */
export function nonceFor({ abandoned }: PaymentState, { from, nonce }: Nonce): number {
  const own = abandoned.filter((draft) => draft.signer !== 'contract' && sameHex(draft.from, from))
  return Math.max(nonce, ...own.map(({ transaction }) => transaction.nonce))
}

/** Throws a `WalletError` for a nonce that a payment of this journal has used, or may still use. */
export function requireFree(offered: Nonce, { nonces = [] }: Facts): void {
  const fault = nonceFault(offered, nonces)
  if (fault === undefined) return
  throw new WalletError('gate-closed', 'An endpoint names a nonce that one of your payments uses.', {
    details: [fault],
    retryable: true,
    nextSteps: ['ask again', 'if it stays so, set another execution endpoint'],
  })
}
