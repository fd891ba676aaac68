import { getBalance } from '../../clients/execution/chain.ts'
import { formatWei } from '../../format/amount.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { type Fees, MOST_FEE_WEI } from '../../wallet/fees.ts'
import { dearest, draftOf, raised, replacementOf } from '../payment/candidates.ts'
import type { PaymentState, Price, Replacement } from '../payment/payment.ts'
import { clientsOf, observe } from '../world.ts'
import { offeredFees } from './ask-commands.ts'
import { type Following, gateClosed } from './rules.ts'

/** Finds out what it costs now to replace the payment, and whether the account can pay it. */
export async function price(kind: Replacement['kind'], { world, getState, rules }: Following): Promise<void> {
  await observe(
    world,
    endpointName(world.setup.endpoints.execution),
    () => priceNow(kind, world, getState()),
    (seen) => world.dispatch({ step: rules.step, type: 'priced', kind, price: seen }),
  )
}

/** Both fees an eighth above everything before, and what the chain asks for now where that is more. */
async function priceNow(
  kind: Replacement['kind'],
  world: Following['world'],
  state: PaymentState,
): Promise<Price> {
  const { execution, second } = clientsOf(world)
  const fees = feesOver(dearest(state), await offeredFees({ execution, second }))
  const transaction = replacementOf(state, kind, fees)
  const draft = draftOf(state)
  if (transaction === undefined || draft === undefined) throw gateClosed('There is no payment to replace.')
  const neededWei = transaction.valueWei + transaction.gasLimit * transaction.maxFeePerGasWei
  const balanceWei = await getBalance(execution, { address: draft.from, block: 'latest' })
  if (balanceWei < neededWei) {
    throw gateClosed('The account does not hold what the higher fee may cost.', {
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
    throw gateClosed('The fee would pass the limit of this program.', {
      details: [`found ${maxFeePerGasWei} wei per gas`, `expected at most ${MOST_FEE_WEI}`],
      nextSteps: ['wait: what was sent stays valid'],
    })
  }
  return { maxFeePerGasWei, maxPriorityFeePerGasWei }
}
