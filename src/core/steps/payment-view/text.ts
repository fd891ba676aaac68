import { forkWarnings } from '../../consensus/fork-outlook.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { mktxCommand, WALLET_FLAGS } from '../external-signer.ts'
import { showsGate } from '../gate/rows.ts'
import { known } from '../observation.ts'
import type { FieldView, MoneyBand, Problem } from '../view.ts'
import {
  dearest,
  draftOf,
  endedOf,
  liveOf,
  newestBytes,
  paymentBytes,
  planOf,
  replacementOf,
} from '../payment/candidates.ts'
import type { EndedPayment, PaymentPlan, PaymentState } from '../payment/payment.ts'
import {
  accountIsSaid,
  awaitsWallet,
  exportedOf,
  mayAbandon,
  mayHaveLeft,
  signsExternally,
} from '../payment/sign-again.ts'

const [LEDGER, ...OTHERS] = WALLET_FLAGS.map((words) => words.join(' '))

/** The words of a step for the money of its payment. */
export type MoneyWords = {
  before: string
  worst: string
  after: string
  leftBefore: (amount: string) => string
}

/** The money band of a payment, by what may have left the wallet. */
export function paymentMoney(
  state: PaymentState,
  plan: PaymentPlan | undefined,
  { network }: Setup,
  words: MoneyWords,
): MoneyBand {
  const value = plan?.valueWei ?? planOf(state)?.valueWei
  const amount = value === undefined ? 'nothing' : `${formatWei(value)} ${network.names.token}`
  const ended = endedOf(state)
  if (ended !== undefined) return endedMoney(ended, amount, words)
  const live = liveOf(state)
  if (live === undefined) {
    if (value === undefined)
      return { line: `${words.before} · nothing is sent now`, worst: 'worst case here: none.' }
    return { line: `${words.before} · next ${amount} + fee`, worst: words.worst }
  }
  if (state.watch.otherDeposit !== undefined)
    return {
      line: 'a deposit for this key is on the chain · sign and send nothing more',
      worst: 'worst case: what was prepared is sent, too. Then both count.',
    }
  if (live.phase === 'exported')
    return {
      line: `${amount} leaves when it is signed and sent · it counts once`,
      worst: 'worst case: your wallet sends it anyway. It is found on chain and counts once.',
    }
  if (!mayHaveLeft(state))
    return {
      line: `${amount} is signed · nothing has left the wallet`,
      worst: 'worst case: none so far. It is sent once an endpoint can be asked; it counts once.',
    }
  return {
    line: `${amount} is signed and may have left the wallet · it counts once`,
    worst: 'worst case: it takes longer. Waiting changes nothing and is safe.',
  }
}

const NONE_FROM_THIS = 'worst case here: none from this payment.'

function endedMoney({ outcome, remembered }: EndedPayment, amount: string, words: MoneyWords): MoneyBand {
  if (remembered) {
    const block = 'included' in outcome ? `, block ${outcome.included.blockNumber}` : ''
    const what = outcome.is === 'paid' ? `${words.leftBefore(amount)} left the wallet` : UNPAID[outcome.is]
    return {
      line: `remembered${block}: ${what} · asking the chain`,
      worst: 'worst case here: none. Nothing is sent before the chain has confirmed it.',
    }
  }
  switch (outcome.is) {
    case 'paid':
      return { line: `left the wallet ${words.leftBefore(amount)}`, worst: words.after }
    case 'reverted':
      return { line: `the stake came back · only the fee was paid`, worst: 'worst case here: none.' }
    case 'cancelled':
      return { line: `${amount} was not sent, it was cancelled · only a fee was paid`, worst: NONE_FROM_THIS }
    case 'nonce-taken':
      if (outcome.otherDeposit !== undefined)
        return { line: 'a deposit for this key is on the chain · not from this payment', worst: NONE_FROM_THIS }
      return { line: `${amount} was not sent: another transaction took its nonce`, worst: NONE_FROM_THIS }
  }
}

const UNPAID = {
  reverted: 'the contract refused the payment',
  'nonce-taken': 'another transaction took the nonce',
  cancelled: 'the payment was cancelled',
} as const

type Values = Problem['values']

const valuesOf = (rows: readonly { label: string; value: string | undefined }[]): Values =>
  rows.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]))

/** Whether signed bytes stay here, as what was agreed to holds no more. */
export function isHeldBack(state: PaymentState): boolean {
  const live = liveOf(state)
  if (live?.heldBack === undefined || paymentBytes(state) === undefined) return false
  return live.replacement?.kind !== 'cancellation' && newestBytes(state)?.kind !== 'cancellation'
}

