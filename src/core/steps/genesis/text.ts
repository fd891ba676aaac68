import { formatCount } from '../../base/format/amount.ts'
import { again, back, KEY, parts } from '../../base/format/next.ts'
import type { Setup } from '../../chain/facts.ts'
import type { Network } from '../../chain/network/network.ts'
import { STEP_NAMES_TEXT } from '../../view/names-text.ts'
import { sourceOf } from './facts.ts'

const PRESS_AGAIN = again`, press ${KEY}`

/** Every sentence of the genesis step, beside those of its facts. */
export const GENESIS_TEXT = {
  title: STEP_NAMES_TEXT.of.genesis.title,
  factsTitle: 'Is this the chain it says it is?',
  good: (answers: number, network: string) =>
    `All ${answers} answers name one chain: ${network}. Enter goes on.`,
  intro: (network: string) => `Everything is signed for one chain. Do all sources name ${network}?`,
  unknown: (steps: readonly string[], { network }: Setup) => {
    const away = network.kind === 'rehearsal' ? '' : 'Esc leads back to the addresses, '
    return `What is not known (?) keeps this step closed. ${steps.join(' ')} ${away}r asks again.`
  },
  codeNotConfirmed:
    'The expected contract code was read from the test network only, never from a node of this one.',
  worst: 'worst case here: none. Nothing is signed and nothing is sent.',
  askAgain: 'ask again',
  thenAskAgain: again`then press ${KEY}`,
  otherRoot: {
    title: 'Stop: these two roots are different.',
    found: { file: 'your genesis.json', node: 'running node' },
    expected: (network: Network) => `${network.label}, ${sourceOf(network).short}`,
    lines: [
      'A deposit signed for another root is burnt: the chain keeps the money. Your file or node belongs to another network, or the file is the empty one that `init` writes.',
    ],
    next: [
      parts`fetch the network's genesis.json, put it there${PRESS_AGAIN}`,
      parts`choose the network that it belongs to${back`: ${KEY} leads back`}`,
    ],
  },
  otherChain: {
    title: 'Stop: not all of these belong to one chain.',
    expected: 'expected',
    found: {
      fileFork: 'fork version in genesis.json',
      fileEngine: 'engine chain in genesis.json',
      nodeFork: 'fork version of the node',
      executionChain: 'execution chain id',
      secondChain: 'chain id, second endpoint',
      firstBlock: 'first block of the execution chain',
      engine: 'engine network',
      contract: 'deposit contract code',
      depositChain: 'deposit chain of the node',
      depositContract: 'deposit contract of the node',
    },
    first: { second: 'first block, second endpoint', own: 'first block, your endpoint' },
    lines: (network: string) => [`Every source must name ${network} before anything is signed.`],
    next: [
      parts`${back`${KEY} leads back to the addresses: `}correct the one that differs`,
      parts`${back`${KEY} leads further back: `}choose the network that they belong to`,
    ],
  },
  otherRules: {
    title: 'Stop: the chain follows other rules than this program expects.',
    version: 'fork of the head',
    words: 'in words',
    lines: [
      'What a stake buys is forecast by the rules of Electra, Electra1 and Fulu, at the times that the network’s file gives. By other rules a top-up could lose its place in the active set.',
    ],
    next: (status: string) => [
      parts`get a version of this program that knows the fork, or the network’s present files${again`, then press ${KEY}`}`,
      `until then a validator can be looked at: ${status}`,
    ],
  },
  otherHistory: {
    title: 'Stop: the node has another history of forks.',
    from: (epoch: bigint) => `from epoch ${formatCount(epoch)}`,
    lines: (network: string) => [
      `By the times of ${network} and by its own head the node should name other forks for the time until now.`,
    ],
    next: [parts`start the node with the network’s own files${PRESS_AGAIN}`, 'use the API of another node'],
  },
}
