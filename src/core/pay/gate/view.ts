import { distinctNext, type Next } from '../../base/format/next.ts'
import type { Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import { drawRows } from '../../view/rows.ts'
import type { FactRow } from '../../view/view.ts'
import type { PaymentPlan, PaymentState } from '../payment/payment.ts'
import { mktxCommand } from './cast.ts'
import { type AboutGate, GATE_FACTS, gateIsOpen } from './facts.ts'
import { nonceFor } from './nonce.ts'

/** Returns the rows of the last gate before money moves; `another` says how another amount is chosen. */
export function gateRows(
  { observed }: PaymentState,
  setup: Setup,
  more: Pick<AboutGate, 'another'> = {},
): FactRow[] {
  return drawRows(GATE_FACTS, observed, { observed, setup, ...more })
}

/** What keeps the gate shut, in words: what refuses and what could not be found out, and what each of these asks for. */
export function closedRows(state: PaymentState, setup: Setup): { details: string[]; asked: Next[] } {
  const rows = gateRows(state, setup).filter(
    ({ mark, advice }) => advice !== true && (mark === 'refused' || mark === 'unknown'),
  )
  return {
    details: rows.map(({ label, value }) => `${label}: ${value}`),
    asked: distinctNext(rows.flatMap(({ next = [] }) => next)),
  }
}

/** Whether the rows of the gate are what the screen is about: before the transaction is made, and while it is. */
export function showsGate({ payment }: PaymentState): boolean {
  return payment.phase === 'open' || payment.phase === 'agreed'
}

/**
 * The shell command of a payment before it is agreed to: the very transaction that would be made now, signed and not
 * sent. It has the account's next nonce, so that however often it is run and sent, it counts once. None
 * while the gate is closed: nothing is shown that would not be sent from here.
 */
export function gateCommands(state: PaymentState, plan: PaymentPlan | undefined, setup: Setup): string[] {
  const { observed } = state
  const { network, keystore } = setup
  const sender = known(observed.sender)
  const nonce = known(observed.nonce)
  const balance = known(observed.balance)
  if (plan === undefined || keystore === undefined || !gateIsOpen(observed, setup)) return []
  if (sender === undefined || sender.contract === true || nonce === undefined || balance === undefined)
    return []
  const transaction = {
    ...plan,
    ...balance.price,
    chainId: network.executionChainId,
    nonce: nonceFor(state, { from: sender.address, nonce: nonce.latest }),
  }
  return [mktxCommand(transaction, sender.address, ['--keystore', keystore])]
}
