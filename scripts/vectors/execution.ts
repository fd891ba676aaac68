import { ClientError } from '../../src/core/base/errors/client.ts'
import { getSyncing } from '../../src/core/clients/execution/blocks.ts'
import {
  getChainId,
  getClientVersion,
  getEthConfig,
  getPeerCount,
} from '../../src/core/clients/execution/chain.ts'
import { createExecutionClient } from '../../src/core/clients/execution/client.ts'
import { type CheckResult, plain, playback } from './playback.ts'

type Row = { method: string; reply: { id: number; result?: unknown; error?: { code: number } } }

const METHOD_NOT_FOUND = -32601

/** Plays recorded replies of the execution RPC back to the product's client and compares what it reads. */
export async function check(lines: readonly string[]): Promise<CheckResult> {
  const result: CheckResult = { passed: 0, failures: [] }
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const row: Row = JSON.parse(line)
    const fault = await checkRow(row).catch((thrown: unknown) => `threw ${String(thrown)}`)
    if (fault === undefined) result.passed += 1
    else result.failures.push(`${row.method}: ${fault}`)
  }
  return result
}

async function checkRow(row: Row): Promise<string | undefined> {
  const body = JSON.stringify({ ...row.reply, id: 1 })
  const client = createExecutionClient(
    playback({ status: 200, contentType: 'application/json', body }),
    'http://127.0.0.1:1',
  )
  const calls: Record<string, () => Promise<unknown>> = {
    eth_chainId: () => getChainId(client),
    eth_config: () => getEthConfig(client),
    eth_syncing: () => getSyncing(client),
    net_peerCount: () => getPeerCount(client),
    web3_clientVersion: () => getClientVersion(client),
  }
  const call =
    calls[row.method] ?? (() => client.rpc({ method: row.method, params: [], decode: (value) => value }))
  if (row.reply.error !== undefined) return checkError(row.reply.error.code, call())
  const found = JSON.stringify(plain(await call()))
  const expected = JSON.stringify(expectedValue(row))
  return found === expected ? undefined : `read ${found}, expected ${expected}`
}

/** An error must stay one, and a method that is not there must be known as such. */
async function checkError(code: number, asked: Promise<unknown>): Promise<string | undefined> {
  try {
    return `read ${JSON.stringify(plain(await asked))} out of an error`
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    const isOffered = thrown.fault !== 'not-offered'
    return isOffered === (code !== METHOD_NOT_FOUND) ? undefined : `took the error for ${thrown.fault}`
  }
}

function expectedValue(row: Row): unknown {
  const { result } = row.reply
  if (row.method === 'eth_chainId' || row.method === 'net_peerCount') return Number(result)
  if (row.method === 'eth_syncing') return result === false ? undefined : heightsOf(result)
  if (row.method !== 'eth_config') return result
  const { current, next, last } = result as {
    current: ConfigRow & { chainId: string; systemContracts: Record<string, string> }
    next: ConfigRow | null
    last: ConfigRow | null
  }
  const { DEPOSIT_CONTRACT_ADDRESS: depositContract } = current.systemContracts
  const forks = { current: forkOf(current), next: forkOf(next), last: forkOf(last) }
  return { chainId: Number(current.chainId), depositContract, forks }
}

type ConfigRow = { activationTime: number; forkId: string }

function forkOf(row: ConfigRow | null): unknown {
  return row === null ? 'none' : { atSeconds: String(row.activationTime), id: row.forkId }
}

/** A client may say more than how far it is; only the two heights are read. */
function heightsOf(result: unknown): unknown {
  const { currentBlock, highestBlock } = result as { currentBlock: string; highestBlock: string }
  return plain({ currentBlock: BigInt(currentBlock), highestBlock: BigInt(highestBlock) })
}
