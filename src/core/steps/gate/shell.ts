import type { Setup } from '../../facts.ts'
import { mktxCommand } from '../external-signer.ts'
import { known } from '../observation.ts'
import type { PaymentPlan, PaymentState } from '../payment/payment.ts'
import { nonceFor } from './nonce.ts'
import { gateIsOpen } from './rows.ts'

/**
 * The shell command of a payment before it is agreed to: the very transaction that would be made now, signed and not
 * sent. It has the account's next nonce, so that however often it is run and sent, it counts once. None
 * while the gate is closed: nothing is shown that would not be sent from here.
 */
export function gateCommands(state: PaymentState, plan: PaymentPlan | undefined, setup: Setup): string[] {
  const { seen } = state
  const { network, keystore } = setup
  const funder = known(seen.funder)
  const nonce = known(seen.nonce)
  const balance = known(seen.balance)
  if (plan === undefined || keystore === undefined || !gateIsOpen(seen, setup)) return []
  if (funder === undefined || funder.contract === true || nonce === undefined || balance === undefined)
    return []
  const transaction = {
    ...plan,
    ...balance.price,
    chainId: network.executionChainId,
    nonce: nonceFor(state, { from: funder.address, nonce: nonce.latest }),
  }
  return [mktxCommand(transaction, funder.address, ['--keystore', keystore])]
}
