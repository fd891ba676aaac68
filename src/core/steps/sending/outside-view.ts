import type { Facts, Setup } from '../../facts.ts'
import { known } from '../observation.ts'
import type { ActionView, FactRow, FieldView } from '../view.ts'
import { gapCommands } from './gap-view.ts'
import { accountIsSaid, handedOut, mktxCommand, signsElsewhere, WALLET_FLAGS } from './outside.ts'
import { mayRelease } from './phases.ts'
import type { SendState } from './state.ts'

const [LEDGER, ...OTHERS] = WALLET_FLAGS.map((words) => words.join(' '))

/** Whether what waits is a signature from a wallet elsewhere. */
export function awaitsWallet(state: SendState): boolean {
  const { phase, prepared, replacement, strays, clear } = state
  const unsent = strays.length === 0 || clear !== undefined
  return (phase === 'external' && unsent) || (prepared?.elsewhere === true && replacement !== undefined)
}

/** The field that takes the paying account before the transaction is made, or the signed bytes afterwards. */
export function walletFields(state: SendState, facts: Facts, setup: Setup): FieldView[] {
  if (handedOut(state) !== undefined) return state.prepared?.contract === true ? [] : [signedField(state)]
  if (state.phase !== 'idle' || !accountIsSaid(state, setup)) return []
  const { payer, payerError, seen } = state
  const outside = signsElsewhere(state, setup)
  const otherwise = outside ? facts.deposit?.from : known(seen.funder)?.address
  return [
    {
      id: 'payer',
      label: 'paying account',
      value: payer ?? otherwise ?? '',
      hint: outside ? 'its address, with the capitals; its key stays in your wallet' : keystoreHint(state),
      explain: {
        what: outside
          ? 'The account that pays the stake and the fee. A wallet elsewhere signs for it.'
          : 'The account that pays the stake and the fee. A keystore file may name it; Foundry’s do not.',
        who: outside
          ? 'You. The signed bytes must name the same account.'
          : 'The keystore file, or you. The key in the keystore must be of the same account, or nothing is signed.',
        later: 'Yes, until the transaction is made.',
      },
      ...(payerError === undefined ? {} : { error: payerError }),
    },
  ]
}

function keystoreHint({ seen }: SendState): string {
  const named = seen.funder.status === 'failed' ? 'the keystore names none: type it' : 'that of the keystore'
  return `${named}, with the capitals`
}

/** The field that must be filled before anything can be asked; undefined when none is. */
export function neededField(state: SendState, facts: Facts, setup: Setup): string | undefined {
  const { phase, payer, seen } = state
  if (phase !== 'idle' || payer !== undefined) return undefined
  if (signsElsewhere(state, setup)) return facts.deposit === undefined ? 'payer' : undefined
  const unnamed = seen.funder.status === 'failed' && seen.funder.error.code === 'wallet.no-account'
  return unnamed ? 'payer' : undefined
}

function signedField({ failure }: SendState): FieldView {
  const refused = failure === undefined ? undefined : [failure.shortMessage, ...failure.details].join(' ')
  return {
    id: 'signed',
    label: 'signed transaction',
    value: '',
    hint: 'the line that begins with 0x02, or the path of a file that holds it',
    explain: {
      what: 'What the wallet machine printed. Every field of it is compared with what was handed out.',
      who: 'Your wallet; the comparison is made here.',
      later: 'No. Once it is taken, it is written down and sent.',
    },
    ...(refused === undefined ? {} : { error: refused }),
  }
}

/** The choice of the wallet, before the transaction is made. */
export function walletChoice(state: SendState, setup: Setup): ActionView[] {
  const account: ActionView[] = accountIsSaid(state, setup)
    ? [{ id: 'edit.payer', key: 'u', label: 'account' }]
    : []
  if (!signsElsewhere(state, setup))
    return [...account, { id: 'elsewhere', key: 't', label: 'sign elsewhere' }]
  return [
    ...account,
    ...(setup.keystore === undefined ? [] : [{ id: 'here', key: 't', label: 'use the keystore' }]),
  ]
}

/** What can be done while a wallet elsewhere is to sign. */
export function walletActions(state: SendState): ActionView[] {
  const contract = state.prepared?.contract === true
  const save = { id: 'saveCommand', key: 's', label: contract ? 'save it for the Safe' : 'save the command' }
  const paste = { id: 'edit.signed', key: 'p', label: 'paste it signed' }
  const shown: ActionView[] = contract ? [save] : [paste, save]
  return [
    ...(handedOut(state) === undefined ? [] : shown),
    ...(mayRelease(state) ? [releaseOf(state)] : []),
    { id: 'retry', key: 'r', label: 'look again' },
  ]
}

