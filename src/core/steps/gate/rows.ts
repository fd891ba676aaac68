import { forkIsKnown, forkWords } from '../../consensus/fork-outlook.ts'
import type { Setup } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { known } from '../observation.ts'
import type { PaymentState } from '../payment/payment.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import type { GateAnswers } from './answers.ts'
import { wayRows } from './nonce.ts'

const AGAIN = 'Yes. It is checked once more right before the transaction is made.'

/** The rows of the last gate before money moves, in the order of asking; `less` says how a smaller amount is paid. */
export function gateRows({ seen }: PaymentState, setup: Setup, { less }: { less?: string } = {}): FactRow[] {
  const { token } = setup.network.names
  const chain = 'The execution endpoint.'
  const isContract = known(seen.funder)?.contract === true
  return [
    factRow({
      id: 'funder',
      label: 'account',
      observation: seen.funder,
      judge: () => true,
      say: (value) => funderText(value),
      long: (value) => value.address,
      explain: {
        what: isContract
          ? 'The contract account that pays the stake. Nobody can sign for it: its owners carry the call out, and pay the fee.'
          : 'The account that pays the stake and the fee. When you send, the keystore is opened; if its key belongs to another account, nothing is signed.',
        who: isContract
          ? 'You, and the code at the address.'
          : 'The keystore file, read by a separate process, or you.',
        later: 'Yes, until the transaction is signed.',
      },
    }),
    factRow({
      id: 'chain',
      label: 'chain',
      observation: seen.chain,
      judge: (value) => chainIsGood(value, setup),
      say: (value) => chainWords(value, setup),
      explain: {
        what: 'The chain that the transaction goes to: whether it makes blocks, and whether it follows rules that this program knows. Your own node is checked too, and gets a row below if it does not follow the chain or does not vote.',
        who: 'The execution endpoint; the node API for the rules.',
        later: AGAIN,
      },
    }),
    ...nodeRows(seen),
    factRow({
      id: 'balance',
      label: 'balance',
      observation: seen.balance,
      judge: (value) => value.balanceWei >= value.neededWei,
      say: (value) => balanceWords(value, token),
      closed: (value) => ({
        reason: shortWords(value, token),
        next: ['fund the account, then r asks again', ...(less === undefined ? [] : [less])].join('; or '),
      }),
      explain: {
        what: 'What the account holds, compared with the stake plus twice the highest fee.',
        who: chain,
        later: AGAIN,
      },
    }),
    ...wayRows(seen, setup),
    ...(isContract ? [] : [nonceRow(seen)]),
    factRow({
      id: 'key',
      label: 'the key',
      observation: seen.key,
      judge: judgementOf,
      say: (value) => value.words,
      long: (value) => value.sent?.hash,
      explain: {
        what: 'What the deposit contract and the beacon state know about the key right now. Proven means: recomputed on this computer, up to a root (a hash) that the execution chain holds.',
        who: 'The deposit contract, the node API and genesis.json. What only the node says is marked as reported (not proven).',
        later: AGAIN,
      },
    }),
    factRow({
      id: 'rule',
      label: 'calldata',
      observation: seen.rule,
      judge: (value) => value.good,
      say: (value) => value.words,
      explain: {
        what: 'The calldata (the bytes that call the contract) is decoded again, and a signature in it is verified again for exactly the amount that is sent.',
        who: 'This computer.',
        later: AGAIN,
      },
    }),
    factRow({
      id: 'second',
      label: 'second endpoint',
      observation: seen.second,
      judge: judgementOf,
      say: (value) => value.words,
      unasked: 'none set',
      explain: {
        what: 'The same facts from the second execution endpoint, on another server.',
        who: 'The second execution endpoint.',
        later: AGAIN,
      },
    }),
    factRow({
      id: 'dryRun',
      label: 'dry run',
      observation: seen.dryRun,
      judge: (value) => value.refusal === undefined,
      say: (value) => value.refusal ?? `accepted, about ${value.gas} gas`,
      explain: {
        what: 'The same call, tried without sending it. The contract checks lengths and amounts, but never the signature.',
        who: chain,
        later: AGAIN,
      },
    }),
  ]
}

/** The rows that keep the gate shut, in words: what refuses, and what could not be found out. */
export function closedRows(state: PaymentState, setup: Setup): string[] {
  return gateRows(state, setup)
    .filter(({ mark, advice }) => advice !== true && (mark === 'refused' || mark === 'unknown'))
    .map(({ label, value }) => `${label}: ${value}`)
}