/** A payment that failed, was refused, waits for ever, or lost its nonce, in words. One that is paid has no problem. */
export function paymentProblem(state: PaymentState): Problem | undefined {
  const ended = endedOf(state)
  if (ended !== undefined) return ended.remembered ? undefined : endProblem(state, ended)
  if (isHeldBack(state)) return heldBackProblem(state)
  if (liveOf(state) !== undefined && state.watch.gapFrom !== undefined) return gapProblem(state)
  // What an external signer's bytes are refused for stands below the field that takes them.
  if (state.failure === undefined || exportedOf(state) !== undefined) return undefined
  const { shortMessage, money, details, nextSteps } = state.failure
  const isOut = liveOf(state) !== undefined && mayHaveLeft(state)
  return {
    title: shortMessage,
    money: isOut ? 'unknown' : money,
    values: [],
    lines: details,
    next: [...nextSteps, 'r asks again'],
  }
}

const OPENS = 'o opens the step again, with all checks anew'

function endProblem(state: PaymentState, { outcome }: EndedPayment): Problem | undefined {
  const hash = paymentBytes(state)?.hash
  switch (outcome.is) {
    case 'paid':
      return undefined
    case 'reverted':
      return {
        title: 'The contract refused the transaction.',
        money: 'untouched',
        values: valuesOf([{ label: 'transaction', value: hash }]),
        lines: [outcome.reason, 'The stake is back in the account; only the fee was paid.'],
        next: [OPENS],
      }
    case 'cancelled':
      return {
        title: 'The payment was cancelled: the empty transfer took its nonce.',
        money: 'untouched',
        values: [{ label: 'cancellation', value: outcome.included.hash }],
        lines: ['The stake is still in the account; only a fee was paid.'],
        next: [OPENS],
      }
    case 'nonce-taken': {
      const paid =
        outcome.otherDeposit === undefined
          ? 'Nothing of this step was paid.'
          : 'A deposit for this key is on the chain, from another account than the one here.'
      return {
        title: 'Another transaction from this account used our nonce.',
        money: 'untouched',
        values: valuesOf([
          { label: 'ours, which can never happen now', value: hash },
          { label: 'deposit for the key', value: outcome.otherDeposit?.hash },
        ]),
        lines: [`Another program uses this account. ${paid}`],
        next: ['find out which program that is', OPENS],
      }
    }
  }
}

/** Why a signed payment stays here, where it may be all the same, and the way on. */
function heldBackProblem(state: PaymentState): Problem {
  const isOut = mayHaveLeft(state)
  return {
    title: 'The chain has changed since you agreed. The payment is held back.',
    money: isOut ? 'unknown' : 'untouched',
    values: valuesOf([{ label: 'transaction', value: paymentBytes(state)?.hash }]),
    lines: [
      liveOf(state)?.heldBack ?? '',
      isOut
        ? 'An endpoint or your wallet may have it. If it is sent from there, it is found on chain and counts once.'
        : 'It never left this computer.',
    ],
    next: [
      ...(isOut ? ['x cancels it, which makes sure of it'] : []),
      `${mayAbandon(state) ? 'g' : 'o'} abandons it; what you agree to next has the same nonce, so that only one can happen`,
    ],
  }
}

/** A payment that sleeps, as the nonces before its own are not used. */
function gapProblem(state: PaymentState): Problem | undefined {
  const nonce = draftOf(state)?.transaction.nonce
  const { gapFrom } = state.watch
  if (nonce === undefined || gapFrom === undefined) return undefined
  const isOut = mayHaveLeft(state)
  const last = nonce - 1
  const between = last === gapFrom ? `nonce ${gapFrom} is` : `the nonces ${gapFrom} to ${last} are`
  return {
    title: `The nonce of this payment is ${nonce}, and the account is at ${gapFrom}: it is too high.`,
    money: isOut ? 'unknown' : 'untouched',
    values: valuesOf([{ label: 'transaction', value: paymentBytes(state)?.hash }]),
    lines: [
      'An endpoint named the wrong nonce when the payment was made. Every endpoint says otherwise now.',
      `The chain takes nonces in order: the payment waits until ${between} used. Then it is sent, and counts once.`,
    ],
    next: [
      `use nonce ${gapFrom} for an empty transfer to your own account: c shows the command that signs it`,
      ...(isOut
        ? ['x has the payment cancelled when its turn comes']
        : [`${mayAbandon(state) ? 'g' : 'o'} abandons the payment`]),
    ],
  }
}

