import type { Gwei } from '../../base/format/amount.ts'
import {
  bool,
  type Decoder,
  decimal,
  decimalIndex,
  hex,
  list,
  optional,
  record,
  text,
} from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import { OPTIONAL } from '../limits.ts'
import { encodeStateId, type StateId } from './chain.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './node.ts'

/**
 * Calls of the standard node API that nothing here decides by. The present node offers none of them; one that does is read
 * field by field all the same. Each gives undefined where the node does not offer it, and throws a `ClientError`.
 */
function askOffered<T>(
  client: NodeClient,
  path: string,
  { query, decode }: { query?: readonly (readonly [string, string])[]; decode: Decoder<T> },
): Promise<T | undefined> {
  const parts = path.split('/')
  return ifOffered(
    client.ask({ path: parts, limits: OPTIONAL, decode, ...(query === undefined ? {} : { query }) }),
  )
}

/** What a decoder of the fields of `data` makes, in the program's own names. */
const dataOf =
  <Read, Made>(fields: Decoder<Read>, make: (read: Read) => Made): Decoder<Made> =>
  (value, path) =>
    make(record({ data: fields })(value, path).data)

/** Returns the root of a block (`beacon/blocks/{id}/root`). */
export function getBlockRoot(client: NodeClient, args: { block: StateId }): Promise<Hex | undefined> {
  const decode = dataOf(record({ root: hex(32) }), ({ root }) => root)
  return askOffered(client, `eth/v1/beacon/blocks/${encodeStateId(args.block)}/root`, { decode })
}

const committees = dataOf(
  list(record({ index: decimalIndex, slot: decimal, validators: list(decimalIndex) })),
  (read) =>
    read.map(({ validators: validatorIndexes, ...rest }): Committee => ({ ...rest, validatorIndexes })),
)

export type Committee = { index: number; slot: bigint; validatorIndexes: number[] }

/** Returns the committees of an epoch, that of the state unless given (`states/{id}/committees`). */
export function getCommittees(
  client: NodeClient,
  { state, ...args }: { state: StateId; epoch?: bigint; index?: bigint; slot?: bigint },
): Promise<Committee[] | undefined> {
  const query = Object.entries(args).map(([name, value]) => [name, String(value)] as const)
  return askOffered(client, `eth/v1/beacon/states/${encodeStateId(state)}/committees`, {
    query,
    decode: committees,
  })
}

export type SyncCommittees = { validatorIndexes: number[]; aggregateIndexes: number[][] }

const syncCommittees = dataOf(
  record({ validators: list(decimalIndex), validator_aggregates: list(list(decimalIndex)) }),
  ({ validators, validator_aggregates }): SyncCommittees => ({
    validatorIndexes: validators,
    aggregateIndexes: validator_aggregates,
  }),
)

/** Returns the sync committees of an epoch (`states/{id}/sync_committees`). */
export function getSyncCommittees(
  client: NodeClient,
  { state, epoch }: { state: StateId; epoch?: bigint },
): Promise<SyncCommittees | undefined> {
  return askOffered(client, `eth/v1/beacon/states/${encodeStateId(state)}/sync_committees`, {
    query: epoch === undefined ? [] : [['epoch', String(epoch)]],
    decode: syncCommittees,
  })
}

export type VoluntaryExit = { epoch: bigint; validatorIndex: number; signature: Hex }

const voluntaryExits = dataOf(
  list(record({ message: record({ epoch: decimal, validator_index: decimalIndex }), signature: hex(96) })),
  (read): VoluntaryExit[] =>
    read.map(({ message, signature }) => ({
      epoch: message.epoch,
      validatorIndex: message.validator_index,
      signature,
    })),
)

/** The exits that the node holds (`pool/voluntary_exits`). */
export function getVoluntaryExits(client: NodeClient): Promise<VoluntaryExit[] | undefined> {
  return askOffered(client, 'eth/v1/beacon/pool/voluntary_exits', { decode: voluntaryExits })
}

/** A peer; its texts are not yet safe to draw. */
export type NodePeer = { peerId: string; address: string; state: string; direction: string }

const peers = dataOf(
  list(record({ peer_id: text, last_seen_p2p_address: text, state: text, direction: text })),
  (read): NodePeer[] =>
    read.map(({ peer_id, last_seen_p2p_address, state, direction }) => ({
      peerId: peer_id,
      address: last_seen_p2p_address,
      state,
      direction,
    })),
)

/** Returns the peers that the node knows (`node/peers`). */
export function getNodePeers(client: NodeClient): Promise<NodePeer[] | undefined> {
  return askOffered(client, 'eth/v1/node/peers', { decode: peers })
}

export type DebugHead = { root: Hex; slot: bigint; isOptimistic: boolean | undefined }

const heads = dataOf(
  list(record({ root: hex(32), slot: decimal, execution_optimistic: optional(bool) })),
  (read): DebugHead[] =>
    read.map(({ root, slot, execution_optimistic }) => ({ root, slot, isOptimistic: execution_optimistic })),
)

/** Returns every head that the node knows (`debug/beacon/heads`). */
export function getDebugHeads(client: NodeClient): Promise<DebugHead[] | undefined> {
  return askOffered(client, 'eth/v2/debug/beacon/heads', { decode: heads })
}

export type ExpectedWithdrawal = { index: bigint; validatorIndex: bigint; address: Hex; amountGwei: Gwei }

const expectedWithdrawals = dataOf(
  list(record({ index: decimal, validator_index: decimal, address: hex(20), amount: decimal })),
  (read): ExpectedWithdrawal[] =>
    read.map(({ index, validator_index, address, amount }) => ({
      index,
      validatorIndex: validator_index,
      address,
      amountGwei: amount,
    })),
)

/** Returns what the next block is expected to pay out (`builder/states/{id}/expected_withdrawals`). */
export function getExpectedWithdrawals(
  client: NodeClient,
  { state, ...args }: { state: StateId; proposal_slot?: bigint },
): Promise<ExpectedWithdrawal[] | undefined> {
  const query = Object.entries(args).map(([name, value]) => [name, String(value)] as const)
  return askOffered(client, `eth/v1/builder/states/${encodeStateId(state)}/expected_withdrawals`, {
    query,
    decode: expectedWithdrawals,
  })
}
