import { decodeFunctionData, encodeAbiParameters, parseAbi } from 'viem'
import { type Hex, sameHex } from '../../src/core/base/format/hex.ts'
import type { LoopbackReply, LoopbackRequest } from '../../src/devnet/loopback-server.ts'
import { madeUp } from './replay-made-up.ts'
import {
  type RecordedDeposit,
  type RecordedSlot,
  recordedDeposits,
  recordedFile,
  recordedSlot,
  slotAtTime,
} from './replay-recording.ts'

/** The execution chain of the recorded network as one client sees it. */
export type ExecutionSight = {
  head(): RecordedSlot
  /** Deposits that are not in the recording. */
  more: readonly RecordedDeposit[]
}

type Call = { to?: Hex; data?: Hex }
type LogFilter = { topics: readonly Hex[]; fromBlock: Hex; toBlock: Hex }
type Params = readonly unknown[]

const DEPOSIT_CONTRACT = '0x4242424242424242424242424242424242424242'
const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const ABI = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
  'function getOperator(bytes pubkey) view returns (address)',
  'function depositCount() view returns (uint64)',
])
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`

const genesis = JSON.parse(recordedFile('genesis.json')) as {
  app_state: { beacon: { deposits: unknown[]; execution_payload_header: { blockHash: Hex } } }
}

/** First block of the recorded execution chain, as its genesis file names it. */
export const EXECUTION_GENESIS_HASH = genesis.app_state.beacon.execution_payload_header.blockHash

/** Answers of the execution RPC when the chain's head is at the sight's block. */
export function replayExecution(request: LoopbackRequest, sight: ExecutionSight): LoopbackReply {
  if (request.method !== 'POST') return { status: 405, contentType: 'text/plain', body: 'method not allowed' }
  const { id, method, params } = JSON.parse(request.body) as { id: number; method: string; params: Params }
  return jsonRpc(id, answer(method, params, sight))
}

/** A JSON-RPC reply with an answer, or with the error it is. */
function jsonRpc(id: number, answered: { result: unknown } | { error: object }): LoopbackReply {
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...answered })
  return { status: 200, contentType: 'application/json', body }
}

type Answer = { result: unknown } | { error: object }

function answer(method: string, params: Params, sight: ExecutionSight): Answer {
  const head = sight.head()
  switch (method) {
    case 'eth_chainId':
      return { result: '0x138d7' }
    case 'eth_blockNumber':
      return { result: quantity(head.slot) }
    case 'eth_getBlockByNumber':
      return { result: block(blockNumber(params[0], head), head) }
    case 'eth_getCode':
      return { result: sameHex(String(params[0]), DEPOSIT_CONTRACT) ? madeUp.contractCode : '0x' }
    case 'eth_getBalance':
      return { result: quantity(madeUp.balanceWei(blockNumber(params[1], head), sight.more)) }
    case 'eth_getTransactionCount':
      return { result: quantity(madeUp.nonce(head.slot)) }
    case 'eth_maxPriorityFeePerGas':
      return { result: quantity(madeUp.feePerGasWei) }
    case 'eth_estimateGas':
      return { result: quantity(44_215) }
    case 'eth_getTransactionReceipt':
      return { result: receipt(params[0] as Hex, sight) }
    case 'eth_getLogs':
      return { result: logs(params[0] as LogFilter, sight) }
    case 'eth_call':
      return call(params[0] as Call, blockNumber(params[1], head), sight)
    default:
      return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } }
  }
}

function call({ to = '0x', data = '0x' }: Call, at: number, sight: ExecutionSight): Answer {
  if (sameHex(to, BEACON_ROOTS)) {
    const next = slotAtTime(Number(BigInt(data)))
    return next === undefined || next.slot > at ? REVERTED : { result: next.parentBeaconBlockRoot }
  }
  const { functionName, args } = decodeFunctionData({ abi: ABI, data })
  if (functionName === 'deposit') return { result: '0x' }
  if (functionName === 'depositCount') return { result: word(depositCount(at, sight)) }
  const operator = operatorOf(args[0], at, sight)
  return { result: encodeAbiParameters([{ type: 'address' }], [operator]) }
}

/** One that was made up may be a recorded one. */
const allDeposits = (more: ExecutionSight['more']) => [
  ...more,
  ...recordedDeposits.filter((deposit) => !more.includes(deposit)),
]

/** Genesis deposits count, too. */
function depositCount(at: number, { more }: ExecutionSight): number {
  const made = allDeposits(more).filter((deposit) => deposit.block <= at)
  return genesis.app_state.beacon.deposits.length + made.length
}

function word(value: number): Hex {
  return encodeAbiParameters([{ type: 'uint64' }], [BigInt(value)])
}

const REVERTED: Answer = { error: { code: 3, message: 'execution reverted', data: '0x' } }

/** The operator is set by the first deposit of a key. */
function operatorOf(pubkey: Hex, at: number, { more }: ExecutionSight): Hex {
  const first = [...more, ...recordedDeposits].find(
    (deposit) => deposit.block <= at && sameHex(deposit.pubkey, pubkey),
  )
  return first?.operator ?? ZERO_ADDRESS
}

function block(number: number, head: RecordedSlot): unknown {
  if (number > head.slot) return null
  const row = number === 0 ? undefined : recordedSlot(number)
  return {
    number: quantity(number),
    hash: number === 0 ? EXECUTION_GENESIS_HASH : madeUp.blockHash(number),
    parentHash: parentHash(number),
    timestamp: quantity(row?.timestamp ?? 0),
    baseFeePerGas: '0x7',
    parentBeaconBlockRoot: row?.parentBeaconBlockRoot ?? ZERO_HASH,
  }
}

function parentHash(number: number): Hex {
  if (number === 0) return ZERO_HASH
  return number === 1 ? EXECUTION_GENESIS_HASH : madeUp.blockHash(number - 1)
}

function receipt(hash: Hex, { head, more }: ExecutionSight): unknown {
  const deposit = [...more, ...recordedDeposits].find((sent) => madeUp.transactionHash(sent) === hash)
  if (deposit === undefined || deposit.block > head().slot) return null
  return {
    ...placeOf(deposit),
    status: '0x1',
    transactionIndex: '0x0',
    from: deposit.from.toLowerCase(),
    to: DEPOSIT_CONTRACT,
    gasUsed: quantity(BigInt(deposit.gasUsed)),
    effectiveGasPrice: quantity(madeUp.feePerGasWei),
    logs: logsOf(deposit),
  }
}

function logs({ topics, fromBlock, toBlock }: LogFilter, { head, more }: ExecutionSight): object[] {
  const last = Math.min(Number(toBlock), head().slot)
  return allDeposits(more)
    .filter(({ block }) => block >= Number(fromBlock) && block <= last)
    .flatMap(logsOf)
    .filter((log) => topics.every((topic, index) => sameHex(topic, log.topics[index] ?? '')))
}

function logsOf(deposit: RecordedDeposit) {
  const place = { ...placeOf(deposit), removed: false }
  return deposit.logs.map((log, index) => ({ ...log, ...place, logIndex: quantity(index) }))
}

function placeOf(deposit: RecordedDeposit) {
  const { block } = deposit
  const transactionHash = madeUp.transactionHash(deposit)
  return { blockNumber: quantity(block), blockHash: madeUp.blockHash(block), transactionHash }
}

function blockNumber(ref: unknown, head: RecordedSlot): number {
  return typeof ref === 'string' && ref.startsWith('0x') ? Number(ref) : head.slot
}

function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}
