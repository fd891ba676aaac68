const WORST = {
  speedUp: (fee: string) => `worst case: it takes longer all the same. It is paid once, ${fee}.`,
  cancel: 'worst case: the payment may still win: it is in a block first, and counts.',
  sendAgain: 'worst case: it takes longer. It is paid once.',
  abandon: 'worst case: a signed copy is sent all the same; it is found, and counts.',
}

/** What stands on every screen that asks for a word before money moves. Amounts come with their token. */
export const CONSENT_TEXT = {
  undo: {
    locked: (threshold: string) => `No way back: below ${threshold} of stake nothing can be taken out again.`,
    joins: (threshold: string, places: number) =>
      `No way back: at ${threshold} without a place among the ${places} the validator is out for ever (this key cannot return).`,
    exported: 'Once your wallet has signed it, nobody here can hold it back.',
    speedUp: 'No way back: whichever of the two is in a block first is the payment.',
    cancel: 'No way back: what is cancelled is not paid; another payment needs a word of its own.',
    sendAgain: 'No way back: once an endpoint has it, the next block may hold it.',
    abandon: 'No way back: what is abandoned here does not go on.',
  },
  stake: {
    first: (amount: string) => `At stake: ${amount}, which only the withdrawal address can get back.`,
    rescue: (amount: string) => `At stake: ${amount} more; what was burnt before stays lost.`,
    topUp: (amount: string, all: string) => `At stake: ${amount} more, ${all} in all.`,
    risk: (outcome: string) => `By the present set: ${outcome}.`,
    speedUp: (amount: string) => `At stake: ${amount}, once: one nonce is used once.`,
    cancel: (amount: string) => `At stake: a fee; ${amount} stays in the account if the transfer is first.`,
    sendAgain: (amount: string) => `At stake: ${amount}, once: one nonce is used once.`,
    abandon: (amount: string) => `At stake: ${amount}, if somebody has signed it after all.`,
  },
  worst: WORST,
  receivers: { contract: 'deposit contract', own: 'your own account' },
  fee: (most: string) => `fee up to ${most}`,
  /** The owners of a contract account carry the call out. */
  feeOfOwners: 'the owners pay the fee',
  noFee: 'no fee',
}