/** What the next key of a payment does, in sentences; first of all whether the chain's rules are about to change. */
export function paymentNotes(state: PaymentState, facts: Facts, setup: Setup): string[] {
  return [...forksSoon(state, facts, setup), ...walletNotes(state), ...replaceNotes(state)]
}

/** Nobody needs the warning once the money is on its way. */
function forksSoon(state: PaymentState, { genesis }: Facts, { network }: Setup): string[] {
  const chain = known(state.seen.chain)
  if (chain === undefined || !showsGate(state)) return []
  return forkWarnings(network.spec, chain.fork.timestampSeconds, genesis?.forksAhead)
}

/** What the next key does about a payment that is stuck, before a word is typed for it. */
function replaceNotes(state: PaymentState): string[] {
  const { offer, watch } = state
  if (offer?.kind === 'speed-up')
    return ['The same payment for a higher fee. Whichever of the two the chain takes, it is paid once.']
  if (offer?.kind === 'cancellation') {
    return [
      'Nothing is sent to your own account, with the nonce of the payment, so that it cannot happen any more.',
      'The payment may still win: what is on its way may be in the next block. Then it counts, and you are told.',
    ]
  }
  const live = liveOf(state)
  // What is held back is never sped up, and its problem says how to cancel it.
  const waits = watch.isStuck && live !== undefined && live.heldBack === undefined && !live.included
  return waits && mayHaveLeft(state)
    ? ['The transaction is stuck. Waiting is safe. b speeds it up, x tries to cancel it.']
    : []
}

/** How the external signer is used, in sentences. */
function walletNotes(state: PaymentState): string[] {
  if (!awaitsWallet(state)) return []
  const { heldBack, draft } = liveOf(state) ?? {}
  const { savedPath, watch } = state
  if (watch.otherDeposit !== undefined && mayAbandon(state)) {
    return [
      'Somebody deposited for this key after the transaction was made. It may have been you, from another account.',
      'Nothing is shown until that is clear. If nobody sends what was exported any more, g abandons it.',
    ]
  }
  if (heldBack !== undefined && mayAbandon(state)) {
    return [
      `The chain has changed since you agreed: ${heldBack}. So the command left the screen.`,
      'A copy of it may still be signed and sent: then it is found on chain, and counts. If nobody sends it, g abandons it.',
    ]
  }
  if (exportedOf(state) === undefined)
    return ['Before anything is shown, the chain is looked at: it may have been sent already.']
  if (draft?.signer === 'contract') {
    const place = savedPath === undefined ? 's saves' : `${savedPath} is`
    return [
      `A contract account cannot sign a transaction. ${place} the call as a file for the Safe’s Transaction Builder.`,
      'Compare value, receiver and calldata there with these, on a second device. Carry it out once.',
      'Its gas and nonce are the Safe’s own. The deposit is found by the contract’s event, every field compared.',
    ]
  }
  const saved = savedPath === undefined ? ', s saves it' : `; it is saved in ${savedPath}`
  return [
    `c shows the command for the machine of your wallet${saved}. It signs, sends nothing, and asks no endpoint.`,
    `${LEDGER} in it may be ${OTHERS.join(' or ')}. Then p takes what it prints.`,
  ]
}

/** The heading above the rows of a payment that was agreed to. */
export function paymentTitle(state: PaymentState): string {
  if (!awaitsWallet(state)) return 'Where is the transaction?'
  return draftOf(state)?.signer === 'contract' ? 'What do the owners carry out?' : 'What does your wallet sign?'
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
export function walletFields(state: PaymentState, facts: Facts, setup: Setup): FieldView[] {
  if (exportedOf(state) !== undefined) return draftOf(state)?.signer === 'contract' ? [] : [signedField(state)]
  if (state.payment.phase !== 'open' || !accountIsSaid(state, setup)) return []
  const { sender, senderError, seen } = state
  const isExternal = signsExternally(state, setup)
  const otherwise = isExternal ? facts.deposit?.from : known(seen.funder)?.address
  const named = seen.funder.status === 'failed' ? 'the keystore names none: type it' : 'that of the keystore'
  return [
    {
      id: 'payer',
      label: 'paying account',
      value: sender ?? otherwise ?? '',
      hint: isExternal ? 'its address, with the capitals; its key stays in your wallet' : `${named}, with the capitals`,
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

function signedField({ failure }: PaymentState): FieldView {
  const refused = failure === undefined ? undefined : [failure.shortMessage, ...failure.details].join(' ')
  return {
    id: 'signed',
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
