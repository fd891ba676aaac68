import { cutJson, type ListTaker } from '../../format/cut-json.ts'
import {
  bool,
  type Decoder,
  decimal,
  hex,
  optional,
  quantity64,
  record,
  refuse,
  uint,
} from '../../format/decode.ts'
import { hexToBytes } from '../../format/hex.ts'
import type { BeaconState } from '../../proofs/beacon-state.ts'
import { decodeEntry } from '../decode-entry.ts'
import { emptied } from '../emptied.ts'
import type { Intake } from '../intake.ts'

const bytes =
  (length?: number): Decoder<Uint8Array> =>
  (value, path) =>
    hexToBytes(hex(length)(value, path))

/** Zero and empty fields are left out of this reply. */
const or =
  <T>(decode: Decoder<T>, fallback: T): Decoder<T> =>
  (value, path) =>
    optional(decode)(value, path) ?? fallback

const extraData: Decoder<Uint8Array> = (value, path) => {
  const read = bytes()(value, path)
  return read.length <= 32 ? read : refuse(path, 'at most 32 bytes', value)
}

const fork = record({ previous_version: bytes(4), current_version: bytes(4), epoch: or(quantity64, 0n) })

const blockHeader = record({
  slot: or(quantity64, 0n),
  proposer_index: or(quantity64, 0n),
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
  blockNumber: quantity64,
  gasLimit: quantity64,
  gasUsed: quantity64,
  timestamp: quantity64,
  extraData,
  baseFeePerGas: decimal,
  blockHash: bytes(32),
  transactionsRoot: bytes(32),
  withdrawalsRoot: bytes(32),
  blobGasUsed: quantity64,
  excessBlobGas: quantity64,
})

const validator: Decoder<BeaconState['validators'][number]> = record({
  pubkey: bytes(48),
  withdrawalCredentials: bytes(32),
  effectiveBalance: quantity64,
  slashed: bool,
  activationEligibilityEpoch: quantity64,
  activationEpoch: quantity64,
  exitEpoch: quantity64,
  withdrawableEpoch: quantity64,
})

type Withdrawal = BeaconState['pendingPartialWithdrawals'][number]

/** Its fields have no names of their own in the node's source, so they come as they are called there. */
const asInSource = record({ ValidatorIndex: quantity64, Amount: quantity64, WithdrawableEpoch: quantity64 })
const asInSpec = record({ validator_index: quantity64, amount: quantity64, withdrawable_epoch: quantity64 })

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

const eth1Data = record({ depositRoot: bytes(32), depositCount: quantity64, blockHash: bytes(32) })

const listHandedOn = optional(emptied)

/** All but the lists, which were read on the way. Absent ones are empty. */
const frame = record({
  genesis_validators_root: bytes(32),
  slot: or(quantity64, 0n),
  fork,
  latest_block_header: blockHeader,
  block_roots: listHandedOn,
  state_roots: listHandedOn,
  eth1_data: eth1Data,
  eth1_deposit_index: or(uint, 0n),
  latest_execution_payload_header: payloadHeader,
  validators: listHandedOn,
  balances: listHandedOn,
  randao_mixes: listHandedOn,
  next_withdrawal_index: or(uint, 0n),
  next_withdrawal_validator_index: or(quantity64, 0n),
  slashings: listHandedOn,
  total_slashing: or(quantity64, 0n),
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
 * Reads a whole state as the debug endpoint writes it, its lists while they arrive: hex quantities, except the
 * balances, the deposit index and the next withdrawal's index, which are bare numbers (they may pass 2^53 and are
 * read from the text), and the base fee, which is a decimal text. There must be a balance for each validator.
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
      handOn('balances', lists.balances, uint),
      handOn('randao_mixes', lists.randaoMixes, bytes(32), 65_536),
      handOn('slashings', lists.slashings, quantity64),
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
