import type { KeyFacts } from '../../base/effects/effects.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import type { Setup } from '../../chain/facts.ts'
import { engineKey, runsWithKey } from '../../chain/identity/engine-key.ts'
import { homeStops, keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import type { TypedKey } from '../../chain/identity/typed-key.ts'
import { judgeNode } from '../../observe/findings.ts'
import { judgeStandby, standbyNumbers } from '../../observe/standby.ts'
import { type Judgement, known, type Observation } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import { SOURCES } from '../../view/sources.ts'
import { adoptable, operatorsDiffer } from './adopt.ts'
import { type HealthAnswers, type IdentityAnswers, type IdentityState, identityKey } from './state.ts'
import { isRegistered } from './story.ts'

/** What the answers are judged by: one another, what was typed, this journal, and what was chosen before. */
export type AboutIdentity = { state: IdentityState; setup: Setup }

type ValueOf<K extends keyof IdentityAnswers> = IdentityAnswers[K]

const here = () => 'this computer'
const hasSecond = ({ setup }: AboutIdentity) => setup.endpoints.secondExecution !== undefined
const isHere = ({ state }: AboutIdentity) => !keyIsAway(state)
const isSettled = (observation: Observation<unknown>) =>
  observation.status !== 'unasked' || observation.words !== undefined

/** What node and engine say of themselves. A lack of peers is told, not refused: a new head tells more than their number. */
export const HEALTH_FACTS: FactTable<HealthAnswers, Pick<AboutIdentity, 'setup'>> = {
  peers: {
    gate: 'told',
    isOptional: true,
    source: SOURCES.engineOrNode,
    judge: (value, { setup }) => judgeNode('peers', value, setup.network),
    numbers: ({ engine: engineCount, node: nodeCount }) => ({
      ...(engineCount === undefined ? {} : { engineCount }),
      ...(nodeCount === undefined ? {} : { nodeCount }),
    }),
  },
  health: {
    gate: 'needed',
    isOptional: true,
    source: SOURCES.node,
    judge: (value, { setup }) => judgeNode('health', value, setup.network),
  },
  finality: {
    gate: 'needed',
    isOptional: true,
    source: SOURCES.node,
    judge: (value, { setup }) => judgeNode('finality', value, setup.network),
  },
}

/** The facts of this step. Of the operator and the record the gate asks less than a row does to look proven. */
export const IDENTITY_FACTS: FactTable<IdentityAnswers, AboutIdentity> = {
  home: { gate: 'needed', source: () => 'config.toml', judge: (value) => homeStops(value).length === 0 },
  key: {
    gate: 'needed',
    source: here,
    isAsked: isHere,
    hasRow: isHere,
    judge: (value, { setup }) => keyAllowed(value, setup),
  },
  // A too open key file is told, not refused.
  permissions: {
    gate: 'told',
    source: here,
    hasRow: isHere,
    judge: ({ mode, ownedByUser }) => (mode === undefined ? 'given' : ownedByUser && (mode & 0o077) === 0),
  },
  engine: {
    gate: 'needed',
    source: SOURCES.engine,
    judge: (value, { state }) => runsWithKey(value.pubkey, identityKey(state)),
  },
  // A key that signs elsewhere loses no money: it is told, and a top-up in need is not held up by it.
  standby: {
    gate: 'told',
    source: SOURCES.engine,
    isAsked: isHere,
    // Of a key that nobody votes with nothing is said.
    hasRow: ({ state }) => known(state.observed.standby)?.votes.vote !== undefined,
    judge: (value, { setup }) => judgeStandby(value, setup.network),
    numbers: standbyNumbers,
  },
  // The node tool may be absent, unable or silent, but never disagree; as long as it is asked it may still do so.
  toolKeys: {
    gate: 'where answered',
    hasRow: ({ state }) => isSettled(state.observed.toolKeys),
    judge: (value, { state }) => isToolKey(value, identityKey(state)),
  },
  toolStatus: {
    gate: 'where answered',
    hasRow: ({ state }) => isSettled(state.observed.toolStatus),
    judge: ({ network, pubkey }, { state, setup }) =>
      network === setup.network.engineChainId && sameHex(pubkey, identityKey(state)?.pubkey ?? ''),
  },
  operator: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: judgeOperator,
    suffices: (value, { state }) => operatorFits(value, state),
  },
  secondOperator: {
    gate: 'needed',
    source: SOURCES.secondExecution,
    isAsked: hasSecond,
    hasRow: hasSecond,
    judge: judgeOperator,
    suffices: (value, { state }) => operatorFits(value, state),
  },
  beacon: {
    gate: 'needed',
    source: SOURCES.node,
    judge: judgeBeacon,
    suffices: (value, { state }) => beaconFits(value, state.own),
  },
  history: {
    gate: 'told',
    source: SOURCES.execution,
    hasRow: ({ state }) => state.observed.history.status !== 'unasked',
    judge: (_, { state }) => state.rescue !== undefined || state.adopted !== undefined,
  },
  node: {
    gate: 'needed',
    source: SOURCES.node,
    judge: (value, about) =>
      isSynced(value, about) && hasAdvanced(value, about) && areHeadsClose(value, about),
  },
  ...HEALTH_FACTS,
}

