import { formatWei } from '../../base/format/amount.ts'
import { forkWarnings } from '../../chain/consensus/fork-outlook.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { chainSentence } from '../../observe/findings.ts'
import { known } from '../../view/observation.ts'
import { WALLET_FLAGS } from '../gate/cast.ts'
import { showsGate } from '../gate/view.ts'
import { liveOf } from '../payment/candidates.ts'
import { chainStands } from '../payment/heads.ts'
import type { PaymentState } from '../payment/payment.ts'
import { awaitsWallet, exportedOf, mayAbandon, mayHaveLeft, maySendAgain } from '../payment/sign-again.ts'

/** How the external signer is used, and what the next key does about a payment that is stuck. */
export const NOTES_TEXT = {
  otherDeposit: [
    'Somebody deposited for this key after the transaction was made. It may have been you, from another account.',
    'Nothing is shown until it is clear whose deposit that is. If nobody will send the exported transaction any more, g abandons it.',
  ],
  heldBack: (why: string) => [
    `The chain has changed since you agreed: ${why}. So the command is not shown any more.`,
    'If a copy of it is signed and sent all the same, it is found on chain and counts. If nobody will send it, g abandons it.',
  ],
  checked: ['The chain is checked before anything is shown: the transaction may have been sent already.'],
  contract: (savedPath: string | undefined) => [
    `A contract account cannot sign a transaction. ${savedPath === undefined ? 's saves' : `${savedPath} holds`} the call as a file for the Safe’s Transaction Builder.`,
    'Compare value, receiver and calldata in the app with the ones here, on a second device. Carry it out once.',
    'The Safe sets its gas and nonce. The deposit is found by the event of the deposit contract, with every field compared.',
  ],
  wallet: (savedPath: string | undefined, [flag, ...others]: readonly string[]) => [
    `c shows the command for the machine of your wallet${savedPath === undefined ? ', s saves it' : `; it is saved in ${savedPath}`}. It signs, sends nothing and asks no endpoint.`,
    `${flag} may be ${others.join(' or ')}. Then press p and paste the result.`,
  ],
  blindSigning: 'A Ledger needs blind signing enabled.',
  ledger: (amount: string, chainId: number) => [
    `A Ledger needs blind signing enabled in its settings. It shows “ETH ${amount}” and “Network ${chainId}”, and neither the validator nor a digest.`,
    'For another of its accounts, add --mnemonic-index N or --hd-path PATH.',
  ],
  'speed-up': ['The same payment with a higher fee. The chain takes only one of the two: it is paid once.'],
  cancellation: [
    'An empty transfer to your own account uses the nonce of the payment, so that the payment cannot happen any more.',
    'The payment may still win: it may be in the next block already. Then it counts, and this screen says so.',
  ],
  stuck: 'The transaction is stuck. Waiting is safe. b speeds it up, x tries to cancel it.',
  stuckCancellation:
    'The cancellation is stuck, and the payment may still be paid first. x signs the cancellation again with a higher fee.',
  /** `isOffered`: the keys that replace the payment are there. `isCanceling`: its cancellation is signed. */
  noBlock: (
    { beside }: NodeDoubt,
    { isOffered, isCanceling }: { isOffered: boolean; isCanceling: boolean },
  ) => [
    chainSentence(beside),
    isCanceling
      ? 'The next block may hold the cancellation or the payment.'
      : 'Waiting is safe: the payment counts once, in a block that comes later.',
    ...(isOffered && !isCanceling
      ? ['b speeds it up, x tries to cancel it; neither happens before a new block.']
      : []),
  ],
}

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
  if (memory.otherDeposit !== undefined && mayAbandon(state)) return NOTES_TEXT.otherDeposit
  if (heldBack !== undefined && mayAbandon(state)) return NOTES_TEXT.heldBack(heldBack)
  if (exportedOf(state) === undefined) return NOTES_TEXT.checked
  if (draft?.signer === 'contract') return NOTES_TEXT.contract(savedPath)
  const flags = WALLET_FLAGS.map((parts) => parts.join(' '))
  return [...NOTES_TEXT.wallet(savedPath, flags), ...ledgerNotes(state)]
}

/** Returns what the page of the command says of a Ledger; undefined where no external signer signs it. */
export const walletHint = (state: PaymentState): string | undefined =>
  ledgerNotes(state).length === 0 ? undefined : NOTES_TEXT.blindSigning

/** Returns what a Ledger must allow, what it shows of the transaction, and how another account of it is named. */
export function ledgerNotes(state: PaymentState): readonly string[] {
  const transaction = exportedOf(state)
  if (transaction === undefined || liveOf(state)?.draft.signer === 'contract') return []
  const { valueWei, chainId } = transaction
  return NOTES_TEXT.ledger(formatWei(valueWei).replaceAll(',', ''), chainId)
}

/** What the next key does about a payment that is stuck, before a word is typed for it. */
function replaceNotes(state: PaymentState): readonly string[] {
  const { quote, memory } = state
  if (quote !== undefined) return NOTES_TEXT[quote.kind]
  const live = liveOf(state)
  // What is held back is never sped up, and its problem says how to cancel it.
  const isOpen = live !== undefined && live.heldBack === undefined && live.replacement === undefined
  if (maySendAgain(state)) return []
  if (!isOpen || live.included !== undefined) return []
  const isCanceling = live.cancelAgreed === true
  const isOffered = memory.isStuck && mayHaveLeft(state)
  if (memory.doubt !== undefined && live.phase === 'under-way' && chainStands(memory))
    return NOTES_TEXT.noBlock(memory.doubt, { isOffered, isCanceling })
  if (!isOffered) return []
  return [isCanceling ? NOTES_TEXT.stuckCancellation : NOTES_TEXT.stuck]
}