/** A contract account has no nonce of its own transactions. */
function nonceRow({ nonce }: PaymentState['seen']): FactRow {
  return factRow({
    id: 'nonce',
    label: 'nonce',
    observation: nonce,
    judge: (value) => value.latest === value.pending,
    say: (value) => nonceWords(value),
    closed: () => ({ next: 'wait until they are in a block, then r asks again' }),
    explain: {
      what: 'The nonce (number) of the account’s next transaction. One nonce is used once, so a payment cannot happen twice.',
      who: 'The execution endpoint.',
      later: AGAIN,
    },
  })
}

function funderText({ contract, claimed }: GateAnswers['funder']): string {
  if (contract === true) return 'a contract account: its owners carry the call out'
  return claimed === true ? 'pays; checked when it signs' : 'pays'
}

/** What could not be judged is neither good nor bad, and keeps the gate shut. */
function judgementOf({ good, unknown }: { good: boolean; unknown?: true }): boolean | undefined {
  return unknown === true ? undefined : good
}

/**
 * Said only where it is not well, so that the other rows fit, and while it is all that the row of the chain waits for:
 * where it is well, that row stands for both.
 */
function nodeRows({ node, chain }: PaymentState['seen']): FactRow[] {
  const row = factRow({
    id: 'node',
    label: 'your node',
    observation: node,
    judge: judgementOf,
    say: (value) => value.words,
    explain: {
      what: 'Whether your node follows the chain and votes right now. An active validator signs nothing while its node hangs or catches up.',
      who: 'The consensus engine (CometBFT) and the node API, compared with the newest blocks of the execution endpoints.',
      later: AGAIN,
    },
  })
  const isWaitedFor = row.mark === 'asking' && chain.status !== 'asking'
  return row.mark === 'refused' || row.mark === 'unknown' || isWaitedFor ? [row] : []
}

/** Whether every answer of the gate is there and good; one that is missing closes it. */
export function gateIsOpen(seen: PaymentState['seen'], setup: Setup): boolean {
  const chain = known(seen.chain)
  const balance = known(seen.balance)
  const nonce = known(seen.nonce)
  const dryRun = known(seen.dryRun)
  if (!known(seen.funder) || chain === undefined || !chainIsGood(chain, setup)) return false
  if (!known(seen.node)?.good) return false
  if (balance === undefined || balance.balanceWei < balance.neededWei) return false
  if (nonce === undefined || nonce.latest !== nonce.pending) return false
  if (!known(seen.key)?.good || !known(seen.rule)?.good) return false
  if (setup.endpoints.secondExecution !== undefined && !known(seen.second)?.good) return false
  return dryRun !== undefined && dryRun.refusal === undefined
}

/** When an open gate was answered by every endpoint; undefined while it is closed. */
export function gateOpenAtMs(seen: PaymentState['seen'], setup: Setup): number | undefined {
  const times = [seen.key, seen.second].flatMap((one) => ('atMs' in one ? [one.atMs] : []))
  return gateIsOpen(seen, setup) ? Math.min(...times) : undefined
}

/** Whether the rows of the gate are what the screen is about: before the transaction is made, and while it is. */
export function showsGate({ payment }: PaymentState): boolean {
  return payment.phase === 'open' || payment.phase === 'agreed'
}

function chainIsGood(
  { chainId, fork, fresh, sameGenesis }: GateAnswers['chain'],
  { network }: Setup,
): boolean {
  return fresh && sameGenesis && chainId === network.executionChainId && forkIsKnown(fork, network.spec)
}

function chainWords({ chainId, fork, fresh, sameGenesis }: GateAnswers['chain'], { network }: Setup): string {
  if (!sameGenesis) return `${chainId}, but another genesis: the network was reset`
  const rules = forkIsKnown(fork, network.spec) ? '' : `, ${forkWords(fork, network.spec)}`
  return `${chainId}, block ${fork.slot}${fresh ? '' : ' (too old)'}${rules}`
}

function balanceWords({ balanceWei, neededWei }: GateAnswers['balance'], token: string): string {
  const words = `${formatWei(balanceWei)} ${token}, needs ${formatWei(neededWei)}`
  return balanceWei < neededWei ? `${words}; ${formatWei(neededWei - balanceWei)} short` : words
}

/** How much is missing, with every digit; and that only the fee is, where it is so. */
function shortWords({ balanceWei, neededWei, price }: GateAnswers['balance'], token: string): string {
  const shortWei = neededWei - balanceWei
  const feeWei = 2n * price.gasLimit * price.maxFeePerGasWei
  return `the account is ${formatWei(shortWei)} ${token} short${shortWei <= feeWei ? ' for the fee' : ''}`
}

function nonceWords({ latest, pending }: GateAnswers['nonce']): string {
  if (latest === pending) return `${latest}, none waiting`
  return `other transactions of this account are waiting: ${pending - latest}`
}
