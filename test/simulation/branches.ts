/** What a run of a thousand seeds must have come to, each at least once; else the run says nothing about it and fails. */
export const BRANCHES = {
  // The disk
  'write-lost': 'the power took a write that was never synced',
  'torn-line-cut': 'a journal was opened whose last line was torn',
  'disk-eio': 'the disk answered EIO',
  'disk-enospc': 'the disk answered ENOSPC',
  'disk-emfile': 'the disk answered EMFILE',
  'disk-erofs': 'the disk answered EROFS',
  'disk-trouble-during-payment': 'the disk failed while a payment was under way',
  'journal-resumed': 'a journal with events in it was opened',
  'journal-poisoned': 'an event could not be written, and the session ended',
  // Processes
  'died-at-write': 'a process ended at a write',
  'died-at-sync': 'a process ended at a sync',
  'died-at-rename': 'a process ended at a rename',
  'died-at-signature': 'a process ended with a signature',
  'died-at-broadcast': 'a process ended while bytes left',
  'died-at-answer': 'a process ended at another answer',
  'second-instance-refused': 'a second instance was refused',
  // The clock
  'clock-jumped': 'the clock of the computer jumped',
  'clock-stood': 'the clock of the computer stood still',
  // The chain
  'reorg-of-our-payment': 'a block with our payment was replaced',
  'payment-orphaned': 'the program saw its block vanish',
  'chain-halted': 'no block came for a while',
  'pools-forgotten': 'every pool forgot what it had',
  'nonce-used-by-hand': 'the account sent something else',
  'stranger-topped-up': 'somebody else topped the key up',
  // Endpoints
  'lie-of-execution': 'the first execution endpoint lied',
  'lie-of-second': 'the second execution endpoint lied',
  'lie-of-node': 'the node lied',
  'lie-of-engine': 'the engine lied',
  'endpoint-refused': 'an endpoint refused',
  'endpoint-silent': 'an endpoint was silent',
  'endpoint-died': 'an endpoint died with its answer',
  // The payment
  'word-let-go': 'a word was typed, and counted',
  'offer-changed': 'the offer changed under the word',
  'signed-elsewhere': 'another wallet signed, and its bytes were brought',
  'ended-paid': 'a payment ended paid',
  'ended-cancelled': 'a payment ended cancelled',
  'ended-nonce-taken': 'another transaction took the nonce',
  'replacement-mined': 'a replacement is in the chain',
  'password-refused': 'no password was typed',
  'held-back': 'signed bytes were held back',
  // The guard
  'rival-outbid': 'somebody has bid for the place',
  'guard-armed': 'a guard was armed',
  'guard-sent': 'a guard has sent an amount',
  'guard-sent-by-watch': 'a watch has sent the amount of a guard',
  'guard-climbed': 'a larger amount of a guard took the place of another',
  'guard-resumed': 'a guard was held that an earlier process had sent an amount of',
  'guard-died': 'a process ended while it gave the bytes of a guard out',
  'guard-saved': 'the amount of a guard is in a block, and the place was kept',
  'guard-cancelled': 'the cancellation of a guard was sent',
  'guard-void': 'something else took the nonce of a guard',
  'guard-nonce-lied': 'a guard was due while an endpoint lied',
  // The watch
  'alarm-delivered': 'an alarm arrived',
  'alarm-after-restart': 'an alarm arrived that an earlier process had told',
  'webhook-failed': 'the service of the alarms failed',
} as const

export type Branch = keyof typeof BRANCHES
