import type { Hex } from '../../src/core/base/format/hex.ts'
import { getBeaconRoot, getBlock } from '../../src/core/clients/execution/blocks.ts'
import { estimateGas, getOperator, getQueuedOperator } from '../../src/core/clients/execution/call.ts'
import { getBalance, getChainId, getEthConfig, getSyncing } from '../../src/core/clients/execution/chain.ts'
import { createExecutionClient, type ExecutionClient } from '../../src/core/clients/execution/client.ts'
import { getTransactionByHash, getTransactionReceipt } from '../../src/core/clients/execution/transactions.ts'
import { askRow, type HttpRow } from '../vectors/http-routes.ts'
import { playback } from '../vectors/playback.ts'
import type { Target } from './run-target.ts'
import { vectorRows } from './samples.ts'

type ExecutionRow = { method: string; reply: { result?: unknown } }
type ContractRow = { reply?: { error?: unknown }; logs?: object[] }
type Call = (client: ExecutionClient) => Promise<unknown>

const HASH: Hex = `0x${'ab'.repeat(32)}`
const ADDRESS: Hex = `0x${'20'.repeat(20)}`
const CONTRACT: Hex = '0x4242424242424242424242424242424242424242'

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
  const place = { blockNumber: '0x1', blockHash: HASH, transactionHash: HASH }
  return {
    ...place,
    status: '0x1',
    transactionIndex: '0x0',
    from: ADDRESS,
    to: CONTRACT,
    gasUsed: '0xacb7',
    effectiveGasPrice: '0x7',
    logs: logs.map((log) => ({ ...log, ...place, logIndex: '0x0', removed: false })),
  }
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
