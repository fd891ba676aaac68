import { crc32 } from 'node:zlib'
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { type Hex, isHex, sameHex, ZERO_ADDRESS } from '../../core/base/format/hex.ts'
import { safeText } from '../../core/base/format/text.ts'
import {
  type FrontAnswer,
  type FrontCall,
  failure,
  INVALID_PARAMS,
  noSuchMethod,
  REVERTED,
  type RpcExchange,
  SERVER_ERROR,
  UNFUNDED,
} from './client.ts'
import {
  BASE_FEE_FLOOR_WEI,
  BEACON_ROOTS,
  BLOCK_HASHES,
  CONSOLIDATION_REQUESTS,
  DEPOSIT_CONTRACT,
  rpcQuantity,
  WITHDRAWAL_REQUESTS,
  word,
} from './genesis.ts'
import { KEPT_STATES, type Ledger } from './mine-slot.ts'

/** A transaction that was taken in and may still wait for its block. */
type PooledTransaction = { hash: string; feeCapWei: bigint; tipCapWei: bigint }

/** What the public endpoint answers from. */
export type FrontContext = {
  /** The client underneath. */
  exchange: RpcExchange
  ledger: Ledger
  chainId: number
  genesisHash: Hex
  /** When a fork begins that this client names besides the one in force, Unix seconds. */
  nextForkSeconds?: number
  /** Transactions by sender and nonce. */
  pool: Map<string, PooledTransaction>
}

type Own = (context: FrontContext, params: readonly unknown[]) => Promise<FrontAnswer>

const CLIENT_VERSION = 'Bearings-rehearsal/v1'

/** What the front answers without, or only partly by, the client underneath. */
const OWN: ReadonlyMap<string, Own> = new Map<string, Own>([
  ['eth_accounts', async () => ({ result: [] })],
  ['eth_config', async (context) => ethConfig(context)],
  ['eth_getBlockReceipts', blockReceipts],
  ['eth_getProof', getProof],
  ['eth_sendRawTransaction', sendRaw],
  ['net_listening', async () => ({ result: true })],
  ['net_peerCount', async () => ({ result: '0x0' })],
  ['web3_clientVersion', async () => ({ result: CLIENT_VERSION })],
])

/**
 * Answers one call as the real network's client would. Must run while nothing else reaches the client underneath.
 * Throws `devnet.client-silent` when that client is gone.
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
  const simulates = method === 'eth_call' || method === 'eth_estimateGas'
  return simulates ? simulated(context, method, plain) : context.exchange(method, plain)
}

/**
 * The methods that go on to the client underneath, and where each has its block: position in the parameters, `range`
 * for a filter with two, `none` for none. What is not named here or answered by the front itself does not exist:
 * above all everything that would change the chain from outside.
 */
const PASSED_ON: ReadonlyMap<string, number | 'range' | 'none'> = new Map<string, number | 'range' | 'none'>([
  ['eth_blobBaseFee', 'none'],
  ['eth_blockNumber', 'none'],
  ['eth_call', 1],
  ['eth_chainId', 'none'],
  ['eth_estimateGas', 1],
  ['eth_feeHistory', 1],
  ['eth_gasPrice', 'none'],
  ['eth_getBalance', 1],
  ['eth_getBlockByHash', 'none'],
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockTransactionCountByHash', 'none'],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getCode', 1],
  ['eth_getLogs', 'range'],
  ['eth_getStorageAt', 2],
  ['eth_getTransactionByBlockHashAndIndex', 'none'],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getTransactionByHash', 'none'],
  ['eth_getTransactionCount', 1],
  ['eth_getTransactionReceipt', 'none'],
  ['eth_maxPriorityFeePerGas', 'none'],
  ['eth_syncing', 'none'],
  ['net_version', 'none'],
  ['web3_sha3', 'none'],
])

const FINAL_TAGS: readonly unknown[] = ['finalized', 'safe']

/**
 * Puts a block number where a call says `finalized` or `safe`. With single-slot finality both mean the parent of the
 * head, and the first block while there is no other.
 */
function withoutFinalTags(
  params: readonly unknown[],
  place: { at: number | 'range' | 'none'; headNumber: number },
): readonly unknown[] {
  const { at, headNumber } = place
  const plain = (tag: unknown): unknown =>
    FINAL_TAGS.includes(tag) ? rpcQuantity(Math.max(0, headNumber - 1)) : tag
  if (at === 'none') return params
  if (at === 'range') return params.map((filter) => plainRange(filter, plain))
  return params.map((param, index) => (index === at ? plain(param) : param))
}

