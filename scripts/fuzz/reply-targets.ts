import type { Hex } from '../../src/core/base/format/hex.ts'
import { DEPOSIT_TOPIC } from '../../src/core/chain/deposit/abi.ts'
import { getBeaconRoot, getBlock, getSyncing } from '../../src/core/clients/execution/blocks.ts'
import {
  estimateGas,
  getCode,
  getOperator,
  getQueuedOperator,
} from '../../src/core/clients/execution/call.ts'
import { getBalance, getChainId, getEthConfig } from '../../src/core/clients/execution/chain.ts'
import { createExecutionClient, type ExecutionClient } from '../../src/core/clients/execution/client.ts'
import { getDepositLogs } from '../../src/core/clients/execution/deposit-logs.ts'
import {
  getTransactionByHash,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from '../../src/core/clients/execution/transactions.ts'
import { getRequestFee, getWithdrawalRequests } from '../../src/core/clients/execution/withdrawal-requests.ts'
import { askRow, type HttpRow } from '../vectors/http-routes.ts'
import { playback } from '../vectors/playback.ts'
import type { Target } from './run-target.ts'
import { vectorRows } from './samples.ts'

type ExecutionRow = { method: string; reply: { result?: unknown } }
type ContractRow = { reply?: { error?: unknown }; logs?: { topics: readonly string[] }[] }
type Call = (client: ExecutionClient) => Promise<unknown>

const HASH: Hex = `0x${'ab'.repeat(32)}`
const ADDRESS: Hex = `0x${'20'.repeat(20)}`
const CONTRACT: Hex = '0x4242424242424242424242424242424242424242'
const REQUESTS: Hex = '0x00000961ef480eb55e80d19ad83579a64c007002'

const httpRows = vectorRows<HttpRow>('recorded/http.jsonl').filter(
  (row) => row.body !== undefined && row.path !== '/',
)

/** One target for each kind of question, so that each decoder gets its full share of inputs. */
export const REPLY_TARGETS: readonly Target[] = [...httpTargets(), ...executionTargets()]

function httpTargets(): Target[] {
  const groups = new Map<string, HttpRow[]>()
  for (const row of httpRows) {
    const name = `${row.api} ${kindOf(row)}`
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups].flatMap(([name, rows]): Target[] => {
    const [first] = rows.filter((row) => row.status === 200)
    if (first === undefined) return []
    const samples = [...new Set(rows.map((row) => row.body ?? ''))]
    return [
      {
        name,
        samples,
        read: (body) => askRow(first, playback({ status: 200, contentType: 'application/json', body })),
      },
    ]
  })
}

/** The endpoint without the values in its path. */
function kindOf({ path, method }: HttpRow): string {
  const [plain = ''] = path.split('?')
  const parts = plain
    .split('/')
    .map((part) => (/^(0x.*|\d+|t\d+|head|genesis|finalized|justified)$/.test(part) ? '_' : part))
  const name = plain === '/eth/v1/beacon/genesis' ? plain : parts.join('/')
  return method === 'GET' ? name : `${name} (${method})`
}

function executionTargets(): Target[] {
  const answers = new Map(
    vectorRows<ExecutionRow>('recorded/execution.jsonl').map((row) => [row.method, row.reply.result]),
  )
  const contract = vectorRows<ContractRow>('recorded/contract.jsonl')
  const logs = contract.find((row) => row.logs !== undefined)?.logs ?? []
  const reverted = contract.flatMap(({ reply }) =>
    reply?.error === undefined ? [] : [{ error: reply.error }],
  )
  const calls: [name: string, results: readonly object[], call: Call][] = [
    ['eth_chainId', [{ result: answers.get('eth_chainId') }], getChainId],
    ['eth_config', [{ result: answers.get('eth_config') }], getEthConfig],
    [
      'eth_syncing',
      [{ result: false }, { result: { startingBlock: '0x0', currentBlock: '0x1', highestBlock: '0x2' } }],
      getSyncing,
    ],
    [
      'eth_getBlockByNumber',
      [{ result: block() }, { result: null }],
      (client) => getBlock(client, { block: 1n }),
    ],
    [
      'eth_getTransactionReceipt',
      [{ result: receipt(logs) }, { result: null }],
      (client) => getTransactionReceipt(client, { hash: HASH }),
    ],
    [
      'eth_getTransactionByHash',
      [{ result: transaction() }, { result: null }],
      (client) => getTransactionByHash(client, { hash: HASH }),
    ],
    [
      'eth_getBalance',
      [{ result: '0xde0b6b3a7640000' }],
      (client) => getBalance(client, { address: ADDRESS }),
    ],
    [
      'getOperator',
      [{ result: `0x${'00'.repeat(12)}${'20'.repeat(20)}` }, ...reverted],
      (client) => getOperator(client, { depositContract: CONTRACT, pubkey: `0x${'ab'.repeat(48)}` }),
    ],
    [
      'queuedOperator',
      [
        { result: `0x${'00'.repeat(28)}6f05b59d${'00'.repeat(12)}${'20'.repeat(20)}` },
        { result: `0x${'00'.repeat(64)}` },
      ],
      (client) => getQueuedOperator(client, { depositContract: CONTRACT, pubkey: `0x${'ab'.repeat(48)}` }),
    ],
    [
      'beacon roots',
      [{ result: HASH }, ...reverted],
      (client) => getBeaconRoot(client, { timestampSeconds: 1n }),
    ],
    [
      'eth_estimateGas',
      [{ result: '0xacb7' }, ...reverted],
      (client) => estimateGas(client, { from: ADDRESS, to: CONTRACT, data: '0x' }),
    ],
    [
      'eth_getTransactionCount',
      [{ result: '0x7' }],
      (client) => getTransactionCount(client, { address: ADDRESS, block: 'latest' }),
    ],
    [
      'eth_getCode',
      [{ result: '0x' }, { result: '0x6001' }],
      (client) => getCode(client, { address: ADDRESS }),
    ],
    [
      'eth_sendRawTransaction',
      [{ result: HASH }, { error: { code: -32000, message: 'nonce too low' } }],
      (client) => sendRawTransaction(client, { rawTransaction: '0x02' }),
    ],
    [
      'eth_getLogs of deposits',
      [{ result: inBlock(logs.filter(({ topics }) => topics[0] === DEPOSIT_TOPIC)) }],
      (client) => getDepositLogs(client, { address: CONTRACT, fromBlock: 1n, toBlock: 1n }),
    ],
    [
      'eth_getLogs of withdrawal requests',
      [{ result: inBlock([{ address: REQUESTS, topics: [], data: `0x${'20'.repeat(76)}` }]) }],
      (client) => getWithdrawalRequests(client, { fromBlock: 1n, toBlock: 1n }),
    ],
    ['fee of a withdrawal request', [{ result: `0x${'00'.repeat(31)}01` }], getRequestFee],
  ]
  return calls.map(([name, results, call]) => ({
    name: `execution ${name}`,
    samples: results.map((result) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...result })),
    read: (body) =>
      call(
        createExecutionClient(
          playback({ status: 200, contentType: 'application/json', body }),
          'http://127.0.0.1:1',
        ),
      ),
  }))
}

