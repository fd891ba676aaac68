import type { Wei } from '../../base/format/amount.ts'
import { type Decoder, hex, quantity64, refuse } from '../../base/format/decode.ts'
import { type Hex, isHex } from '../../base/format/hex.ts'
import { type BlockRef, encodeBlockRef, encodeQuantity } from './blocks.ts'
import type { ExecutionClient } from './client.ts'

/** What a call or an estimate simulates. `valueWei` needs `from` to hold it. */
export type CallRequest = { to: Hex; data: Hex; from?: Hex; valueWei?: Wei; gasLimit?: bigint }

/** The transaction object of `eth_call` and `eth_estimateGas`. */
function encodeCallRequest(request: CallRequest): Record<string, string> {
  return {
    to: request.to,
    data: request.data,
    ...(request.from === undefined ? {} : { from: request.from }),
    ...(request.valueWei === undefined ? {} : { value: encodeQuantity(request.valueWei) }),
    ...(request.gasLimit === undefined ? {} : { gas: encodeQuantity(request.gasLimit) }),
  }
}

export type CallArgs = CallRequest & {
  block?: BlockRef
  /** Code put in place of an account's for this call alone. */
  codeOverrides?: Readonly<Record<Hex, Hex>>
}

/**
 * Runs a call without a transaction and gives what it returns (`eth_call`). No off-chain look-ups are followed.
 * Throws a `ClientError`; a refusal by the contract is `reverted` with its data.
 */
export function call(client: ExecutionClient, args: CallArgs): Promise<Hex> {
  const overrides = Object.entries(args.codeOverrides ?? {}).map(
    ([address, code]): [string, { code: Hex }] => [address, { code }],
  )
  const params = [
    encodeCallRequest(args),
    encodeBlockRef(args.block ?? 'latest'),
    ...(overrides.length === 0 ? [] : [Object.fromEntries(overrides)]),
  ]
  return client.rpc({ method: 'eth_call', params, decode: hex() })
}

/** The gas a transaction would use now (`eth_estimateGas`). Throws a `ClientError`, `reverted` with the reason. */
export function estimateGas(client: ExecutionClient, args: CallRequest): Promise<bigint> {
  return client.rpc({ method: 'eth_estimateGas', params: [encodeCallRequest(args)], decode: quantity64 })
}

/** Returns the code at an address, `0x` where there is none (`eth_getCode`). Throws a `ClientError`. */
export function getCode(client: ExecutionClient, args: { address: Hex; block?: BlockRef }): Promise<Hex> {
  const params = [args.address, encodeBlockRef(args.block ?? 'latest')]
  return client.rpc({ method: 'eth_getCode', params, decode: hex() })
}

const DEPOSIT_COUNT_SELECTOR: Hex = '0x2dfdf0b5'

const uint64Word: Decoder<bigint> = (value, path) =>
  isHex(value, 32) && /^0x0{48}/.test(value)
    ? BigInt(value)
    : refuse(path, 'a uint64 in a 32-byte word', value)

/** How many deposits the contract has taken, those of genesis included (`depositCount()`). Throws a `ClientError`. */
export function getDepositCount(
  client: ExecutionClient,
  args: { depositContract: Hex; block?: BlockRef },
): Promise<bigint> {
  const params = [
    { to: args.depositContract, data: DEPOSIT_COUNT_SELECTOR },
    encodeBlockRef(args.block ?? 'latest'),
  ]
  return client.rpc({ method: 'eth_call', params, decode: uint64Word })
}

const GENESIS_DEPOSITS_ROOT_SELECTOR: Hex = '0x3523f9bd'

/** The root of the genesis deposits that the contract holds: it tells networks apart (`genesisDepositsRoot()`). */
export function getGenesisDepositsRoot(
  client: ExecutionClient,
  args: { depositContract: Hex; block?: BlockRef },
): Promise<Hex> {
  const params = [
    { to: args.depositContract, data: GENESIS_DEPOSITS_ROOT_SELECTOR },
    encodeBlockRef(args.block ?? 'latest'),
  ]
  return client.rpc({ method: 'eth_call', params, decode: hex(32) })
}

const OPERATOR_SELECTOR = '9eaffa96'
const QUEUED_SELECTOR = '560036ec'
const PUBKEY_BYTES = 48

const addressWord: Decoder<Hex> = (value, path) =>
  isHex(value, 32) && /^0x0{24}/.test(value)
    ? (`0x${value.slice(26)}`.toLowerCase() as Hex)
    : refuse(path, 'an address in a 32-byte word', value)

/**
 * Returns the operator that the deposit contract holds for a pubkey; the zero address means none was ever set
 * (`getOperator(bytes)`). `pubkey` is the compressed form of 48 bytes. Throws a `ClientError`.
 */
export function getOperator(client: ExecutionClient, args: AskOfKey): Promise<Hex> {
  return askOfKey(client, OPERATOR_SELECTOR, { ...args, decode: addressWord })
}

/** Who is queued to become an operator, and since when, in Unix seconds of the chain's clock. */
export type QueuedOperator = { operator: Hex; sinceSeconds: bigint }

const queuedWords: Decoder<QueuedOperator | undefined> = (value, path) => {
  if (!isHex(value, 64) || !/^0x0{40}/.test(value))
    return refuse(path, 'a uint96 and an address in two words', value)
  const sinceSeconds = BigInt(value.slice(0, 66))
  const operator = addressWord(`0x${value.slice(66)}`, path)
  if (BigInt(operator) !== 0n) return { operator, sinceSeconds }
  return sinceSeconds === 0n ? undefined : refuse(path, 'an address, where something is queued', value)
}

/**
 * Returns the operator change that the deposit contract holds queued for a pubkey, undefined where none is
 * (`queuedOperator(bytes)`). Throws a `ClientError`.
 */
export function getQueuedOperator(
  client: ExecutionClient,
  args: AskOfKey,
): Promise<QueuedOperator | undefined> {
  return askOfKey(client, QUEUED_SELECTOR, { ...args, decode: queuedWords })
}

type AskOfKey = { depositContract: Hex; pubkey: Hex; block?: BlockRef }

/** A call of the deposit contract with a pubkey as its one argument. */
function askOfKey<T>(
  client: ExecutionClient,
  selector: string,
  { depositContract, pubkey, block, decode }: AskOfKey & { decode: Decoder<T> },
): Promise<T> {
  if (!isHex(pubkey, PUBKEY_BYTES)) throw new RangeError('a pubkey has 48 bytes')
  const data = `0x${selector}${word(0x20)}${word(PUBKEY_BYTES)}${pubkey.slice(2).padEnd(128, '0')}`
  const params = [{ to: depositContract, data }, encodeBlockRef(block ?? 'latest')]
  return client.rpc({ method: 'eth_call', params, decode })
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}
