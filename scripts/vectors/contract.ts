import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeAbiParameters, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { type Hex, sameHex } from '../../src/core/base/format/hex.ts'
import { DEPOSIT_CONTRACT, executionGenesis, rpcQuantity } from '../../src/devnet/execution/genesis.ts'
import { type RehearsalExecution, startExecution } from '../../src/devnet/execution/start.ts'
import { checkCodec } from './contract-codec.ts'
import {
  type CallRow,
  type ContractRow,
  type DepositRow,
  difference,
  type OperatorRow,
  type RecordedLog,
  type RecordedReply,
} from './contract-rows.ts'
import type { CheckResult } from './playback.ts'

type Replay = { execution: RehearsalExecution; url: string }

const ABI = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
  'function getOperator(bytes pubkey) view returns (address)',
])
const DEPOSIT_TOPIC = '0x68af751683498a9f9be59fe8b0d52a64dd155255d85cdb29fea30b1e3f891d46'
const DEPOSIT_EVENT = [
  { type: 'bytes' },
  { type: 'bytes' },
  { type: 'uint64' },
  { type: 'bytes' },
  { type: 'uint64' },
] as const
const REVERTED = 3
const GENESIS_SECONDS = 1_800_000_000
const AMPLE_WEI = 2n ** 120n
const ZERO_WORD: Hex = `0x${'00'.repeat(32)}`

/**
 * Reads the rows of `recorded/contract.jsonl` with the product's client, ABI and error decoder, and replays them, in
 * their order, against the rehearsal network's own contract, through its public endpoint: the same answers and errors
 * to the byte, the same logs, the same operators.
 */
export async function check(lines: readonly string[]): Promise<CheckResult> {
  const rows = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as ContractRow)
  const genesis = genesisFor(rows)
  const directory = mkdtempSync(join(tmpdir(), 'bearings-contract-'))
  const execution = await startExecution({ genesis, clock: CLOCK, directory })
  try {
    const { url } = await execution.serve()
    return await replayAll({ execution, url }, rows)
  } finally {
    await execution.stop()
    rmSync(directory, { recursive: true })
  }
}

const CLOCK = {
  nowMs: () => Date.now(),
  sleep: (delayMs: number, signal?: AbortSignal) =>
    sleep(delayMs, undefined, signal === undefined ? {} : { signal }),
}

async function replayAll(replay: Replay, rows: readonly ContractRow[]): Promise<CheckResult> {
  const failures: string[] = []
  let passed = 0
  for (const [index, row] of rows.entries()) {
    const differences = await checkRow(replay, row).catch((thrown: unknown) => [`threw ${String(thrown)}`])
    if (differences.length === 0) passed += 1
    else failures.push(`row ${index + 1} (${row.note}): ${differences.join('; ')}`)
  }
  return { passed, failures }
}

async function checkRow(replay: Replay, row: ContractRow): Promise<string[]> {
  return [...(await checkCodec(row)), ...(await replayRow(replay, row))]
}

function replayRow(replay: Replay, row: ContractRow): Promise<string[]> {
  if (row.kind === 'eth_call') return ofContract(row) ? replayCall(replay, row) : Promise.resolve([])
  if (row.kind === 'getOperator') return replayOperator(replay, row)
  return replayDeposit(replay, row)
}

/** Whether the contract spoke, and not the client on its own account (a sender that cannot pay, an odd request). */
function ofContract({ reply }: CallRow): boolean {
  return reply.error === undefined || reply.error.code === REVERTED
}

async function replayCall({ url }: Replay, row: CallRow): Promise<string[]> {
  const { from, data, valueWei } = row
  const value = rpcQuantity(BigInt(valueWei))
  const found = await call(url, 'eth_call', [{ from, to: DEPOSIT_CONTRACT, data, value }, 'latest'])
  return [
    ...difference('result', found.result, row.reply.result),
    ...difference('error code', found.error?.code, row.reply.error?.code),
    ...difference('error message', found.error?.message, row.reply.error?.message),
    ...difference('error data', found.error?.data, row.reply.error?.data),
  ]
}

async function replayOperator({ url }: Replay, row: OperatorRow): Promise<string[]> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'getOperator', args: [row.pubkey] })
  const found = await call(url, 'eth_call', [{ to: DEPOSIT_CONTRACT, data }, 'latest'])
  const result = found.result as Hex
  const operator = decodeFunctionResult({ abi: ABI, functionName: 'getOperator', data: result })
  return sameHex(operator, row.operator) ? [] : difference('operator', operator, row.operator)
}

async function replayDeposit({ execution }: Replay, row: DepositRow): Promise<string[]> {
  const { pubkey, credentials, signature, operator } = row
  const args = [pubkey, credentials, signature, operator] as const
  const data = encodeFunctionData({ abi: ABI, functionName: 'deposit', args })
  const value = rpcQuantity(BigInt(row.amountGwei) * 1_000_000_000n)
  const sent = { from: row.from, to: DEPOSIT_CONTRACT, data, value, gas: rpcQuantity(1_000_000) }
  await execution.rpc('hardhat_impersonateAccount', [row.from])
  const hash = await execution.rpc('eth_sendTransaction', [sent])
  const head = (await execution.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  await execution.mineSlot({ timestampSeconds: Number(head.timestamp) + 1, parentBeaconRoot: ZERO_WORD })
  const receipt = (await execution.rpc('eth_getTransactionReceipt', [hash])) as {
    status: Hex
    logs: RecordedLog[]
  }
  const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }))
  return [
    ...difference('calldata', data, row.input),
    ...difference('status', receipt.status === '0x1' ? 'success' : 'reverted', row.status),
    ...difference('logs', JSON.stringify(logs), JSON.stringify(row.logs.map(plainLog))),
  ]
}

const plainLog = ({ address, topics, data }: RecordedLog): RecordedLog => ({ address, topics, data })

async function call(url: string, method: string, params: readonly unknown[]): Promise<RecordedReply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return (await reply.json()) as RecordedReply
}

/** A chain on which the first recorded deposit gets the index that it had, and every sender can pay. */
function genesisFor(rows: readonly ContractRow[]) {
  const senders = new Set(rows.flatMap((row) => ('from' in row ? [row.from.toLowerCase() as Hex] : [])))
  const validators = Array.from({ length: firstIndex(rows) }, (_, index) => {
    const pubkey: Hex = `0x${(index + 1).toString(16).padStart(96, '0')}`
    return { pubkey, operator: DEPOSIT_CONTRACT }
  })
  return executionGenesis({
    chainId: 80_087,
    timestampSeconds: GENESIS_SECONDS,
    genesisDeposits: { root: ZERO_WORD, validators },
    accounts: [...senders].map((address) => ({ address, balanceWei: AMPLE_WEI })),
  })
}

function firstIndex(rows: readonly ContractRow[]): number {
  const logs = rows.flatMap((row) => (row.kind === 'deposit' ? row.logs : []))
  const first = logs.find((log) => log.topics[0] === DEPOSIT_TOPIC)
  return first === undefined ? 0 : Number(decodeAbiParameters(DEPOSIT_EVENT, first.data)[4])
}