function plainRange(filter: unknown, plain: (tag: unknown) => unknown): unknown {
  if (typeof filter !== 'object' || filter === null) return filter
  const out: Record<string, unknown> = { ...filter }
  if ('fromBlock' in out) out.fromBlock = plain(out.fromBlock)
  if ('toBlock' in out) out.toBlock = plain(out.toBlock)
  return out
}

/**
 * Answers an `eth_call` to the beacon roots contract (EIP-4788) from the ledger: the contract underneath remembers
 * fewer timestamps than the real one, and the states of older blocks are gone. undefined when the call is another one
 * or names a block that the client has to judge.
 */
function beaconRootsCall(params: readonly unknown[], ledger: Ledger): FrontAnswer | undefined {
  const [call, block] = params
  if (!isPlainCall(call) || params.length > 2) return undefined
  const atNumber = numberOfBlock(block, ledger)
  if (atNumber === undefined) return undefined
  const data = call.input ?? call.data
  const root = isHex(data, 32) ? ledger.beaconRootAt(BigInt(data), atNumber) : undefined
  return root === undefined ? failure(REVERTED, 'execution reverted', '0x') : { result: root }
}

const OF_STATE: readonly string[] = [
  'eth_call',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
]

/** The refusal of a call to a state that a full node has forgotten, whatever the client underneath still keeps. */
function forgottenState(call: FrontCall, ledger: Ledger): FrontAnswer | undefined {
  const at = PASSED_ON.get(call.method)
  if (typeof at !== 'number' || !OF_STATE.includes(call.method)) return undefined
  const number = numberOfBlock(call.params[at], ledger)
  return number === undefined || number > ledger.head().number - KEPT_STATES ? undefined : forgotten(number)
}

const forgotten = (number: number): FrontAnswer =>
  failure(SERVER_ERROR, `historical state of block ${number} is not available`)

type PlainCall = { to: string; data?: unknown; input?: unknown }

function isPlainCall(call: unknown): call is PlainCall {
  if (typeof call !== 'object' || call === null) return false
  return 'to' in call && typeof call.to === 'string' && sameHex(call.to, BEACON_ROOTS)
}

/** Returns the number of the block that a parameter names; undefined for one that isn't there. */
function numberOfBlock(block: unknown, ledger: Ledger): number | undefined {
  const head = ledger.head().number
  if (block === undefined || block === null || block === 'latest' || block === 'pending') return head
  if (block === 'earliest') return 0
  if (typeof block === 'string') return existing(block, ledger)
  if (typeof block !== 'object') return undefined
  if ('blockHash' in block) return ledger.numberOf(String(block.blockHash))
  return 'blockNumber' in block ? numberOfBlock(block.blockNumber, ledger) : undefined
}

function existing(text: string, ledger: Ledger): number | undefined {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return ledger.numberOf(text)
  if (!/^0x[0-9a-f]{1,13}$/i.test(text)) return undefined
  const number = Number(text)
  return number <= ledger.head().number ? number : undefined
}

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

const passOn = (context: FrontContext, raw: Hex): Promise<FrontAnswer> =>
  context.exchange('eth_sendRawTransaction', [raw])

/** `eth_getProof` of the blocks that were proven when they were made, or of the head; of no other one, as a client without their states. */
async function getProof(context: FrontContext, params: readonly unknown[]): Promise<FrontAnswer> {
  const { ledger, exchange } = context
  const [address, slots, block] = params
  const number = numberOfBlock(block, ledger)
  if (number === undefined) return exchange('eth_getProof', params)
  const query = [address, Array.isArray(slots) ? slots.map(wholeWord) : slots] as const
  const kept = ledger.proofs.at(query, number)
  const answer = kept === undefined ? await exchange('eth_getProof', [...query, 'latest']) : { result: kept }
  // A question that has no answer is not asked again with each block.
  if ('error' in answer) return answer
  ledger.proofs.ask(query)
  if (kept !== undefined || number === ledger.head().number) return answer
  return refuse(`historical proof of block ${number} is not available`)
}

/** A storage key with its leading zeros, which the client wants. */
const wholeWord = (key: unknown): unknown =>
  typeof key === 'string' && /^0x[0-9a-f]{1,64}$/i.test(key) ? word(BigInt(key)) : key

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

/** The receipts of a block, asked for one by one. */
async function blockReceipts(context: FrontContext, [block]: readonly unknown[]): Promise<FrontAnswer> {
  const { exchange, ledger } = context
  const [plain] = withoutFinalTags([block], { at: 0, headNumber: ledger.head().number })
  const found = await exchange('eth_getBlockByNumber', [plain, false])
  if ('error' in found || found.result === null) return found
  const receipts: unknown[] = []
  for (const hash of (found.result as { transactions: string[] }).transactions) {
    const receipt = await exchange('eth_getTransactionReceipt', [hash])
    if ('error' in receipt) return receipt
    receipts.push(receipt.result)
  }
  return { result: receipts }
}

