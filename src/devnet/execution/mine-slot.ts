import { formatTransaction, type RpcTransaction, type Signature, serializeTransaction } from 'viem'
import { devnetError } from '../../core/base/errors/devnet.ts'
import type { Hex } from '../../core/base/format/hex.ts'
import type { RpcCall } from './client.ts'
import {
  BASE_FEE_FLOOR_WEI,
  BEACON_ROOTS,
  DEPOSIT_CONTRACT,
  ROOTS_RING,
  rpcQuantity,
  WITHDRAWAL_REQUESTS,
  word,
} from './genesis.ts'

/** A block with every field that an execution payload header wants. Hashes and blobs are hex, counts are numbers. */
export type DevnetBlock = {
  number: number
  hash: Hex
  parentHash: Hex
  feeRecipient: Hex
  stateRoot: Hex
  receiptsRoot: Hex
  logsBloom: Hex
  prevRandao: Hex
  gasLimit: bigint
  gasUsed: bigint
  timestampSeconds: number
  extraData: Hex
  baseFeeWei: bigint
  transactionsRoot: Hex
  withdrawalsRoot: Hex
  blobGasUsed: bigint
  excessBlobGas: bigint
}

/** A log of the deposit contract or of the withdrawal request contract. Addresses and data are lower-case hex. */
export type ExecutionLog = {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  blockNumber: number
  transactionHash: Hex
  /** Position in the block. */
  logIndex: number
}

/** Money that leaves the consensus layer in this slot. */
type Payout = { address: Hex; amountWei: bigint }

export type SlotInput = {
  /** Unix seconds, at least one more than the last block's. */
  timestampSeconds: number
  /** Root of the beacon block header of the slot before: what EIP-4788 answers for `timestampSeconds`. */
  parentBeaconRoot: Hex
  /** Withdrawals of the slot; they are on their accounts in the new block's state. */
  payouts?: readonly Payout[]
  /** Who gets the fees of this block, where its proposer has an account for them. */
  feeRecipient?: Hex
}

export type MinedSlot = {
  block: DevnetBlock
  /** Logs of the deposit and the withdrawal request contract, in the order of the block. */
  logs: readonly ExecutionLog[]
  /** Hashes of its transactions. */
  transactions: readonly Hex[]
  /** The same transactions as they were broadcast (EIP-2718). */
  rawTransactions: readonly Hex[]
}

/** What the network remembers of its own blocks, so that answers about the past do not depend on the client. */
export type Ledger = {
  head: () => DevnetBlock
  /** Adds the block after the head and the root that stands in its state for its timestamp. */
  append: (block: DevnetBlock, parentBeaconRoot: Hex) => void
  /** Number of the block with this hash, if it is one of ours. */
  numberOf: (hash: string) => number | undefined
  /** Withdrawal requests above the target of two a block, from which the fee of the next one follows (EIP-7002). */
  requestExcess: () => bigint
  setRequestExcess: (excess: bigint) => void
  /** What EIP-4788 answers for a timestamp in the state after block `atNumber`; undefined where it reverts. */
  beaconRootAt: (timestampSeconds: bigint, atNumber: number) => Hex | undefined
  /**
   * Account proofs of the blocks that a full node can prove. The client underneath proves its present state alone, so what
   * somebody has asked for once is asked for with each block from then on.
   */
  proofs: {
    asked: () => readonly ProofQuery[]
    ask: (query: ProofQuery) => void
    keep: (query: ProofQuery, atNumber: number, proof: unknown) => void
    at: (query: ProofQuery, atNumber: number) => unknown
  }
}

/** An account and the storage of it that `eth_getProof` is asked for. */
type ProofQuery = readonly [address: unknown, slots: unknown]

const MOST_PROOFS_ASKED = 16

/** Blocks that the beacon roots contract of the real network looks back on (EIP-4788). */
const REMEMBERED_BLOCKS = 8191

/** States that can be asked for by block, as many as a full node keeps. */
export const KEPT_STATES = 128

/** Returns a ledger that starts with the genesis block, which has no beacon root. */
export function ledger(genesisBlock: DevnetBlock): Ledger {
  let head = genesisBlock
  let requestExcess = 0n
  const numbers = new Map<string, number>([[genesisBlock.hash, genesisBlock.number]])
  const roots = new Map<bigint, { number: number; root: Hex }>()
  const asked = new Map<string, ProofQuery>()
  const proofs = new Map<number, Map<string, unknown>>()
  const keyOf = (query: ProofQuery) => JSON.stringify(query).toLowerCase()
  return {
    head: () => head,
    append(block, parentBeaconRoot) {
      head = block
      numbers.set(block.hash, block.number)
      roots.set(BigInt(block.timestampSeconds), { number: block.number, root: parentBeaconRoot })
    },
    numberOf: (hash) => numbers.get(hash.toLowerCase()),
    requestExcess: () => requestExcess,
    setRequestExcess(excess) {
      requestExcess = excess
    },
    beaconRootAt(timestampSeconds, atNumber) {
      const entry = roots.get(timestampSeconds)
      if (entry === undefined || entry.number > atNumber) return undefined
      return entry.number > atNumber - REMEMBERED_BLOCKS ? entry.root : undefined
    },
    proofs: {
      asked: () => [...asked.values()],
      ask(query) {
        asked.delete(keyOf(query))
        asked.set(keyOf(query), query)
        const [oldest] = asked.keys()
        if (asked.size > MOST_PROOFS_ASKED && oldest !== undefined) asked.delete(oldest)
      },
      keep(query, atNumber, proof) {
        const kept = proofs.get(atNumber) ?? new Map<string, unknown>()
        proofs.set(atNumber, kept.set(keyOf(query), proof))
        proofs.delete(atNumber - KEPT_STATES)
      },
      at: (query, atNumber) => proofs.get(atNumber)?.get(keyOf(query)),
    },
  }
}

