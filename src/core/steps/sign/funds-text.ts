import { formatGwei, formatWei } from '../../base/format/amount.ts'
import type { FactTexts } from '../../view/rows.ts'
import { type AboutFunds, type FundsAnswers, fundsNeeded } from './funds.ts'

const tokenOf = ({ setup }: AboutFunds) => setup.network.names.token
const SET_CHANGES = 'Yes: the set changes with every epoch, and so does the stake that a place needs.'

type Place = NonNullable<FundsAnswers['way']['place']>

function placeText({ rank, places, cutoffGwei }: Place): string {
  const place = `; place ${rank} of ${places}`
  return cutoffGwei === undefined ? place : `${place}, cutoff ${formatGwei(cutoffGwei)}`
}

/** What is said of the money for the whole way. */
export const FUNDS_TEXT: FactTexts<FundsAnswers, AboutFunds> = {
  way: {
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
      later: SET_CHANGES,
    },
  },
  price: {
    label: 'fees',
    say: ({ feeWei }, about) => `up to ${formatWei(feeWei)} ${tokenOf(about)} for each payment`,
    explain: {
      what: 'The fee limit of each of the two payments: twice what the network asks for now.',
      who: 'The execution endpoints.',
      later: 'Yes, with every block. Step 4 asks again.',
    },
  },
  account: {
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
