import { type ContenderGatherer, gatherContenders, stateOfContenders } from '../consensus/contenders.ts'
import type { Validator } from '../consensus/state.ts'
import type { ProvenSurvey, Uncounted } from '../consensus/survey.ts'
import { bytesToHex, sameHex } from '../format/hex.ts'
import type { BeaconState } from '../proofs/beacon-state.ts'
import { type ProvenState, proveState, type Unproven } from './prove-state.ts'
import { readUncounted } from './read-uncounted.ts'
import type { SurveyClients, SurveyOptions } from './survey-clients.ts'

const VALIDATORS_AT_ONCE = 2048

/**
 * The validator set as the chain itself holds it: the whole state before the latest execution block, hashed here and
 * found in the execution chain (see `proveState`). `unproven` says why where that cannot be had. Throws
 * StateMismatchError, and a `ClientError` when the first execution endpoint does not answer.
 */
export async function proveSurvey(
  clients: SurveyClients,
  { network, keep, clock }: SurveyOptions,
): Promise<ProvenSurvey | Unproven> {
  const found = await proveState(clients, { network, clock })
  if ('unproven' in found) return found
  const { state, block } = found
  const rest = () => clock.sleep(0)
  const gatherer = gatherContenders({ seats: network.spec.validatorSetCap, keep })
  for (let from = 0; from < state.validators.length; from += VALIDATORS_AT_ONCE) {
    if (from > 0) await rest()
    addSome(gatherer, state, from)
  }
  const uncounted = await readUncounted(clients, {
    network,
    block: block.number,
    countedDeposits: state.eth1DepositIndex,
    knows: (pubkey) => state.validators.some((record) => sameHex(bytesToHex(record.pubkey), pubkey)),
    rest,
  })
  return surveyOf(found, gatherer, uncounted)
}

function addSome(gatherer: ContenderGatherer, state: BeaconState, from: number): void {
  for (const [offset, record] of state.validators.slice(from, from + VALIDATORS_AT_ONCE).entries()) {
    const index = from + offset
    gatherer.add({ index, validator: toValidator(record), balanceGwei: state.balances[index] ?? 0n })
  }
}

function surveyOf(
  { state, blockRoot, anchors, block }: ProvenState,
  gatherer: ContenderGatherer,
  uncounted: Uncounted,
): ProvenSurvey {
  const contenders = gatherer.done()
  return {
    consensus: stateOfContenders(contenders, {
      slot: state.slot,
      pendingPartialWithdrawals: state.pendingPartialWithdrawals.map((withdrawal) => ({
        validatorIndex: Number(withdrawal.validatorIndex),
        amountGwei: withdrawal.amount,
        withdrawableEpoch: withdrawal.withdrawableEpoch,
      })),
      nextWithdrawalIndex: state.nextWithdrawalIndex,
      nextWithdrawalValidatorIndex: Number(state.nextWithdrawalValidatorIndex),
    }),
    indexes: contenders.map(({ index }) => index),
    timestampSeconds: state.latestExecutionPayloadHeader.timestamp,
    uncounted,
    proof: { slot: state.slot, blockRoot, anchors, block },
    unproven: undefined,
  }
}

function toValidator(record: BeaconState['validators'][number]): Validator {
  return {
    pubkey: bytesToHex(record.pubkey),
    withdrawalCredentials: bytesToHex(record.withdrawalCredentials),
    effectiveBalanceGwei: record.effectiveBalance,
    slashed: record.slashed,
    activationEligibilityEpoch: record.activationEligibilityEpoch,
    activationEpoch: record.activationEpoch,
    exitEpoch: record.exitEpoch,
    withdrawableEpoch: record.withdrawableEpoch,
  }
}
