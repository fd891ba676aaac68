/** What changed under a word, what is not known now, and what to do about either. */
export const DESK_TEXT = {
  changed: (changes: readonly string[]) => `Changed since you opened this: ${changes.join('; ')}.`,
  /** Behind it, at a desk with keys and at one of lines. */
  anew: { keys: 'Nothing was sent. Esc shows it anew.', lines: 'Nothing was sent. Enter shows it anew.' },
  readAnew: 'read it anew',
  /** In the place of the verdict that was read. */
  verdict: {
    other: 'What you opened has changed: nothing was sent.',
    unknown: 'Not all of what you opened is known now.',
  },
  unknown: (gaps: readonly string[]) => `Not known now: ${gaps.join(', ')}. Enter waits; your letters stay.`,
  unsent: (gaps: readonly string[]) => `Not known now: ${gaps.join(', ')}. Nothing was sent; type it again.`,
  proposal: (word: string) => `Proposed now: ${word}. What you read still holds.`,
  changes: {
    gone: 'this payment is not offered any more',
    plan: 'the transaction is another one',
    signer: 'another signer signs',
    chain: 'it is another chain',
    sender: 'it is paid from another account',
    nonce: 'the account has sent another transaction',
    level: 'the place is not safe any more',
    'in-block': 'a block holds the payment already',
    key: 'the key is not as it was',
  },
  deposits: (amount: string) => `${amount} more arrived, not by this payment`,
  otherDeposit: 'another deposit for this key arrived, not by this payment',
  check: (label: string) => `${label} does not hold any more`,
  fee: (now: string, limit: string) => `the fee may be ${now} now, and was ${limit} at most`,
  stake: (now: string, before: string) => `the stake is ${now}, and was ${before}`,
  outcome: {
    'below-threshold': 'this amount does not pass the threshold any more',
    'lost-at-once': 'this amount ranks too low now',
    'drops-out': 'this amount keeps no place any more',
    tie: 'this amount only ties for the last place now',
    'keeps-place': '',
  },
  gaps: {
    world: 'the validator set',
    deposits: 'deposits for the key',
    sender: 'the paying account',
    nonce: 'its nonce',
    fee: 'the fee',
    level: 'the place',
  },
  /** Checks that have no row of their own while they hold. */
  checks: { registration: 'the registration', node: 'your node', amount: 'the amount' },
}
