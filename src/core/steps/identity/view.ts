import type { Setup } from '../../facts.ts'
import { known, type Observation } from '../observation.ts'
import { moneyUntouched } from '../rows.ts'
import type { FieldView, StepView } from '../view.ts'
import { type IdentityState, identityFact, isRescuable } from './machine.ts'
import { identityProblem, journalProblem } from './problems.ts'
import { identityRows } from './rows.ts'

/** Everything the identity screen draws. */
export function identityView(
  found: IdentityState,
  journal: { status: string; reason?: string },
  setup: Setup,
): StepView {
  const { network } = setup
  const state = journal.status === 'closed' ? withChainHeldBack(found) : found
  const key = known(state.seen.key)
  const done = identityFact(state, setup) !== undefined && journal.status === 'open'
  const rescuable = isRescuable(state) && state.rescue === undefined && journal.status === 'open'
  const problem = journalProblem(journal) ?? identityProblem(state, setup)
  return {
    step: 'identity',
    title: 'Check the key',
    intro: 'A key can be registered once, ever. Is this one unused, sound, and the one your node runs with?',
    factsTitle: 'May this key be registered?',
    facts: identityRows(state, setup),
    fields: rescuable ? [rescueField(state)] : [],
    checks: [],
    ladder: [],
    timeline: [],
    notes: (known(state.seen.home)?.findings ?? []).map(({ text, fix }) => `${text} ${fix}`),
    money: moneyUntouched(
      'worst case here: none. The key is only read, by a separate process.',
      network.names.token,
    ),
    ...(problem === undefined ? {} : { problem }),
    actions: [
      ...(done ? [{ id: 'next', key: 'return', label: 'continue' }] : []),
      ...(rescuable ? [{ id: 'edit', key: 'x', label: 'register it after all' }] : []),
      { id: 'retry', key: 'r', label: 'ask again' },
    ],
    commands: [
      `${network.names.nodeTool} deposit validator-keys --home '${setup.homePath}'`,
      `cast call ${network.spec.depositContract} 'getOperator(bytes)(address)' ${key?.pubkey ?? '<pubkey>'} --rpc-url '${setup.endpoints.execution}'`,
      `curl -s '${setup.endpoints.node}/eth/v1/beacon/states/head/validators?id=${key?.pubkey ?? '<pubkey>'}'`,
    ],
    done,
  }
}

function rescueField(state: IdentityState): FieldView {
  return {
    id: 'operator',
    label: 'your operator',
    value: '',
    hint: 'the address set in the contract, typed from your own record',
    ...(state.rescueError === undefined ? {} : { error: state.rescueError }),
    explain: {
      what: 'Who receives the rewards of this key for ever after. Only if it is you, the burnt key is worth registering.',
      who: 'You; it must be the address in the contract.',
      later: 'Only by that operator itself.',
    },
  }
}

/**
 * What the chain says of the key is not judged before the journal is open: only the journal tells whether an
 * operator or a validator is somebody else's or our own.
 */
function withChainHeldBack(state: IdentityState): IdentityState {
  const { seen } = state
  return {
    ...state,
    seen: {
      ...seen,
      operator: heldBack(seen.operator),
      secondOperator: heldBack(seen.secondOperator),
      beacon: heldBack(seen.beacon),
    },
  }
}

function heldBack<T>(observation: Observation<T>): Observation<T> {
  return observation.status === 'known' ? { status: 'asking' } : observation
}