/** Giving up what nobody signed: the user’s word, checked again before another transaction is made. */
export function releaseOf({ prepared }: SendState): ActionView {
  const typed = prepared?.contract === true ? 'never carried out' : 'never signed'
  return { id: 'release', key: 'g', label: 'give it up', typed }
}

/** The rows that a person compares with the wallet's own screen (safety #76). */
export function walletRows(state: SendState): FactRow[] {
  const transaction = handedOut(state)
  const { prepared, clear } = state
  if (transaction === undefined || prepared === undefined || clear === undefined) return []
  const compare = { who: 'This computer.', later: 'Not any more: it is handed out.' }
  const row = (id: string, label: string, value: string, long: string, what: string): FactRow => ({
    id,
    mark: 'proven',
    label,
    value,
    long,
    source: 'the transaction',
    explain: { what, ...compare },
  })
  if (prepared.contract === true) {
    return [
      row('from', 'account', 'a contract account', prepared.from, 'Its owners carry the call out.'),
      row('receiver', 'to', 'compare in the app', transaction.to, 'The receiver of the call.'),
      row('calldata', 'calldata', 'compare in the app', transaction.data, 'What is called, byte by byte.'),
    ]
  }
  return [
    row('from', 'account', 'must sign', prepared.from, 'The account whose key must sign.'),
    row('receiver', 'to', 'compare on the device', transaction.to, 'The receiver, as a wallet shows it.'),
    row(
      'digest',
      'digest',
      'compare, where it is shown',
      clear.digest,
      'The hash that the wallet signs. It stands for every field: if it is equal, nothing was changed.',
    ),
  ]
}

/** How the wallet machine is used, in sentences. */
export function walletNotes(state: SendState): string[] {
  if (!awaitsWallet(state)) return []
  if (state.otherDeposit !== undefined && mayRelease(state)) {
    return [
      'Somebody deposited for this key after the transaction was made. It may have been you, from another account.',
      'Nothing is shown until that is clear. If nobody sends what was handed out any more, g gives it up.',
    ]
  }
  if (state.withheld !== undefined && mayRelease(state)) {
    return [
      `The chain has changed since you agreed: ${state.withheld}. So the command left the screen.`,
      'A copy of it may still be signed and sent: then it is found on chain, and counts. If nobody sends it, g abandons it.',
    ]
  }
  if (handedOut(state) === undefined)
    return ['Before anything is shown, the chain is looked at: it may have been sent already.']
  if (state.prepared?.contract === true) {
    const place = state.savedPath === undefined ? 's saves' : `${state.savedPath} is`
    return [
      `A contract account cannot sign a transaction. ${place} the call as a file for the Safe’s Transaction Builder.`,
      'Compare value, receiver and calldata there with these, on a second device. Carry it out once.',
      'Its gas and number are the Safe’s own. The deposit is found by the contract’s event, every field compared.',
    ]
  }
  const saved = placeOf(state)
  return [
    `c shows the command for the machine of your wallet${saved}. It signs, sends nothing, and asks no endpoint.`,
    `${LEDGER} in it may be ${OTHERS.join(' or ')}. Then p takes what it prints.`,
  ]
}

function placeOf({ savedPath }: SendState): string {
  return savedPath === undefined ? ', s saves it' : `; it is saved in ${savedPath}`
}

/** The command for the wallet machine, once it may be shown, or the one that ends a gap before the payment’s nonce. */
export function walletCommands(state: SendState): string[] {
  const transaction = handedOut(state)
  const { prepared, gapFrom } = state
  if (gapFrom !== undefined) return gapCommands(state)
  if (transaction === undefined || prepared === undefined || prepared.contract === true) return []
  return [mktxCommand(transaction, prepared.from, WALLET_FLAGS[0])]
}

/** The heading above what is handed out. */
export function walletQuestion({ prepared }: SendState): string {
  return prepared?.contract === true ? 'What do the owners carry out?' : 'What does your wallet sign?'
}

/** What is waited for while it is handed out. */
export function walletWaiting({ prepared }: SendState): string {
  return prepared?.contract === true ? 'for the owners of the account' : 'for the signature of your wallet'
}
