import type { Setup } from '../../facts.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { shellCommand } from '../../format/shell-word.ts'
import { keyIsElsewhere } from '../../identity/key-place.ts'
import { known, type Observation } from '../observation.ts'
import { moneyUntouched } from '../rows.ts'
import type { FieldView, StepView } from '../view.ts'
import { awaitsTypedKey, type IdentityState, identityFact, isRescuable, keyOf } from './machine.ts'
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
  const key = keyOf(state)
  const done = identityFact(state, setup) !== undefined && journal.status === 'open'
  const rescuable = isRescuable(state) && state.rescue === undefined && journal.status === 'open'
  const home = known(state.seen.home)
  const elsewhere = home !== undefined && keyIsElsewhere(home)
  const typing = journal.status === 'closed' && awaitsTypedKey(found)
  const problem = journalProblem(journal) ?? identityProblem(state, setup)
  return {
    step: 'identity',
    title: 'Check the key',
    intro: introOf(found),
    factsTitle: 'May this key be registered?',
    facts: identityRows(state, setup),
    fields: [...(rescuable ? [rescueField(state)] : []), ...(typing ? [typedKeyField(found, setup)] : [])],
    ...(typing && found.typedKey === undefined ? { activeField: 'pubkey' } : {}),
    checks: [],
    ladder: [],
    timeline: [],
    notes: (known(state.seen.home)?.findings ?? []).map(({ text, fix }) => `${text} ${fix}`),
    money: moneyUntouched(
      elsewhere
        ? 'worst case here: none. The key is not on this computer.'
        : 'worst case here: none. The key is only read, by a separate process.',
      network.names.token,
    ),
    ...(problem === undefined ? {} : { problem }),
    actions: [
      ...(done ? [{ id: 'next', key: 'return', label: 'continue' }] : []),
      ...(rescuable ? [{ id: 'edit', key: 'x', label: 'register it after all' }] : []),
      ...(typing ? [{ id: 'edit', key: 'x', label: 'type the public key' }] : []),
      { id: 'retry', key: 'r', label: 'ask again' },
    ],
    commands: identityCommands(key?.pubkey ?? '<pubkey>', setup),
    done,
  }
}

function identityCommands(pubkey: string, { network, homePath, endpoints }: Setup): string[] {
  const { names, spec } = network
  const node = endpointLabel(endpoints.node)
  const rpc = ['--rpc-url', endpointLabel(endpoints.execution)]
  return [
    shellCommand(names.nodeTool, 'deposit', 'validator-keys', '--home', homePath),
    shellCommand(names.nodeTool, 'status', '--home', homePath),
    shellCommand('cast', 'call', spec.depositContract, 'getOperator(bytes)(address)', pubkey, ...rpc),
    shellCommand('curl', '-s', `${node}/eth/v1/beacon/states/head/validators?id=${pubkey}`),
  ]
}

function introOf({ seen }: IdentityState): string {
  const home = known(seen.home)
  if (home === undefined || !keyIsElsewhere(home))
    return 'A key can be registered once, ever. Is this one unused, sound, and the one your node runs with?'
  const why =
    home.remoteSigner === ''
      ? 'This home has no key file. If the key is on another machine on purpose,'
      : 'A remote signer holds the key of this node. It is never fetched:'
  return `${why} type its public key; the node must run with it. In the next step the key machine signs, and you bring the signature here.`
}

function typedKeyField({ typedKey, typedKeyError }: IdentityState, { suggestedPubkey }: Setup): FieldView {
  return {
    id: 'pubkey',
    label: 'public key',
    value: typedKey?.pubkey ?? '',
    hint: 'from the key machine: 0x and 96 digits, or the engine’s base64',
    ...(suggestedPubkey === undefined || typedKey !== undefined ? {} : { suggestion: suggestedPubkey }),
    ...(typedKeyError === undefined ? {} : { error: typedKeyError }),
    explain: {
      what: 'The public half of the validator key, as the key machine shows it. The private half never comes here.',
      who: 'You; the running engine must name the same.',
      later: 'Never for this validator.',
    },
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
