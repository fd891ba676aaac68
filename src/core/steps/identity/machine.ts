import { type KeyHistory, keyStory } from '../../deposit/key-history.ts'
import type { KeyFacts } from '../../effects/effects.ts'
import type { IdentityFact, KeyPlace, Setup } from '../../facts.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { checkAddress } from '../../identity/check-address.ts'
import type { HomeFinding } from '../../identity/home-findings.ts'
import { homeStops, keyIsElsewhere } from '../../identity/key-place.ts'
import { readTypedKey, type TypedKey } from '../../identity/typed-key.ts'
import { known, nothingSeen, type Seen, type SeenEntry, withSeen } from '../observation.ts'
import { isLive, LIVENESS_KEYS, type LivenessAnswers, livenessJudges } from './liveness.ts'
import { TOOL_KEYS, type ToolAnswers, toolAgrees } from './tool.ts'

/** Answers about the key, by who gives them. */
export type IdentityAnswers = {
  /** From config.toml: where the key is. A remote signer's address means that it is elsewhere. */
  home: { keyFile: string; remoteSigner: string; findings: readonly HomeFinding[] }
  key: KeyFacts
  permissions: { mode: number; ownedByUser: boolean }
  operator: { operator: Hex; blockNumber: bigint }
  secondOperator: { operator: Hex; blockNumber: bigint }
  beacon: {
    index: number | undefined
    withdrawalCredentials: Hex | undefined
    status: string | undefined
    exiting: boolean
  }
  /** Read only when the contract has an operator and the beacon state does not know the key. */
  history: KeyHistory
} & LivenessAnswers &
  ToolAnswers

const KEYS = [
  'home',
  'key',
  'permissions',
  'operator',
  'secondOperator',
  'beacon',
  'history',
  ...LIVENESS_KEYS,
  ...TOOL_KEYS,
] as const

/** `own` once this journal holds the message of a first deposit: then the contract and the state may know the key. */
export type IdentityState = {
  seen: Seen<IdentityAnswers>
  asking: boolean
  own: OwnDeposit | undefined
  /** The operator that the user typed to register a key whose first deposit was burnt (safety #26). */
  rescue: Hex | undefined
  /** Why the typed operator was not taken. */
  rescueError: string | undefined
  /** The public key that the user typed, because the private one is on another machine. */
  typedKey: TypedKey | undefined
  /** Why the typed public key was not taken. */
  typedKeyError: string | undefined
}

/**
 * The first deposit that was signed for the key. `out` once its transaction may be anywhere; until then somebody must
 * have sent it in another way.
 */
export type OwnDeposit = { operator: Hex; withdrawalCredentials: Hex; out: boolean }

export type IdentityEvent =
  | { step: 'identity'; type: 'entered' }
  | { step: 'identity'; type: 'retried' }
  | ({ step: 'identity'; type: 'observed' } & SeenEntry<IdentityAnswers>)
  | { step: 'identity'; type: 'finished' }
  | { step: 'identity'; type: 'rescueTyped'; text: string }
  | { step: 'identity'; type: 'keyTyped'; text: string }

export type IdentityCommand =
  | { step: 'identity'; type: 'ask'; scope: 'here' }
  | { step: 'identity'; type: 'open'; scope: 'always' }

export const initialIdentity: IdentityState = {
  seen: nothingSeen<IdentityAnswers>(KEYS),
  asking: false,
  own: undefined,
  rescue: undefined,
  rescueError: undefined,
  typedKey: undefined,
  typedKeyError: undefined,
}

