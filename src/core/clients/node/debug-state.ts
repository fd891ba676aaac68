import { cutJson, type ListTaker } from '../../base/format/cut-json.ts'
import {
  bool,
  type Decoder,
  decimal,
  decodeEntry,
  hex,
  optional,
  quantity64,
  record,
  refuse,
  uint,
} from '../../base/format/decode.ts'
import { hexToBytes } from '../../base/format/hex.ts'
import type { BeaconState } from '../../chain/proofs/beacon-state.ts'
import { emptied } from '../ask-as-service.ts'
import { type Intake, STATE } from '../json-rpc.ts'
import { encodeStateId, type StateId } from './chain.ts'
import type { NodeClient } from './client.ts'

const bytes =
  (length?: number): Decoder<Uint8Array> =>
  (value, path) =>
    hexToBytes(hex(length)(value, path))

/**
 * The node writes most numbers as hex quantities and its plain integers bare. Which is which is the software's own
 * matter: the root of the state settles whether they were read right.
 */
const number64: Decoder<bigint> = (value, path) =>
  typeof value === 'string' ? quantity64(value, path) : uint(value, path)

/** Zero and empty fields are left out of this reply. */
const or =
  <T>(decode: Decoder<T>, fallback: T): Decoder<T> =>
  (value, path) =>
    optional(decode)(value, path) ?? fallback

const extraData: Decoder<Uint8Array> = (value, path) => {
  const read = bytes()(value, path)
  return read.length <= 32 ? read : refuse(path, 'at most 32 bytes', value)
}

const fork = record({ previous_version: bytes(4), current_version: bytes(4), epoch: or(number64, 0n) })

const blockHeader = record({
  slot: or(number64, 0n),
  proposer_index: or(number64, 0n),
  parent_block_root: bytes(32),
  state_root: bytes(32),
  body_root: bytes(32),
})

const payloadHeader: Decoder<BeaconState['latestExecutionPayloadHeader']> = record({
  parentHash: bytes(32),
  feeRecipient: bytes(20),
  stateRoot: bytes(32),
  receiptsRoot: bytes(32),
  logsBloom: bytes(256),
  prevRandao: bytes(32),
  blockNumber: number64,
  gasLimit: number64,
  gasUsed: number64,
  timestamp: number64,
  extraData,
  baseFeePerGas: decimal,
  blockHash: bytes(32),
  transactionsRoot: bytes(32),
  withdrawalsRoot: bytes(32),
  blobGasUsed: number64,
  excessBlobGas: number64,
})

const validator: Decoder<BeaconState['validators'][number]> = record({
  pubkey: bytes(48),
  withdrawalCredentials: bytes(32),
  effectiveBalance: number64,
  slashed: bool,
  activationEligibilityEpoch: number64,
  activationEpoch: number64,
  exitEpoch: number64,
  withdrawableEpoch: number64,
})

type Withdrawal = BeaconState['pendingPartialWithdrawals'][number]

/** Its fields have no names of their own in the node's source, so they come as they are called there. */
const asInSource = record({ ValidatorIndex: number64, Amount: number64, WithdrawableEpoch: number64 })
const asInSpec = record({ validator_index: number64, amount: number64, withdrawable_epoch: number64 })

const withdrawal: Decoder<Withdrawal> = (value, path) => {
  if (typeof value === 'object' && value !== null && 'validator_index' in value) {
    const read = asInSpec(value, path)
    return {
      validatorIndex: read.validator_index,
      amount: read.amount,
      withdrawableEpoch: read.withdrawable_epoch,
    }
  }
  const read = asInSource(value, path)
  return {
    validatorIndex: read.ValidatorIndex,
    amount: read.Amount,
    withdrawableEpoch: read.WithdrawableEpoch,
  }
}

const eth1Data = record({ depositRoot: bytes(32), depositCount: number64, blockHash: bytes(32) })

const listHandedOn = optional(emptied)

/** All but the lists, which were read on the way. Absent ones are empty. */
const frame = record({
  genesis_validators_root: bytes(32),
  slot: or(number64, 0n),
  fork,
  latest_block_header: blockHeader,
  block_roots: listHandedOn,
  state_roots: listHandedOn,
  eth1_data: eth1Data,
  eth1_deposit_index: or(number64, 0n),
  latest_execution_payload_header: payloadHeader,
  validators: listHandedOn,
  balances: listHandedOn,
  randao_mixes: listHandedOn,
  next_withdrawal_index: or(number64, 0n),
  next_withdrawal_validator_index: or(number64, 0n),
  slashings: listHandedOn,
  total_slashing: or(number64, 0n),
  pending_partial_withdrawals: listHandedOn,
})

