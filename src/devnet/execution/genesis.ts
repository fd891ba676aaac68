import { concat, keccak256, stringToBytes } from 'viem'
import type { Hex } from '../../core/base/format/hex.ts'
import {
  BEACON_ROOTS,
  BEACON_ROOTS_CODE,
  BLOCK_HASHES,
  DEPOSIT_CONTRACT,
  DEPOSIT_CONTRACT_CODE,
  rpcQuantity,
  WITHDRAWAL_REQUESTS,
  WITHDRAWAL_REQUESTS_CODE,
  word,
} from './contracts.ts'
import type { ExecutionGenesis, ExecutionGenesisInput, GenesisAccount } from './types.ts'

/** The network's least base fee, also that of its first block. */
export const BASE_FEE_FLOOR_WEI = 1_000_000_000n

const GAS_LIMIT = 30_000_000
const NEVER_RUNS: Hex = '0x00'
const ZERO_WORD = word(0)
/** Storage of DepositContract.sol. */
const SLOT_DEPOSIT_COUNT = word(0)
const SLOT_GENESIS_DEPOSITS_ROOT = word(1)
const SLOT_OPERATORS = word(2)

/**
 * The first block of a rehearsal network and everything that stands in its state: the system contracts at their real
 * addresses, the operators of the genesis validators, funded accounts.
 *
 * The client's first block commits neither to its accounts nor to its extra data, but to its coinbase. So the
 * coinbase is made from everything else, and two networks that differ in anything have different genesis hashes.
 */
export function executionGenesis(input: ExecutionGenesisInput): ExecutionGenesis {
  const alloc = accounts(input)
  const config = rules(input.chainId)
  const timestamp = rpcQuantity(input.timestampSeconds)
  const content = keccak256(stringToBytes(JSON.stringify([config, timestamp, alloc])))
  return {
    config,
    nonce: '0x0',
    timestamp,
    extraData: '0x',
    gasLimit: rpcQuantity(GAS_LIMIT),
    difficulty: '0x0',
    mixHash: ZERO_WORD,
    coinbase: `0x${content.slice(-40)}`,
    baseFeePerGas: rpcQuantity(BASE_FEE_FLOOR_WEI),
    alloc,
  }
}

/** Storage key of a public key's operator in the deposit contract (Solidity: mapping with a bytes key). */
function operatorSlot(pubkey: Hex): Hex {
  return keccak256(concat([pubkey, SLOT_OPERATORS]))
}

function accounts(input: ExecutionGenesisInput): Record<Hex, GenesisAccount> {
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

/** Every fork up to Prague from the first block on. */
function rules(chainId: number): Record<string, unknown> {
  const byBlock = [
    'homestead',
    'eip150',
    'eip155',
    'eip158',
    'byzantium',
    'constantinople',
    'petersburg',
    'istanbul',
    'berlin',
    'london',
  ]
  return {
    chainId,
    ...Object.fromEntries(byBlock.map((fork) => [`${fork}Block`, 0])),
    terminalTotalDifficulty: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 0,
  }
}
