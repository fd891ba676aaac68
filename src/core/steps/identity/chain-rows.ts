import type { KeyHistory } from '../../deposit/key-history.ts'
import { withChecksum } from '../../deposit/payout.ts'
import type { Setup } from '../../facts.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import type { Judgement } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { adoptable, operatorsDiffer } from './adopt.ts'
import { identityJudges, isOwnOperator } from './judges.ts'
import type { IdentityAnswers, IdentityState } from './state.ts'

/** What contract and beacon state know of the key; of a registered validator, whose it is. */
export function chainRows(state: IdentityState, setup: Setup): FactRow[] {
  const { seen } = state
  const { secondExecution } = setup.endpoints
  return [
    operatorRow(state, setup),
    ...(secondExecution === undefined ? [] : [secondOperatorRow(state, setup)]),
    beaconRow(state),
    ...adoptedRows(state),
    ...(seen.history.status === 'unasked' ? [] : [historyRow(state)]),
  ]
}

function operatorRow(state: IdentityState, setup: Setup): FactRow {
  return factRow({
    id: 'operator',
    label: 'operator',
    observation: state.seen.operator,
    judge: (value) => judgeOperator(value, state, setup),
    say: (value) => operatorWords(value.operator, state),
    long: (value) => shownOperator(value, state),
    explain: {
      what: 'The operator is the account that manages the validator’s rewards. The contract keeps one for each key, set by the first deposit for the key or by the genesis. For an unused key it is zero.',
      who: 'The deposit contract, through the execution endpoint.',
      later: 'Only by the operator itself, with a delay.',
    },
  })
}

function secondOperatorRow(state: IdentityState, setup: Setup): FactRow {
  return factRow({
    id: 'secondOperator',
    label: 'operator, again',
    observation: state.seen.secondOperator,
    judge: (value) => judgeOperator(value, state, setup),
    say: (value) => operatorWords(value.operator, state),
    long: (value) => (operatorsDiffer(state) ? shownOperator(value, state) : undefined),
    explain: {
      what: 'The same question to the second execution endpoint, on another server.',
      who: 'The second execution endpoint.',
      later: 'Only by the operator itself, with a delay.',
    },
  })
}

/** Of a registered validator the operator is shown for the user to compare; where endpoints differ it is not known. */
function judgeOperator(value: { operator: Hex }, state: IdentityState, setup: Setup): Judgement {
  if (operatorsDiffer(state) && isRegistered(state)) return undefined
  return adoptable(state, setup) !== undefined ? 'given' : identityJudges.operator(value, state)
}

function isRegistered({ seen }: IdentityState): boolean {
  return seen.beacon.status === 'known' && seen.beacon.value.index !== undefined
}

function beaconRow(state: IdentityState): FactRow {
  const { adopted, own, keyOnly } = state
  const judge = (value: IdentityAnswers['beacon']) => identityJudges.beacon(value, adopted ?? own)
  return factRow({
    id: 'beacon',
    label: 'beacon state',
    observation: state.seen.beacon,
    judge: (value) =>
      keyOnly && adopted === undefined ? judgeFound(value) : asFarAsProven(value, judge(value)),
    say: (value) => `${keyOnly ? foundWords(value) : beaconWords(value, judge(value))}${provenWords(value)}`,
    explain: {
      what: 'The list of all validators that the chain knows. An unused key is not in it.',
      who: 'The whole state, hashed on this computer and found in the execution chain, or the proofs of this one record. If neither can be had, the node API alone: reported (not proven). Before money moves it is proven again.',
      later: 'Yes, once: a registered key stays in the list for ever.',
    },
  })
}

/** A registered validator is adopted only as it is proven. */
function judgeFound({ index, exiting, provenSlot }: IdentityAnswers['beacon']): boolean | undefined {
  if (index === undefined || exiting) return false
  return provenSlot === undefined ? undefined : true
}

/** What the node reports alone never looks proven; what speaks against the key counts from whomever it comes. */
function asFarAsProven({ provenSlot }: IdentityAnswers['beacon'], good: boolean): boolean | undefined {
  return good && provenSlot === undefined ? undefined : good
}

function provenWords({ provenSlot }: IdentityAnswers['beacon']): string {
  return provenSlot === undefined ? ', reported (not proven)' : ', proven'
}

/** What the user typed to adopt the validator. */
function adoptedRows({ adopted }: IdentityState): FactRow[] {
  if (adopted === undefined) return []
  return [
    {
      id: 'withdrawal',
      mark: 'given',
      label: 'withdrawal',
      value: 'as you typed it; the stake comes back here',
      long: adopted.withdrawalAddress,
      source: 'you',
      explain: {
        what: 'Where the stake is paid out when the validator leaves. The beacon state must name the same, or nothing is added.',
        who: 'You, from your own record, when the validator was adopted. The next step proves it.',
        later: 'Never: it is part of the validator.',
      },
    },
  ]
}

function historyRow(state: IdentityState): FactRow {
  return factRow({
    id: 'history',
    label: 'deposit history',
    observation: state.seen.history,
    judge: () => state.rescue !== undefined || state.adopted !== undefined,
    say: pastWords,
    explain: {
      what: 'Every deposit for this key since its operator was set, each checked by the rules of the chain.',
      who: 'The logs of the deposit contract; the signatures are verified on this computer.',
      later: 'No.',
    },
  })
}

function operatorWords(operator: Hex, state: IdentityState): string {
  const { rescue, adopted } = state
  const isZero = sameHex(operator, ZERO_ADDRESS)
  if (isRegistered(state) && !isOwnOperator({ operator }, state)) {
    if (isZero) return 'none named by the contract'
    if (adopted === undefined) return 'manages the rewards; compare it'
    return sameHex(operator, adopted.operator) ? 'as adopted' : 'not the operator you adopted'
  }
  if (isZero) return 'zero: never used'
  if (isOwnOperator({ operator }, state)) return 'set by your own deposit'
  return rescue === undefined ? `already set to ${operator}` : 'yours, from a deposit that was lost'
}

/** The address below the row, where it stands there to be compared. */
function shownOperator({ operator }: { operator: Hex }, state: IdentityState): Hex | undefined {
  const compared = isRegistered(state) && !isOwnOperator({ operator }, state)
  return compared && !sameHex(operator, ZERO_ADDRESS) ? withChecksum(operator) : undefined
}

function pastWords({ deposits }: KeyHistory): string {
  const accepted = deposits.filter((deposit) => deposit.accepted).length
  const many = deposits.length === 1 ? '1 deposit' : `${deposits.length} deposits`
  return accepted === 0 ? `${many}, refused by the chain` : `${many}, ${accepted} valid`
}

function foundWords({ index, status }: IdentityAnswers['beacon']): string {
  return index === undefined ? 'does not know this key' : `validator ${index}, ${status ?? 'no status'}`
}

function beaconWords({ index, status }: IdentityAnswers['beacon'], isOwn: boolean): string {
  if (index === undefined) return 'does not know this key'
  return isOwn
    ? `knows your validator, index ${index}`
    : `knows it already: index ${index}, ${status ?? 'no status'}`
}
