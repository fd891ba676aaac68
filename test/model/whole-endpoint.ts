import { encodeAbiParameters } from 'viem/utils'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { DEPOSIT_TOPIC } from '../../src/core/chain/deposit/abi.ts'
import { BEPOLIA } from '../../src/core/chain/network/presets.ts'
import { type Call, type Chain, GENESIS_MS, SAFE, SLOT_MS } from './chain.ts'
import { DEPOSIT_CONTRACT, type Endpoint, type SaidDeposit } from './endpoint.ts'
import { dataOf, fieldsOf, PUBKEY, weiOf } from './txs.ts'

const GWEI = 1_000_000_000n
const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`
const FIELDS = [
  { type: 'bytes' },
  { type: 'bytes' },
  { type: 'uint64' },
  { type: 'bytes' },
  { type: 'uint64' },
] as const

const encoded = new Map<string, Hex>()

/** The data of a Deposit event. */
function eventData(call: Call, amount: number, index: number): Hex {
  const key = `${call} ${amount} ${index}`
  const known = encoded.get(key)
  if (known !== undefined) return known
  const { withdrawalCredentials, signature } = fieldsOf(call)
  const gwei = weiOf(amount) / GWEI
  const data = encodeAbiParameters(FIELDS, [PUBKEY, withdrawalCredentials, gwei, signature, BigInt(index)])
  encoded.set(key, data)
  return data
}

/** What an endpoint of the model answers to a JSON-RPC call; `error` where it refuses. Bytes are given by `give`. */
export function answerRpc(
  chain: Chain,
  endpoint: Endpoint,
  call: { method: string; params: readonly unknown[] },
  give: (raw: Hex) => { result: Hex } | { error: string },
): { result: unknown } | { error: string } {
  const [first, second] = call.params
  const account = String(first).toLowerCase() as Hex
  switch (call.method) {
    case 'eth_chainId':
      return { result: quantity(BEPOLIA.executionChainId) }
    case 'eth_blockNumber':
      return { result: quantity(endpoint.head()) }
    case 'eth_getBlockByNumber':
      return { result: blockAt(chain, endpoint, first as string) }
    case 'eth_getTransactionCount':
      return { result: quantity(nonceOf(endpoint, account, second)) }
    case 'eth_getBalance':
      return { result: quantity(weiOf(10_000_000)) }
    case 'eth_getCode':
      return { result: account === SAFE ? '0x6080' : '0x' }
    case 'eth_maxPriorityFeePerGas':
      return { result: quantity(GWEI) }
    case 'eth_estimateGas':
      return { result: quantity(120_000) }
    case 'eth_call':
      return dryRun(endpoint, first as { data: Hex })
    case 'eth_getTransactionReceipt':
      return { result: receiptOf(chain, endpoint, first as Hex) }
    case 'eth_getTransactionByHash':
      return { result: transactionOf(chain, endpoint, first as Hex) }
    case 'eth_getLogs':
      return { result: logsOf(chain, endpoint, first as { fromBlock: Hex; toBlock: Hex }) }
    case 'eth_sendRawTransaction':
      return give(first as Hex)
    default:
      return { error: `not offered: ${call.method}` }
  }
}

function dryRun(endpoint: Endpoint, { data }: { data: Hex }): { result: Hex } | { error: string } {
  const isTopUp = data === dataOf('top-up')
  return isTopUp === endpoint.hasOperator() ? { result: '0x' } : { error: 'execution reverted' }
}

function blockAt(chain: Chain, endpoint: Endpoint, ref: string) {
  const number = numberOf(endpoint, ref)
  if (number > endpoint.head()) return null
  return {
    number: quantity(number),
    hash: chain.blockHash(number),
    parentHash: number === 0 ? ZERO_HASH : chain.blockHash(number - 1),
    timestamp: quantity((GENESIS_MS + number * SLOT_MS) / 1000),
    baseFeePerGas: quantity(GWEI),
    transactions: contentsOf(chain, endpoint, number),
  }
}

/** The hashes of what it has in a block. */
function contentsOf(chain: Chain, endpoint: Endpoint, number: number): Hex[] {
  const made = endpoint.deposits(number - 1).flatMap(({ hash }) => hash ?? [])
  return [...new Set([...chain.signed.keys(), ...made])].filter(
    (hash) => endpoint.transaction(hash)?.block === number,
  )
}

function nonceOf(endpoint: Endpoint, account: Hex, ref: unknown): number {
  if (ref === 'pending') return endpoint.pending(account)
  return ref === 'finalized' ? endpoint.finalNonce(account) : endpoint.nonce(account)
}

function numberOf(endpoint: Endpoint, ref: string): number {
  if (ref === 'latest') return endpoint.head()
  return ref === 'finalized' ? endpoint.finalized() : Number(ref)
}

function receiptOf(chain: Chain, endpoint: Endpoint, hash: Hex) {
  const said = endpoint.receipt(hash)
  if (said === undefined) return null
  return {
    transactionHash: hash,
    status: said.success ? '0x1' : '0x0',
    blockNumber: quantity(said.block),
    blockHash: chain.blockHash(said.block),
    transactionIndex: '0x0',
    from: said.from,
    to: DEPOSIT_CONTRACT,
    gasUsed: quantity(100_000),
    effectiveGasPrice: quantity(GWEI),
    logs: [],
  }
}

function transactionOf(chain: Chain, endpoint: Endpoint, hash: Hex) {
  const found = endpoint.transaction(hash)
  if (found === undefined) return null
  const { tx, block } = found
  return {
    hash,
    from: tx.from,
    to: tx.to,
    nonce: quantity(tx.nonce),
    value: quantity(weiOf(tx.amount)),
    input: dataOf(tx.call),
    blockNumber: block === undefined ? null : quantity(block),
    blockHash: block === undefined ? null : chain.blockHash(block),
  }
}

function logsOf(chain: Chain, endpoint: Endpoint, range: { fromBlock: Hex; toBlock: Hex }) {
  const to = Number(range.toBlock)
  return endpoint
    .deposits(Number(range.fromBlock) - 1)
    .filter(({ block }) => block <= to)
    .map(({ hash, block, call, amount }: SaidDeposit, at) => ({
      address: DEPOSIT_CONTRACT,
      topics: [DEPOSIT_TOPIC],
      data: eventData(call, amount, at),
      blockNumber: quantity(block),
      blockHash: chain.blockHash(block),
      transactionHash: hash,
      logIndex: '0x0',
    }))
}

/** What the node API answers: it follows the chain. */
export function answerNode(chain: Chain, path: string): unknown {
  if (path.endsWith('/fork'))
    return { data: { previous_version: '0x05010000', current_version: '0x06000000', epoch: '0x0' } }
  if (path.endsWith('/genesis')) {
    const genesis_time = String(BEPOLIA.spec.genesisTimeSeconds)
    const { genesisValidatorsRoot, genesisForkVersion } = BEPOLIA
    return {
      data: {
        genesis_time,
        genesis_validators_root: genesisValidatorsRoot,
        genesis_fork_version: genesisForkVersion,
      },
    }
  }
  const head_slot = String(chain.head())
  return {
    data: { head_slot, sync_distance: '0', is_syncing: false, is_optimistic: false, el_offline: false },
  }
}
