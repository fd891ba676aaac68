import { type Hex, sameHex, ungroupHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import type { IdentityFact, KeyPlace, Setup } from '../../chain/facts.ts'
import { checkAddress } from '../../chain/identity/check-address.ts'
import { runsWithKey } from '../../chain/identity/engine-key.ts'
import { readTypedKey } from '../../chain/identity/typed-key.ts'
import { known, type Observed, withObservation } from '../../view/observation.ts'
import { gateHolds, nothingAsked } from '../../view/rows.ts'
import { settleOperators } from './adopt.ts'
import { IDENTITY_FACTS, keyAllowed, keyIsAway, observedParts, PART_FACTS } from './facts.ts'
import {
  type IdentityAnswers,
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
  identityKey,
  isRescuable,
  isUncounted,
} from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

/** Nothing is known of a key yet. */
export const initialIdentity: IdentityState = {
  observed: nothingAsked(IDENTITY_FACTS),
  asking: false,
  own: undefined,
  rescue: undefined,
  rescueError: undefined,
  typedKey: undefined,
  typedKeyError: undefined,
  keyOnly: false,
  adopted: undefined,
  adoptionError: undefined,
  uncountedSinceMs: undefined,
}

/** Returns the second step: may this key be registered, and is it the one the node runs with? */
export function identityTransition(
  state: IdentityState,
  event: IdentityEvent,
): readonly [IdentityState, readonly IdentityCommand[]] {
  switch (event.type) {
    case 'entered':
      return ask(state)
    case 'retried':
      return ask(anew(state))
    case 'rescueTyped':
      return [typeRescue(state, event.text.trim()), []]
    case 'keyTyped':
      return typeKey(state, event.text.trim())
    case 'keyGiven':
      return [{ ...state, typedKey: event.key, keyOnly: true }, [OPEN]]
    case 'addressTyped': {
      const text = event.text.trim()
      return [
        { ...state, adoptionError: undefined },
        [{ step: 'identity', type: 'adopt', scope: 'here', text }],
      ]
    }
    case 'addressRefused':
      return [{ ...state, adoptionError: event.words }, []]
    case 'adopted': {
      const { withdrawalAddress, withdrawalCredentials, operator, index } = event
      const adopted = { withdrawalAddress, withdrawalCredentials, operator, index }
      return [{ ...state, adopted, adoptionError: undefined }, []]
    }
    case 'historyAsked':
      return [state, [{ step: 'identity', type: 'history', scope: 'here' }]]
    case 'observed': {
      const observed = settleOperators(withObservation(state.observed, event))
      const next = withUncounted({ ...state, observed }, event)
      return [next, settlesKey(next, event) ? [OPEN] : []]
    }
    case 'finished':
      return [{ ...state, asking: false }, []]
  }
}

const OPEN: IdentityCommand = { step: 'identity', type: 'open', scope: 'always' }

function anew({ own, typedKey, keyOnly, adopted }: IdentityState): IdentityState {
  return { ...initialIdentity, own, typedKey, keyOnly, adopted }
}

function withUncounted(state: IdentityState, { observation }: Observed<IdentityAnswers>): IdentityState {
  if (!isUncounted(state)) return { ...state, uncountedSinceMs: undefined }
  const atMs = 'atMs' in observation ? observation.atMs : undefined
  return { ...state, uncountedSinceMs: state.uncountedSinceMs ?? atMs }
}

function ask(state: IdentityState): readonly [IdentityState, readonly IdentityCommand[]] {
  return [{ ...state, asking: true }, [{ step: 'identity', type: 'ask', scope: 'here' }]]
}

/**
 * Whether this answer settles which key it is, so that its journal may be opened. A typed key waits for the engine:
 * the journal of a mistyped one is not opened. Where the engine does not answer, an open payment is still looked for.
 */
function settlesKey(state: IdentityState, { key, observation }: Observed<IdentityAnswers>): boolean {
  if (key === 'key') return observation.status === 'known'
  if (key !== 'engine' || state.typedKey === undefined || identityKey(state) !== state.typedKey) return false
  return observation.status === 'failed' || (observation.status === 'known' && !engineDiffers(state))
}

function engineDiffers(state: IdentityState): boolean {
  const engine = known(state.observed.engine)
  return engine !== undefined && runsWithKey(engine.pubkey, identityKey(state)) !== true
}

/** Whether a public key must be typed: the private key is elsewhere, and no typed key is the engine's yet. */
export function awaitsTypedKey(state: IdentityState): boolean {
  return keyIsAway(state) && (state.typedKey === undefined || engineDiffers(state))
}

function typeKey(state: IdentityState, text: string): readonly [IdentityState, readonly IdentityCommand[]] {
  if (!awaitsTypedKey(state)) return [state, []]
  const read = readTypedKey(text)
  if ('error' in read) return [{ ...state, typedKeyError: read.error }, []]
  const { home, node, health, finality, peers } = state.observed
  const observed = { ...initialIdentity.observed, home, node, health, finality, peers }
  return ask({ ...state, observed, typedKey: read.key, typedKeyError: undefined })
}

function typeRescue(state: IdentityState, typed: string): IdentityState {
  const text = ungroupHex(typed)
  if (!isRescuable(state)) return state
  const operator = known(state.observed.operator)?.operator ?? ZERO_ADDRESS
  const rescueError =
    checkAddress(text) ?? (sameHex(text, operator) ? undefined : IDENTITY_TEXT.errors.notYours)
  if (rescueError !== undefined) return { ...state, rescueError }
  // As it was typed, with the capitals of its checksum: no other form was taken.
  return { ...state, rescue: text as Hex, rescueError }
}

/** Returns the proven fact, once every required source has answered and agrees. */
export function identityFact(state: IdentityState, setup: Setup): IdentityFact | undefined {
  const about = { state, setup }
  const key = identityKey(state)
  if (key === undefined || !keyAllowed(key, setup)) return undefined
  if (!gateHolds(IDENTITY_FACTS, state.observed, about)) return undefined
  if (!gateHolds(PART_FACTS, observedParts(state), about)) return undefined
  const fact = keyFact(state)
  return fact === undefined || state.rescue === undefined ? fact : { ...fact, rescueOperator: state.rescue }
}

/** Returns the key's own facts, whatever the chain reports; they suffice to open its journal. */
export function keyFact(state: IdentityState): IdentityFact | undefined {
  const key = identityKey(state)
  const home = known(state.observed.home)
  if (key === undefined || (home === undefined && !state.keyOnly)) return undefined
  const { pubkey, uncompressedPubkey, address } = key
  const place: KeyPlace =
    home !== undefined && 'fileHash' in key
      ? { kind: 'file', path: home.keyFile, hash: key.fileHash }
      : { kind: 'elsewhere' }
  return { pubkey, uncompressedPubkey, address, key: place }
}
