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
  return TEXT.wallet(savedPath, flags)
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
  const isOffered = memory.isStuck && mayHaveLeft(state)
  if (memory.doubt !== undefined && live.phase === 'under-way' && chainStands(memory))
    return TEXT.noBlock(memory.doubt, isOffered)
  return isOffered ? [TEXT.stuck] : []
}
