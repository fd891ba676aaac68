import { BeaconStateError } from '../errors/proofs.ts'
import { bytesToHex, type Hex, hexToBytes, isHex } from '../format/hex.ts'
import { safeText } from '../format/text.ts'
import { type BeaconState, BeaconStateType, type ExecutionPayloadHeader } from './beacon-state.ts'

type Fields = ReadonlyMap<string, unknown>

/**
 * Reads the `data` of `/eth/v2/debug/beacon/states/{id}` into a beacon state.
 *
 * Quantities are hex texts; lists of amounts are bare numbers and must come as bigints where they pass 2^53, so
 * the reply has to be parsed from its source text. Fields that the node leaves out are zero or empty. Names are
 * compared without case and underscores, for the node mixes three spellings. Throws BeaconStateError.
 */
export function readDebugState(data: unknown): BeaconState {
  const state = fields(data, 'data')
  return {
    genesisValidatorsRoot: bytes(state, 'genesisValidatorsRoot', 32),
    slot: quantity(state, 'slot'),
    fork: fork(fields(state.get('fork'), 'fork')),
    latestBlockHeader: header(fields(state.get('latestblockheader'), 'latest_block_header')),
    blockRoots: roots(state, 'blockRoots'),
    stateRoots: roots(state, 'stateRoots'),
    eth1Data: eth1Data(fields(state.get('eth1data'), 'eth1_data')),
    eth1DepositIndex: quantity(state, 'eth1DepositIndex'),
    latestExecutionPayloadHeader: payloadHeader(
      fields(state.get('latestexecutionpayloadheader'), 'latest_execution_payload_header'),
    ),
    validators: list(state, 'validators').map((item, at) => validator(fields(item, `validators[${at}]`))),
    balances: list(state, 'balances').map((item, at) => toQuantity(item, `balances[${at}]`)),
    randaoMixes: roots(state, 'randaoMixes'),
    nextWithdrawalIndex: quantity(state, 'nextWithdrawalIndex'),
    nextWithdrawalValidatorIndex: quantity(state, 'nextWithdrawalValidatorIndex'),
    slashings: list(state, 'slashings').map((item, at) => toQuantity(item, `slashings[${at}]`)),
    totalSlashing: quantity(state, 'totalSlashing'),
    pendingPartialWithdrawals: list(state, 'pendingPartialWithdrawals').map((item, at) =>
      partialWithdrawal(fields(item, `pending_partial_withdrawals[${at}]`)),
    ),
  }
}

/** `hash_tree_root(BeaconState)`: what stands as `state_root` in the header of the state's slot. */
export function beaconStateRoot(state: BeaconState): Hex {
  return bytesToHex(BeaconStateType.hashTreeRoot(state))
}

function fork(item: Fields): BeaconState['fork'] {
  return {
    previousVersion: bytes(item, 'previousVersion', 4),
    currentVersion: bytes(item, 'currentVersion', 4),
    epoch: quantity(item, 'epoch'),
  }
}

function header(item: Fields): BeaconState['latestBlockHeader'] {
  return {
    slot: quantity(item, 'slot'),
    proposerIndex: quantity(item, 'proposerIndex'),
    parentRoot: bytes(item, 'parentBlockRoot', 32),
    stateRoot: bytes(item, 'stateRoot', 32),
    bodyRoot: bytes(item, 'bodyRoot', 32),
  }
}

function eth1Data(item: Fields): BeaconState['eth1Data'] {
  return {
    depositRoot: bytes(item, 'depositRoot', 32),
    depositCount: quantity(item, 'depositCount'),
    blockHash: bytes(item, 'blockHash', 32),
  }
}

function payloadHeader(item: Fields): ExecutionPayloadHeader {
  return {
    parentHash: bytes(item, 'parentHash', 32),
    feeRecipient: bytes(item, 'feeRecipient', 20),
    stateRoot: bytes(item, 'stateRoot', 32),
    receiptsRoot: bytes(item, 'receiptsRoot', 32),
    logsBloom: bytes(item, 'logsBloom', 256),
    prevRandao: bytes(item, 'prevRandao', 32),
    blockNumber: quantity(item, 'blockNumber'),
    gasLimit: quantity(item, 'gasLimit'),
    gasUsed: quantity(item, 'gasUsed'),
    timestamp: quantity(item, 'timestamp'),
    extraData: bytes(item, 'extraData'),
    baseFeePerGas: decimal(item, 'baseFeePerGas'),
    blockHash: bytes(item, 'blockHash', 32),
    transactionsRoot: bytes(item, 'transactionsRoot', 32),
    withdrawalsRoot: bytes(item, 'withdrawalsRoot', 32),
    blobGasUsed: quantity(item, 'blobGasUsed'),
    excessBlobGas: quantity(item, 'excessBlobGas'),
  }
}

function validator(item: Fields): BeaconState['validators'][number] {
  return {
    pubkey: bytes(item, 'pubkey', 48),
    withdrawalCredentials: bytes(item, 'withdrawalCredentials', 32),
    effectiveBalance: quantity(item, 'effectiveBalance'),
    slashed: item.get('slashed') === true,
    activationEligibilityEpoch: quantity(item, 'activationEligibilityEpoch'),
    activationEpoch: quantity(item, 'activationEpoch'),
    exitEpoch: quantity(item, 'exitEpoch'),
    withdrawableEpoch: quantity(item, 'withdrawableEpoch'),
  }
}

function partialWithdrawal(item: Fields): BeaconState['pendingPartialWithdrawals'][number] {
  return {
    validatorIndex: quantity(item, 'validatorIndex'),
    amount: quantity(item, 'amount'),
    withdrawableEpoch: quantity(item, 'withdrawableEpoch'),
  }
}

function fields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(name, value, 'an object')
  return new Map(Object.entries(value).map(([key, item]) => [plain(key), item]))
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

function list(item: Fields, name: string): readonly unknown[] {
  const value = item.get(plain(name)) ?? []
  if (!Array.isArray(value)) throw wrong(name, value, 'a list')
  return value
}

function roots(item: Fields, name: string): Uint8Array[] {
  return list(item, name).map((root, at) => toBytes(root, `${name}[${at}]`, 32))
}

function bytes(item: Fields, name: string, length?: number): Uint8Array {
  return toBytes(item.get(plain(name)), name, length)
}

function toBytes(value: unknown, name: string, length?: number): Uint8Array {
  if (!isHex(value, length)) throw wrong(name, value, `${length ?? 'whole'} bytes of 0x hex`)
  return hexToBytes(value)
}

function quantity(item: Fields, name: string): bigint {
  return toQuantity(item.get(plain(name)), name)
}

function toQuantity(value: unknown, name: string): bigint {
  if (value === undefined) return 0n
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)) return BigInt(value)
  throw wrong(name, value, 'a hex quantity of 64 bits, or an exact whole number')
}

function decimal(item: Fields, name: string): bigint {
  const value = item.get(plain(name))
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) throw wrong(name, value, 'decimal digits')
  return BigInt(value)
}

function wrong(field: string, found: unknown, expected: string): BeaconStateError {
  return new BeaconStateError(field, found === undefined ? 'nothing' : safeText(found, 80), expected)
}
