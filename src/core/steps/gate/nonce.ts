import { nonceInUse } from '../../errors/wallet.ts'
import type { Facts, OwnNonce, Setup } from '../../facts.ts'
import { formatGwei, formatWei, gwei, gweiToWei } from '../../format/amount.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { known } from '../observation.ts'
import { candidatesOf, draftOf, includedOf, liveOf, paymentBytes } from '../payment/candidates.ts'
import type { Payer, PaymentState } from '../payment/payment.ts'
import { isUnsigned } from '../payment/sign-again.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import type { GateAnswers } from './answers.ts'

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
  throw nonceInUse(fault)
}

/**
 * What is left to pay after a payment, against what the account holds: a warning, for more may be brought later.
 * Nothing is said while the key gets no first deposit.
 */
export function wayRows({ funder, balance, key, way }: PaymentState['seen'], { network }: Setup): FactRow[] {
  const money = known(balance)
  if (way.status === 'unasked' || money === undefined || known(key)?.good !== true) return []
  const need = (value: Way) => wholeWay(money, value, { paysFees: known(funder)?.contract !== true })
  return [
    factRow({
      id: 'way',
      advice: true,
      label: 'total needed',
      observation: way,
      judge: (value) => isCovered(value, need(value)),
      say: (value) => wayWords(value, need(value), network.names.token),
      explain: {
        what: 'The first deposit, the top-up that a place in the active set needs now, and the fees of both, compared with what the account holds. This row is advice and stops nothing: you can fund the rest later.',
        who: 'The consensus model on this computer, on the present validator set.',
        later: 'Yes: the set changes with every epoch, and so does the stake that a place needs.',
      },
    }),
  ]
}

type Way = GateAnswers['way']
type Need = { allWei: bigint; shortWei: bigint }

/** The fee of the second payment is taken to be that of the first. A contract account pays none. */
function wholeWay(
  { balanceWei, neededWei, price }: GateAnswers['balance'],
  { topUpGwei = 0n }: Way,
  { paysFees }: { paysFees: boolean },
): Need {
  const feeWei = paysFees ? 2n * price.gasLimit * price.maxFeePerGasWei : 0n
  const allWei = neededWei + (topUpGwei === 0n ? 0n : gweiToWei(gwei(topUpGwei)) + feeWei)
  return { allWei, shortWei: allWei > balanceWei ? allWei - balanceWei : 0n }
}

/** What is short, or by the node’s word alone, or out of reach, is not settled. */
function isCovered({ topUpGwei, reported }: Way, { shortWei }: Need): boolean | undefined {
  return topUpGwei !== undefined && shortWei === 0n && !reported ? true : undefined
}

function wayWords({ topUpGwei, reported }: Way, { allWei, shortWei }: Need, token: string): string {
  const doubt = reported ? '; the set is reported, not proven' : ''
  if (topUpGwei === undefined) return `no amount gets a place in the active set now${doubt}`
  const all = `${formatWei(allWei)} ${token} in all`
  const topUp = topUpGwei === 0n ? 'no top-up' : `a top-up of ${formatGwei(topUpGwei)}`
  if (shortWei > 0n) return `${all}; ${formatWei(shortWei)} short for ${topUp}${doubt}`
  return `${all}, with ${topUp}: the account holds it${doubt}`
}

/** Whether an external signer signs: by choice, or because no keystore is set. */
export function signsExternally({ external }: PaymentState, { keystore }: Setup): boolean {
  return external || keystore === undefined
}

/** Whether the paying account is said and not known: by the user, or by a keystore that nobody has opened yet. */
export function accountIsSaid(state: PaymentState, setup: Setup): boolean {
  return signsExternally(state, setup) || setup.passwordDescriptor === undefined
}
