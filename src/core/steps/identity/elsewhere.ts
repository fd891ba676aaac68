import { withChecksum } from '../../deposit/payout.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { shellCommand } from '../../format/shell-word.ts'
import { known, markOf } from '../observation.ts'
import { factRow } from '../rows.ts'
import { goOn, type StepView } from '../step-view.ts'
import type { FactRow } from '../view.ts'
import type { Adoption, IdentityState } from './state.ts'

/** Whether signing and the first deposit of the validator were done without this journal. */
export function isDoneElsewhere({ validator, deposit }: Facts): boolean {
  return validator?.origin === 'adopted' && deposit === undefined
}

const TITLES = { sign: 'Sign the first deposit', deposit: 'Send the first deposit' } as const

/** A step of an adopted validator that was done elsewhere: what the chain still says of it. */
export function elsewhereView(step: keyof typeof TITLES, state: IdentityState, setup: Setup): StepView {
  const { token } = setup.network.names
  const { adopted } = state
  return {
    step,
    title: TITLES[step],
    sections: ['intro', 'facts', 'notes'],
    intro: `Done already: validator ${adopted?.index ?? ''} was registered without this journal. Nothing is signed or sent here.`,
    factsTitle: 'What does the chain say about it?',
    facts: adopted === undefined ? [] : rowsOf(step, state, adopted, setup),
    checks: [],
    fields: [],
    ladder: [],
    timeline: [],
    notes: ['Read for information. A top-up does not wait for it.'],
    money: {
      line: `left the wallet 0 ${token} · this step sends nothing`,
      worst: 'worst case here: none. This program did not make the first deposit.',
    },
    actions: [goOn(step)],
    commands: [
      shellCommand(
        'cast',
        'logs',
        '--address',
        setup.network.spec.depositContract,
        '--from-block',
        '0',
        OPERATOR_EVENT,
      ),
    ],
    done: true,
  }
}

const OPERATOR_EVENT = 'OperatorUpdated(bytes indexed pubkey,address newOperator,address previousOperator)'

function rowsOf(step: keyof typeof TITLES, state: IdentityState, adopted: Adoption, setup: Setup): FactRow[] {
  return step === 'sign'
    ? [withdrawalRow(adopted), operatorRow(adopted)]
    : [originRow(state, adopted), depositsRow(state, setup)]
}

function withdrawalRow({ withdrawalAddress }: Adoption): FactRow {
  return {
    id: 'withdrawal',
    mark: 'given',
    label: 'withdrawal',
    value: 'as you typed it; the stake comes back here',
    long: withdrawalAddress,
    source: 'you',
    explain: {
      what: 'The address that the first deposit was signed for.',
      who: 'You, when the validator was adopted; the step "confirm" proves it.',
      later: 'Never: it is part of the validator.',
    },
  }
}

function operatorRow({ operator }: Adoption): FactRow {
  const isZero = sameHex(operator, ZERO_ADDRESS)
  return {
    id: 'operator',
    mark: 'given',
    label: 'operator',
    value: isZero ? 'none named by the contract' : 'manages the rewards',
    ...(isZero ? {} : { long: withChecksum(operator) }),
    source: 'contract',
    explain: {
      what: 'The account that manages the rewards, as the contract named it when the validator was adopted. It is checked again before each top-up.',
      who: 'The deposit contract, through every execution endpoint.',
      later: 'Only by the operator itself, with a delay.',
    },
  }
}

function originRow({ seen }: IdentityState, { operator }: Adoption): FactRow {
  const observation = seen.history
  const words = sameHex(operator, ZERO_ADDRESS)
    ? 'without a first deposit that the contract knows'
    : 'no event of it is found'
  return factRow({
    id: 'setBy',
    label: 'registered',
    observation,
    judge: ({ setBy }) => (setBy === undefined && !sameHex(operator, ZERO_ADDRESS) ? undefined : true),
    say: ({ setBy }) => (setBy === undefined ? words : `operator set in block ${setBy.blockNumber}`),
    long: ({ setBy }) => setBy?.transactionHash,
    explain: {
      what: 'The transaction that set the operator of this key for the first time: its first deposit.',
      who: 'The logs of the deposit contract, through the execution endpoint.',
      later: 'No.',
    },
  })
}

function depositsRow({ seen }: IdentityState, { network }: Setup): FactRow {
  const history = known(seen.history)
  const totalGwei = history?.deposits.reduce((sum, { amountGwei }) => sum + amountGwei, 0n) ?? 0n
  const many = history?.deposits.length ?? 0
  return {
    id: 'deposits',
    mark: markOf(seen.history, () => true),
    label: 'deposits',
    value:
      history === undefined
        ? 'being read'
        : `${many === 1 ? '1 deposit' : `${many} deposits`}, ${formatGwei(totalGwei)} ${network.names.token} in all`,
    source: 'contract',
    explain: {
      what: 'All deposits for this key that the contract wrote down since the first one.',
      who: 'The logs of the deposit contract, through the execution endpoint.',
      later: 'More are added by each top-up.',
    },
  }
}
