import type { Setup } from '../../facts.ts'
import { signsExternally } from '../gate/nonce.ts'
import { endedOf, liveOf } from '../payment/candidates.ts'
import type { PaymentState } from '../payment/payment.ts'
import { awaitsWallet } from '../payment/sign-again.ts'
import { provenCount, verdictOf } from '../rows.ts'
import type { FactRow, Verdict } from '../view.ts'
import { signsReplacement } from './actions.ts'

/** The final checks in one line; `isOpen`: Enter is there to be pressed. */
export function gateVerdict(
  state: PaymentState,
  { checks, isOpen }: { checks: readonly FactRow[]; isOpen: boolean },
  setup: Setup,
): Verdict {
  const way = signsExternally(state, setup) ? 'prepares it for your wallet' : 'goes on'
  const good = `All ${provenCount(checks)} checks pass. Enter ${way}.`
  return verdictOf(checks, { isOpen, good })
}

/** Where a payment stands that was agreed to, in one line. */
export function paymentVerdict(state: PaymentState): Verdict {
  const ended = endedOf(state)
  if (ended !== undefined) {
    const { outcome, remembered } = ended
    if (remembered)
      return { mark: 'asking', text: 'The journal says how this payment ended; the chain is asked again.' }
    if (outcome.is !== 'paid') return { mark: 'refused', text: 'This payment did not happen.' }
    const { blockNumber } = outcome.included
    return { mark: 'proven', text: `Paid: in block ${blockNumber}, and final. Enter goes on.` }
  }
  const live = liveOf(state)
  if (live === undefined)
    return { mark: 'asking', text: 'The final checks run once more before anything is signed.' }
  if (live.included !== undefined)
    return {
      mark: 'asking',
      text: `In block ${live.included.blockNumber}, not final yet. There is nothing to do.`,
    }
  if (awaitsWallet(state))
    return { mark: 'unasked', text: 'Your wallet must sign it. This program sends nothing before that.' }
  if (live.phase === 'exported')
    return { mark: 'asking', text: 'Exported to your wallet. The chain is watched for the transaction.' }
  if (signsReplacement(state))
    return { mark: 'asking', text: 'Agreed to: the keystore signs it, with the same nonce.' }
  return state.watch.isStuck
    ? { mark: 'unknown', text: 'Stuck: sent, but in no block for a long time. Waiting is safe.' }
    : { mark: 'asking', text: 'Signed, waiting for a block. There is nothing to do.' }
}
