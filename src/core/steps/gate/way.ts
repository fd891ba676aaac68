import type { Setup } from '../../facts.ts'
import { formatGwei, formatWei, gwei, gweiToWei } from '../../format/amount.ts'
import { known } from '../observation.ts'
import type { PaymentState } from '../payment/payment.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import type { GateAnswers } from './answers.ts'

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
