import { payoutOf } from '../../deposit/payout.ts'
import type { Setup } from '../../facts.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { shellCommand } from '../../format/shell-word.ts'
import { keyIsElsewhere } from '../../identity/key-place.ts'
import { known, type Observation } from '../observation.ts'
import { moneyUntouched } from '../rows.ts'
import { goOn, goTo, type StepField, type StepView } from '../step-view.ts'
import { verdictOf } from '../verdict.ts'
import { adoptable, type Registered } from './adopt.ts'
import { identityFact, isRescuable, isUncounted } from './judges.ts'
import { awaitsTypedKey } from './machine.ts'
import { identityProblem, journalProblem } from './problems.ts'
import { identityRows } from './rows.ts'
import { type IdentityState, keyOf } from './state.ts'

/** Everything the identity screen draws. */
export function identityView(
  given: IdentityState,
  journal: { status: string; reason?: string },
  setup: Setup,
): StepView {
  const { network } = setup
  const state = journal.status === 'closed' ? withChainHeldBack(given) : given
  const { adopted } = state
  const key = keyOf(state)
  const done =
    journal.status === 'open' &&
    (adopted !== undefined ||
      identityFact(state, setup) !== undefined ||
      (state.keyOnly && state.own?.out === true))
  const rescuable = isRescuable(state) && state.rescue === undefined && journal.status === 'open'
  const home = known(state.seen.home)
  const elsewhere = state.keyOnly || (home !== undefined && keyIsElsewhere(home))
  const registered = journal.status === 'open' ? adoptable(state, setup) : undefined
  const typing = journal.status === 'closed' && awaitsTypedKey(given)
  const facts = identityRows(state, setup)
  const problem = journalProblem(journal) ?? identityProblem(state, setup)
  return {
    step: 'identity',
    title: state.keyOnly ? 'Adopt a registered validator' : 'Check the key',
    verdict: verdictOf(facts, { isOpen: done, good: goodWords(state) }),
    sections: ['intro', 'facts', 'fields', 'notes'],
    folds: ['facts'],
    intro: introOf(given, setup, registered),
    factsTitle:
      setup.homePath === undefined || adopted !== undefined
        ? 'Is this your validator?'
        : 'May this key be registered?',
    facts,
    fields: [
      ...(rescuable ? [rescueField(state)] : []),
      ...(typing ? [typedKeyField(given, setup)] : []),
      ...(registered === undefined ? [] : [withdrawalField(state, registered, setup)]),
    ],
    ...activeField({
      asksKey: typing && given.typedKey === undefined,
      asksAddress: given.keyOnly && registered !== undefined,
    }),
    checks: [],
    ladder: [],
    timeline: [],
    notes: [
      ...operatorNotes(registered ?? adopted),
      ...(known(state.seen.home)?.findings ?? []).map(({ text, fix }) => `${text} ${fix}`),
    ],
    money: moneyUntouched(
      elsewhere
        ? 'worst case here: none. The key is not on this computer.'
        : 'worst case here: none. The key is only read, by a separate process.',
      network.names.token,
    ),
    ...(problem === undefined ? {} : { problem }),
    ...(problem === undefined && isUncounted(state)
      ? { waiting: { label: UNCOUNTED, sinceMs: state.uncountedSinceMs } }
      : {}),
    actions: [
      ...(done
        ? [adopted === undefined ? goOn('identity') : { ...goOn('identity'), does: [goTo('confirm')] }]
        : []),
      ...(registered === undefined ? [] : [{ key: 'a', label: 'adopt it', does: { edit: 'withdrawal' } }]),
      ...(rescuable ? [{ key: 'x', label: 'register it after all', does: { edit: 'operator' } }] : []),
      ...(typing ? [{ key: 'x', label: 'type the public key', does: { edit: 'pubkey' } }] : []),
      { key: 'r', label: 'ask again', does: [{ step: 'identity', type: 'retried' }] },
    ],
    commands: identityCommands(key?.pubkey ?? '<pubkey>', setup),
    done,
  }
}

function goodWords({ adopted, keyOnly }: IdentityState): string {
  if (adopted !== undefined) return `Validator ${adopted.index} is adopted. Enter goes on to its proof.`
  return keyOnly
    ? 'This journal registered the key itself. Enter goes on.'
    : 'This key was never used, and your node runs with it. Enter goes on.'
}

