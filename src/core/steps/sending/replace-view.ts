import type { Setup } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { factRow } from '../rows.ts'
import type { ActionView, FactRow } from '../view.ts'
import { mayHaveLeft } from './phases.ts'
import { mayReplace } from './replace.ts'
import type { Replacement, SendState } from './state.ts'

const NAMES = { bump: 'higher fee', cancel: 'cancellation' } as const

/** The rows of what may take the payment's place: what was signed, what was found, what is offered. */
export function replaceRows(state: SendState, setup: Setup): FactRow[] {
  const { rivals, strays, replacement, offer, prepared } = state
  const explain = {
    what: 'Another transaction with the same number. One number is used once: only one of them can happen.',
    who: 'This computer.',
    later: 'No.',
  }
  const signed = rivals.map(
    (rival, at): FactRow => ({
      id: `rival.${at}`,
      mark: 'proven',
      label: NAMES[rival.kind],
      value: `signed, at most ${mostFee(rival, setup)}`,
      long: rival.hash,
      source: 'this computer',
      explain,
    }),
  )
  const found = strays.map((stray, at): FactRow => {
    const isSame = stray.nonce === prepared?.transaction.nonce
    const instead =
      'What the account paid for the key instead: the number that was prepared is used otherwise.'
    return {
      id: `stray.${at}`,
      mark: 'proven',
      label: 'sent elsewhere',
      value: isSame ? 'your account, the same number' : `your account, number ${stray.nonce}`,
      long: stray.hash,
      source: 'the chain',
      explain: {
        ...explain,
        what: isSame ? explain.what : instead,
        who: 'The execution endpoint, by the deposits for the key.',
      },
    }
  })
  const agreed: FactRow[] =
    replacement === undefined
      ? []
      : [
          {
            id: 'replacement',
            mark: 'asking',
            label: NAMES[replacement.kind],
            value: `waits for its signature, at most ${mostFee(replacement, setup)}`,
            source: 'this computer',
            explain,
          },
        ]
  return [...signed, ...found, ...agreed, ...(offer === undefined ? [] : [offerRow(offer, setup)])]
}

function offerRow({ kind, price }: NonNullable<SendState['offer']>, setup: Setup): FactRow {
  const { token } = setup.network.names
  return factRow({
    id: 'offer',
    label: NAMES[kind],
    observation: price,
    judge: () => true,
    say: ({ transaction, limitWei }) =>
      `at most ${mostFee({ transaction }, setup)}, never above ${formatWei(limitWei)} ${token}`,
    explain: {
      what: 'Both fees are an eighth higher than before, or what the chain asks for now where that is more. The limit is this program’s own.',
      who: 'This computer, from the endpoints’ fees.',
      later: 'Yes, by raising it once more.',
    },
  })
}

function mostFee({ transaction }: Pick<Replacement, 'transaction'>, { network }: Setup): string {
  return `${formatWei(transaction.gasLimit * transaction.maxFeePerGasWei)} ${network.names.token}`
}

/** What the next key does about a payment that stands still, before a word is typed for it. */
export function replaceNotes(state: SendState): string[] {
  const { offer, stalled, phase, withheld } = state
  if (offer?.kind === 'bump')
    return ['The same payment for a higher fee. Whichever of the two the chain takes, it is paid once.']
  if (offer?.kind === 'cancel') {
    return [
      'Nothing is sent to your own account, with the number of the payment, so that it cannot happen any more.',
      'The payment may still win: what is on its way may be in the next block. Then it counts, and you are told.',
    ]
  }
  // What is held back is never sped up, and its problem says how to cancel it.
  const waits = stalled && withheld === undefined && phase !== 'mined' && mayHaveLeft(state)
  return waits ? ['It stands still. Waiting is safe. b offers more for it, x tries to take it back.'] : []
}

/** The keys of a payment that stands still. */
export function replaceActions(state: SendState): ActionView[] {
  const { offer, stalled } = state
  if (offer !== undefined) {
    const agree: ActionView = {
      id: 'replace',
      key: 'return',
      label: offer.kind === 'bump' ? 'raise the fee' : 'cancel the payment',
      typed: offer.kind === 'bump' ? 'raise' : 'cancel',
    }
    const leave: ActionView = { id: 'leave', key: 'k', label: 'keep waiting' }
    return offer.price.status === 'known' ? [agree, leave] : [leave]
  }
  if ((!stalled && state.gapFrom === undefined) || !mayHaveLeft(state)) return []
  return [
    ...(stalled && mayReplace(state, 'bump') ? [{ id: 'bump', key: 'b', label: 'raise the fee' }] : []),
    ...(mayReplace(state, 'cancel') ? [{ id: 'cancel', key: 'x', label: 'cancel it' }] : []),
  ]
}