/** The second step: may this key be registered, and is it the one the node runs with? */
export function identityTransition(
  state: IdentityState,
  event: IdentityEvent,
): readonly [IdentityState, readonly IdentityCommand[]] {
  switch (event.type) {
    case 'entered':
      return ask(state)
    case 'retried':
      return ask({ ...initialIdentity, own: state.own, typedKey: state.typedKey })
    case 'rescueTyped':
      return [typeRescue(state, event.text.trim()), []]
    case 'keyTyped':
      return typeKey(state, event.text.trim())
    case 'observed': {
      const next = { ...state, seen: withSeen(state.seen, event) }
      return [next, settlesKey(next, event) ? [{ step: 'identity', type: 'open', scope: 'always' }] : []]
    }
    case 'finished':
      return [{ ...state, asking: false }, []]
  }
}

function ask(state: IdentityState): readonly [IdentityState, readonly IdentityCommand[]] {
  return [{ ...state, asking: true }, [{ step: 'identity', type: 'ask', scope: 'here' }]]
}

/**
 * Whether this answer settles which key it is, so that its journal may be opened. A typed key waits for the engine:
 * the journal of a mistyped one is not opened. Where the engine does not answer, an open payment is still looked for.
 */
function settlesKey(state: IdentityState, { key, seen }: SeenEntry<IdentityAnswers>): boolean {
  if (key === 'key') return seen.status === 'known'
  if (key !== 'engine' || state.typedKey === undefined || keyOf(state) !== state.typedKey) return false
  return seen.status === 'failed' || (seen.status === 'known' && !engineDiffers(state))
}

function engineDiffers(state: IdentityState): boolean {
  const engine = known(state.seen.engine)
  return engine !== undefined && !identityJudges.engine(engine, keyOf(state))
}

/** The key that this is about: the one of the key file, or the typed one where the home has none. */
export function keyOf({ seen, typedKey }: IdentityState): KeyFacts | TypedKey | undefined {
  const home = known(seen.home)
  return home !== undefined && keyIsElsewhere(home) ? typedKey : known(seen.key)
}

/** Whether the public key is waited for: the private one is elsewhere, and none was typed that the engine runs with. */
export function awaitsTypedKey(state: IdentityState): boolean {
  const home = known(state.seen.home)
  if (home === undefined || !keyIsElsewhere(home)) return false
  return state.typedKey === undefined || engineDiffers(state)
}

function typeKey(state: IdentityState, text: string): readonly [IdentityState, readonly IdentityCommand[]] {
  if (!awaitsTypedKey(state)) return [state, []]
  const read = readTypedKey(text)
  if ('error' in read) return [{ ...state, typedKeyError: read.error }, []]
  const { home, node, health, finality, peers } = state.seen
  const seen = { ...initialIdentity.seen, home, node, health, finality, peers }
  return ask({ ...state, seen, typedKey: read.key, typedKeyError: undefined })
}

/** How each answer is judged; `own` relaxes only what our own deposit has changed on the chain. */
export const identityJudges = {
  home: (value: IdentityAnswers['home']) => homeStops(value).length === 0,
  key: (value: IdentityAnswers['key']) =>
    value.storedPubkeyMatches && value.storedAddressMatches && !value.publishedKey,
  permissions: (value: IdentityAnswers['permissions']) => value.ownedByUser && (value.mode & 0o077) === 0,
  engine: (value: { pubkey: Hex }, key: { pubkey: Hex } | undefined) =>
    key !== undefined && sameHex(value.pubkey, key.pubkey),
  operator: (value: { operator: Hex }, state: OwnOperator) =>
    sameHex(value.operator, state.rescue ?? ZERO_ADDRESS) || isOwnOperator(value, state),
  beacon: (value: IdentityAnswers['beacon'], own: OwnDeposit | undefined) =>
    value.index === undefined ||
    (own !== undefined &&
      !value.exiting &&
      sameHex(value.withdrawalCredentials ?? '', own.withdrawalCredentials)),
  node: livenessJudges.node,
}

/** What makes a set operator our own: a deposit of this journal, or the operator typed for a rescue. */
type OwnOperator = Pick<IdentityState, 'own' | 'rescue' | 'seen'>

