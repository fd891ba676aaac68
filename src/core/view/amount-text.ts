/** What is said of an amount that is more than the least, or whose stake is no whole step. Amounts without their token. */
export const AMOUNT_TEXT = {
  aboveLeast: (amount: string, least: string) => ({
    label: 'above the least',
    value: `the least is ${least}: one refused call would lose all ${amount}`,
    explain: {
      what: 'A first deposit that the chain refuses is lost, whatever its amount. The least registers the key; the rest can follow as a top-up, once the chain is proven to know the validator. So more than the least puts more at risk and gains nothing but time.',
      who: 'This computer, from the amount and the least that the deposit contract takes.',
      later: 'Yes: sign another amount.',
    },
  }),
  steps: (stake: {
    balance: string
    effective: string
    rest: string
    step: string
    /** What the least stake that counts as more counts as. */
    next: string
    least: string
  }) => ({
    label: `steps of ${stake.step}`,
    value: `${stake.balance} counts as ${stake.effective}: ${stake.rest} buys nothing; the least for ${stake.next} is ${stake.least}`,
    explain: {
      what: 'The chain counts a stake in whole steps of the effective balance: ranks, power and the threshold know nothing between two steps. What is over stays in the balance. What counts rises only when the stake is clearly above it (hysteresis): before Fulu by more than one and a quarter steps, from Fulu on as soon as the next step is full.',
      who: 'This computer, by the rules of the chain.',
      later: 'Yes: a top-up can fill the step.',
    },
  }),
}
