import { ClientError } from '../../base/errors/client.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { cutJson } from '../../base/format/cut-json.ts'
import {
  bool,
  type Decoder,
  decimal,
  decimalIndex,
  decodeEntry,
  hex,
  list,
  oneOf,
  optional,
  record,
  refuse,
} from '../../base/format/decode.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import {
  type PendingPartialWithdrawal,
  VALIDATOR_STATUSES,
  type Validator,
  type ValidatorStatus,
} from '../../chain/consensus/state.ts'
import { emptied } from '../ask-as-service.ts'
import { type Intake, LIST, REGISTRY } from '../json-rpc.ts'
import { encodeStateId, type StateId } from './chain.ts'
import type { NodeClient } from './client.ts'

/** A validator as the node API gives it: a claim of the node, not a proof. */
export type ValidatorRecord = {
  index: number
  balanceGwei: Gwei
  status: ValidatorStatus
  validator: Validator
}

const fields = record({
  index: decimalIndex,
  balance: decimal,
  status: oneOf(VALIDATOR_STATUSES),
  validator: record({
    pubkey: hex(48),
    withdrawal_credentials: hex(32),
    effective_balance: decimal,
    slashed: bool,
    activation_eligibility_epoch: decimal,
    activation_epoch: decimal,
    exit_epoch: decimal,
    withdrawable_epoch: decimal,
  }),
})

/** Reads one entry of `states/{id}/validators`: decimal texts, amounts in gwei. */
export const decodeValidatorRecord: Decoder<ValidatorRecord> = (value, path) => {
  const { index, balance, status, validator } = fields(value, path)
  return {
    index,
    balanceGwei: balance,
    status,
    validator: {
      pubkey: validator.pubkey,
      withdrawalCredentials: validator.withdrawal_credentials,
      effectiveBalanceGwei: validator.effective_balance,
      slashed: validator.slashed,
      activationEligibilityEpoch: validator.activation_eligibility_epoch,
      activationEpoch: validator.activation_epoch,
      exitEpoch: validator.exit_epoch,
      withdrawableEpoch: validator.withdrawable_epoch,
    },
  }
}

/** Gathers what is wanted of a registry, one validator at a time and in index order. */
export type ValidatorTaker<T> = { add(record: ValidatorRecord): void; done(): T }

export type StreamedState = { state: StateId; statuses?: readonly ValidatorStatus[] }

const left = record({ data: emptied })

/**
 * Reads every validator of a state while the reply arrives, so that a registry of a million takes the memory of a
 * few hundred plus what the taker keeps (`states/{id}/validators`). Entries must come in index order, each once;
 * without `statuses` none may be missing. `taker` is made anew for each attempt. Throws a `ClientError`.
 */
export async function streamValidators<T>(
  client: NodeClient,
  args: StreamedState & { taker: () => ValidatorTaker<T> },
): Promise<T> {
  const { state, statuses = [] } = args
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(state), 'validators']
  const query = statuses.map((status) => ['status', status] as const)
  let taker = args.taker()
  const intake = (): Intake => {
    taker = args.taker()
    return readInOrder(taker, { whole: statuses.length === 0 })
  }
  const decode: Decoder<T> = (value, at) => {
    left(value, at)
    return taker.done()
  }
  return client.ask({ path, query, decode, limits: REGISTRY, intake })
}

function readInOrder(taker: ValidatorTaker<unknown>, { whole }: { whole: boolean }): Intake {
  let next = 0
  return cutJson({
    data: (entries, first) => {
      for (const [offset, entry] of entries.entries()) {
        const read = decodeEntry(decodeValidatorRecord, entry, { list: 'data', at: first + offset })
        if (read.index < next || (whole && read.index !== next))
          refuse(`data[${first + offset}].index`, whole ? `${next}` : `${next} or more`, String(read.index))
        next = read.index + 1
        taker.add(read)
      }
    },
  })
}

export type ValidatorFilter = {
  state: StateId
  /** Pubkeys or indexes. Those that the state does not know are left out of the answer. */
  ids?: readonly (Hex | number)[]
  statuses?: readonly ValidatorStatus[]
}

/** A node takes no more ids in one call. */
const MOST_IDS = 1024

/** Asks in pieces that a node takes; what comes is in index order again. Without ids it is one question. */
async function inPieces<Id, T extends { index: number }>(
  ids: readonly Id[] | undefined,
  ask: (ids: readonly Id[] | undefined) => Promise<T[]>,
): Promise<T[]> {
  if (ids === undefined || ids.length <= MOST_IDS) return ask(ids)
  const found: T[] = []
  for (let from = 0; from < ids.length; from += MOST_IDS)
    found.push(...(await ask(ids.slice(from, from + MOST_IDS))))
  return found.toSorted((a, b) => a.index - b.index)
}

const validatorsFields = record({ data: list(decodeValidatorRecord) })

/**
 * The validators of a state in index order, all of them or those that the filter names (`states/{id}/validators`,
 * with `id` and `status` repeated: this node takes no comma lists), in pieces of 1,024 ids. Without ids the reply may be of any size and is
 * read while it arrives; who does not need every record uses `streamValidators`. Throws a `ClientError`.
 */
