import type { Explain } from '../core/steps/view.ts'
import type { Tone } from './ui/line.ts'

/** What the first screen offers: a network, or the way to a validator that is registered already. */
export type Offer = {
  id: 'rehearsal' | 'bepolia' | 'mainnet' | 'file' | 'validator'
  name: string
  tone: Tone
  words: string
  /** The same from a shell. */
  command: string
  explain: Explain
}

const FOR_A_SESSION =
  'Yes, by starting again. What was begun on one network stays with it, in its own journal.'

/** The networks in their order; the rehearsal is the first and the default. */
export const NETWORKS: readonly Offer[] = [
  {
    id: 'rehearsal',
    name: 'Rehearsal · play money',
    tone: 'accent',
    words: 'All seven steps on a chain of its own on this computer: nothing at stake.',
    command: 'bearings --network rehearsal',
    explain: {
      what: 'A small network that this program starts here, with the real network’s rules, fast slots, a funded wallet and a fresh key.',
      who: 'This program. It needs no node, and asks no other computer.',
      later: FOR_A_SESSION,
    },
  },
  {
    id: 'bepolia',
    name: 'Bepolia · TEST',
    tone: 'warn',
    words: 'The public test network. Needs your node for it, and test tokens.',
    command: 'bearings --network bepolia',
    explain: {
      what: 'The public network on which changes are tried before the real one. Its tokens are worth nothing, its nodes are real.',
      who: 'The values it is checked against are part of this program; your own node answers for it.',
      later: FOR_A_SESSION,
    },
  },
  {
    id: 'mainnet',
    name: 'Berachain · REAL MONEY',
    tone: 'bad',
    words: 'The real network. A mistake can burn the stake: rehearse first.',
    command: 'bearings --network mainnet',
    explain: {
      what: 'The network where the stake is real. Before anything is sent every value is shown whole, and a word must be typed.',
      who: 'The values it is checked against are part of this program; your own node answers for it.',
      later: FOR_A_SESSION,
    },
  },
  {
    id: 'file',
    name: 'Another network',
    tone: 'text',
    words: 'Any network that a JSON file describes, with the same checks.',
    command: "bearings --network '<network file>'",
    explain: {
      what: 'A network of the same kind with other values: chain ids, genesis root, contract, limits. The file has them all.',
      who: 'Whoever wrote the file: compare it with another source.',
      later: FOR_A_SESSION,
    },
  },
]

/** All that the first screen offers: the networks, then the way past the registration. */
export const OFFERS: readonly Offer[] = [
  ...NETWORKS,
  {
    id: 'validator',
    name: 'A registered validator',
    tone: 'text',
    words: 'One that is registered already, by whatever tool: watch it, top it up.',
    command: "bearings --validator '<public key or index>'",
    explain: {
      what: 'A validator is adopted with its public key or index, from any computer: no node home and no key file. Then it is proven, topped up after all checks, and watched.',
      who: 'The endpoints that you name. You type its withdrawal address from your own record.',
      later: FOR_A_SESSION,
    },
  },
]
