import type { MoneyBand, Problem } from '../view.ts'
import { isWatched } from './phases.ts'
import type { SendState } from './state.ts'

/** The money band while there is a deposit for the key that is not known to be the payment; undefined without one. */
export function otherDepositMoney(state: SendState): MoneyBand | undefined {
  if (state.otherDeposit === undefined) return undefined
  if (state.phase === 'foreign') {
    return {
      line: 'a deposit for this key is on the chain · not from this payment',
      worst: 'worst case here: none from this payment.',
    }
  }
  if (!isWatched(state)) return undefined
  return {
    line: 'a deposit for this key is on the chain · sign and send nothing more',
    worst: 'worst case: what was prepared is sent, too. Then both count.',
  }
}

/** A payment whose number was taken by another transaction, in words. */
export function foreignProblem({ hash, foreignHash, otherDeposit }: SendState): Problem {
  const rows = [
    { label: 'ours, which can never happen now', value: hash },
    { label: 'theirs', value: foreignHash },
    { label: 'deposit for the key', value: otherDeposit?.hash },
  ]
  const paid =
    otherDeposit === undefined
      ? 'Nothing of this step was paid.'
      : 'A deposit for this key is on the chain, from another account than the one here.'
  return {
    title: 'Another transaction of this account took the number of ours.',
    money: 'untouched',
    values: rows.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }])),
    lines: [`Another program uses this account. ${paid}`],
    next: ['find out which program that is', 'o opens the step again, with all checks anew'],
  }
}
