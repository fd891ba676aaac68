import {
  BooleanType,
  ByteListType,
  ByteVectorType,
  type CompositeViewDU,
  ContainerType,
  ListBasicType,
  ListCompositeType,
  UintBigintType,
  type ValueOf,
} from '@chainsafe/ssz'

const Uint64 = new UintBigintType(8)
const Uint256 = new UintBigintType(32)
const Bool = new BooleanType()
const Bytes4 = new ByteVectorType(4)
const Bytes20 = new ByteVectorType(20)
const Bytes32 = new ByteVectorType(32)
const Bytes48 = new ByteVectorType(48)
const Bytes256 = new ByteVectorType(256)
const REGISTRY_LIMIT = 2 ** 40

export const ForkType = new ContainerType({ previousVersion: Bytes4, currentVersion: Bytes4, epoch: Uint64 })

export const BeaconBlockHeaderType = new ContainerType({
  slot: Uint64,
  proposerIndex: Uint64,
  parentRoot: Bytes32,
  stateRoot: Bytes32,
  bodyRoot: Bytes32,
})

export const Eth1DataType = new ContainerType({
  depositRoot: Bytes32,
  depositCount: Uint64,
  blockHash: Bytes32,
})

/** Deneb's 17 fields. */
export const ExecutionPayloadHeaderType = new ContainerType({
  parentHash: Bytes32,
  feeRecipient: Bytes20,
  stateRoot: Bytes32,
  receiptsRoot: Bytes32,
  logsBloom: Bytes256,
  prevRandao: Bytes32,
  blockNumber: Uint64,
  gasLimit: Uint64,
  gasUsed: Uint64,
  timestamp: Uint64,
  extraData: new ByteListType(32),
  baseFeePerGas: Uint256,
  blockHash: Bytes32,
  transactionsRoot: Bytes32,
  withdrawalsRoot: Bytes32,
  blobGasUsed: Uint64,
  excessBlobGas: Uint64,
})

export const ValidatorType = new ContainerType({
  pubkey: Bytes48,
  withdrawalCredentials: Bytes32,
  effectiveBalance: Uint64,
  slashed: Bool,
  activationEligibilityEpoch: Uint64,
  activationEpoch: Uint64,
  exitEpoch: Uint64,
  withdrawableEpoch: Uint64,
})

export const PendingPartialWithdrawalType = new ContainerType({
  validatorIndex: Uint64,
  amount: Uint64,
  withdrawableEpoch: Uint64,
})

const WithdrawalType = new ContainerType({
  index: Uint64,
  validatorIndex: Uint64,
  address: Bytes20,
  amount: Uint64,
})

/** The withdrawals of one payload. */
export const WithdrawalsType = new ListCompositeType(WithdrawalType, 16)

/** The beacon state from Electra on: 17 fields, with the limits under which the node makes its state root. */
export const BeaconStateType = new ContainerType({
  genesisValidatorsRoot: Bytes32,
  slot: Uint64,
  fork: ForkType,
  latestBlockHeader: BeaconBlockHeaderType,
  blockRoots: new ListCompositeType(Bytes32, 8192),
  stateRoots: new ListCompositeType(Bytes32, 8192),
  eth1Data: Eth1DataType,
  eth1DepositIndex: Uint64,
  latestExecutionPayloadHeader: ExecutionPayloadHeaderType,
  validators: new ListCompositeType(ValidatorType, REGISTRY_LIMIT),
  balances: new ListBasicType(Uint64, REGISTRY_LIMIT),
  randaoMixes: new ListCompositeType(Bytes32, 65536),
  nextWithdrawalIndex: Uint64,
  nextWithdrawalValidatorIndex: Uint64,
  slashings: new ListBasicType(Uint64, REGISTRY_LIMIT),
  totalSlashing: Uint64,
  pendingPartialWithdrawals: new ListCompositeType(PendingPartialWithdrawalType, 2 ** 27),
})

/** A whole beacon state as plain values: bytes, bigints, arrays. */
export type BeaconState = ValueOf<typeof BeaconStateType>
export type ExecutionPayloadHeader = ValueOf<typeof ExecutionPayloadHeaderType>

/** A beacon state as a tree that shares everything unchanged with its predecessor. */
export type BeaconStateTree = CompositeViewDU<typeof BeaconStateType>
