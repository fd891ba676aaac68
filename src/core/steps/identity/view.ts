import { endpointLabel } from '../../base/format/endpoint-url.ts'
import { sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { namesKey } from '../../base/format/next.ts'
import { shellCommand } from '../../base/format/text.ts'
import { payoutOf, withChecksum } from '../../chain/deposit/credentials.ts'
import type { Setup } from '../../chain/facts.ts'
import { CHAIN_SPECS } from '../../chain/identity/home-findings.ts'
import { asksAsRealMoney } from '../../chain/network/network.ts'
import { MAINNET } from '../../chain/network/presets.ts'
import { known, type Observation } from '../../view/observation.ts'
import { drawRows, moneyUntouched, rowsVerdict } from '../../view/rows.ts'
import { goOn, goTo, type StepField, type StepView, stepView } from '../../view/step-view.ts'
import type { FactRow, Problem } from '../../view/view.ts'
import { adoptable, type Registered } from './adopt.ts'
import { IDENTITY_FACTS, keyAllowed, keyIsAway, keyText, observedParts, PART_FACTS } from './facts.ts'
import { awaitsTypedKey, identityFact } from './machine.ts'
import { goodText, identityProblem, journalProblem } from './problems.ts'
import {
  type IdentityEvent,
  type IdentityState,
  identityKey,
  isRescuable,
  isUncounted,
  operatorOwner,
} from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

/** Returns the commands that ask by hand what this step asks: of the node tool, the contract and the node. */
function identityCommands(state: IdentityState, { network, homePath, endpoints }: Setup): string[] {
  const { names, spec } = network
  const pubkey = identityKey(state)?.pubkey ?? '<pubkey>'
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

/**
 * The command of the node tool that makes a new key, in an empty directory: the node does not start without a key file,
 * and `init` in the home of a node would write over its settings. In a rehearsal it is the one for mainnet.
 */
function newKeyCommands(setup: Pick<Setup, 'network'>): string[] {
  const network = setup.network.kind === 'rehearsal' ? MAINNET : setup.network
  const chain = ['--chain-id', network.engineChainId]
  const named = CHAIN_SPECS[network.id]
  const spec = named === undefined ? [] : [`--${network.names.appSection}.chain-spec`, named]
  return [
    shellCommand(network.names.nodeTool, 'init', 'new-key', ...chain, ...spec, '--home', 'NEW_EMPTY_DIR'),
  ]
}

const { rows: ROWS } = IDENTITY_TEXT

/** Everything the identity screen draws. */
export function identityView(
  given: IdentityState,
  journal: { status: string; reason?: string },
  setup: Setup,
): StepView<IdentityEvent> {
  const { titles, factsTitles, worst, keys } = IDENTITY_TEXT
  const state = journal.status === 'closed' ? withChainHeldBack(given) : given
  const { adopted } = state
  const isOpen = journal.status === 'open'
  const done =
    isOpen &&
    (adopted !== undefined ||
      identityFact(state, setup) !== undefined ||
      (state.keyOnly && state.own?.out === true))
  const rescuable = isRescuable(state) && state.rescue === undefined && isOpen
  const registered = isOpen ? adoptable(state, setup) : undefined
  const typing = journal.status === 'closed' && awaitsTypedKey(given)
  const facts = identityRows(state, setup)
  const problem = journalProblem(journal) ?? identityProblem(state, setup)
  const isSought = setup.homePath === undefined || adopted !== undefined
  return stepView({
    step: 'identity',
    title: state.keyOnly ? titles.adopt : titles.check,
    verdict:
      registered === undefined || done
        ? rowsVerdict(facts, { isOpen: done, good: goodText(state) })
        : { mark: 'unasked', text: IDENTITY_TEXT.toAdopt(registered.index) },
    sections: ['intro', 'facts', 'fields', 'notes'],
    folds: ['facts'],
    intro: introOf(given, setup, registered),
    factsTitle: isSought ? factsTitles.isYours : factsTitles.mayRegister,
    facts,
    fields: [
      ...(rescuable ? [rescueField(state, setup)] : []),
      ...(typing ? [typedKeyField(given, setup)] : []),
      ...(registered === undefined ? [] : [withdrawalField(state, registered, setup)]),
    ],
    activeField: activeField({
      asksKey: typing && given.typedKey === undefined,
      asksAddress: given.keyOnly && registered !== undefined,
    }),
    notes: [
      ...operatorNotes(registered ?? adopted),
      ...(known(state.observed.home)?.findings ?? []).map(({ text, fix }) => `${text} ${fix}`),
    ],
    money: moneyUntouched(
      state.keyOnly || keyIsAway(state) ? worst.away : worst.here,
      setup.network.names.token,
    ),
    problem,
    waiting:
      problem === undefined && isUncounted(state)
        ? { label: IDENTITY_TEXT.waiting, sinceMs: state.uncountedSinceMs }
        : undefined,
    actions: [
      ...(done
        ? [adopted === undefined ? goOn('identity') : { ...goOn('identity'), does: [goTo('confirm')] }]
        : []),
      ...(registered === undefined ? [] : [{ key: 'a', label: keys.adopt, does: { edit: 'withdrawal' } }]),
      ...(typing ? [{ key: 'x', label: keys.typeKey, does: { edit: 'pubkey' } }] : []),
      { key: 'r', label: keys.askAgain, does: [{ step: 'identity', type: 'retried' }] },
      ...(rescuable ? [{ key: 'x', label: keys.rescue, does: { edit: 'rescue' } }] : []),
    ],
    commands: [...(showsNewKey(problem) ? newKeyCommands(setup) : []), ...identityCommands(state, setup)],
    done,
  })
}

/** Whether what to do next says that the commands show the one that makes a new key. */
const showsNewKey = (problem: Problem | undefined): boolean =>
  problem?.next.some((next) => namesKey(next, 'c')) === true

/** The contract takes a deposit without an operator only where it has one for the key. */
function operatorNotes(validator: { operator: string } | undefined): string[] {
  if (validator === undefined || !sameHex(validator.operator, ZERO_ADDRESS)) return []
  return [IDENTITY_TEXT.noOperator]
}

/** The field that has the cursor by itself: what cannot be gone on without. */
function activeField({ asksKey, asksAddress }: { asksKey: boolean; asksAddress: boolean }) {
  if (asksKey) return 'pubkey'
  return asksAddress ? 'withdrawal' : undefined
}

function introOf(state: IdentityState, setup: Setup, registered: Registered | undefined): string {
  const { intro } = IDENTITY_TEXT
  if (state.adopted !== undefined) return intro.adopted(state.adopted.index)
  if (isUncounted(state)) return intro.uncounted
  if (setup.homePath === undefined) return intro.keyOnly(registered?.index)
  const hasRemoteSigner = known(state.observed.home)?.remoteSigner !== ''
  return keyIsAway(state) ? intro.keyAway(hasRemoteSigner) : intro.register
}

/** A field with its words, and why its last text was not taken. */
function field<Id extends keyof typeof IDENTITY_TEXT.fields>(
  id: Id,
  takes: StepField<IdentityEvent>['takes'],
  error: string | undefined,
): StepField<IdentityEvent> & { id: Id } {
  const { label, hint, explain } = IDENTITY_TEXT.fields[id]
  return { id, takes, label, value: '', hint, explain, error }
}

function typedKeyField(
  { typedKey, typedKeyError }: IdentityState,
  { suggestedPubkey }: Setup,
): StepField<IdentityEvent> {
  return {
    ...field('pubkey', { step: 'identity', type: 'keyTyped' }, typedKeyError),
    value: typedKey?.pubkey ?? '',
    ...(suggestedPubkey === undefined || typedKey !== undefined ? {} : { suggestion: suggestedPubkey }),
  }
}

/** Never filled in: who compares must read it from his own record. A rehearsal's address nobody has a record of. */
function withdrawalField(
  { adoptionError }: IdentityState,
  found: Registered,
  { network }: Setup,
): StepField<IdentityEvent> {
  const asked = field('withdrawal', { step: 'identity', type: 'addressTyped' }, adoptionError)
  if (network.kind !== 'rehearsal' || asksAsRealMoney(network)) return asked
  const address = payoutOf(found.withdrawalCredentials).value
  return { ...asked, hint: IDENTITY_TEXT.fields.withdrawal.hintInRehearsal(address) }
}

function rescueField(state: IdentityState, setup: Setup): StepField<IdentityEvent> {
  const asked = field('rescue', { step: 'identity', type: 'rescueTyped' }, state.rescueError)
  const operator = known(state.observed.operator)?.operator
  if (operator === undefined || !isRehearsedOwn(state, setup)) return asked
  return { ...asked, hint: IDENTITY_TEXT.fields.rescue.hintInRehearsal(withChecksum(operator)) }
}

/** Whether the screen may name the operator: it is the account of a rehearsal in which nothing is as with real money. */
const isRehearsedOwn = (state: IdentityState, setup: Setup): boolean =>
  setup.network.kind === 'rehearsal' &&
  !asksAsRealMoney(setup.network) &&
  operatorOwner(state, setup) === 'own'

/**
 * What the chain says of the key is not judged before the journal is open: only the journal tells whether an
 * operator or a validator is somebody else's or our own.
 */
function withChainHeldBack(state: IdentityState): IdentityState {
  const { observed } = state
  return {
    ...state,
    observed: {
      ...observed,
      operator: heldBack(observed.operator),
      secondOperator: heldBack(observed.secondOperator),
      beacon: heldBack(observed.beacon),
    },
  }
}

function heldBack<T>(observation: Observation<T>): Observation<T> {
  return observation.status === 'known' ? { status: 'asking' } : observation
}

/** The facts of the identity step, in the order of asking; of a key that is still to be typed nothing is asked. */
function identityRows(state: IdentityState, setup: Setup): FactRow[] {
  const about = { state, setup }
  const facts = drawRows(IDENTITY_FACTS, state.observed, about)
  const parts = drawRows(PART_FACTS, observedParts(state), about)
  const named = (...ids: readonly string[]) => facts.filter(({ id }) => ids.includes(id))
  const chain = [...named('operator', 'secondOperator', 'beacon'), ...adoptedRows(state), ...named('history')]
  if (setup.homePath === undefined) return rowsWithoutHome(state, setup, { facts, parts, chain })
  const rows = [
    ...named('home'),
    ...(keyIsAway(state) ? [typedKeyRow(state, setup)] : named('key', 'permissions')),
    ...named('engine', 'standby', 'toolKeys', 'toolStatus'),
    ...chain,
    ...named('node'),
    ...parts,
    ...named('peers', 'health', 'finality'),
  ]
  const toBeTyped = state.typedKey === undefined && awaitsTypedKey(state)
  return toBeTyped ? rows.filter(({ id, mark }) => id === 'key' || mark !== 'unasked') : rows
}

type Rows = Readonly<Record<'facts' | 'parts' | 'chain', readonly FactRow[]>>

/** Of a registered validator whose key alone was given: what needs a home is not asked. */
function rowsWithoutHome(
  { typedKey }: IdentityState,
  setup: Setup,
  { facts, parts, chain }: Rows,
): FactRow[] {
  const { endpoints, validator } = setup
  const hasEngine = endpoints.engine !== undefined
  const pubkey = typedKey?.pubkey ?? validator?.pubkey
  const key: FactRow = {
    id: 'key',
    mark: typedKey === undefined ? 'asking' : 'given',
    ...ROWS.givenKey(validator?.index),
    ...(pubkey === undefined ? {} : { long: pubkey }),
  }
  // What is well goes without saying here: the screen is about one address.
  const odd = ['engineSync', 'sync', 'heads'].flatMap((id) =>
    parts.filter((row) => row.id === id && (row.mark === 'refused' || row.mark === 'unknown')),
  )
  return [
    key,
    { id: 'home', mark: 'unasked', ...ROWS.noHome(hasEngine) },
    ...chain,
    ...facts.filter(({ id }) => hasEngine && id === 'engine').map(asTold),
    ...facts.filter(({ id }) => id === 'node'),
    ...odd.filter(({ id }) => hasEngine || id !== 'engineSync'),
  ]
}

/** A top-up can be sent beside any engine: that it runs with another key is told, and refuses nothing. */
function asTold(row: FactRow): FactRow {
  return row.mark === 'refused' ? { ...row, mark: 'unasked' } : row
}

function typedKeyRow({ typedKey }: IdentityState, setup: Setup): FactRow {
  const { label, elsewhere, source, explain } = ROWS.typedKey
  if (typedKey === undefined)
    return { id: 'key', mark: 'unasked', label, value: elsewhere, source: '', explain }
  const mark = keyAllowed(typedKey, setup) ? 'given' : 'refused'
  const value = keyText(typedKey, setup)
  return { id: 'key', mark, label, value, long: typedKey.pubkey, source, explain }
}

/** What the user typed to adopt the validator. */
function adoptedRows({ adopted }: IdentityState): FactRow[] {
  if (adopted === undefined) return []
  return [{ id: 'withdrawal', mark: 'given', long: adopted.withdrawalAddress, ...ROWS.withdrawal }]
}
