import { getBalance } from '../../clients/execution/get-balance.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { WalletError } from '../../errors/wallet.ts'
import { formatWei } from '../../format/amount.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { type Fees, MOST_FEE_WEI } from '../../wallet/fees.ts'
import { clientsOf } from '../clients-of.ts'
import { observe, type World } from '../world.ts'
import { offeredFees } from './gate-commands.ts'
import { dearest, raised, replacementOf } from './replace.ts'
import type { PaymentRules } from './rules.ts'
import type { Price, Replacement, SendEvent, SendState } from './state.ts'

/** Finds out what it costs now to replace the payment, and whether the account can pay it. */
export async function price(
  kind: Replacement['kind'],
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  const label = endpointName(world.setup.endpoints.execution)
  await observe(
    world,
    label,
    () => priceNow(kind, world, getState()),
    (seen) => world.dispatch({ step: rules.step, type: 'priced', kind, price: seen }),
  )
}

/** Both fees an eighth above everything before, and what the chain asks for now where that is more (safety #62, #67). */
async function priceNow(
  kind: Replacement['kind'],
  world: World<SendEvent>,
  state: SendState,
): Promise<Price> {
  const { execution, second } = clientsOf(world)
  const { prepared } = state
  if (prepared === undefined) throw new WalletError('gate-closed', 'There is no payment to replace.')
  const latest = getBlock(execution, { block: 'latest' }).then((block) => {
    if (block !== undefined) return block
    throw new WalletError('gate-closed', 'The endpoint has no latest block.', { retryable: true })
  })
  const asked = await offeredFees({ execution, second, latest })
  const fees = feesOver(dearest(state), asked)
  const transaction = replacementOf(state, kind, fees)
  if (transaction === undefined) throw new WalletError('gate-closed', 'There is no payment to replace.')
  const neededWei = transaction.valueWei + transaction.gasLimit * transaction.maxFeePerGasWei
  const balanceWei = await getBalance(execution, { address: prepared.from, block: 'latest' })
  if (balanceWei < neededWei) {
    throw new WalletError('gate-closed', 'The account does not hold what the higher fee may cost.', {
      details: [`found ${formatWei(balanceWei)}`, `expected at least ${formatWei(neededWei)}`],
      nextSteps: ['send more to the paying account, or wait'],
    })
  }
  return { transaction, limitWei: transaction.gasLimit * MOST_FEE_WEI }
}

function feesOver(before: Fees, asked: Fees): Fees {
  const most = (a: bigint, b: bigint) => (a > b ? a : b)
  const maxPriorityFeePerGasWei = most(raised(before.maxPriorityFeePerGasWei), asked.maxPriorityFeePerGasWei)
  const maxFeePerGasWei = most(
    most(raised(before.maxFeePerGasWei), asked.maxFeePerGasWei),
    maxPriorityFeePerGasWei,
  )
  if (maxFeePerGasWei > MOST_FEE_WEI) {
    throw new WalletError('gate-closed', 'The fee would pass the limit of this program.', {
      details: [`found ${maxFeePerGasWei} wei per gas`, `expected at most ${MOST_FEE_WEI}`],
      nextSteps: ['wait: what was sent stays valid'],
    })
  }
  return { maxFeePerGasWei, maxPriorityFeePerGasWei }
}
