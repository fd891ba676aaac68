import { decodeFunctionData, encodeAbiParameters } from 'viem'
import type { Hex } from '../../src/core/base/format/hex.ts'
import {
  BEACON_ROOTS,
  DEPOSIT_CONTRACT,
  DEPOSIT_CONTRACT_CODE,
  WITHDRAWAL_REQUESTS,
  word,
} from '../../src/devnet/execution/genesis.ts'
import { depositAbi } from '../support/deposit-abi.ts'
import { curveCall } from './curve.ts'
import {
  BASE_FEE_WEI,
  depositCallOf,
  type Genesis,
  type Included,
  offerTo,
  readTx,
  receiptsOf,
  refusalOf,
  requestLogOf,
  type Sight,
  type SimBlock,
  stateOf,
  type Tx,
  triesOf,
} from './execution.ts'

const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`
const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }
type Params = readonly unknown[]

const failed = (message: string, code = -32_000, data?: unknown): RpcAnswer => ({
  error: data === undefined ? { code, message } : { code, message, data },
})

/** One execution endpoint: a sight of the chain and a pool of its own. */
export type Endpoint = {
  readonly pool: Tx[]
  answer(method: string, params: Params): Promise<RpcAnswer>
}

/** What an endpoint stands on. `beaconRoots`: what EIP-4788 holds for a timestamp, with the number of its block. */
export type Ground = {
  genesis: Genesis
  sight(): Sight
  beaconRoots: ReadonlyMap<bigint, { number: number; root: Hex }>
}

/** Returns an endpoint that says the truth of its sight. */
export function createEndpoint(ground: Ground): Endpoint {
  const { genesis } = ground
  const pool: Tx[] = []

  const upTo = (ref: unknown): Sight => {
    const sight = ground.sight()
    if (ref === 'latest' || ref === 'pending' || ref === undefined) return sight
    if (ref === 'finalized' || ref === 'safe') return sight.slice(0, Math.max(1, sight.length - 1))
    return sight.slice(0, Number(ref) + 1)
  }
  const stateAt = (ref: unknown) => stateOf(genesis, upTo(ref))
  const blockOf = (number: number): SimBlock | undefined => ground.sight()[number]
  const includedOf = (hash: unknown): Included | undefined =>
    ground
      .sight()
      .flatMap(({ included }) => included)
      .find(({ tx }) => tx.hash === hash)

  async function answer(method: string, params: Params): Promise<RpcAnswer> {
    const [first, second] = params
    switch (method) {
      case 'eth_chainId':
        return { result: quantity(genesis.chainId) }
      case 'eth_blockNumber':
        return { result: quantity(ground.sight().length - 1) }
      case 'eth_syncing':
        return { result: false }
      case 'web3_clientVersion':
        return { result: 'simulated/v1.0.0' }
      case 'net_peerCount':
        return { result: '0x8' }
      case 'eth_config':
        return { result: configOf(genesis) }
      case 'eth_getBlockByNumber':
        return { result: blockJson(blockOf(upTo(first).length - 1), ground.sight().length, first) }
      case 'eth_getBlockByHash':
        return {
          result: blockJson(
            ground.sight().find(({ hash }) => hash === first),
            Number.POSITIVE_INFINITY,
            'latest',
          ),
        }
      case 'eth_getTransactionCount':
        return { result: quantity(nonceOf(String(first).toLowerCase() as Hex, second)) }
      case 'eth_getBalance':
        return { result: quantity(stateAt(second).balance(String(first).toLowerCase() as Hex)) }
      case 'eth_getCode':
        return { result: String(first).toLowerCase() === DEPOSIT_CONTRACT ? DEPOSIT_CONTRACT_CODE : '0x' }
      case 'eth_getProof':
        return proofOf(first, second, params[2])
      case 'eth_maxPriorityFeePerGas':
        return { result: quantity(BASE_FEE_WEI) }
      case 'eth_estimateGas': {
        const tried = call(first as CallJson, 'latest')
        return 'error' in tried ? tried : { result: quantity(50_000) }
      }
      case 'eth_call':
        return call(first as CallJson, second)
      case 'eth_getLogs':
        return { result: logsOf(first as LogFilter) }
      case 'eth_getTransactionReceipt':
        return { result: receiptJson(includedOf(first), blockOf) }
      case 'eth_getBlockReceipts':
        return { result: blockReceipts(blockOf(Number(first))) }
      case 'eth_getTransactionByHash':
        return { result: transactionJson(first, includedOf(first), blockOf) }
      case 'eth_sendRawTransaction':
        return take(first as Hex)
      default:
        return failed(`the method ${method} does not exist/is not available`, -32_601)
    }
  }

  function proofOf(address: unknown, slots: unknown, ref: unknown): RpcAnswer {
    if (Number(ref) >= ground.sight().length) return failed('header not found')
    const { accounts, storage } = triesOf(genesis, upTo(ref))
    const storageProof = (slots as readonly Hex[]).map((key) => ({ key, proof: storage.prove(key) }))
    return {
      result: { accountProof: accounts.prove(String(address).toLowerCase() as Hex), storageProof },
    }
  }

  function nonceOf(account: Hex, ref: unknown): number {
    let next = stateAt(ref).nonce(account)
    if (ref === 'pending')
      while (pool.some(({ from, nonce }) => from === account && nonce === next)) next += 1
    return next
  }

  type CallJson = { to?: Hex; data?: Hex; from?: Hex; value?: Hex }

  function call({ to = ZERO_ADDRESS, data = '0x', from, value = '0x0' }: CallJson, ref: unknown): RpcAnswer {
    const target = to.toLowerCase()
    if (target === BEACON_ROOTS) {
      const found = ground.beaconRoots.get(BigInt(data))
      const isHeld = found !== undefined && found.number < upTo(ref).length
      return isHeld ? { result: found.root } : failed('execution reverted', 3, '0x')
    }
    if (target === WITHDRAWAL_REQUESTS) {
      const feeWei = stateAt(ref).requestFeeWei()
      if (data === '0x') return { result: word(feeWei) }
      const log = requestLogOf({ from: from ?? ZERO_ADDRESS, data, valueWei: BigInt(value) }, feeWei)
      return log === undefined ? failed('execution reverted', 3, '0x') : { result: '0x' }
    }
    if (target !== DEPOSIT_CONTRACT) {
      const result = curveCall(to, data)
      return result === undefined ? failed('PrecompileError', -32_603) : { result }
    }
    const state = stateAt(ref)
    const deposit = depositCallOf(data, BigInt(value))
    if (deposit !== undefined) {
      const refusal = refusalOf(genesis, state, deposit, BigInt(value))
      if (refusal !== undefined) return failed('execution reverted', 3, refusal.data)
      if (from !== undefined && state.balance(from.toLowerCase() as Hex) < BigInt(value))
        return failed('insufficient funds for gas * price + value')
      return { result: '0x' }
    }
    return read(data, state)
  }

  function read(data: Hex, state: ReturnType<typeof stateOf>): RpcAnswer {
    if (data === '0x2dfdf0b5') return { result: word(state.depositCount()) }
    if (data === '0x3523f9bd') return { result: genesis.depositsRoot }
    // Nothing is ever queued here.
    if (data.startsWith('0x560036ec')) return { result: `0x${'00'.repeat(64)}` }
    if (!data.startsWith('0x9eaffa96')) return failed('execution reverted', 3, '0x')
    const { args } = decodeFunctionData({ abi: depositAbi, data })
    return { result: encodeAbiParameters([{ type: 'address' }], [state.operator(args[0] as Hex)]) }
  }

  type LogFilter = {
    address?: Hex
    fromBlock?: Hex
    toBlock?: Hex
    blockHash?: Hex
    topics?: readonly (Hex | null)[]
  }

  function logsOf({ address, fromBlock, toBlock, blockHash, topics = [] }: LogFilter): object[] {
    const sight = ground.sight()
    const last =
      toBlock === undefined || toBlock === ('latest' as string) ? sight.length - 1 : Number(toBlock)
    return sight
      .filter(({ number, hash }) =>
        blockHash === undefined ? number >= Number(fromBlock ?? 0) && number <= last : hash === blockHash,
      )
      .flatMap((block) => block.included.flatMap(({ logs }) => logs.map((log) => logJson(log, block))))
      .filter((log) => address === undefined || log.address === address.toLowerCase())
      .filter((log) => topics.every((topic, at) => topic === null || log.topics[at] === topic))
  }

  async function take(raw: Hex): Promise<RpcAnswer> {
    const tx = await readTx(raw)
    if (tx === undefined) return failed('rlp: value size exceeds available input length')
    const state = stateAt('latest')
    if (state.balance(tx.from) < tx.valueWei) return failed('insufficient funds for gas * price + value')
    const said = offerTo(pool, tx, state.nonce(tx.from))
    return said === 'taken' ? { result: tx.hash } : failed(said)
  }

  function transactionJson(
    hash: unknown,
    included: Included | undefined,
    at: (number: number) => SimBlock | undefined,
  ) {
    const tx = included?.tx ?? pool.find((one) => one.hash === hash)
    if (tx === undefined) return null
    return {
      hash: tx.hash,
      from: tx.from,
      to: tx.to,
      nonce: quantity(tx.nonce),
      value: quantity(tx.valueWei),
      input: tx.data,
      blockNumber: included === undefined ? null : quantity(included.block),
      blockHash: included === undefined ? null : at(included.block)?.hash,
    }
  }

  return { pool, answer }
}

function configOf({ chainId }: Genesis) {
  const systemContracts = { DEPOSIT_CONTRACT_ADDRESS: DEPOSIT_CONTRACT }
  return {
    current: { activationTime: 0, chainId: quantity(chainId), systemContracts },
    next: null,
    last: null,
  }
}

function blockJson(block: SimBlock | undefined, length: number, ref: unknown) {
  if (block === undefined || (typeof ref === 'string' && ref.startsWith('0x') && Number(ref) >= length))
    return null
  const { number, hash, parentHash, timestampSeconds, baseFeeWei, included } = block
  return {
    number: quantity(number),
    hash,
    parentHash,
    timestamp: quantity(timestampSeconds),
    baseFeePerGas: quantity(baseFeeWei),
    parentBeaconBlockRoot: ZERO_HASH,
    miner: ZERO_ADDRESS,
    transactions: included.map(({ tx }) => tx.hash),
  }
}

function logJson(log: Included['logs'][number], { hash }: SimBlock) {
  const { address, topics, data, blockNumber, transactionHash, logIndex } = log
  return {
    address,
    topics,
    data,
    blockNumber: quantity(blockNumber),
    blockHash: hash,
    transactionHash,
    transactionIndex: quantity(logIndex),
    logIndex: quantity(logIndex),
    removed: false,
  }
}

/** All receipts of a block in its order, with what its root holds of them. */
function blockReceipts(block: SimBlock | undefined) {
  if (block === undefined) return null
  const of = { blockNumber: quantity(block.number), blockHash: block.hash }
  return receiptsOf(block).map(({ type, status, cumulativeGasUsed, ...rest }) => ({
    ...rest,
    ...of,
    type: quantity(type),
    status: quantity(status),
    cumulativeGasUsed: quantity(cumulativeGasUsed),
  }))
}

function receiptJson(included: Included | undefined, at: (number: number) => SimBlock | undefined) {
  const block = included === undefined ? undefined : at(included.block)
  if (included === undefined || block === undefined) return null
  const { tx, success, index, gasUsed, priceWei, logs } = included
  return {
    transactionHash: tx.hash,
    status: success ? '0x1' : '0x0',
    blockNumber: quantity(block.number),
    blockHash: block.hash,
    transactionIndex: quantity(index),
    from: tx.from,
    to: tx.to,
    gasUsed: quantity(gasUsed),
    effectiveGasPrice: quantity(priceWei),
    logs: logs.map((log) => logJson(log, block)),
  }
}