/** What the answers of node and engine say besides: rows of their own. */
export type PartAnswers = { sync: ValueOf<'node'>; engineSync: ValueOf<'engine'>; heads: ValueOf<'node'> }

/** The parts of a live node besides a new head. An engine that catches up settles nothing. */
export const PART_FACTS: FactTable<PartAnswers, AboutIdentity> = {
  sync: { gate: 'told', judge: isSynced },
  engineSync: { gate: 'needed', judge: (value, { setup }) => judgeNode('votes', value, setup.network) },
  heads: { gate: 'told', judge: areHeadsClose },
}

/** Returns the observations that the parts of node health are read from. */
export const observedParts = ({ observed }: IdentityState) =>
  ({ sync: observed.node, engineSync: observed.engine, heads: observed.node }) as const

function isSynced({ syncing: isSyncing }: ValueOf<'node'>, { setup }: AboutIdentity): Judgement {
  return judgeNode('sync', { isSyncing }, setup.network)
}

function hasAdvanced({ advanced }: ValueOf<'node'>, { setup }: AboutIdentity): Judgement {
  return judgeNode('advance', { advanced }, setup.network)
}

function areHeadsClose({ headSlot: slot, executionBlock: block }: ValueOf<'node'>, { setup }: AboutIdentity) {
  return judgeNode('heads', { slot, block }, setup.network)
}

/** Whether the key of the home signs on no other node, as far as the chain shows it; undefined where that is not known. */
export function signsNowhereElse({ state: { observed }, setup }: AboutIdentity): boolean | undefined {
  const standby = known(observed.standby)
  return standby && judgeStandby(standby, setup.network)
}

/** Whether the private key is known to be on another machine. */
export function keyIsAway({ observed }: Pick<IdentityState, 'observed'>): boolean {
  const home = known(observed.home)
  return home !== undefined && keyIsElsewhere(home)
}

/** Whether the node tool reports the key in all its forms. */
export function isToolKey(value: ValueOf<'toolKeys'>, key: { pubkey: Hex; address: string } | undefined) {
  return (
    key !== undefined &&
    sameHex(value.pubkey, key.pubkey) &&
    value.address === key.address &&
    value.uncompressedBase64 === engineKey(key.pubkey)
  )
}

/** Whether the key may be used: a published key is refused everywhere but on a rehearsal chain. */
export function keyAllowed(key: KeyFacts | TypedKey, { network }: Setup): boolean {
  const isSound = !('fileHash' in key) || (key.storedPubkeyMatches && key.storedAddressMatches)
  return isSound && !(key.publishedKey && network.kind !== 'rehearsal')
}

/** Of a registered validator the operator is shown for the user to compare; where endpoints differ it is not known. */
function judgeOperator(value: { operator: Hex }, { state, setup }: AboutIdentity): Judgement {
  if (operatorsDiffer(state) && isRegistered(state)) return undefined
  return adoptable(state, setup) !== undefined ? 'given' : operatorFits(value, state)
}

/** What makes a set operator our own: a deposit of this journal, or the operator typed for a rescue. */
type OwnOperator = Pick<IdentityState, 'own' | 'adopted' | 'rescue' | 'observed'>

/** Whether the contract's operator is the expected one: the adopted one, none, that of a rescued key, or our own. */
export function operatorFits(value: { operator: Hex }, state: OwnOperator): boolean {
  return state.adopted !== undefined
    ? sameHex(value.operator, state.adopted.operator)
    : sameHex(value.operator, state.rescue ?? ZERO_ADDRESS) || isOwnOperator(value, state)
}

/**
 * Whether the operator was set by the deposit that this journal holds. One that was not sent from here must be there as
 * it was signed: a validator that pays out to its address, or a deposit on its way that the chain takes.
 */
export function isOwnOperator({ operator }: { operator: Hex }, { own, observed }: OwnOperator): boolean {
  if (own === undefined || !sameHex(operator, own.operator)) return false
  const pays = (credentials: Hex | undefined) => sameHex(credentials ?? '', own.withdrawalCredentials)
  const deposits = known(observed.history)?.deposits ?? []
  const isThere = deposits.some((one) => one.accepted && pays(one.withdrawalCredentials))
  return own.out || isThere || pays(known(observed.beacon)?.withdrawalCredentials)
}

/** What the node reports alone never looks proven; what speaks against the key counts from whomever it comes. */
function judgeBeacon(value: ValueOf<'beacon'>, { state }: AboutIdentity): Judgement {
  const { adopted, own, keyOnly } = state
  const isSought = keyOnly && adopted === undefined
  const isGood = isSought ? value.index !== undefined && !value.exiting : beaconFits(value, adopted ?? own)
  return isGood && value.provenSlot === undefined ? undefined : isGood
}

/** Whether the beacon state lacks the key, or holds it without an exit as it was signed or adopted. */
export function beaconFits(
  value: ValueOf<'beacon'>,
  terms: { withdrawalCredentials: Hex } | undefined,
): boolean {
  if (value.index === undefined) return true
  if (terms === undefined || value.exiting) return false
  return sameHex(value.withdrawalCredentials ?? '', terms.withdrawalCredentials)
}
