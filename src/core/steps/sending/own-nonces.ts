import { WalletError } from '../../errors/wallet.ts'
import type { Facts, OwnNonce } from '../../facts.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { isUnsigned, isWatched } from './phases.ts'
import type { Payer, SendState } from './state.ts'

/** The nonces of one payment; none while nothing is signed or exported, and none of a contract account. */
export function ownNonces(state: SendState, payer: Payer): OwnNonce[] {
  const { prepared, mined, strays } = state
  if (prepared === undefined || prepared.contract === true || isUnsigned(state)) return []
  const { from, transaction } = prepared
  const use = isWatched(state) ? 'open' : 'used'
  const hash = mined?.hash ?? state.hash
  const made = strays.map((stray) => ({ from, nonce: stray.nonce, use, payer, hash: stray.hash }) as const)
  return [{ from, nonce: transaction.nonce, use, payer, hash }, ...made]
}

const NAMES = { deposit: 'the first deposit', topup: 'the top-up' } as const

/**
 * Why a nonce cannot be that of a new payment, whatever an endpoint says: a payment of this journal from the same
 * account has used it, or a later one, or may still. undefined where nothing is known against it.
 */
export function nonceFault(
  { from, nonce }: { from: Hex; nonce: number },
  own: readonly OwnNonce[],
): string | undefined {
  const against = own.find((one) => sameHex(one.from, from) && nonce <= one.nonce)
  if (against === undefined) return undefined
  const name = `${NAMES[against.payer]}${against.hash === undefined ? '' : ` ${against.hash}`}`
  const does = against.use === 'used' ? 'used' : 'may still use'
  return `nonce ${nonce} is offered, but ${name} ${does} nonce ${against.nonce}`
}

/** Throws a `WalletError` for a nonce that a payment of this journal has used, or may still use. */
export function requireFree(offered: { from: Hex; nonce: number }, { nonces = [] }: Facts): void {
  const fault = nonceFault(offered, nonces)
  if (fault === undefined) return
  throw new WalletError('gate-closed', 'An endpoint offers a nonce that one of your payments has.', {
    details: [fault],
    retryable: true,
    nextSteps: ['ask again', 'if it stays so, set another execution endpoint'],
  })
}
