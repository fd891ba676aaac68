import type { Setup } from '../../chain/facts.ts'
import { tokensOf } from '../../chain/network/network.ts'

/** What is said on the page of leaving. */
export const STATUS_LEAVE_TEXT = {
  key: 'leave',
  wayOut: 'the way out',
  title: 'Leave, whole or in part',
  intro: (setup: Setup) =>
    `Only the withdrawal address can ask for it. The exit is for ever; a part is what lies above ${tokensOf(setup.network.spec.activationBalanceGwei, setup)}.`,
  keys: {
    part: 'a part',
    whole: 'the exit',
    save: 'save for the wallet',
    again: 'ask again',
    cancelGuard: 'cancel the guard',
    status: 'status',
  },
  part: {
    label: 'part',
    hint: 'so many tokens, such as 10,000',
    explain: {
      what: 'How much of the stake is asked for. The chain pays at most what lies above the threshold, and cuts a request to that.',
      who: 'You.',
      later: 'Yes, until the wallet sends the request.',
    },
  },
  worst: 'this program sends nothing; what your wallet sends cannot be taken back.',
  verdict: {
    asking: 'Every endpoint is asked …',
    nothingAsked: 'Nothing is asked for yet: p is for a part, w for the exit.',
  },
  saved: (path: string) => `Written for the wallet: ${path}`,
}
