import {
  formatGwei,
  formatWei,
  type Gwei,
  gweiToWei,
  parseTokens,
  type Wei,
} from '../../base/format/amount.ts'
import type { WholeWay } from '../../chain/consensus/propose-top-up.ts'
import type { Setup } from '../../chain/facts.ts'
import { wholeWayWei } from '../../pay/funds.ts'
import { known, type Observations, SOURCES } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'

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
  const typed = accepted.amount === undefined ? undefined : parseTokens(accepted.amount)
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

const tokenOf = ({ setup }: AboutFunds) => setup.network.names.token

function placeText({ rank, places, cutoffGwei }: NonNullable<FundsAnswers['way']['place']>): string {
  const place = `; place ${rank} of ${places}`
  return cutoffGwei === undefined ? place : `${place}, cutoff ${formatGwei(cutoffGwei)}`
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
    label: 'total needed',
    say: ({ topUpGwei, place, reported }, about) => {
      const token = tokenOf(about)
      const doubt = reported ? '; the set is reported, not proven' : ''
      if (topUpGwei === undefined) return `no amount gets a place in the active set now${doubt}`
      const needed = fundsNeeded(about)
      const stakes = `${formatGwei(about.amountGwei + topUpGwei)} ${token} and the fees`
      const all = needed === undefined ? stakes : `${formatWei(needed.allWei)} ${token} with fees`
      const topUp = topUpGwei === 0n ? ', no top-up' : ` + top-up ${formatGwei(topUpGwei)}`
      const parts = `${formatGwei(about.amountGwei)}${topUp}`
      return `${all}: ${parts}${place === undefined ? '' : placeText(place)}${doubt}`
    },
    explain: {
      what: 'What it takes to get a place in the active set now: the first deposit that you sign here, the top-up of step 6, and the fee limit of each. The cutoff is the stake of the strongest validator that you must pass.',
      who: 'The consensus model on this computer, on the present validator set; the fees by the execution endpoint.',
      later: 'Yes: the set changes with every epoch, and so does the stake that a place needs.',
    },
  },
  // Said in the row above, unless nobody tells it.
  price: {
    gate: 'told',
    advice: true,
    source: SOURCES.execution,
    hasRow: ({ observed }) => observed.price.status === 'failed',
    judge: () => true,
    label: 'fees',
    say: ({ feeWei }, about) => `up to ${formatWei(feeWei)} ${tokenOf(about)} for each payment`,
    explain: {
      what: 'The fee limit of each of the two payments: twice what the network asks for now.',
      who: 'The execution endpoints.',
      later: 'Yes, with every block. Step 4 asks again.',
    },
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
    label: 'paying account',
    say: (account, about) => {
      if (account === undefined) return 'not known yet: step 4 asks for the paying account'
      const holds = `holds ${formatWei(account.balanceWei)} ${tokenOf(about)}`
      const needed = fundsNeeded(about, account.balanceWei)
      if (needed === undefined) return holds
      if (needed.shortWei === 0n) return `${holds}: enough`
      const short = `${holds}: ${formatWei(needed.shortWei)} short of all`
      return needed.isFirstShort
        ? `${short}, and short of the first deposit`
        : `${short}, enough for the first deposit`
    },
    explain: {
      what: 'What the account of the keystore holds, compared with the total. A first deposit below the activation threshold cannot be taken back, and earns nothing until the top-up follows. So look whether you have the whole amount before you sign. This row is advice and stops nothing: you can fund the rest later, and another account may pay.',
      who: 'The execution endpoint.',
      later: 'Yes. It is checked once more right before each payment.',
    },
  },
}

function settled(status: Observations<FundsAnswers>['price']['status']): true | 'asking' | undefined {
  if (status === 'asking') return 'asking'
  return status === 'known' ? true : undefined
}
