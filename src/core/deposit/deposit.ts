import type { Hex } from '../format/hex.ts'

/** The chain that a deposit is signed for. `genesisForkVersion` is 4 bytes, `genesisValidatorsRoot` 32. */
export type DepositChain = { genesisForkVersion: Hex; genesisValidatorsRoot: Hex }

/** What the validator key signs: 48 bytes, 32 bytes, uint64 gwei. */
export type DepositMessage = { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: bigint }

/** A message, its 96-byte signature and the chain that it is for. */
export type SignedDeposit = DepositMessage & DepositChain & { signature: Hex }
