import { formatTransaction, type RpcTransaction, type Signature, serializeTransaction } from 'viem'
import { sameHex, ZERO_ADDRESS } from '../../core/base/format/hex.ts'
import { rpcQuantity } from './contracts.ts'
import type { RpcExchange } from './rpc-client.ts'
import type { FrontAnswer } from './types.ts'

type Params = readonly unknown[]
type RpcError = { code: number; message: string; data?: unknown }
type Overrides = Readonly<Record<string, Readonly<Record<string, string>>>>

const NOT_SUPPORTED = -32004
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const TRANSACTION_REJECTED = -32003
const REVERTED = 3

/**
 * Hardhat's EDR in the methods, words and codes of anvil, so that everything above has one client: the names of the
 * methods that change the chain, those that EDR has not, and the look at the sender's money in a simulated call.
 * `eth_createAccessList` does not exist here.
 */
export function edrInAnvilWords(edr: RpcExchange): RpcExchange {
  return async (method, params) => {
    const own = OWN.get(method)
    const answer = own === undefined ? await edr(hardhatName(method), params) : await own(edr, params)
    return 'error' in answer ? { error: anvilError(method, answer.error) } : answer
  }
}

const hardhatName = (method: string): string => method.replace(/^anvil_/, 'hardhat_')

type Own = (edr: RpcExchange, params: Params) => Promise<FrontAnswer>

const OWN: ReadonlyMap<string, Own> = new Map<string, Own>([
  ['anvil_addBalance', addBalance],
  ['anvil_dropAllTransactions', dropAll],
  ['eth_call', (edr, params) => simulated('eth_call', edr, params)],
  ['eth_estimateGas', (edr, params) => simulated('eth_estimateGas', edr, params)],
  ['eth_getBlockReceipts', blockReceipts],
  ['eth_getRawTransactionByHash', rawTransaction],
  ['evm_mine', mine],
  ['net_listening', async () => ({ result: true })],
])

function mine(edr: RpcExchange, [options]: Params): Promise<FrontAnswer> {
  const { timestamp } = options as { timestamp: number }
  return edr('evm_mine', [rpcQuantity(timestamp)])
}

async function addBalance(edr: RpcExchange, [address, amount]: Params): Promise<FrontAnswer> {
  const before = await edr('eth_getBalance', [address, 'latest'])
  if ('error' in before) return before
  return edr('hardhat_setBalance', [address, rpcQuantity(wei(before.result) + wei(amount))])
}

async function dropAll(edr: RpcExchange): Promise<FrontAnswer> {
  const pending = await edr('eth_pendingTransactions', [])
  if ('error' in pending) return pending
  for (const { hash } of pending.result as { hash: string }[]) await edr('hardhat_dropTransaction', [hash])
  return { result: null }
}

async function blockReceipts(edr: RpcExchange, [block]: Params): Promise<FrontAnswer> {
  const found = await edr('eth_getBlockByNumber', [block, false])
  if ('error' in found || found.result === null) return found
  const receipts: unknown[] = []
  for (const hash of (found.result as { transactions: string[] }).transactions) {
    const receipt = await edr('eth_getTransactionReceipt', [hash])
    if ('error' in receipt) return receipt
    receipts.push(receipt.result)
  }
  return { result: receipts }
}

async function rawTransaction(edr: RpcExchange, params: Params): Promise<FrontAnswer> {
  const found = await edr('eth_getTransactionByHash', params)
  if ('error' in found || found.result === null) return found
  const { r, s, v, yParity, input: data, ...rest } = formatTransaction(found.result as RpcTransaction)
  const signature = { r, s, ...(yParity === undefined ? { v } : { yParity }) }
  return {
    result: serializeTransaction({ ...rest, data }, signature as Signature),
  }
}