/** The contract takes a deposit without an operator only where it has one for the key. */
function operatorNotes(validator: { operator: string } | undefined): string[] {
  if (validator === undefined || !sameHex(validator.operator, ZERO_ADDRESS)) return []
  return ['The contract names no operator for this validator, so it refuses a top-up. It can be watched.']
}

const UNCOUNTED = 'for the chain to count a deposit'

/** The field that has the cursor by itself: what cannot be gone on without. */
function activeField({ asksKey, asksAddress }: { asksKey: boolean; asksAddress: boolean }) {
  if (asksKey) return { activeField: 'pubkey' }
  return asksAddress ? { activeField: 'withdrawal' } : {}
}

function identityCommands(pubkey: string, { network, homePath, endpoints }: Setup): string[] {
  const { names, spec } = network
  const node = endpointLabel(endpoints.node)
  const rpc = ['--rpc-url', endpointLabel(endpoints.execution)]
  return [
    ...(homePath === undefined
      ? []
      : [
          shellCommand(names.nodeTool, 'deposit', 'validator-keys', '--home', homePath),
          shellCommand(names.nodeTool, 'status', '--home', homePath),
        ]),
    shellCommand('cast', 'call', spec.depositContract, 'getOperator(bytes)(address)', pubkey, ...rpc),
    shellCommand('curl', '-s', `${node}/eth/v1/beacon/states/head/validators?id=${pubkey}`),
  ]
}

function introOf(state: IdentityState, setup: Setup, registered: Registered | undefined): string {
  const { seen, adopted } = state
  if (adopted !== undefined)
    return `Validator ${adopted.index} is adopted: it was registered without this program. The next step proves that the chain holds it as you adopted it.`
  if (isUncounted(state))
    return 'A deposit for this key is in a block and not counted yet: the chain counts it within a few slots. This screen checks again with each slot.'
  if (setup.homePath === undefined)
    return registered === undefined
      ? 'A registered validator is watched and topped up with its public key alone. Does the chain know it?'
      : `Validator ${registered.index} is registered. To adopt it, type its withdrawal address from your own record.`
  const home = known(seen.home)
  if (home === undefined || !keyIsElsewhere(home))
    return 'A key can be registered once, ever. Is this key unused and valid, and does your node run with it?'
  const why =
    home.remoteSigner === ''
      ? 'This home has no key file. If the key is on another machine on purpose,'
      : 'A remote signer holds the key of this node. It is never fetched:'
  return `${why} type its public key; the node must run with it. In the next step the key machine signs, and you import the signature here.`
}

function typedKeyField({ typedKey, typedKeyError }: IdentityState, { suggestedPubkey }: Setup): StepField {
  return {
    id: 'pubkey',
    takes: { step: 'identity', type: 'keyTyped' },
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

/** Never filled in: who compares must read it from his own record. A rehearsal's address nobody has a record of. */
function withdrawalField({ adoptionError }: IdentityState, found: Registered, { network }: Setup): StepField {
  const address = network.kind === 'rehearsal' ? payoutOf(found.withdrawalCredentials).value : undefined
  return {
    id: 'withdrawal',
    takes: { step: 'identity', type: 'addressTyped' },
    label: 'withdrawal',
    value: '',
    hint:
      address === undefined
        ? 'where its stake is paid out, typed from your own record'
        : `in this rehearsal ${address}`,
    ...(adoptionError === undefined ? {} : { error: adoptionError }),
    explain: {
      what: 'Where the stake is paid out when the validator leaves. Everything you add goes to this address in the end. So type it from your own record, not from a screen.',
      who: 'You; it must be the one in the beacon state, which the next step proves.',
      later: 'Never: it is part of the validator.',
    },
  }
}

function rescueField(state: IdentityState): StepField {
  return {
    id: 'operator',
    takes: { step: 'identity', type: 'rescueTyped' },
    label: 'your operator',
    value: '',
    hint: 'the address set in the contract, typed from your own record',
    ...(state.rescueError === undefined ? {} : { error: state.rescueError }),
    explain: {
      what: 'The account that manages the rewards of this key. Only if it is your own, the burnt key is worth registering.',
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