function block(): object {
  return {
    number: '0x1',
    hash: HASH,
    parentHash: HASH,
    timestamp: '0x6b0',
    baseFeePerGas: '0x7',
    parentBeaconBlockRoot: HASH,
  }
}

function receipt(logs: readonly object[]): object {
  return {
    blockNumber: '0x1',
    blockHash: HASH,
    transactionHash: HASH,
    status: '0x1',
    transactionIndex: '0x0',
    from: ADDRESS,
    to: CONTRACT,
    gasUsed: '0xacb7',
    effectiveGasPrice: '0x7',
    logs: inBlock(logs),
  }
}

/** Events as they stand in a block. */
function inBlock(logs: readonly object[]): object[] {
  const place = { blockNumber: '0x1', blockHash: HASH, transactionHash: HASH, transactionIndex: '0x0' }
  return logs.map((log) => ({ ...log, ...place, logIndex: '0x0', removed: false }))
}

function transaction(): object {
  return {
    hash: HASH,
    nonce: '0x0',
    from: ADDRESS,
    to: CONTRACT,
    value: '0x0',
    input: '0x',
    type: '0x2',
    blockNumber: '0x1',
    blockHash: HASH,
    transactionIndex: '0x0',
    chainId: '0x1',
    gas: '0x1',
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
  }
}
