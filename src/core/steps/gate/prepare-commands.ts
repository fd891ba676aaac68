import { getBlock } from '../../clients/execution/blocks.ts'
import { getBalance } from '../../clients/execution/chain.ts'
import { known } from '../observation.ts'
import { liveOf, planOf } from '../payment/candidates.ts'
import { clientsOf } from '../world.ts'
import type { SentDeposit } from './answers.ts'
import { askGate } from './ask-commands.ts'
import { signsExternally } from './nonce.ts'
import { closedRows, gateIsOpen } from './rows.ts'
import { type Following, gateClosed, requireAccount } from './rules.ts'

/**
 * Asks the whole gate again and makes the draft; nothing is made while any answer is missing or bad. Throws a `WalletError`
 * that says why.
 */
export async function prepare(following: Following): Promise<void> {
  const { world, getState, rules } = following
  const { setup } = world
  const made = await askGate(following)
  // What was abandoned before has been found meanwhile: it is the payment.
  if (liveOf(getState()) !== undefined) return
  const sent = known(getState().seen.key)?.sent
  if (sent !== undefined) return adoptSent(sent, following)
  if (made === undefined || !gateIsOpen(made.seen, setup)) {
    throw gateClosed('The final checks did not pass. Nothing was created or sent.', {
      details: closedRows(getState(), setup),
      nextSteps: ['read the rows above'],
    })
  }
  const { plan, from, contract, fees, gasLimit, nonce, balanceWei, block } = made
  const wanted = planOf(getState())
  if (wanted === undefined || wanted.data !== plan.data || wanted.valueWei !== plan.valueWei)
    throw gateClosed('The facts have changed since you agreed. Nothing was created or sent.')
  await requireAccount(world, from)
  const transaction = { ...plan, ...fees, chainId: setup.network.executionChainId, nonce, gasLimit }
  const baseline = { blockNumber: block.number, blockHash: block.hash, balanceWei }
  const own = signsExternally(getState(), setup) ? 'external' : 'keystore'
  const signer = contract === true ? 'contract' : own
  const draft = { signer, from, transaction, baseline } as const
  await world.dispatch({ step: rules.step, type: 'prepared', draft })
}

/**
 * Makes a deposit that is on the chain already the payment that was agreed to: as if it had been exported to the wallet that
 * sent it. It is looked for, and final, like any other; nothing is sent.
 */
async function adoptSent(sent: SentDeposit, { world, getState, rules }: Following): Promise<void> {
  const { execution } = clientsOf(world)
  const plan = planOf(getState())
  const price = known(getState().seen.balance)?.price
  const { nonce, from, contract, blockNumber: at } = sent
  const blockNumber = at - 1n
  const [block, balanceWei] = await Promise.all([
    getBlock(execution, { block: blockNumber }),
    getBalance(execution, { address: from, block: 'latest' }),
  ])
  if (plan === undefined || plan.data !== rules.plan()?.data || price === undefined || block === undefined)
    throw gateClosed('The deposit that this program did not send could not be read completely.', {
      nextSteps: ['ask again'],
    })
  const transaction = { ...plan, ...price, chainId: world.setup.network.executionChainId, nonce }
  const baseline = { blockNumber, blockHash: block.hash, balanceWei }
  const signer = contract === true ? 'contract' : 'external'
  const draft = { signer, from, transaction, baseline } as const
  await world.dispatch({ step: rules.step, type: 'prepared', draft })
}
