import { formatWei } from '../../base/format/amount.ts'
import { forkWarnings } from '../../chain/consensus/fork-outlook.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import { WALLET_FLAGS } from '../gate/cast.ts'
import { showsGate } from '../gate/view.ts'
import { liveOf } from '../payment/candidates.ts'
import { chainStands } from '../payment/heads.ts'
import type { PaymentState } from '../payment/payment.ts'
import { awaitsWallet, exportedOf, mayAbandon, mayHaveLeft, maySendAgain } from '../payment/sign-again.ts'
import { NOTES_TEXT as TEXT } from './notes-text.ts'

/** What the next key of a payment does, in sentences; first of all whether the chain's rules are about to change. */
export function paymentNotes(state: PaymentState, facts: Facts, setup: Setup): readonly string[] {
  return [...forksSoon(state, facts, setup), ...walletNotes(state), ...replaceNotes(state)]
}

/** Nobody needs the warning once the money is on its way. */
function forksSoon(state: PaymentState, { genesis }: Facts, { network }: Setup): string[] {
  const chain = known(state.observed.chain)
  if (chain === undefined || !showsGate(state)) return []
  return forkWarnings(network.spec, chain.fork.timestampSeconds, genesis?.forksAhead)
}

/** Returns how the external signer is used, in sentences. */
export function walletNotes(state: PaymentState): readonly string[] {
  if (!awaitsWallet(state)) return []
  const { heldBack, draft } = liveOf(state) ?? {}
  const { savedPath, memory } = state
  if (memory.otherDeposit !== undefined && mayAbandon(state)) return TEXT.otherDeposit
  if (heldBack !== undefined && mayAbandon(state)) return TEXT.heldBack(heldBack)
  if (exportedOf(state) === undefined) return TEXT.checked
  if (draft?.signer === 'contract') return TEXT.contract(savedPath)
  const flags = WALLET_FLAGS.map((parts) => parts.join(' '))
  return [...TEXT.wallet(savedPath, flags), ...ledgerNotes(state)]
}

/** Returns what the page of the command says of a Ledger; undefined where no external signer signs it. */
export const walletHint = (state: PaymentState): string | undefined =>
  ledgerNotes(state).length === 0 ? undefined : TEXT.blindSigning

/** Returns what a Ledger must allow, what it shows of the transaction, and how another account of it is named. */
export function ledgerNotes(state: PaymentState): readonly string[] {
  const transaction = exportedOf(state)
  if (transaction === undefined || liveOf(state)?.draft.signer === 'contract') return []
  const { valueWei, chainId } = transaction
  return TEXT.ledger(formatWei(valueWei).replaceAll(',', ''), chainId)
}

/** What the next key does about a payment that is stuck, before a word is typed for it. */
function replaceNotes(state: PaymentState): readonly string[] {
  const { quote, memory } = state
  if (quote !== undefined) return TEXT[quote.kind]
  const live = liveOf(state)
  // What is held back is never sped up, and its problem says how to cancel it.
  const isOpen = live !== undefined && live.heldBack === undefined && live.replacement === undefined
  if (maySendAgain(state)) return []
  if (!isOpen || live.included !== undefined) return []
  const isCanceling = live.cancelAgreed === true
  const isOffered = memory.isStuck && mayHaveLeft(state)
  if (memory.doubt !== undefined && live.phase === 'under-way' && chainStands(memory))
    return TEXT.noBlock(memory.doubt, { isOffered, isCanceling })
  if (!isOffered) return []
  return [isCanceling ? TEXT.stuckCancellation : TEXT.stuck]
}