/**
 * Makes one block: writes the beacon root of the slot before where EIP-4788 wants it, mines, pays out what left the
 * consensus layer, counts the withdrawal requests, keeps the base fee of the next block at the network's floor or above.
 *
 * Nobody else may talk to the client meanwhile. Throws `devnet.slot-refused` when time would not go forward or the
 * client made another block than it was told to.
 */
export async function mineSlot(
  parts: { rpc: RpcCall; ledger: Ledger },
  input: SlotInput,
): Promise<MinedSlot> {
  const { rpc, ledger } = parts
  const parent = ledger.head()
  requireLater(input.timestampSeconds, parent.timestampSeconds)
  await writeRoot(rpc, input)
  await mineFor(rpc, input)
  const mined = (await rpc('eth_getBlockByNumber', ['latest', false])) as RpcBlock
  const block = readBlock(mined)
  requireChild(block, { parent, timestampSeconds: input.timestampSeconds })
  ledger.append(block, input.parentBeaconRoot)
  // Before anything of the next block is written into its state.
  for (const query of ledger.proofs.asked())
    ledger.proofs.keep(query, block.number, await rpc('eth_getProof', [...query, 'latest']))
  await payOut(rpc, input.payouts ?? [])
  await holdBaseFee(rpc, block)
  const logs = mined.transactions.length === 0 ? [] : await logsOf(rpc, block)
  await countRequests(parts, logs)
  const rawTransactions: Hex[] = []
  for (const hash of mined.transactions) rawTransactions.push(await rawTransaction(rpc, hash))
  return { block, logs, transactions: mined.transactions, rawTransactions }
}

/** A transaction of a block as it was broadcast: made again from its fields. */
async function rawTransaction(rpc: RpcCall, hash: Hex): Promise<Hex> {
  const found = (await rpc('eth_getTransactionByHash', [hash])) as RpcTransaction
  const { r, s, v, yParity, input: data, ...rest } = formatTransaction(found)
  const signature = { r, s, ...(yParity === undefined ? { v } : { yParity }) }
  return serializeTransaction({ ...rest, data }, signature as Signature)
}

/** Requests a block up to which the fee of EIP-7002 does not rise. */
const TARGET_REQUESTS = 2n

/** What the system call at the end of each block does on the real network: the excess stands in storage slot 0. */
async function countRequests(
  { rpc, ledger }: { rpc: RpcCall; ledger: Ledger },
  logs: readonly ExecutionLog[],
): Promise<void> {
  const before = ledger.requestExcess()
  const made = logs.filter(({ address }) => address.toLowerCase() === WITHDRAWAL_REQUESTS).length
  const above = before + BigInt(made) - TARGET_REQUESTS
  const after = above > 0n ? above : 0n
  if (after === before) return
  await rpc('hardhat_setStorageAt', [WITHDRAWAL_REQUESTS, word(0), word(after)])
  ledger.setRequestExcess(after)
}

/** Who gets the fees of a block whose proposer names nobody; what is burnt goes elsewhere. */
const NOBODY: Hex = `0x${'fe'.repeat(20)}`

/** One block whose fees go to the one that proposes it. */
async function mineFor(rpc: RpcCall, { timestampSeconds, feeRecipient }: SlotInput): Promise<void> {
  await rpc('hardhat_setCoinbase', [feeRecipient ?? NOBODY])
  await rpc('evm_mine', [rpcQuantity(timestampSeconds)])
}

/** Keeps the base fee of the block after `block` from falling below the network's floor. */
export async function holdBaseFee(rpc: RpcCall, block: DevnetBlock): Promise<void> {
  if (nextBaseFeeWei(block) >= BASE_FEE_FLOOR_WEI) return
  await rpc('hardhat_setNextBlockBaseFeePerGas', [rpcQuantity(BASE_FEE_FLOOR_WEI)])
}

/** After the transactions, as on the real network; before the block it would show in the state of its parent. */
async function payOut(rpc: RpcCall, payouts: readonly Payout[]): Promise<void> {
  for (const { address, amountWei } of payouts) await addBalance(rpc, address, amountWei)
}

