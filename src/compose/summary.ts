import { formatGwei, formatWei } from '../core/format/amount.ts'
import type { Session } from '../core/session.ts'
import { liveOf } from '../core/steps/payment/candidates.ts'
import { isActive } from '../core/steps/status/machine.ts'
import type { ReceiptView } from '../screens/receipt.ts'

/** What is left in the terminal's history when the screens are gone, and whether the validator is active. */
export function summaryOf(session: Session): { done: boolean; receipt: ReceiptView } {
  const state = session.getState()
  const { network } = session.setup
  const { identity, deposit, registration, topup } = session.facts()
  const terms = termsOf(session)
  const done = isActive(state.status)
  const token = network.names.token
  const rows = [
    { label: 'network', value: network.label },
    ...(identity === undefined ? [] : [{ label: 'validator', value: identity.pubkey }]),
    ...(terms === undefined
      ? []
      : [
          { label: 'withdrawal', value: terms.withdrawalAddress },
          { label: 'operator', value: terms.operator },
        ]),
    ...(deposit === undefined
      ? []
      : [
          {
            label: 'first deposit',
            value: `${formatWei(deposit.valueWei)} ${token}, block ${deposit.blockNumber}`,
          },
          { label: 'transaction', value: deposit.hash },
        ]),
    ...(registration === undefined
      ? []
      : [
          {
            label: 'registered',
            value: `validator ${registration.validatorIndex}, ${formatGwei(registration.balanceGwei)} ${token}, proven`,
          },
        ]),
    ...(topup === undefined
      ? []
      : [
          { label: 'top-up', value: `${formatWei(topup.valueWei)} ${token}, block ${topup.blockNumber}` },
          { label: 'transaction', value: topup.hash },
        ]),
  ]
  const adopted = state.identity.adopted !== undefined
  const open = liveOf(state.deposit) !== undefined || liveOf(state.topup.send) !== undefined
  return { done, receipt: { title: titleOf({ done, open }), rows, next: nextOf({ done, open, adopted }) } }
}

/** Whom the validator pays out to and who manages it: as it was adopted, else as it was signed here. */
function termsOf(session: Session) {
  return session.getState().identity.adopted ?? session.facts().signature
}

function titleOf({ done, open }: { done: boolean; open: boolean }): string {
  if (done) return 'Your validator is active.'
  return open
    ? 'A payment is on its way. It is in the journal and is not sent twice.'
    : 'Not finished yet. Nothing is lost.'
}

function nextOf({ done, open, adopted }: { done: boolean; open: boolean; adopted: boolean }): string[] {
  if (done && adopted) return ['Watch the rank: others can raise their stake.']
  if (done) return ['Keep a copy of the key file, and watch the rank: others can raise their stake.']
  return [
    open
      ? 'Start it again; it looks for the payment first:'
      : 'Start it again; it goes on where you stopped:',
  ]
}
