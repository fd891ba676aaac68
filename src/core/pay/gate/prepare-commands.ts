import type { Wei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { getDepositCount } from '../../clients/execution/call.ts'
import { getBalance } from '../../clients/execution/chain.ts'
import { clientsOf, observe } from '../../observe/context.ts'
import { known } from '../../view/observation.ts'
import {
  agreedPlan,
  agreementOf,
  dearest,
  draftOf,
  liveOf,
  raised,
  replacementOf,
} from '../payment/candidates.ts'
import type { FeeQuote, PaymentState, Replacement } from '../payment/payment.ts'
import { type Fees, MOST_FEE_WEI } from '../wallet/fees.ts'
import { askGate } from './ask-commands.ts'
import { offeredFees } from './chain-commands.ts'
import { withinTerms } from './consent.ts'
import { gateIsOpen, type SentDeposit } from './facts.ts'
import { type Following, gateClosed, requireAccount } from './following.ts'
import { signsExternally } from './nonce.ts'
import { GATE_TEXT } from './text.ts'
import { closedRows } from './view.ts'

/**
 * Asks the whole gate again and makes the draft; nothing is made while any answer is missing or bad. Throws a `wallet.*` error
 * that says why.
 */
export async function prepare(following: Following): Promise<void> {
  const { context, getState, kind } = following
  const { setup } = context
  const made = await askGate(following)
  // What was abandoned before has been found meanwhile: it is the payment.
  if (liveOf(getState()) !== undefined) return
  const { sent, taken: isTaken, words = '' } = known(getState().observed.key) ?? {}
  if (sent !== undefined) return adoptSent(sent, following)
  if (isTaken) throw gateClosed(GATE_TEXT.closed.changed(words, isTaken))
  if (made === undefined || !gateIsOpen(made.observed, setup)) {
    const { details, asked } = closedRows(getState(), setup)
    throw gateClosed(GATE_TEXT.closed.checks(details, asked))
  }
  const { plan, from, contract, fees, gasLimit, nonce, balanceWei, block } = made
  const wanted = agreedPlan(getState())
  if (wanted === undefined || wanted.data !== plan.data || wanted.valueWei !== plan.valueWei)
    throw gateClosed(GATE_TEXT.closed.otherFacts)
  const { terms } = agreementOf(getState()) ?? {}
  const feeWei = contract === true ? 0n : gasLimit * fees.maxFeePerGasWei
  const deposits = known(made.observed.key)?.deposits
  const ownNonce = contract === true ? undefined : nonce
  const { token } = setup.network.names
  const within = withinTerms(terms, { from, nonce: ownNonce, feeWei, deposits }, token)
  if (!within.good) throw gateClosed(GATE_TEXT.closed.terms(within.words))
  await requireAccount(context, from)
  const transaction = { ...plan, ...fees, chainId: setup.network.executionChainId, nonce, gasLimit }
  const taken = await takenAt(context, block.number)
  const baseline = { blockNumber: block.number, blockHash: block.hash, balanceWei, ...taken }
  const own = signsExternally(getState(), setup) ? 'external' : 'keystore'
  const signer = contract === true ? 'contract' : own
  const draft = { signer, from, transaction, baseline } as const
  await context.dispatch({ step: kind.step, type: 'prepared', draft })
}

/** How many deposits the contract had taken by a block, where the first endpoint tells. */
async function takenAt(context: Following['context'], block: bigint): Promise<{ taken?: bigint }> {
  const { depositContract } = context.setup.network.spec
  const taken = await unlessSilent(getDepositCount(clientsOf(context).execution, { depositContract, block }))
  return taken === undefined ? {} : { taken }
}

/**
 * Makes a deposit that is on the chain already the payment that was agreed to: as if it had been exported to the wallet that
 * sent it. It is looked for, and final, like any other; nothing is sent.
 */
async function adoptSent(sent: SentDeposit, { context, getState, kind }: Following): Promise<void> {
  const { execution } = clientsOf(context)
  const plan = agreedPlan(getState())
  const price = known(getState().observed.balance)?.price
  const { nonce, from, contract, blockNumber: at, seenSentAt } = sent
  const blockNumber = at - 1n
  const [block, balanceWei] = await Promise.all([
    getBlock(execution, { block: blockNumber }),
    getBalance(execution, { address: from, block: 'latest' }),
  ])
  if (plan === undefined || plan.data !== kind.plan()?.data || price === undefined || block === undefined)
    throw gateClosed(GATE_TEXT.closed.unread)
  const transaction = { ...plan, ...price, chainId: context.setup.network.executionChainId, nonce }
  const baseline = { blockNumber, blockHash: block.hash, balanceWei, seenSentAt }
  const signer = contract === true ? 'contract' : 'external'
  const draft = { signer, from, transaction, baseline } as const
  await context.dispatch({ step: kind.step, type: 'prepared', draft })
}

/** Finds out what it costs now to replace the payment, and whether the account can pay it. */
export async function quoteFee(
  replacement: Replacement['kind'],
  { context, getState, kind }: Following,
): Promise<void> {
  await observe(
    context,
    endpointName(context.setup.endpoints.execution),
    () => quoteNow(replacement, context, getState()),
    (observation) =>
      context.dispatch({ step: kind.step, type: 'quoted', kind: replacement, price: observation }),
  )
}

/** Both fees an eighth above everything before, and what the chain asks for now where that is more. */
async function quoteNow(
  replacement: Replacement['kind'],
  context: Following['context'],
  state: PaymentState,
): Promise<FeeQuote> {
  const { execution, second } = clientsOf(context)
  const fees = feesOver(dearest(state), await offeredFees({ execution, second }))
  const transaction = replacementOf(state, replacement, fees)
  const draft = draftOf(state)
  if (transaction === undefined || draft === undefined) throw gateClosed(GATE_TEXT.closed.noPayment)
  const neededWei = transaction.valueWei + transaction.gasLimit * transaction.maxFeePerGasWei
  const balanceWei = await getBalance(execution, { address: draft.from, block: 'latest' })
  if (balanceWei < neededWei) throw gateClosed(GATE_TEXT.closed.tooDear(balanceWei, neededWei))
  return { transaction, limitWei: transaction.gasLimit * MOST_FEE_WEI }
}

function feesOver(before: Fees, asked: Fees): Fees {
  const most = (a: Wei, b: Wei) => (a > b ? a : b)
  const maxPriorityFeePerGasWei = most(raised(before.maxPriorityFeePerGasWei), asked.maxPriorityFeePerGasWei)
  const maxFeePerGasWei = most(
    most(raised(before.maxFeePerGasWei), asked.maxFeePerGasWei),
    maxPriorityFeePerGasWei,
  )
  if (maxFeePerGasWei > MOST_FEE_WEI)
    throw gateClosed(GATE_TEXT.closed.overLimit(maxFeePerGasWei, MOST_FEE_WEI))
  return { maxFeePerGasWei, maxPriorityFeePerGasWei }
}