/**
 * Whether the operator was set by the deposit that this journal holds. One that was not sent from here must be there as
 * it was signed: a validator that pays out to its address, or a deposit on its way that the chain takes.
 */
export function isOwnOperator({ operator }: { operator: Hex }, { own, seen }: OwnOperator): boolean {
  if (own === undefined || !sameHex(operator, own.operator)) return false
  const pays = (credentials: Hex | undefined) => sameHex(credentials ?? '', own.withdrawalCredentials)
  const deposits = known(seen.history)?.deposits ?? []
  const isThere = deposits.some((one) => one.accepted && pays(one.withdrawalCredentials))
  return own.out || isThere || pays(known(seen.beacon)?.withdrawalCredentials)
}

/**
 * Whether the key may be rescued: its operator is set, the beacon state lacks it, every deposit for it was refused
 * by consensus and is old enough to have been applied, and no deposit of this journal is under way (safety #26).
 */
export function isRescuable({ seen, own }: IdentityState): boolean {
  const operator = known(seen.operator)
  const beacon = known(seen.beacon)
  const history = known(seen.history)
  const node = known(seen.node)
  if (!operator || !beacon || !history || !node || own?.out === true) return false
  if (sameHex(operator.operator, ZERO_ADDRESS) || beacon.index !== undefined) return false
  return keyStory(history, node.headSlot) === 'burnt'
}

function typeRescue(state: IdentityState, text: string): IdentityState {
  if (!isRescuable(state)) return state
  const operator = known(state.seen.operator)?.operator ?? ZERO_ADDRESS
  const rescueError = checkAddress(text) ?? (sameHex(text, operator) ? undefined : NOT_YOURS)
  return rescueError === undefined ? { ...state, rescue: operator, rescueError } : { ...state, rescueError }
}

const NOT_YOURS =
  'The contract has another operator for this key: the rewards would be a stranger’s. Use a new key instead.'

/** The proven fact, once every required source has answered and agrees. A too open key file is told, not refused. */
export function identityFact(state: IdentityState, setup: Setup): IdentityFact | undefined {
  const { seen, own } = state
  const home = known(seen.home)
  const key = keyOf(state)
  const engine = known(seen.engine)
  const operator = known(seen.operator)
  const beacon = known(seen.beacon)
  if (!home || !key || !engine || !operator || !beacon || !isLive(seen)) return undefined
  if (!identityJudges.home(home) || !keyAllowed(key, setup) || !identityJudges.engine(engine, key))
    return undefined
  if (!identityJudges.operator(operator, state) || !identityJudges.beacon(beacon, own)) return undefined
  if (!toolAgrees(seen, key, setup)) return undefined
  if (setup.endpoints.secondExecution !== undefined) {
    const second = known(seen.secondOperator)
    if (second === undefined || !identityJudges.operator(second, state)) return undefined
  }
  const fact = keyFact(state)
  return fact === undefined || state.rescue === undefined ? fact : { ...fact, rescueOperator: state.rescue }
}

/** The key's own facts, whatever the chain says about it; enough to open its journal. */
export function keyFact(state: IdentityState): IdentityFact | undefined {
  const key = keyOf(state)
  const home = known(state.seen.home)
  if (key === undefined || home === undefined) return undefined
  const { pubkey, uncompressedPubkey, address } = key
  const place: KeyPlace =
    'fileHash' in key ? { kind: 'file', path: home.keyFile, hash: key.fileHash } : { kind: 'elsewhere' }
  return { pubkey, uncompressedPubkey, address, key: place }
}

/** A published key is worth nothing on a rehearsal chain and must stop everything elsewhere. */
export function keyAllowed(key: KeyFacts | TypedKey, { network }: Setup): boolean {
  const publishedKey = key.publishedKey && network.kind !== 'rehearsal'
  return 'fileHash' in key ? identityJudges.key({ ...key, publishedKey }) : !publishedKey
}
