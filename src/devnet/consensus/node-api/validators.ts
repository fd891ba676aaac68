import { NodeRefusal } from '../../../core/base/errors/devnet.ts'
import {
  type ConsensusState,
  epochOfSlot,
  VALIDATOR_STATUSES,
  validatorStatus,
} from '../../../core/chain/consensus/state.ts'
import type { Chain } from '../chain.ts'
import { invalid, slotOf, stateOf } from './ids.ts'

const PUBKEY = /^0x[0-9a-f]{96}$/i
const INDEX = /^\d{1,20}$/
const STATUSES: ReadonlySet<string> = new Set(VALIDATOR_STATUSES)

export type RequestedValidators = { ids: readonly string[]; statuses: readonly string[] }

/** `states/{id}/validators`: in index order; unknown ids are left out. Throws the node's refusals. */
export function listValidators(chain: Chain, stateId: string, filter: RequestedValidators) {
  const slot = slotOf(chain, 'StateID', stateId)
  requireIds(filter.ids)
  const odd = filter.statuses.findIndex((status) => !STATUSES.has(status))
  if (odd !== -1) throw invalid(`Statuses[${odd}]`, filter.statuses[odd] ?? '')
  const state = requireFilterable(chain, slot, 'failed to filter validators: not found')
  const wanted = new Set(filter.statuses)
  return selected(state, filter.ids)
    .map((index) => validatorData(chain, state, index))
    .filter((item) => wanted.size === 0 || wanted.has(item.status))
}

/** `states/{id}/validators/{validator_id}`. Throws the node's refusals. */
export function oneValidator(chain: Chain, stateId: string, validatorId: string) {
  const slot = slotOf(chain, 'StateID', stateId)
  if (!PUBKEY.test(validatorId) && !INDEX.test(validatorId)) throw invalid('ValidatorID', validatorId)
  const state = requireFilterable(chain, slot, 'not found')
  const [index] = selected(state, [validatorId])
  if (index === undefined) throw new NodeRefusal(404, unknownValidator(validatorId))
  return validatorData(chain, state, index)
}

/** `states/{id}/validator_balances`: in index order; unknown ids are left out. Throws the node's refusals. */
export function listBalances(chain: Chain, stateId: string, ids: readonly string[]) {
  const slot = slotOf(chain, 'StateID', stateId)
  requireIds(ids)
  const state = requireFilterable(chain, slot, 'failed to filter validator balances: not found')
  return selected(state, ids).map((index) => balanceData(state, index))
}

function requireIds(ids: readonly string[]): void {
  const odd = ids.findIndex((id) => !PUBKEY.test(id) && !INDEX.test(id))
  if (odd !== -1) throw invalid(`IDs[${odd}]`, ids[odd] ?? '')
}

function requireFilterable(chain: Chain, slot: bigint, notFound: string): ConsensusState {
  const found = stateOf(chain, slot)
  if (!('missing' in found)) return found.consensus
  if (found.missing === 'future') throw new NodeRefusal(404, notFound)
  throw new NodeRefusal(500, `failed to get state from stateID ${slot}, slot ${slot}: ${found.message}`)
}

function selected(state: ConsensusState, ids: readonly string[]): number[] {
  const every = state.validators.map((_, index) => index)
  if (ids.length === 0) return every
  const wanted = new Set(ids.map((id) => id.toLowerCase()))
  return every.filter(
    (index) => wanted.has(String(index)) || wanted.has(state.validators[index]?.pubkey ?? ''),
  )
}

function balanceData(state: ConsensusState, index: number) {
  return { index: String(index), balance: String(state.balancesGwei[index]) }
}

function validatorData(chain: Chain, state: ConsensusState, index: number) {
  const validator = state.validators[index]
  if (validator === undefined) throw new NodeRefusal(404, unknownValidator(String(index)))
  return {
    ...balanceData(state, index),
    status: validatorStatus(validator, epochOfSlot(state.slot, chain.input.spec)) as string,
    validator: {
      pubkey: validator.pubkey,
      withdrawal_credentials: validator.withdrawalCredentials,
      effective_balance: String(validator.effectiveBalanceGwei),
      slashed: validator.slashed,
      activation_eligibility_epoch: String(validator.activationEligibilityEpoch),
      activation_epoch: String(validator.activationEpoch),
      exit_epoch: String(validator.exitEpoch),
      withdrawable_epoch: String(validator.withdrawableEpoch),
    },
  }
}

function unknownValidator(id: string): string {
  if (INDEX.test(id)) return `collections: not found: key '${id}' of type SSZMarshallable: not found`
  return `collections: not found: key 'hexBytes:${id.slice(2).toLowerCase()}' of type uint64: not found`
}
