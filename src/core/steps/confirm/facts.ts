import type { Gwei, Wei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { anchorsNeeded, type SignedBy } from '../../chain/network/anchors.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import type { ProofFault } from '../../chain/proofs/verify.ts'
import { known, type Observations } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import { SOURCES } from '../../view/sources.ts'

/** What the contract's event of our transaction is, beside what was signed. */
export type EventFound =
  | { is: 'as-signed'; index: bigint }
  | { is: 'not-as-signed'; fields: readonly ('key' | 'credentials' | 'amount' | 'signature')[] }
  | { is: 'not-one'; events: number }
  | { is: 'nothing-to-compare' }

/** Why the proven record is not that of a validator of the user's. */
export type RecordFault =
  | { is: 'not-proven'; reason: ProofFault }
  | { is: 'other-credentials' }
  | { is: 'other-index'; index: number; typedIndex: number }
  | { is: 'other-record' }
  | { is: 'leaving' }

/** Answers that together prove the registration. */
export type ConfirmAnswers = {
  event: EventFound
  /** `block`: the endpoint does not keep the balances of that block any more, so nobody looked at them. */
  balance: { fellByWei: Wei; expectedWei: Wei } | { block: bigint }
  beacon:
    | { index: number; withdrawalCredentials: Hex; balanceGwei: Gwei; status: string; exiting: boolean }
    | 'absent'
  proofs: { index: number; slot: bigint; blockRoot: Hex; balanceGwei: Gwei; fault: RecordFault | undefined }
  /** The set's signature of the block that holds the root; else why it isn't to be had, or why nothing is proven. */
  signed:
    | { holds: boolean; blockRoot: Hex; signed: SignedBy }
    | { unavailable: string }
    | { unproven: string }
  anchor: { holds: boolean; blockRoot: Hex }
  secondAnchor: { holds: boolean; blockRoot: Hex }
}

/** What the answers are judged by: what was signed or adopted, the node's own life, and what was chosen. */
export type AboutConfirm = {
  observed: Observations<ConfirmAnswers>
  doubt: NodeDoubt | undefined
  facts: Facts
  setup: Setup
}

/** Returns the root that the validator set signed; undefined where no signed evidence is to be had. */
export function signedRoot({ signed }: Observations<ConfirmAnswers>) {
  const found = known(signed)
  return found !== undefined && 'signed' in found ? found : undefined
}

/** Whether the validator was registered before this wizard ran, so that nothing was paid for it here. */
export const isAdopted = ({ validator }: Facts): boolean => validator?.origin === 'adopted'

/**
 * What together proves the registration, in the order of the rows. The wallet's balance has no part in it: anybody can pay
 * into the account in the same block, and the proof does not need it. How many anchors are needed is counted apart.
 */
export const CONFIRM_FACTS: FactTable<ConfirmAnswers, AboutConfirm> = {
  event: {
    gate: 'needed',
    source: SOURCES.execution,
    isAsked: ({ facts }) => facts.validator?.origin === 'registered-here',
    judge: ({ is }) => is === 'as-signed',
  },
  balance: {
    gate: 'told',
    source: SOURCES.execution,
    // What nobody could look at is neither good nor bad, and nothing waits for it.
    judge: (value) => ('block' in value ? 'unasked' : value.fellByWei <= value.expectedWei),
  },
  beacon: {
    gate: 'needed',
    source: SOURCES.node,
    // A node that hangs does not know what has happened since.
    judge: (value, { doubt, facts }) =>
      value === 'absent' && doubt !== undefined ? undefined : confirmedRecordFits(value, facts),
  },
  proofs: { gate: 'needed', source: SOURCES.node, judge: ({ fault }) => fault === undefined },
  signed: {
    gate: 'told',
    judge: (value) => {
      if ('unproven' in value) return undefined
      return 'unavailable' in value ? 'unasked' : value.holds
    },
  },
  // Beside the signature of the set no endpoint is asked for the root.
  anchor: {
    gate: 'told',
    source: SOURCES.execution,
    hasRow: ({ observed }) => signedRoot(observed) === undefined,
    judge: ({ holds }) => holds,
  },
  secondAnchor: {
    gate: 'told',
    source: SOURCES.secondExecution,
    hasRow: ({ observed, setup }) =>
      signedRoot(observed) === undefined &&
      (setup.endpoints.secondExecution !== undefined || anchorsNeeded(setup) > 1),
    judge: ({ holds }) => holds,
  },
}

/** Whether the beacon state holds this validator with the planned credentials and without an exit. */
export function confirmedRecordFits(value: ConfirmAnswers['beacon'], facts: Facts): boolean {
  return value !== 'absent' && !value.exiting && ownCredentials(value, facts)
}

/** Whether a beacon record pays out to the credentials that were signed here or adopted. */
export function ownCredentials(value: { withdrawalCredentials: Hex }, facts: Facts): boolean {
  return sameHex(value.withdrawalCredentials, facts.validator?.withdrawalCredentials ?? '')
}
