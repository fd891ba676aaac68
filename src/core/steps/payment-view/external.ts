import type { Facts, Setup } from '../../facts.ts'
import { accountIsSaid, signsExternally } from '../gate/nonce.ts'
import { mktxCommand, WALLET_FLAGS } from '../gate/view.ts'
import { known } from '../observation.ts'
import { dearest, draftOf, liveOf, replacementOf } from '../payment/candidates.ts'
import type { Payer, PaymentState } from '../payment/payment.ts'
import { awaitsWallet, exportedOf, mayAbandon } from '../payment/sign-again.ts'
import type { StepField } from '../step-view.ts'

const [LEDGER, ...OTHERS] = WALLET_FLAGS.map((words) => words.join(' '))

/** How the external signer is used, in sentences. */
export function walletNotes(state: PaymentState): string[] {
  if (!awaitsWallet(state)) return []
  const { heldBack, draft } = liveOf(state) ?? {}
  const { savedPath, watch } = state
  if (watch.otherDeposit !== undefined && mayAbandon(state)) {
    return [
      'Somebody deposited for this key after the transaction was made. It may have been you, from another account.',
      'Nothing is shown until it is clear whose deposit that is. If nobody will send the exported transaction any more, g abandons it.',
    ]
  }
  if (heldBack !== undefined && mayAbandon(state)) {
    return [
      `The chain has changed since you agreed: ${heldBack}. So the command is not shown any more.`,
      'If a copy of it is signed and sent all the same, it is found on chain and counts. If nobody will send it, g abandons it.',
    ]
  }
  if (exportedOf(state) === undefined)
    return ['The chain is checked before anything is shown: the transaction may have been sent already.']
  if (draft?.signer === 'contract') {
    const place = savedPath === undefined ? 's saves' : `${savedPath} holds`
    return [
      `A contract account cannot sign a transaction. ${place} the call as a file for the Safe’s Transaction Builder.`,
      'Compare value, receiver and calldata in the app with the ones here, on a second device. Carry it out once.',
      'The Safe sets its gas and nonce. The deposit is found by the event of the deposit contract, with every field compared.',
    ]
  }
  const saved = savedPath === undefined ? ', s saves it' : `; it is saved in ${savedPath}`
  return [
    `c shows the command for the machine of your wallet${saved}. It signs, sends nothing and asks no endpoint.`,
    `${LEDGER} may be ${OTHERS.join(' or ')}. Then press p and paste the result.`,
  ]
}

/** The command for the external signer, once it may be shown, or the one that ends a gap before the payment’s nonce. */
export function walletCommands(state: PaymentState): string[] {
  const draft = draftOf(state)
  const { gapFrom } = state.watch
  const transaction = gapFrom === undefined ? exportedOf(state) : emptyTransfer(state, gapFrom)
  if (transaction === undefined || draft === undefined || draft.signer === 'contract') return []
  return [mktxCommand(transaction, draft.from, WALLET_FLAGS[0])]
}

/** An empty transfer with the first nonce that is missing. */
function emptyTransfer(state: PaymentState, nonce: number) {
  const empty = replacementOf(state, 'cancellation', dearest(state))
  return empty === undefined ? undefined : { ...empty, nonce }
}

/** The field that takes the paying account before the draft is made, or the signed bytes afterwards. */
export function walletFields(state: PaymentState, step: Payer, facts: Facts, setup: Setup): StepField[] {
  if (exportedOf(state) !== undefined)
    return draftOf(state)?.signer === 'contract' ? [] : [signedField(state, step)]
  if (state.payment.phase !== 'open' || !accountIsSaid(state, setup)) return []
  const { sender, senderError, seen } = state
  const isExternal = signsExternally(state, setup)
  const otherwise = isExternal ? facts.deposit?.from : known(seen.funder)?.address
  const named =
    seen.funder.status === 'failed' ? 'the keystore names no account: type it' : 'the account of the keystore'
  return [
    {
      id: 'payer',
      takes: { step, type: 'senderTyped' },
      label: 'paying account',
      value: sender ?? otherwise ?? '',
      hint: isExternal
        ? 'its address, with the capitals; its key stays in your wallet'
        : `${named}, with the capitals`,
      explain: {
        what: isExternal
          ? 'The account that pays the stake and the fee. An external signer signs for it.'
          : 'The account that pays the stake and the fee. A keystore file may name it; Foundry’s do not.',
        who: isExternal
          ? 'You. The signed bytes must name the same account.'
          : 'The keystore file, or you. The key in the keystore must be of the same account, or nothing is signed.',
        later: 'Yes, until the transaction is made.',
      },
      ...(senderError === undefined ? {} : { error: senderError }),
    },
  ]
}

/** The field that must be filled before anything can be asked; undefined when none is. */
export function neededField(state: PaymentState, facts: Facts, setup: Setup): string | undefined {
  const { payment, sender, seen } = state
  if (payment.phase !== 'open' || sender !== undefined) return undefined
  if (signsExternally(state, setup)) return facts.deposit === undefined ? 'payer' : undefined
  const unnamed = seen.funder.status === 'failed' && seen.funder.error.code === 'wallet.no-account'
  return unnamed ? 'payer' : undefined
}

function signedField({ failure }: PaymentState, step: Payer): StepField {
  const refused = failure === undefined ? undefined : [failure.shortMessage, ...failure.details].join(' ')
  return {
    id: 'signed',
    takes: { step, type: 'imported' },
    label: 'signed transaction',
    value: '',
    hint: 'the line that begins with 0x02, or the path of a file that holds it',
    explain: {
      what: 'What the wallet machine printed. Every field of it is compared with what was exported.',
      who: 'Your wallet; the comparison is made here.',
      later: 'No. Once it is taken, it is written down and sent.',
    },
    ...(refused === undefined ? {} : { error: refused }),
  }
}