type Overrides = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The client lets anybody spend anything in a simulated call; a real one looks at the balance first. */
async function simulated(
  { exchange }: FrontContext,
  method: 'eth_call' | 'eth_estimateGas',
  params: readonly unknown[],
): Promise<FrontAnswer> {
  const [given, block = 'latest', overrides] = params as [unknown, unknown?, Overrides?]
  const call = withOneInput(given)
  if (call === undefined) return refuse(TWO_INPUTS)
  const { from, neededWei } = spending(call)
  if (neededWei > 0n) {
    const said = Object.entries(overrides ?? {}).find(([address]) => sameHex(address, from))?.[1].balance
    const balance = said === undefined ? await exchange('eth_getBalance', [from, block]) : { result: said }
    if ('error' in balance) return balance
    if (neededWei > wei(balance.result)) return refuse(UNFUNDED)
  }
  if (method === 'eth_call' || overrides === undefined) return exchange(method, [call, ...params.slice(1)])
  // An estimate takes no overrides; those of balances have done their work above.
  const balancesOnly = Object.values(overrides).every((of) => Object.keys(of).join() === 'balance')
  if (balancesOnly) return exchange(method, [call, block])
  return failure(
    INVALID_PARAMS,
    'state overrides of an estimate: found more than balances, expected balances only',
  )
}

const TWO_INPUTS =
  'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data'

/** A call that says the same in `data` and in `input`, as some tools do, with one of them; undefined where they differ. */
function withOneInput(call: unknown): unknown {
  const { data, ...rest } = Object(call) as Record<string, unknown>
  const isTwice = typeof data === 'string' && typeof rest.input === 'string'
  if (!isTwice) return call
  return sameHex(data, rest.input as string) ? rest : undefined
}

/**
 * Who pays for a simulated call, and how much it may take. One that names no sender comes from the zero address, which is
 * the richest of all on a real network: it can pay any value.
 */
function spending(call: unknown): { from: string; neededWei: bigint } {
  const { from, value, gas, gasPrice, maxFeePerGas } = Object(call) as Record<string, unknown>
  const neededWei = wei(value) + wei(gas) * wei(maxFeePerGas ?? gasPrice)
  return typeof from === 'string' ? { from, neededWei } : { from: ZERO_ADDRESS, neededWei: 0n }
}

/** A quantity, or nothing where there is none: what is no quantity is for the client to refuse. */
function wei(quantity: unknown): bigint {
  return typeof quantity === 'string' && /^0x[0-9a-f]+$/i.test(quantity) ? BigInt(quantity) : 0n
}

const PRECOMPILES = [
  'ECREC',
  'SHA256',
  'RIPEMD160',
  'ID',
  'MODEXP',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'BLAKE2F',
  'KZG_POINT_EVALUATION',
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_PAIRING_CHECK',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_MAP_FP2_TO_G2',
]

/**
 * `eth_config` (EIP-7910): Prague from the first block on, and the next fork where this client names one. The contracts are the
 * network's, not Ethereum's.
 */
function ethConfig(context: FrontContext): FrontAnswer {
  const { nextForkSeconds: at } = context
  const next = at === undefined ? null : forkConfig(context, [at])
  return { result: { current: forkConfig(context, []), next, last: next } }
}

/** What holds from the last of these forks on; without one, from the first block on. */
function forkConfig({ chainId, genesisHash }: FrontContext, forkSeconds: readonly number[]) {
  return {
    activationTime: forkSeconds.at(-1) ?? 0,
    blobSchedule: { baseFeeUpdateFraction: 5_007_716, max: 9, target: 6 },
    chainId: rpcQuantity(chainId),
    forkId: forkId(genesisHash, forkSeconds),
    precompiles: Object.fromEntries(
      PRECOMPILES.map((name, index) => [name, `0x${(index + 1).toString(16).padStart(40, '0')}`]),
    ),
    systemContracts: {
      BEACON_ROOTS_ADDRESS: BEACON_ROOTS,
      CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: CONSOLIDATION_REQUESTS,
      DEPOSIT_CONTRACT_ADDRESS: DEPOSIT_CONTRACT,
      HISTORY_STORAGE_ADDRESS: BLOCK_HASHES,
      WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: WITHDRAWAL_REQUESTS,
    },
  }
}

/** The fork hash of EIP-6122: a checksum over the genesis hash and the time of each fork after it. */
function forkId(genesisHash: string, forkSeconds: readonly number[]): string {
  const times = forkSeconds.map((seconds) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(seconds))
    return bytes
  })
  const sum = crc32(Buffer.concat([Buffer.from(genesisHash.slice(2), 'hex'), ...times]))
  return `0x${sum.toString(16).padStart(8, '0')}`
}
