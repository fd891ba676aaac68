import { ByteVectorType, ContainerType, UintBigintType } from '@chainsafe/ssz'

const Bytes4 = new ByteVectorType(4)
const Bytes32 = new ByteVectorType(32)
const Bytes48 = new ByteVectorType(48)
const Uint64 = new UintBigintType(8)

/** What a first deposit's signature stands for (consensus spec, DepositMessage; facts, "Signing a first deposit"). */
export const DepositMessageType = new ContainerType({
  pubkey: Bytes48,
  withdrawalCredentials: Bytes32,
  amount: Uint64,
})

/** Consensus spec, ForkData. */
export const ForkDataType = new ContainerType({ currentVersion: Bytes4, genesisValidatorsRoot: Bytes32 })

/** Consensus spec, SigningData. */
export const SigningDataType = new ContainerType({ objectRoot: Bytes32, domain: Bytes32 })