/** EDR lets anybody spend anything in a simulated call; a real client, and anvil, look at the balance first. */
async function simulated(method: string, edr: RpcExchange, params: Params): Promise<FrontAnswer> {
  const [call, block = 'latest', overrides] = params as [unknown, unknown?, Overrides?]
  const { from, neededWei } = spending(call)
  if (neededWei > 0n) {
    const given = Object.entries(overrides ?? {}).find(([address]) => sameHex(address, from))?.[1].balance
    const balance = given === undefined ? await edr('eth_getBalance', [from, block]) : { result: given }
    if ('error' in balance) return balance
    if (neededWei > wei(balance.result)) return { error: UNFUNDED }
  }
  if (method === 'eth_call' || overrides === undefined) return edr(method, params)
  // An estimate takes no overrides; those of balances have done their work above.
  const balancesOnly = Object.values(overrides).every((of) => Object.keys(of).join() === 'balance')
  if (balancesOnly) return edr(method, [call, block])
  const message = 'state overrides of an estimate: found more than balances, expected balances only'
  return { error: { code: INVALID_PARAMS, message } }
}

/** Who pays for a simulated call, and how much it may take. */
function spending(call: unknown): { from: string; neededWei: bigint } {
  const { from, value, gas, gasPrice, maxFeePerGas } = Object(call) as Record<string, unknown>
  const neededWei = wei(value) + wei(gas) * wei(maxFeePerGas ?? gasPrice)
  return { from: typeof from === 'string' ? from : ZERO_ADDRESS, neededWei }
}

/** A quantity, or nothing where there is none: what is no quantity is for EDR to refuse. */
function wei(quantity: unknown): bigint {
  return typeof quantity === 'string' && /^0x[0-9a-f]+$/i.test(quantity) ? BigInt(quantity) : 0n
}

const UNFUNDED: RpcError = {
  code: TRANSACTION_REJECTED,
  message: 'Insufficient funds for gas * price + value',
}

/** What EDR says of a transaction that it does not take, and what anvil says. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^Known transaction/, 'transaction already imported'],
  [/^Replacement transaction underpriced/, 'replacement transaction underpriced'],
  [/^Transaction nonce too low/, 'nonce too low'],
  [/^Sender doesn't have enough funds/, UNFUNDED.message],
  [/invalid chainId/, 'invalid chain id for signer'],
  [/^Transaction requires at least \d+ gas/, 'intrinsic gas too low'],
  [/exceeds block gas limit/, 'exceeds block gas limit'],
]
const NO_SUCH_BLOCK = /^Received invalid block tag (\d+)\. Latest block number is (\d+)/
const REASON = /reverted with (?:reason string '(.*)'|(panic code .*))$/s

function anvilError(method: string, { code, message, data }: RpcError): RpcError {
  if (code === NOT_SUPPORTED) return { code: METHOD_NOT_FOUND, message: 'Method not found' }
  const returned = revertData(data)
  if (returned !== undefined) {
    const [, text, panic] = REASON.exec(message) ?? []
    const reason = text ?? panic
    return {
      code: REVERTED,
      message: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`,
      data: returned,
    }
  }
  const [, asked, head] = NO_SUCH_BLOCK.exec(message) ?? []
  if (asked !== undefined) {
    const range = `BlockOutOfRangeError: block height is ${head} but requested was ${asked}`
    return { code: INVALID_PARAMS, message: range }
  }
  const known = REFUSALS.find(([pattern]) => pattern.test(message))
  if (known !== undefined) return { code: TRANSACTION_REJECTED, message: known[1] }
  const undecoded = method === 'eth_sendRawTransaction' && code === INVALID_PARAMS
  // EDR repeats the whole call in the data of an error; that is left out.
  return undecoded
    ? { code: TRANSACTION_REJECTED, message: 'Failed to decode transaction' }
    : { code, message }
}

/** What a refused call gave back, or undefined where the error is another one. */
function revertData(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('reason' in data)) return undefined
  const { reason } = data
  return typeof reason === 'object' && reason !== null && 'Revert' in reason
    ? String(reason.Revert)
    : undefined
}