/** A state that is being read. `finish` makes it from what the intake leaves. */
export type DebugStateReader = { intake: Intake; finish: Decoder<BeaconState> }

type Lists = Pick<
  BeaconState,
  | 'blockRoots'
  | 'stateRoots'
  | 'validators'
  | 'balances'
  | 'randaoMixes'
  | 'slashings'
  | 'pendingPartialWithdrawals'
>

/**
 * Reads a whole state as the debug endpoint writes it, its lists while they arrive: hex quantities and bare numbers
 * (these may pass 2^53 and are read from the text), and the base fee, which is a decimal text. There must be a balance
 * for each validator.
 */
export function beginDebugState(): DebugStateReader {
  const lists: Lists = {
    blockRoots: [],
    stateRoots: [],
    validators: [],
    balances: [],
    randaoMixes: [],
    slashings: [],
    pendingPartialWithdrawals: [],
  }
  const intake = cutJson(
    Object.fromEntries([
      handOn('block_roots', lists.blockRoots, bytes(32), 8192),
      handOn('state_roots', lists.stateRoots, bytes(32), 8192),
      handOn('validators', lists.validators, validator),
      handOn('balances', lists.balances, number64),
      handOn('randao_mixes', lists.randaoMixes, bytes(32), 65_536),
      handOn('slashings', lists.slashings, number64),
      handOn('pending_partial_withdrawals', lists.pendingPartialWithdrawals, withdrawal),
    ]),
  )
  return { intake, finish: (value, path) => finish(lists, value, path) }
}

/** One list: its path, and what adds its entries, of which there are at most `limit`. */
function handOn<T>(
  name: string,
  entries: T[],
  decode: Decoder<T>,
  limit = Number.MAX_SAFE_INTEGER,
): [string, ListTaker] {
  const list = `data.${name}`
  const take: ListTaker = (found, first) => {
    if (first + found.length > limit) refuse(list, `at most ${limit} entries`, entries)
    for (const [offset, entry] of found.entries()) {
      entries.push(decodeEntry(decode, entry, { list, at: first + offset }))
    }
  }
  return [list, take]
}

function finish(lists: Lists, value: unknown, path: string): BeaconState {
  const read = frame(value, path)
  if (lists.balances.length !== lists.validators.length) {
    refuse(`${path}.balances`, `${lists.validators.length} entries, one for each validator`, lists.balances)
  }
  const { fork, latest_block_header: header } = read
  return {
    ...lists,
    genesisValidatorsRoot: read.genesis_validators_root,
    slot: read.slot,
    fork: { previousVersion: fork.previous_version, currentVersion: fork.current_version, epoch: fork.epoch },
    latestBlockHeader: {
      slot: header.slot,
      proposerIndex: header.proposer_index,
      parentRoot: header.parent_block_root,
      stateRoot: header.state_root,
      bodyRoot: header.body_root,
    },
    eth1Data: read.eth1_data,
    eth1DepositIndex: read.eth1_deposit_index,
    latestExecutionPayloadHeader: read.latest_execution_payload_header,
    nextWithdrawalIndex: read.next_withdrawal_index,
    nextWithdrawalValidatorIndex: read.next_withdrawal_validator_index,
    totalSlashing: read.total_slashing,
  }
}

/**
 * The whole beacon state (`/eth/v2/debug/beacon/states/{id}`), ready to be hashed: only a state whose root is the
 * header's is more than the node's word. A state that the node gives for slot N still holds its own block's header
 * with a zero state root. Throws a `ClientError`; `too-large` beyond some 130,000 validators.
 */
export function getDebugState(client: NodeClient, args: { state: StateId }): Promise<BeaconState> {
  const path = ['eth', 'v2', 'debug', 'beacon', 'states', encodeStateId(args.state)]
  let reader = beginDebugState()
  const intake = () => {
    reader = beginDebugState()
    return reader.intake
  }
  const decode: Decoder<BeaconState> = (value, at) => record({ data: reader.finish })(value, at).data
  return client.ask({ path, decode, limits: STATE, intake })
}