/** Adds to an account in the state of the newest block. */
export async function addBalance(rpc: RpcCall, address: Hex, amountWei: bigint): Promise<void> {
  const before = BigInt((await rpc('eth_getBalance', [address, 'latest'])) as Hex)
  await rpc('hardhat_setBalance', [address, rpcQuantity(before + amountWei)])
}

async function writeRoot(rpc: RpcCall, input: SlotInput): Promise<void> {
  const slot = input.timestampSeconds % ROOTS_RING
  await rpc('hardhat_setStorageAt', [BEACON_ROOTS, word(slot), word(input.timestampSeconds)])
  await rpc('hardhat_setStorageAt', [BEACON_ROOTS, word(slot + ROOTS_RING), input.parentBeaconRoot])
}

async function logsOf(rpc: RpcCall, block: DevnetBlock): Promise<ExecutionLog[]> {
  const address = [DEPOSIT_CONTRACT, WITHDRAWAL_REQUESTS]
  return decodeLogs(await rpc('eth_getLogs', [{ blockHash: block.hash, address }]))
}

function requireLater(found: number, last: number): void {
  if (Number.isSafeInteger(found) && found > last) return
  throw devnetError('devnet.slot-refused', 'timestampSeconds', String(found), `a whole number above ${last}`)
}

function requireChild(block: DevnetBlock, head: { parent: DevnetBlock; timestampSeconds: number }): void {
  if (block.parentHash !== head.parent.hash)
    throw devnetError('devnet.slot-refused', 'parent hash', block.parentHash, head.parent.hash)
  if (block.timestampSeconds === head.timestampSeconds) return
  throw devnetError(
    'devnet.slot-refused',
    'timestamp',
    String(block.timestampSeconds),
    String(head.timestampSeconds),
  )
}

/** Runs one task after the other, in the order in which they came, whatever becomes of those before. */
export type Exclusive = <T>(task: () => Promise<T>) => Promise<T>

/** Returns a new queue of its own. */
export function exclusive(): Exclusive {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const turn = last.then(task, task)
    last = turn
    return turn
  }
}

/** A block as JSON-RPC gives it, as far as it is read here. Quantities are hex. */
export type RpcBlock = {
  number: Hex
  hash: Hex
  parentHash: Hex
  miner: Hex
  stateRoot: Hex
  receiptsRoot: Hex
  transactionsRoot: Hex
  withdrawalsRoot: Hex
  logsBloom: Hex
  mixHash: Hex
  gasLimit: Hex
  gasUsed: Hex
  timestamp: Hex
  extraData: Hex
  baseFeePerGas: Hex
  blobGasUsed: Hex
  excessBlobGas: Hex
  /** Hashes: no block is asked for with more of them. */
  transactions: readonly Hex[]
}

type RpcLog = {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  blockNumber: Hex
  transactionHash: Hex
  logIndex: Hex
}

/** Returns a block of the client in the words of this module. */
export function readBlock(block: RpcBlock): DevnetBlock {
  const {
    hash,
    parentHash,
    stateRoot,
    receiptsRoot,
    logsBloom,
    extraData,
    transactionsRoot,
    withdrawalsRoot,
  } = block
  return {
    number: Number(block.number),
    hash,
    parentHash,
    feeRecipient: block.miner,
    stateRoot,
    receiptsRoot,
    logsBloom,
    prevRandao: block.mixHash,
    gasLimit: BigInt(block.gasLimit),
    gasUsed: BigInt(block.gasUsed),
    timestampSeconds: Number(block.timestamp),
    extraData,
    baseFeeWei: BigInt(block.baseFeePerGas),
    transactionsRoot,
    withdrawalsRoot,
    blobGasUsed: BigInt(block.blobGasUsed),
    excessBlobGas: BigInt(block.excessBlobGas),
  }
}

/** A log of the client in the words of this module. */
function readLog(log: RpcLog): ExecutionLog {
  const { address, topics, data, transactionHash } = log
  return {
    address,
    topics,
    data,
    blockNumber: Number(log.blockNumber),
    transactionHash,
    logIndex: Number(log.logIndex),
  }
}

/** Logs of one block in the order of the block. */
function decodeLogs(logs: unknown): ExecutionLog[] {
  return (logs as RpcLog[]).map(readLog).sort((a, b) => a.logIndex - b.logIndex)
}

/** Base fee of the block after this one (EIP-1559), before any floor. */
function nextBaseFeeWei(block: DevnetBlock): bigint {
  const target = block.gasLimit / 2n
  const { baseFeeWei, gasUsed } = block
  if (gasUsed === target) return baseFeeWei
  if (gasUsed < target) return baseFeeWei - (baseFeeWei * (target - gasUsed)) / target / 8n
  const rise = (baseFeeWei * (gasUsed - target)) / target / 8n
  return baseFeeWei + (rise > 0n ? rise : 1n)
}
