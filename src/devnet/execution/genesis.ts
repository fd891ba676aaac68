import { concat, type Hash, keccak256, stringToBytes } from 'viem'
import beaconRoots from '../../../contracts/artifacts/BeaconRoots.json' with { type: 'json' }
import depositContract from '../../../contracts/artifacts/DepositContract.json' with { type: 'json' }
import withdrawalRequests from '../../../contracts/artifacts/WithdrawalRequests.json' with { type: 'json' }
import type { Hex } from '../../core/base/format/hex.ts'

/** Addresses of the system contracts, lower case, as the real network has them. */
export const DEPOSIT_CONTRACT: Hex = '0x4242424242424242424242424242424242424242'
/** EIP-4788. */
export const BEACON_ROOTS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
/** EIP-7002. */
export const WITHDRAWAL_REQUESTS: Hex = '0x00000961ef480eb55e80d19ad83579a64c007002'
/** EIP-7251. There is none here; a client names it all the same. */
export const CONSOLIDATION_REQUESTS: Hex = '0x0000bbddc7ce488642fb579f8b00f3a590007251'
/** EIP-2935. Without use here, and its storage would grow with every block. */
export const BLOCK_HASHES: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935'

/** Runtime code of our own contracts, from `contracts/artifacts`. */
export const DEPOSIT_CONTRACT_CODE = depositContract.runtimeBytecode as Hex
const BEACON_ROOTS_CODE = beaconRoots.runtimeBytecode as Hex
const WITHDRAWAL_REQUESTS_CODE = withdrawalRequests.runtimeBytecode as Hex

/** Number of timestamps that the rehearsal's beacon roots contract remembers; the real one has 8191. */
export const ROOTS_RING = 256

/** keccak256 of the rehearsal's deposit contract code: what a client of that network pins instead of the real one's. */
export function depositContractCodeHash(): Hash {
  return keccak256(DEPOSIT_CONTRACT_CODE)
}

/** Returns a number as a 32-byte word. */
export function word(value: bigint | number): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Any number as an RPC quantity: no leading zeros. */
export function rpcQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** The network's least base fee, also that of its first block. */
export const BASE_FEE_FLOOR_WEI = 1_000_000_000n

const GAS_LIMIT = 30_000_000
const NEVER_RUNS: Hex = '0x00'
/** Storage of DepositContract.sol. */
const SLOT_DEPOSIT_COUNT = word(0)
const SLOT_GENESIS_DEPOSITS_ROOT = word(1)
const SLOT_OPERATORS = word(2)

/** The first block of a rehearsal network as the execution client is told of it. Quantities are hex. */
export type ExecutionGenesis = {
  chainId: number
  timestampSeconds: number
  gasLimit: number
  baseFee: Hex
  /** Commits to all the rest: the client's first block itself commits to little of it. */
  contentHash: Hash
  accounts: Readonly<Record<Hex, GenesisAccount>>
}

type GenesisAccount = {
  balance: Hex
  nonce?: Hex
  code?: Hex
  storage?: Readonly<Record<Hex, Hex>>
}

export type ExecutionGenesisInput = {
  chainId: number
  timestampSeconds: number
  /** The validators of the engine's genesis: their number is where the deposit index starts. */
  genesisDeposits: {
    root: Hex
    validators: readonly { pubkey: Hex; operator: Hex }[]
  }
  accounts: readonly { address: Hex; balanceWei: bigint }[]
}

/**
 * The first block of a rehearsal network and everything that stands in its state: the system contracts at their real
 * addresses, the operators of the genesis validators, funded accounts. Two networks that differ in anything have different
 * genesis hashes.
 */
export function executionGenesis(input: ExecutionGenesisInput): ExecutionGenesis {
  const { chainId, timestampSeconds } = input
  const accounts = accountsOf(input)
  const contentHash = keccak256(stringToBytes(JSON.stringify([chainId, timestampSeconds, accounts])))
  const baseFee = rpcQuantity(BASE_FEE_FLOOR_WEI)
  return { chainId, timestampSeconds, gasLimit: GAS_LIMIT, baseFee, contentHash, accounts }
}

/** Storage key of a public key's operator in the deposit contract (Solidity: mapping with a bytes key). */
function operatorSlot(pubkey: Hex): Hex {
  return keccak256(concat([pubkey, SLOT_OPERATORS]))
}

function accountsOf(input: ExecutionGenesisInput): Record<Hex, GenesisAccount> {
  const system: Record<Hex, GenesisAccount> = {
    [DEPOSIT_CONTRACT]: contract(DEPOSIT_CONTRACT_CODE, depositStorage(input.genesisDeposits)),
    [BEACON_ROOTS]: contract(BEACON_ROOTS_CODE),
    [WITHDRAWAL_REQUESTS]: contract(WITHDRAWAL_REQUESTS_CODE),
    [BLOCK_HASHES]: contract(NEVER_RUNS),
  }
  const funded = input.accounts.map(({ address, balanceWei }): [string, GenesisAccount] => [
    address.toLowerCase(),
    { balance: rpcQuantity(balanceWei) },
  ])
  return { ...Object.fromEntries(funded), ...system }
}

function contract(code: Hex, storage?: Record<Hex, Hex>): GenesisAccount {
  const account = { balance: rpcQuantity(0), nonce: rpcQuantity(1), code }
  return storage === undefined ? account : { ...account, storage }
}

function depositStorage(deposits: ExecutionGenesisInput['genesisDeposits']): Record<Hex, Hex> {
  const storage: Record<Hex, Hex> = {
    [SLOT_DEPOSIT_COUNT]: word(deposits.validators.length),
    [SLOT_GENESIS_DEPOSITS_ROOT]: deposits.root,
  }
  for (const { pubkey, operator } of deposits.validators)
    storage[operatorSlot(pubkey)] = word(BigInt(operator))
  return storage
}
