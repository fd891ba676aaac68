import type { Hex } from '../../base/format/hex.ts'
import { ANY_CREDENTIALS } from '../../chain/consensus/place-cost.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { getBalance } from '../../clients/execution/chain.ts'
import { readGasPrice } from '../../clients/read-gas-price.ts'
import { readWholeWay } from '../../clients/read-whole-way.ts'
import { asker, clientsOf, type StepContext } from '../../observe/context.ts'
import { feeLimitWei } from '../../pay/funds.ts'
import { feesFor, gasLimitFor } from '../../pay/wallet/fees.ts'
import { FUNDS_FACTS, type FundsAnswers, firstAmount } from './funds.ts'
import type { SignEvent, SignState } from './machine.ts'

/**
 * Asks what the whole way costs and what the account holds that would pay. Nothing is asked once the first deposit is
 * paid: the step that pays the rest says it then.
 */
export async function askFunds(context: StepContext<SignEvent, SignState>): Promise<void> {
  const { effects, setup } = context
  const { pubkey, ...state } = context.getState()
  if (pubkey === undefined || context.facts().deposit !== undefined) return
  const { network } = setup
  const { minimumDepositGwei } = network
  const amountGwei = firstAmount(state, setup)
  const clients = clientsOf(context)
  const { execution, second } = clients
  const ask = asker<FundsAnswers>(context, FUNDS_FACTS, (entry) =>
    context.dispatch({ step: 'sign', type: 'fundsSeen', amountGwei, ...entry }),
  )
  await Promise.all([
    ask('way', () => {
      const deposit = { pubkey, withdrawalCredentials: ANY_CREDENTIALS, amountGwei, minimumDepositGwei }
      return readWholeWay(clients, { network, clock: effects.clock }, deposit)
    }),
    ask('price', async () => {
      const latest = getBlock(execution, { block: 'latest' })
      const { baseFeeWei, tipWei } = await readGasPrice({ execution, second, latest })
      // Without a call to try: the gas limit that the call of a deposit gets, unless it takes more than usual.
      return { feeWei: feeLimitWei({ gasLimit: gasLimitFor(0n), ...feesFor(baseFeeWei, tipWei) }) }
    }),
    ask('account', async () => {
      const address = await payerOf(context)
      if (address === undefined) return undefined
      return { balanceWei: await getBalance(execution, { address, block: 'latest' }) }
    }),
  ])
}

/** The account of the keystore, as far as its file or the descriptor of a rehearsal tells. No password is asked for. */
async function payerOf({
  effects: { signer },
  setup: { keystore, passwordDescriptor },
}: Pick<StepContext<SignEvent, SignState>, 'effects' | 'setup'>): Promise<Hex | undefined> {
  if (keystore === undefined) return undefined
  const { address } = await signer.keystoreAddress({ keystore })
  if (address !== undefined || passwordDescriptor === undefined) return address
  return (await signer.keystoreAddress({ keystore, passwordDescriptor })).address
}
