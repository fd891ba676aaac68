import { type Gwei, gweiToWei, parseGroupedTokens, type Wei } from '../../base/format/amount.ts'
import type { WholeWay } from '../../chain/consensus/propose-top-up.ts'
import type { Setup } from '../../chain/facts.ts'
import { wholeWayWei } from '../../pay/funds.ts'
import { known, type Observations } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import { SOURCES } from '../../view/sources.ts'

/** What the whole way to a place costs, and what the account that pays holds, before anything is signed. */
export type FundsAnswers = {
  way: WholeWay
  /** The fee limit of one payment, by the prices of now. */
  price: { feeWei: Wei }
  /** undefined where the setup names no account that pays. */
  account: { balanceWei: Wei } | undefined
}

/** What the answers are read by. */
export type AboutFunds = { observed: Observations<FundsAnswers>; amountGwei: Gwei; setup: Setup }

/** Returns the amount that the way begins with: what is planned or typed, else the least. */
export function firstAmount(
  { plan, accepted }: { plan: { amountGwei: Gwei } | undefined; accepted: { amount?: string } },
  { network }: Setup,
): Gwei {
  const typed = accepted.amount === undefined ? undefined : parseGroupedTokens(accepted.amount)
  return plan?.amountGwei ?? typed ?? network.minimumDepositGwei
}

/** What the whole way costs, beside a balance; undefined while a part of it is not known, or no amount is enough. */
export function fundsNeeded({ observed, amountGwei }: AboutFunds, balanceWei = 0n) {
  const [way, price] = [known(observed.way), known(observed.price)]
  if (way?.topUpGwei === undefined || price === undefined) return undefined
  const firstWei = gweiToWei(amountGwei) + price.feeWei
  const isFirstShort = balanceWei < firstWei
  return { ...wholeWayWei({ firstWei, topUpGwei: way.topUpGwei, ...price, balanceWei }), isFirstShort }
}

/** The rows say what will be needed: more can be brought until it is paid, so none of them closes anything. */
export const FUNDS_FACTS: FactTable<FundsAnswers, AboutFunds> = {
  way: {
    gate: 'told',
    advice: true,
    source: SOURCES.node,
    judge: ({ topUpGwei, reported }, { observed }) => {
      if (topUpGwei === undefined || reported) return undefined
      return settled(observed.price.status)
    },
  },
  // Said in the row above, unless nobody tells it.
  price: {
    gate: 'told',
    advice: true,
    source: SOURCES.execution,
    hasRow: ({ observed }) => observed.price.status === 'failed',
    judge: () => true,
  },
  account: {
    gate: 'told',
    advice: true,
    source: SOURCES.execution,
    judge: (account, about) => {
      const { way, price } = about.observed
      if (account === undefined) return undefined
      if (way.status === 'asking' || price.status === 'asking') return 'asking'
      const isKnown = known(way)?.reported === false
      return isKnown && fundsNeeded(about, account.balanceWei)?.shortWei === 0n ? true : undefined
    },
  },
}

function settled(status: Observations<FundsAnswers>['price']['status']): true | 'asking' | undefined {
  if (status === 'asking') return 'asking'
  return status === 'known' ? true : undefined
}