export function getValidators(client: NodeClient, args: ValidatorFilter): Promise<ValidatorRecord[]> {
  const { ids = [] } = args
  if (ids.length === 0) return streamValidators(client, { ...args, taker: gatherAll })
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'validators']
  const statuses = (args.statuses ?? []).map((status) => ['status', status] as const)
  return inPieces(ids, (some = []) => {
    const query = [...some.map((id) => ['id', String(id)] as const), ...statuses]
    return client.ask({ path, query, decode: (value, at) => validatorsFields(value, at).data, limits: LIST })
  })
}

function gatherAll(): ValidatorTaker<ValidatorRecord[]> {
  const records: ValidatorRecord[] = []
  return { add: (record) => records.push(record), done: () => records }
}

const validatorFields = record({ data: decodeValidatorRecord })

/**
 * One validator by pubkey or index, or undefined when that state does not know it (`states/{id}/validators/{id}`).
 * A slot that this node does not have looks the same, so absence counts only at a head that is fresh
 *. An answer about another validator is refused. Throws a `ClientError`.
 */
export async function getValidator(
  client: NodeClient,
  args: { state: StateId; id: Hex | number },
): Promise<ValidatorRecord | undefined> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'validators', String(args.id)]
  try {
    return await client.ask({
      path,
      decode: (value, at) => checked(validatorFields(value, at).data, args.id),
    })
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-found') return undefined
    throw thrown
  }
}

function checked(found: ValidatorRecord, id: Hex | number): ValidatorRecord {
  if (typeof id === 'number')
    return found.index === id ? found : refuse('data.index', String(id), found.index)
  const { pubkey } = found.validator
  return sameHex(pubkey, id) ? found : refuse('data.validator.pubkey', id, pubkey)
}

const postValidatorsFields = record({ data: list(decodeValidatorRecord) })

/**
 * The validators that a filter names, asked for by POST with the ids and statuses in the body: for more of them
 * than a URL holds (`states/{id}/validators`). It still only reads. Throws a `ClientError`.
 */
export function postValidators(client: NodeClient, args: ValidatorFilter): Promise<ValidatorRecord[]> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'validators']
  const { statuses } = args
  const filter = statuses === undefined ? {} : { statuses }
  return inPieces(args.ids, (ids) => {
    const body = { ...(ids === undefined ? {} : { ids: ids.map(String) }), ...filter }
    return client.ask({
      path,
      body,
      decode: (value, at) => postValidatorsFields(value, at).data,
      limits: LIST,
    })
  })
}

export type ValidatorBalance = { index: number; balanceGwei: Gwei }

export type BalanceFilter = {
  state: StateId
  /** Pubkeys or indexes; all validators without. Those that the state does not know are left out of the answer. */
  ids?: readonly (Hex | number)[]
}

const validatorBalancesEntryFields = record({ index: decimalIndex, balance: decimal })

const validatorBalancesEntry: Decoder<ValidatorBalance> = (value, path) => {
  const { index, balance } = validatorBalancesEntryFields(value, path)
  return { index, balanceGwei: balance }
}
const validatorBalancesFields = record({ data: list(validatorBalancesEntry) })
const decode: Decoder<ValidatorBalance[]> = (value, path) => validatorBalancesFields(value, path).data

/**
 * Balances in index order, with `id` repeated in the query (`states/{id}/validator_balances`).
 * Throws a `ClientError`.
 */
export function getValidatorBalances(client: NodeClient, args: BalanceFilter): Promise<ValidatorBalance[]> {
  return inPieces(args.ids, (ids = []) => {
    const query = ids.map((id) => ['id', String(id)] as const)
    return client.ask({ path: pathOf(args.state), query, decode, limits: LIST })
  })
}

/** The same, with the ids as a JSON list in a POST: for more of them than a URL holds. Throws a `ClientError`. */
export function postValidatorBalances(client: NodeClient, args: BalanceFilter): Promise<ValidatorBalance[]> {
  return inPieces(args.ids, (ids = []) =>
    client.ask({ path: pathOf(args.state), body: ids.map(String), decode, limits: LIST }),
  )
}

function pathOf(state: StateId): string[] {
  return ['eth', 'v1', 'beacon', 'states', encodeStateId(state), 'validator_balances']
}

const pendingPartialWithdrawalsFields = record({
  validator_index: decimalIndex,
  amount: decimal,
  // The standard's name, and the one of older versions of this node.
  withdrawable_epoch: optional(decimal),
  withdrawal_epoch: optional(decimal),
})

const pendingPartialWithdrawalsEntry: Decoder<PendingPartialWithdrawal> = (value, path) => {
  const read = pendingPartialWithdrawalsFields(value, path)
  const withdrawableEpoch = read.withdrawable_epoch ?? read.withdrawal_epoch
  if (withdrawableEpoch === undefined)
    return refuse(`${path}.withdrawable_epoch`, 'a decimal number', undefined)
  return { validatorIndex: read.validator_index, amountGwei: read.amount, withdrawableEpoch }
}

const reply = record({ data: list(pendingPartialWithdrawalsEntry) })

/**
 * Returns the partial withdrawals that wait, in the order of the queue: they show who will sink in rank, and when
 * (`states/{id}/pending_partial_withdrawals`). Throws a `ClientError`.
 */
export function getPendingPartialWithdrawals(
  client: NodeClient,
  args: { state: StateId },
): Promise<PendingPartialWithdrawal[]> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'pending_partial_withdrawals']
  return client.ask({ path, decode: (value, at) => reply(value, at).data, limits: LIST })
}
