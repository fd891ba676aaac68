import { formatGwei, formatWei, gweiToWei } from '../../base/format/amount.ts'
import { again, KEY, type KeyPart, parts } from '../../base/format/next.ts'
import { known } from '../../view/observation.ts'
import type { FactTexts } from '../../view/rows.ts'
import { feeLimitWei } from '../funds.ts'
import { type AboutGate, type GateAnswers, wholeWay } from './facts.ts'
import { GATE_TEXT } from './text.ts'

const AGAIN = 'Yes. It is checked once more right before the transaction is made.'
const ENDPOINT = 'The execution endpoint.'
const THEN_AGAIN = again`, then ${KEY} asks again`

const orElse = ({ words: [one, ...more], ...part }: KeyPart) => ({ ...part, words: [`; or ${one}`, ...more] })

const tokenOf = ({ setup }: AboutGate) => setup.network.names.token

/** Every sentence of the rows of the last checks before money moves. */
export const GATE_FACTS_TEXT: FactTexts<GateAnswers, AboutGate> = {
  sender: {
    label: 'account',
    say: ({ contract, claimed }) => {
      if (contract === true) return 'a contract account: its owners carry the call out'
      return claimed === true ? 'pays; checked when it signs' : 'pays'
    },
    long: ({ address }) => address,
    explain: ({ observed }) =>
      known(observed.sender)?.contract === true
        ? {
            what: 'The contract account that pays the stake. Nobody can sign for it: its owners carry the call out, and pay the fee.',
            who: 'You, and the code at the address.',
            later: 'Yes, until the transaction is signed.',
          }
        : {
            what: 'The account that pays the stake and the fee. When you send, the keystore is opened; if its key belongs to another account, nothing is signed.',
            who: 'The keystore file, read by a separate process, or you.',
            later: 'Yes, until the transaction is signed.',
          },
  },
  chain: {
    label: 'chain',
    say: (chain, { setup }) => GATE_TEXT.chain(chain, setup),
    explain: {
      what: 'The chain that the transaction goes to: whether it makes blocks, and whether it follows rules that this program knows. Your own node is checked too, and gets a row below if it does not follow the chain or does not vote.',
      who: 'The execution endpoint; the node API for the rules.',
      later: AGAIN,
    },
  },
  node: {
    label: 'your node',
    say: ({ words }) => words,
    explain: {
      what: 'Whether your node follows the chain and votes right now. An active validator signs nothing while its node hangs or catches up.',
      who: 'The consensus engine (CometBFT) and the node API, compared with the newest blocks of the execution endpoints.',
      later: AGAIN,
    },
  },
  balance: {
    label: 'balance',
    say: ({ balanceWei, neededWei, price }, about) => {
      const feeWei = known(about.observed.sender)?.contract === true ? 0n : feeLimitWei(price)
      const fee = feeWei === 0n ? '' : ` + fee up to ${formatWei(feeWei)}`
      const text = `${formatWei(balanceWei)} ${tokenOf(about)}, needs ${formatWei(neededWei - feeWei)}${fee}`
      return balanceWei < neededWei ? `${text}; ${formatWei(neededWei - balanceWei)} short` : text
    },
    // How much is missing, with every digit; that only the fee is, and that a smaller amount would do, where it is so.
    closed: ({ balanceWei, neededWei, price }, about) => {
      const shortWei = neededWei - balanceWei
      const why = shortWei <= feeLimitWei(price) ? ' for the fee' : ''
      const leastWei = gweiToWei(about.setup.network.minimumDepositGwei) + feeLimitWei(price)
      const { another } = about
      const less = balanceWei < leastWei || another === undefined ? '' : orElse(another)
      return {
        reason: `the account is ${formatWei(shortWei)} ${tokenOf(about)} short${why}`,
        next: parts`fund the account${THEN_AGAIN}${less}`,
      }
    },
    explain: {
      what: 'What the account holds, compared with the stake plus the fee limit: twice the highest fee that the network asks for now, as it may rise until the payment is signed.',
      who: ENDPOINT,
      later: AGAIN,
    },
  },
  way: {
    label: 'total needed',
    say: (value, about) => {
      const { topUpGwei, reported } = value
      const { allWei, shortWei } = wholeWay(value, about)
      const doubt = reported ? '; the set is reported, not proven' : ''
      if (topUpGwei === undefined) return `no amount gets a place in the active set now${doubt}`
      const all = `${formatWei(allWei)} ${tokenOf(about)} in all`
      const topUp = topUpGwei === 0n ? 'no top-up' : `a top-up of ${formatGwei(topUpGwei)}`
      if (shortWei > 0n) return `${all}; ${formatWei(shortWei)} short for ${topUp}${doubt}`
      return `${all}, with ${topUp}: the account holds it${doubt}`
    },
    explain: {
      what: 'The first deposit, the top-up that a place in the active set needs now, and the fee limit of each, compared with what the account holds. This row is advice and stops nothing: you can fund the rest later.',
      who: 'The consensus model on this computer, on the present validator set.',
      later: 'Yes: the set changes with every epoch, and so does the stake that a place needs.',
    },
  },
  nonce: {
    label: 'nonce',
    say: ({ latest, pending }) =>
      latest === pending
        ? `${latest}, none waiting`
        : `other transactions of this account are waiting: ${pending - latest}`,
    closed: () => ({ next: parts`wait until they are in a block${THEN_AGAIN}` }),
    explain: {
      what: 'The nonce (number) of the account’s next transaction. One nonce is used once, so a payment cannot happen twice.',
      who: ENDPOINT,
      later: AGAIN,
    },
  },
  key: {
    label: 'the key',
    say: ({ words }) => words,
    long: ({ sent }) => sent?.hash,
    closed: ({ unknown, ofAmount }, { another }) => {
      if (unknown === true) return {}
      if (ofAmount === true) return another === undefined ? {} : { next: another }
      return { next: again`go back to step 2 and press ${KEY}: it says what became of the key` }
    },
    explain: {
      what: 'What the deposit contract and the beacon state know about the key right now. Proven means: recomputed on this computer, up to a root (a hash) that the execution chain holds.',
      who: 'The deposit contract, the node API and genesis.json. What only the node says is marked as reported (not proven).',
      later: AGAIN,
    },
  },
  calldata: {
    label: 'calldata',
    say: ({ words }) => words,
    explain: {
      what: 'The calldata (the bytes that call the contract) is decoded again, and a signature in it is verified again for exactly the amount that is sent.',
      who: 'This computer.',
      later: AGAIN,
    },
  },
  second: {
    label: 'second endpoint',
    say: ({ words }) => words,
    unasked: ({ setup }) => (setup.endpoints.secondExecution === undefined ? 'none set' : undefined),
    explain: {
      what: 'The same facts from the second execution endpoint, on another server.',
      who: 'The second execution endpoint.',
      later: AGAIN,
    },
  },
  dryRun: {
    label: 'dry run',
    say: ({ gas, refusal }) => refusal ?? `accepted, about ${gas} gas`,
    explain: {
      what: 'The same call, tried without sending it. The contract checks lengths and amounts, but never the signature.',
      who: ENDPOINT,
      later: AGAIN,
    },
  },
}
