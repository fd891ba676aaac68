import type { KeyFacts } from '../../base/effects/effects.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { type KeyHistory, keyStory } from '../../chain/deposit/event.ts'
import type { Setup } from '../../chain/facts.ts'
import type { HomeFinding } from '../../chain/identity/home-files.ts'
import { keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import type { ToolKeys } from '../../chain/identity/run-tool.ts'
import type { TypedKey } from '../../chain/identity/typed-key.ts'
import type { Offered } from '../../chain/network/offered.ts'
import type { Beside, NodeHealth, PeerCounts } from '../../chain/network/standstill.ts'
import type { Standby } from '../../observe/standby.ts'
import { known, type Observations, type Observed } from '../../view/observation.ts'

/** Answers about the key, by who gives them. */
export type IdentityAnswers = {
  /** From config.toml: where the key is. A remote signer's address means that it is elsewhere. */
  home: { keyFile: string; remoteSigner: string; findings: readonly HomeFinding[] }
  key: KeyFacts
  /** `mode` is undefined where the system has no such bits. */
  permissions: { mode: number | undefined; ownedByUser: boolean }
  /** An engine that catches up in two looks, a slot apart, follows blocks that it does not vote on. */
  engine: { pubkey: Hex; catchingUp: false | 'once' | 'twice' }
  /** Whether the key of the home signs, and where. */
  standby: Standby
  /** The key that the node tool reads in the home, in three forms. */
  toolKeys: ToolKeys
  /** The engine that `client.toml` names, as it describes itself. `network` is not yet safe to draw. */
  toolStatus: { network: string; height: bigint; catchingUp: boolean; pubkey: Hex }
  operator: OperatorAnswer
  secondOperator: OperatorAnswer
  beacon: {
    index: number | undefined
    withdrawalCredentials: Hex | undefined
    status: string | undefined
    exiting: boolean
    /** The slot for which it is proven; undefined where the node reports it. Why it isn't is safe to draw. */
    provenSlot: bigint | undefined
    unproven?: string | undefined
    /** The operator that the contract's storage proves, where the validator set signed that block. */
    signedOperator?: OperatorAnswer
    /** Present where the node reports a record that the proven state of a slot before does not hold. */
    isNewer?: true
  }
  /** Read only when the contract has an operator and the beacon state does not know the key. */
  history: KeyHistory
  node: {
    syncing: boolean
    headSlot: bigint
    executionBlock: bigint
    advanced: boolean
    secondsToAdvance: number
    /** What others showed of the chain in that time. */
    beside: Beside
  }
} & HealthAnswers

/**
 * The operator that the contract names in a block. `leftOut`: what an endpoint said instead or that it was silent, where the
 * validator set signed that block and its storage proves the operator.
 */
export type OperatorAnswer = { operator: Hex; blockNumber: bigint; leftOut?: string }

/** What node and engine say of their own state, which a node need not offer. */
export type HealthAnswers = {
  peers: Offered<PeerCounts>
  health: Offered<NodeHealth>
  finality: Offered<{ finalizedEpoch: bigint; headEpoch: bigint }>
}

/**
 * A registered validator that the user goes on with, whoever registered it: what he typed, and what the contract and the
 * beacon state said then. A record of his word, never a proof: after each start the chain is asked anew.
 */
export type Adoption = {
  withdrawalAddress: Hex
  withdrawalCredentials: Hex
  /** Zero for a validator of the genesis. */
  operator: Hex
  index: number
}

/** `own` once this journal holds the message of a first deposit: then the contract and the state may know the key. */
export type IdentityState = {
  observed: Observations<IdentityAnswers>
  asking: boolean
  own: OwnDeposit | undefined
  /** The operator that the user typed to register a key whose first deposit was burnt. */
  rescue: Hex | undefined
  /** Why the typed operator was not taken. */
  rescueError: string | undefined
  /** The public key that the user typed, because the private one is on another machine. */
  typedKey: TypedKey | undefined
  /** Why the typed public key was not taken. */
  typedKeyError: string | undefined
  /** The typed key is that of a registered validator, given in place of a home: nothing of a home is asked. */
  keyOnly: boolean
  /** The registered validator that the user goes on with, whoever registered it. */
  adopted: Adoption | undefined
  /** Why the typed withdrawal address was not taken. */
  adoptionError: string | undefined
  /** Since when, on our own clock, a deposit for the key has been seen that the beacon state does not count. */
  uncountedSinceMs: number | undefined
}

/**
 * The first deposit that was signed for the key. `out` once its transaction may be anywhere; until then somebody must
 * have sent it in another way. `rescue` where it registers a key of which an earlier deposit was burnt.
 */
type OwnDeposit = { operator: Hex; withdrawalCredentials: Hex; out: boolean; rescue?: boolean }

export type IdentityEvent =
  | { step: 'identity'; type: 'entered' | 'retried' | 'finished' | 'historyAsked' }
  | ({ step: 'identity'; type: 'observed' } & Observed<IdentityAnswers>)
  | { step: 'identity'; type: 'rescueTyped' | 'keyTyped' | 'addressTyped'; text: string }
  | { step: 'identity'; type: 'keyGiven'; key: TypedKey }
  | { step: 'identity'; type: 'addressRefused'; words: string }
  | ({ step: 'identity'; type: 'adopted' } & Adoption)

/** A decision, which the journal holds. */
export type DurableIdentityEvent = Extract<IdentityEvent, { type: 'adopted' }>

/** Decisions that outlive the process. */
export const IDENTITY_DURABLE: readonly IdentityEvent['type'][] = ['adopted']

export type IdentityCommand =
  | { step: 'identity'; type: 'ask' | 'history'; scope: 'here' }
  | { step: 'identity'; type: 'open'; scope: 'always' }
  | { step: 'identity'; type: 'adopt'; scope: 'here'; text: string }

/** Returns the key of the key file, or the typed one where the home has none. */
export function identityKey({ observed, typedKey, keyOnly }: IdentityState): KeyFacts | TypedKey | undefined {
  if (keyOnly) return typedKey
  const home = known(observed.home)
  return home !== undefined && keyIsElsewhere(home) ? typedKey : known(observed.key)
}

/** Whether the beacon state knows the key. */
export function isRegistered({ observed }: Pick<IdentityState, 'observed'>): boolean {
  return known(observed.beacon)?.index !== undefined
}

/** Returns what became of the deposits for a key that has an operator and no validator; undefined while unknown. */
export function storyOf({ observed }: Pick<IdentityState, 'observed'>) {
  const history = known(observed.history)
  const head = known(observed.node)
  return history === undefined || head === undefined ? undefined : keyStory(history, head.headSlot)
}

const isAbsent = ({ observed }: Pick<IdentityState, 'observed'>) => {
  const beacon = known(observed.beacon)
  return beacon !== undefined && beacon.index === undefined
}

/**
 * Whether the key may be rescued: its operator is set, the beacon state lacks it, every deposit for it was refused
 * by consensus and is old enough to have been applied, and no deposit of this journal is under way.
 */
export function isRescuable(state: IdentityState): boolean {
  const operator = known(state.observed.operator)
  if (state.keyOnly || operator === undefined || state.own?.out === true) return false
  return isAbsent(state) && !sameHex(operator.operator, ZERO_ADDRESS) && storyOf(state) === 'burnt'
}

/** Whether the operator that this journal's deposit may have set was set by deposits that the chain refused. */
export function isBurntOwn(state: IdentityState): boolean {
  const { own, keyOnly } = state
  if (keyOnly || own?.out !== true || own.rescue === true) return false
  return isAbsent(state) && storyOf(state) === 'burnt'
}

/**
 * Whose the operator in the contract is: one's own by this journal or a rehearsal's wallet, a stranger's by the same; else
 * only the user can tell.
 */
export function operatorOwner(
  { observed, own }: Pick<IdentityState, 'observed' | 'own'>,
  { suggestedAddress }: Pick<Setup, 'suggestedAddress'>,
): 'own' | 'stranger' | 'unknown' {
  const operator = known(observed.operator)?.operator
  const mine = own?.operator ?? suggestedAddress
  if (operator === undefined || mine === undefined) return 'unknown'
  return sameHex(operator, mine) ? 'own' : 'stranger'
}

/** Whether a deposit for the key is in a block and not in the beacon state yet. */
export function isUncounted(state: Pick<IdentityState, 'observed'>): boolean {
  return isAbsent(state) && storyOf(state) === 'on-its-way'
}

/** Whether the node reports a record that the last proven state does not hold yet. */
export function isNewer({ observed }: Pick<IdentityState, 'observed'>): boolean {
  return known(observed.beacon)?.isNewer === true
}
