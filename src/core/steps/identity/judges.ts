import { keyStory } from '../../deposit/key-history.ts'
import type { KeyFacts } from '../../effects/effects.ts'
import type { IdentityFact, KeyPlace, Setup } from '../../facts.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { homeStops } from '../../identity/key-place.ts'
import type { TypedKey } from '../../identity/typed-key.ts'
import { known } from '../observation.ts'
import { isLive, livenessJudges } from './liveness.ts'
import { type IdentityAnswers, type IdentityState, keyOf } from './state.ts'
import { toolAgrees } from './tool.ts'

/** How each answer is judged; `own` relaxes only what our own deposit has changed on the chain. */
export const identityJudges = {
  home: (value: IdentityAnswers['home']) => homeStops(value).length === 0,
  key: (value: IdentityAnswers['key']) =>
    value.storedPubkeyMatches && value.storedAddressMatches && !value.publishedKey,
  permissions: (value: IdentityAnswers['permissions']) => value.ownedByUser && (value.mode & 0o077) === 0,
  engine: (value: { pubkey: Hex }, key: { pubkey: Hex } | undefined) =>
    key !== undefined && sameHex(value.pubkey, key.pubkey),
  operator: (value: { operator: Hex }, state: OwnOperator) =>
    state.adopted !== undefined
      ? sameHex(value.operator, state.adopted.operator)
      : sameHex(value.operator, state.rescue ?? ZERO_ADDRESS) || isOwnOperator(value, state),
  beacon: (value: IdentityAnswers['beacon'], own: { withdrawalCredentials: Hex } | undefined) =>
    value.index === undefined ||
    (own !== undefined &&
      !value.exiting &&
      sameHex(value.withdrawalCredentials ?? '', own.withdrawalCredentials)),
  node: livenessJudges.node,
}

/** What makes a set operator our own: a deposit of this journal, or the operator typed for a rescue. */
type OwnOperator = Pick<IdentityState, 'own' | 'adopted' | 'rescue' | 'seen'>

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
 * by consensus and is old enough to have been applied, and no deposit of this journal is under way.
 */
export function isRescuable({ seen, own, keyOnly }: IdentityState): boolean {
  if (keyOnly) return false
  const operator = known(seen.operator)
  const beacon = known(seen.beacon)
  const history = known(seen.history)
  const node = known(seen.node)
  if (!operator || !beacon || !history || !node || own?.out === true) return false
  if (sameHex(operator.operator, ZERO_ADDRESS) || beacon.index !== undefined) return false
  return keyStory(history, node.headSlot) === 'burnt'
}

/** Whether a deposit for the key is in a block and not in the beacon state yet. */
export function isUncounted({ seen }: Pick<IdentityState, 'seen'>): boolean {
  const beacon = known(seen.beacon)
  const history = known(seen.history)
  const node = known(seen.node)
  if (beacon === undefined || beacon.index !== undefined || history === undefined || node === undefined)
    return false
  return keyStory(history, node.headSlot) === 'on-its-way'
}

/** Whether the node reports a record that the last proven state did not hold yet. */
export function isNewer({ seen }: Pick<IdentityState, 'seen'>): boolean {
  return known(seen.beacon)?.isNewer === true
}

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
  if (key === undefined || (home === undefined && !state.keyOnly)) return undefined
  const { pubkey, uncompressedPubkey, address } = key
  const place: KeyPlace =
    home !== undefined && 'fileHash' in key
      ? { kind: 'file', path: home.keyFile, hash: key.fileHash }
      : { kind: 'elsewhere' }
  return { pubkey, uncompressedPubkey, address, key: place }
}

/** A published key is worth nothing on a rehearsal chain and must stop everything elsewhere. */
export function keyAllowed(key: KeyFacts | TypedKey, { network }: Setup): boolean {
  const publishedKey = key.publishedKey && network.kind !== 'rehearsal'
  return 'fileHash' in key ? identityJudges.key({ ...key, publishedKey }) : !publishedKey
}
