import { formatGwei, formatWei, type Gwei, gweiToWei, type Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { again, KEY, type KeyPart, parts } from '../../base/format/next.ts'
import type { WholeWay } from '../../chain/consensus/propose-top-up.ts'
import type { Setup } from '../../chain/facts.ts'
import { known, markOf, type Observations, SOURCES } from '../../view/observation.ts'
import { type FactTable, gateHolds } from '../../view/rows.ts'
import { feeLimitWei, type GasPrice, wholeWayWei } from '../funds.ts'
import { type ChainAnswer, chainIsRight, chainText } from './chain-facts.ts'

/**
 * A first deposit that was not sent from here, exactly as it was signed here; `contract` where it was carried out by a
 * contract account.
 */
export type SentDeposit = {
  hash: Hex
  from: Hex
  nonce: number
  blockNumber: bigint
  seenSentAt: bigint
  contract?: true
}

/** A deposit for the key, by the transaction that made it. */
export type KnownDeposit = { hash: Hex; amountGwei: Gwei }

/**
 * Whether a condition of a payment holds, and how to say it; `claimed` where that is in part the node's word, `unknown`
 * where it could not be found out: not good, but not proven bad either. `sent` where what is asked for is there already.
 * `ofAmount` where the amount alone is not good; `taken` where no first deposit of this key can count any more. `deposits`: those for the key that this look knew to wait, or to have come.
 * `signedAt`: the block at which all of it is proven by what the validator set signed.
 */
export type CheckResult = {
  good: boolean
  words: string
  claimed?: true
  unknown?: true
  ofAmount?: true
  taken?: true
  sent?: SentDeposit
  deposits?: readonly KnownDeposit[]
  signedAt?: bigint | undefined
}

/** Answers that must all be good immediately before anything is signed. */
export type GateAnswers = {
  /**
   * `contract`: code stands there, so nobody can sign a transaction of it: a Safe, or another contract account.
   * `claimed`: said by the keystore's file or by the user; the signer opens the keystore and compares.
   */
  sender: { address: Hex; contract?: true; claimed?: true }
  chain: ChainAnswer
  /** Whether the own node follows the chain and votes. */
  node: CheckResult
  balance: { balanceWei: Wei; neededWei: Wei; price: GasPrice }
  /** What a first deposit needs on top of it for a place in the active set, undefined where no amount is enough. */
  way: Pick<WholeWay, 'topUpGwei' | 'reported'>
  nonce: { latest: number; pending: number }
  key: CheckResult
  calldata: CheckResult
  second: CheckResult
  dryRun: { gas: bigint; refusal: string | undefined }
}

/** What the answers are judged by: one another, what was chosen, and how another amount is. */
export type AboutGate = { observed: Observations<GateAnswers>; setup: Setup; another?: KeyPart }

const isContract = ({ observed }: AboutGate) => known(observed.sender)?.contract === true

/** What could not be found out is neither good nor bad, and keeps the gate shut. */
const isGood = ({ good, unknown }: CheckResult) => (unknown === true ? undefined : good)

const AGAIN = 'Yes. It is checked once more right before the transaction is made.'
const ENDPOINT = 'The execution endpoint.'
const THEN_AGAIN = again`, then ${KEY} asks again`

const orElse = ({ words: [one, ...more], ...part }: KeyPart) => ({ ...part, words: [`; or ${one}`, ...more] })

const tokenOf = ({ setup }: AboutGate) => setup.network.names.token
const sayWords = ({ words }: CheckResult) => words

/** The last checks before money moves, in the order of their rows. */
export const GATE_FACTS: FactTable<GateAnswers, AboutGate> = {
  sender: {
    gate: 'needed',
    judge: () => true,
    label: 'account',
    say: ({ contract, claimed }) => {
      if (contract === true) return 'a contract account: its owners carry the call out'
      return claimed === true ? 'pays; checked when it signs' : 'pays'
    },
    long: ({ address }) => address,
    explain: (about) =>
      isContract(about)
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
    gate: 'needed',
    source: SOURCES.execution,
    judge: (chain, { setup }) => chainIsRight(chain, setup),
    label: 'chain',
    say: (chain, { setup }) => chainText(chain, setup),
    explain: {
      what: 'The chain that the transaction goes to: whether it makes blocks, and whether it follows rules that this program knows. Your own node is checked too, and gets a row below if it does not follow the chain or does not vote.',
      who: 'The execution endpoint; the node API for the rules.',
      later: AGAIN,
    },
  },
  node: {
    gate: 'needed',
    source: SOURCES.engineOrNode,
    judge: isGood,
    // Said only where it is not well, and while it is all that the row of the chain waits for: else that one stands for both.
    hasRow: ({ observed: { node, chain } }) => {
      const mark = markOf(node, isGood)
      return mark === 'asking' ? chain.status !== 'asking' : mark === 'refused' || mark === 'unknown'
    },
    label: 'your node',
    say: sayWords,
    explain: {
      what: 'Whether your node follows the chain and votes right now. An active validator signs nothing while its node hangs or catches up.',
      who: 'The consensus engine (CometBFT) and the node API, compared with the newest blocks of the execution endpoints.',
      later: AGAIN,
    },
  },
  balance: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ balanceWei, neededWei }) => balanceWei >= neededWei,
    label: 'balance',
    say: ({ balanceWei, neededWei, price }, about) => {
      const feeWei = isContract(about) ? 0n : feeLimitWei(price)
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
  // More may be brought later. Nothing is said while the key gets no first deposit.
  way: {
    gate: 'told',
    advice: true,
    source: SOURCES.node,
    hasRow: ({ observed: { way, balance, key } }) =>
      way.status !== 'unasked' && balance.status === 'known' && known(key)?.good === true,
    // What is short, or by the node’s word alone, or out of reach, is not settled.
    judge: (value, about) =>
      value.topUpGwei !== undefined && wholeWay(value, about).shortWei === 0n && !value.reported
        ? true
        : undefined,
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
  // A contract account has no nonce of its own transactions.
  nonce: {
    gate: 'needed',
    source: SOURCES.execution,
    hasRow: (about) => !isContract(about),
    judge: ({ latest, pending }) => latest === pending,
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
    gate: 'needed',
    source: SOURCES.execution,
    judge: isGood,
    label: 'the key',
    say: sayWords,
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
    gate: 'needed',
    source: () => 'this computer',
    judge: isGood,
    label: 'calldata',
    say: sayWords,
    explain: {
      what: 'The calldata (the bytes that call the contract) is decoded again, and a signature in it is verified again for exactly the amount that is sent.',
      who: 'This computer.',
      later: AGAIN,
    },
  },
  second: {
    gate: 'needed',
    source: SOURCES.secondExecution,
    isAsked: ({ setup }) => setup.endpoints.secondExecution !== undefined,
    judge: isGood,
    label: 'second endpoint',
    say: sayWords,
    unasked: ({ setup }) => (setup.endpoints.secondExecution === undefined ? 'none set' : undefined),
    explain: {
      what: 'The same facts from the second execution endpoint, on another server.',
      who: 'The second execution endpoint.',
      later: AGAIN,
    },
  },
  dryRun: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ refusal }) => refusal === undefined,
    label: 'dry run',
    say: ({ gas, refusal }) => refusal ?? `accepted, about ${gas} gas`,
    explain: {
      what: 'The same call, tried without sending it. The contract checks lengths and amounts, but never the signature.',
      who: ENDPOINT,
      later: AGAIN,
    },
  },
}

/** Whether every answer of the gate is there and good; one that is missing closes it. */
export function gateIsOpen(observed: Observations<GateAnswers>, setup: Setup): boolean {
  return gateHolds(GATE_FACTS, observed, { observed, setup })
}

/** When an open gate was answered by every endpoint; undefined while it is closed. */
export function gateOpenAtMs(observed: Observations<GateAnswers>, setup: Setup): number | undefined {
  const times = [observed.key, observed.second].flatMap((one) => ('atMs' in one ? [one.atMs] : []))
  return gateIsOpen(observed, setup) ? Math.min(...times) : undefined
}

/**
 * What is left to pay with and after a payment, and what of it the account lacks. The fee of the second payment is taken to
 * be that of the first; a contract account pays none.
 */
function wholeWay({ topUpGwei = 0n }: GateAnswers['way'], about: AboutGate) {
  const money = known(about.observed.balance)
  if (money === undefined) throw new RangeError('no balance was asked for')
  const { balanceWei, neededWei, price } = money
  const feeWei = isContract(about) ? 0n : feeLimitWei(price)
  return wholeWayWei({ firstWei: neededWei, topUpGwei, feeWei, balanceWei })
}
