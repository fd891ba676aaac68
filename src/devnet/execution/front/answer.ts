import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { type Hex, isHex } from '../../../core/base/format/hex.ts'
import { safeText } from '../../../core/base/format/text.ts'
import { rpcQuantity } from '../contracts.ts'
import { BASE_FEE_FLOOR_WEI } from '../genesis.ts'
import type { FrontAnswer, FrontCall } from '../types.ts'
import { ethConfig } from './eth-config.ts'
import {
  beaconRootsCall,
  type FrontContext,
  failure,
  forgottenState,
  INVALID_PARAMS,
  likeRealClient,
  noSuchMethod,
  numberOfBlock,
  PASSED_ON,
  type PooledTransaction,
  SERVER_ERROR,
  withoutFinalTags,
} from './methods.ts'

const REPLACEMENT_PERCENT = 110n

type Incoming = PooledTransaction & { key: string }

/**
 * `eth_sendRawTransaction` with the pool rules of go-ethereum where the client underneath is laxer: a known
 * transaction is `already known`, a replacement pays at least 10 % more of both fees, a fee cap below the network's
 * floor is refused at once.
 */
async function sendRaw(context: FrontContext, params: readonly unknown[]): Promise<FrontAnswer> {
  const [raw] = params
  if (!isHex(raw)) return failure(INVALID_PARAMS, 'invalid argument 0: hex string expected')
  const incoming = await decode(raw)
  if (incoming === undefined) return passOn(context, raw)
  const { feeCapWei, tipCapWei, key } = incoming
  if (tipCapWei > feeCapWei) return refuse('max priority fee per gas higher than max fee per gas')
  if (feeCapWei < BASE_FEE_FLOOR_WEI) {
    return refuse(
      `transaction gas price below minimum: gas fee cap ${feeCapWei}, minimum needed ${BASE_FEE_FLOOR_WEI}`,
    )
  }
  const waiting = await stillWaiting(context, key)
  if (waiting?.hash === incoming.hash) return refuse('already known')
  if (waiting !== undefined && !outbids(incoming, waiting))
    return refuse('replacement transaction underpriced')
  const answer = await passOn(context, raw)
  if ('result' in answer) context.pool.set(key, incoming)
  return answer
}

const refuse = (message: string): FrontAnswer => failure(SERVER_ERROR, message)

async function passOn(context: FrontContext, raw: Hex): Promise<FrontAnswer> {
  const method = 'eth_sendRawTransaction'
  return likeRealClient(method, await context.exchange(method, [raw]))
}

/** `eth_getProof` of the blocks that were proven when they were made, or of the head; of no other one, as a client without their states. */
async function getProof(context: FrontContext, params: readonly unknown[]): Promise<FrontAnswer> {
  const { ledger, exchange } = context
  const [address, slots, block] = params
  const number = numberOfBlock(block, ledger)
  if (number === undefined) return likeRealClient('eth_getProof', await exchange('eth_getProof', params))
  const query = [address, slots] as const
  ledger.proofs.ask(query)
  const kept = ledger.proofs.at(query, number)
  if (kept !== undefined) return { result: kept }
  if (number !== ledger.head().number) return refuse(`historical proof of block ${number} is not available`)
  return likeRealClient('eth_getProof', await exchange('eth_getProof', [...query, 'latest']))
}

/** undefined for bytes that are no transaction: the client underneath then says so. */
async function decode(raw: Hex): Promise<Incoming | undefined> {
  try {
    const transaction = parseTransaction(raw)
    const sender = await recoverTransactionAddress({
      serializedTransaction: raw as Parameters<typeof recoverTransactionAddress>[0]['serializedTransaction'],
    })
    const feeCapWei = transaction.maxFeePerGas ?? transaction.gasPrice ?? 0n
    const tipCapWei = transaction.maxPriorityFeePerGas ?? transaction.gasPrice ?? 0n
    return { key: `${sender}:${transaction.nonce ?? 0}`, hash: keccak256(raw), feeCapWei, tipCapWei }
  } catch {
    return undefined
  }
}

async function stillWaiting(context: FrontContext, key: string): Promise<PooledTransaction | undefined> {
  const pooled = context.pool.get(key)
  if (pooled === undefined) return undefined
  const answer = await context.exchange('eth_getTransactionByHash', [pooled.hash])
  const found = 'result' in answer ? (answer.result as { blockNumber: unknown } | null) : null
  if (found !== null && (found.blockNumber ?? null) === null) return pooled
  context.pool.delete(key)
  return undefined
}

function outbids(incoming: PooledTransaction, waiting: PooledTransaction): boolean {
  const enough = (found: bigint, old: bigint): boolean => found * 100n >= old * REPLACEMENT_PERCENT
  return enough(incoming.feeCapWei, waiting.feeCapWei) && enough(incoming.tipCapWei, waiting.tipCapWei)
}

type Own = (context: FrontContext, params: readonly unknown[]) => Promise<FrontAnswer>

const CLIENT_VERSION = 'Bearings-rehearsal/v1'
const NOBODY = '0x0000000000000000000000000000000000000000'
/** More than any call can ask for, and far from overflowing. */
const AMPLE_WEI = rpcQuantity(2n ** 200n)
const SIMULATIONS = ['eth_call', 'eth_estimateGas', 'eth_createAccessList']

/** What the front answers without, or only partly by, the client underneath. */
const OWN: ReadonlyMap<string, Own> = new Map<string, Own>([
  ['eth_accounts', async () => ({ result: [] })],
  ['eth_config', async (context) => ethConfig(context)],
  ['eth_getProof', getProof],
  ['eth_sendRawTransaction', sendRaw],
  ['net_peerCount', async () => ({ result: '0x0' })],
  ['web3_clientVersion', async () => ({ result: CLIENT_VERSION })],
])

/**
 * Answers one call as the real network's client would. Must run while nothing else reaches the client underneath.
 * Throws `anvil.unreachable` when that client is gone.
 */
export async function answerCall(context: FrontContext, { method, params }: FrontCall): Promise<FrontAnswer> {
  const own = OWN.get(method)
  if (own !== undefined) return own(context, params)
  const at = PASSED_ON.get(method)
  if (at === undefined) return noSuchMethod(safeText(method))
  const plain = withoutFinalTags(params, { at, headNumber: context.ledger.head().number })
  const known = method === 'eth_call' ? beaconRootsCall(plain, context.ledger) : undefined
  const refusal = known ?? forgottenState({ method, params: plain }, context.ledger)
  if (refusal !== undefined) return refusal
  const sent = SIMULATIONS.includes(method) ? withMeans(plain) : plain
  return likeRealClient(method, await context.exchange(method, sent))
}

/** A simulated call that names no sender comes from the zero address, which on a real network is the richest of all. */
function withMeans(params: readonly unknown[]): readonly unknown[] {
  const [call, block, overrides] = params
  if (typeof call !== 'object' || call === null) return params
  const sender = 'from' in call ? call.from : undefined
  const sends = 'value' in call && typeof call.value === 'string' && /[1-9a-f]/i.test(call.value.slice(2))
  if (!sends || (sender !== undefined && sender !== null)) return params
  return [call, block ?? 'latest', { [NOBODY]: { balance: AMPLE_WEI }, ...(overrides as object | undefined) }]
}
