import type { Facts, PaymentFact, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { hashesOf } from '../payment/candidates.ts'
import type { PaymentState } from '../payment/payment.ts'
import { TOPUP_TEXT } from './text.ts'

/** A deposit for the key, and who sent its transaction, where that is known. */
export type Arrival = { hash: Hex; block: bigint; amountGwei: bigint; from: Hex | undefined }

type Payments = { arrivals: readonly Arrival[]; finished: readonly PaymentFact[]; send: PaymentState }

/** The deposits for the key that no payment of this journal made, oldest first. */
export function byOthers({ arrivals, finished, send }: Payments, { deposit }: Facts): readonly Arrival[] {
  const own = [...hashesOf(send), ...send.settled, ...finished.map(({ hash }) => hash)]
  if (deposit !== undefined) own.push(deposit.hash)
  return arrivals.filter(({ hash }) => !own.some((one) => sameHex(one, hash)))
}

/** What left by another hand, a sentence for each deposit. */
export function arrivalNotes(others: readonly Arrival[], { network }: Setup): string[] {
  return others.map(({ amountGwei, block, from }) => {
    const amount = `${formatGwei(amountGwei)} ${network.names.token}`
    return TOPUP_TEXT.notes.arrived(amount, block, from?.toLowerCase())
  })
}

/** The same in the money band; nothing where all that arrived is this journal's. */
export function arrivalMoney(others: readonly Arrival[], { network }: Setup): string {
  if (others.length === 0) return ''
  const sumGwei = others.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
  return TOPUP_TEXT.money.arrived(`${formatGwei(sumGwei)} ${network.names.token}`)
}
