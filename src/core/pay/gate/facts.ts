import type { Gwei, Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { KeyPart } from '../../base/format/next.ts'
import type { WholeWay } from '../../chain/consensus/propose-top-up.ts'
import type { Setup } from '../../chain/facts.ts'
import { known, markOf, type Observations } from '../../view/observation.ts'
import { type FactTable, gateHolds } from '../../view/rows.ts'
import { SOURCES } from '../../view/sources.ts'
import { feeLimitWei, type GasPrice, wholeWayWei } from '../funds.ts'
import { type ChainAnswer, chainIsRight } from './chain-facts.ts'

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
 * `ofAmount` where the amount alone is not good. `deposits`: those for the key that this look knew to wait, or to have come.
 * `signedAt`: the block at which all of it is proven by what the validator set signed.
 */
export type CheckResult = {
  good: boolean
  words: string
  claimed?: true
  unknown?: true
  ofAmount?: true
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

/** The last checks before money moves, in the order of their rows. */
export const GATE_FACTS: FactTable<GateAnswers, AboutGate> = {
  sender: { gate: 'needed', judge: () => true },
  chain: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: (chain, { setup }) => chainIsRight(chain, setup),
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
  },
  balance: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ balanceWei, neededWei }) => balanceWei >= neededWei,
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
  },
  // A contract account has no nonce of its own transactions.
  nonce: {
    gate: 'needed',
    source: SOURCES.execution,
    hasRow: (about) => !isContract(about),
    judge: ({ latest, pending }) => latest === pending,
  },
  key: { gate: 'needed', source: SOURCES.execution, judge: isGood },
  calldata: { gate: 'needed', source: () => 'this computer', judge: isGood },
  second: {
    gate: 'needed',
    source: SOURCES.secondExecution,
    isAsked: ({ setup }) => setup.endpoints.secondExecution !== undefined,
    judge: isGood,
  },
  dryRun: { gate: 'needed', source: SOURCES.execution, judge: ({ refusal }) => refusal === undefined },
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
export function wholeWay({ topUpGwei = 0n }: GateAnswers['way'], about: AboutGate) {
  const money = known(about.observed.balance)
  if (money === undefined) throw new RangeError('no balance was asked for')
  const { balanceWei, neededWei, price } = money
  const feeWei = isContract(about) ? 0n : feeLimitWei(price)
  return wholeWayWei({ firstWei: neededWei, topUpGwei, feeWei, balanceWei })
}
