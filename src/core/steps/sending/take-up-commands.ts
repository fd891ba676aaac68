import { getBalance } from '../../clients/execution/get-balance.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { WalletError } from '../../errors/wallet.ts'
import { clientsOf } from '../clients-of.ts'
import { known } from '../observation.ts'
import type { World } from '../world.ts'
import type { SentDeposit } from './gate-answers.ts'
import type { PaymentRules } from './rules.ts'
import type { SendEvent, SendState } from './state.ts'

/**
 * Makes a deposit that is on the chain already the payment that was agreed to: as if it had been handed out to the wallet
 * that sent it. It is looked for, and final, like any other; nothing is sent. Throws a `WalletError` where the facts have
 * changed, or a `ClientError`.
 */
export async function takeUp(
  sent: SentDeposit,
  world: World<SendEvent>,
  getState: () => SendState,
  { step, plan: planNow }: PaymentRules,
): Promise<void> {
  const { execution } = clientsOf(world)
  const { plan, seen } = getState()
  const price = known(seen.balance)?.price
  const blockNumber = sent.blockNumber - 1n
  const [block, balanceWei] = await Promise.all([
    getBlock(execution, { block: blockNumber }),
    getBalance(execution, { address: sent.from, block: 'latest' }),
  ])
  if (plan === undefined || plan.data !== planNow()?.data || price === undefined || block === undefined) {
    throw new WalletError('gate-closed', 'What was sent in another way could not be looked at whole.', {
      retryable: true,
      nextSteps: ['ask again'],
    })
  }
  const { nonce, from, contract } = sent
  const chainId = world.setup.network.executionChainId
  const transaction = { ...plan, ...price, chainId, nonce }
  const baseline = { blockNumber, blockHash: block.hash, balanceWei }
  const account = contract === true ? { contract } : {}
  await world.dispatch({
    step,
    type: 'prepared',
    prepared: { transaction, from, baseline, elsewhere: true, ...account },
  })
}
