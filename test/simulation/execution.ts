import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem'
import { keccak256, toRlp } from 'viem/utils'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { DEPOSIT_TOPIC } from '../../src/core/chain/deposit/abi.ts'
import { requestFeeWei, requestOfLog } from '../../src/core/chain/deposit/withdrawal-call.ts'
import {
  type BlockReceipt,
  DEPOSIT_SLOTS,
  receiptsRootOf,
} from '../../src/core/chain/proofs/execution-proof.ts'
import {
  DEPOSIT_CONTRACT,
  depositContractCodeHash,
  WITHDRAWAL_REQUESTS,
  word,
} from '../../src/devnet/execution/genesis.ts'
import type { DevnetBlock, ExecutionLog, MinedSlot, SlotInput } from '../../src/devnet/execution/mine-slot.ts'
import { depositAbi } from '../support/deposit-abi.ts'
import { createTrie, type Trie } from './trie.ts'

export const GWEI = 1_000_000_000n
/** What every block asks for its gas. */
export const BASE_FEE_WEI = 1_000_000_000n
const GAS = { deposit: 44_000n, nothing: 21_000n, refused: 30_000n } as const
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`

/** A signed transaction, as everybody who has its bytes reads it. */
export type Tx = {
  raw: Hex
  hash: Hex
  from: Hex
  to: Hex
  nonce: number
  valueWei: bigint
  data: Hex
  maxFeeWei: bigint
  tipWei: bigint
}

/** What a deposit call says; undefined for any other call. */
export type DepositCall = { pubkey: Hex; credentials: Hex; signature: Hex; operator: Hex; amountGwei: bigint }

/** A transaction in a block, with what came of it. */
export type Included = {
  tx: Tx
  block: number
  index: number
  success: boolean
  gasUsed: bigint
  priceWei: bigint
  deposit: DepositCall | undefined
  logs: readonly ExecutionLog[]
}

export type SimBlock = DevnetBlock & { included: readonly Included[]; payouts: SlotInput['payouts'] }

/** The chain as somebody sees it who stands at its newest block: a list of blocks by their number. */
export type Sight = readonly SimBlock[]

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`

/** What is the same in every world: the beginning of the execution chain. */
export type Genesis = {
  chainId: number
  seconds: number
  /** Operators of the genesis validators, by public key. */
  operators: ReadonlyMap<Hex, Hex>
  depositsRoot: Hex
  minimumGwei: bigint
  balances: ReadonlyMap<Hex, bigint>
}

const txs = new Map<Hex, Promise<Tx | undefined>>()

/** Reads signed bytes; undefined where they are none. The same bytes are read once in a process. */
export function readTx(raw: Hex): Promise<Tx | undefined> {
  const known = txs.get(raw) ?? read(raw)
  txs.set(raw, known)
  return known
}

async function read(raw: Hex): Promise<Tx | undefined> {
  try {
    const serialized = raw as `0x02${string}`
    const {
      to,
      nonce = 0,
      value = 0n,
      data = '0x',
      maxFeePerGas = 0n,
      maxPriorityFeePerGas = 0n,
    } = parseTransaction(serialized)
    const from = (await recoverTransactionAddress({ serializedTransaction: serialized })).toLowerCase() as Hex
    return {
      raw,
      hash: keccak256(raw),
      from,
      to: (to ?? ZERO_ADDRESS).toLowerCase() as Hex,
      nonce,
      valueWei: value,
      data,
      maxFeeWei: maxFeePerGas,
      tipWei: maxPriorityFeePerGas,
    }
  } catch {
    return undefined
  }
}

/** What a call of the deposit contract says; undefined where it is no call of `deposit`. */
export function depositCallOf(data: Hex, valueWei: bigint): DepositCall | undefined {
  if (!data.startsWith('0xe12cf4cb')) return undefined
  const { args } = decodeFunctionData({ abi: depositAbi, data })
  const [pubkey, credentials, signature, operator] = args as readonly [Hex, Hex, Hex, Hex]
  return {
    pubkey,
    credentials,
    signature,
    operator: operator.toLowerCase() as Hex,
    amountGwei: valueWei / GWEI,
  }
}

/** The state of an account or a key in a sight, counted from its blocks. */
export function stateOf(genesis: Genesis, sight: Sight) {
  const included = sight.flatMap((block) => block.included)
  const of = (account: Hex) => included.filter(({ tx }) => tx.from === account)
  const deposits = included.filter(({ success, deposit }) => success && deposit !== undefined)
  return {
    deposits,
    nonce: (account: Hex) => of(account).length,
    balance(account: Hex): bigint {
      let sum = genesis.balances.get(account) ?? 0n
      for (const { success, tx, gasUsed, priceWei } of of(account))
        sum -= gasUsed * priceWei + (success && tx.to !== account ? tx.valueWei : 0n)
      for (const { payouts = [] } of sight)
        for (const { address, amountWei } of payouts) if (address.toLowerCase() === account) sum += amountWei
      return sum
    },
    operator: (pubkey: Hex): Hex =>
      genesis.operators.get(pubkey) ??
      deposits.find(({ deposit }) => deposit?.pubkey === pubkey)?.deposit?.operator ??
      ZERO_ADDRESS,
    depositCount: () => genesis.operators.size + deposits.length,
    requestFeeWei: () => requestFeeWei(excessOf(sight)),
  }
}

/** Requests a block up to which the fee of EIP-7002 does not rise. */
const TARGET_REQUESTS = 2

/** Withdrawal requests above the target, from which the fee of the next one follows (EIP-7002). */
const excessOf = (sight: Sight): bigint =>
  sight.reduce((excess, { included }) => {
    const made = included.filter(({ success, tx }) => success && tx.to === WITHDRAWAL_REQUESTS).length
    const above = excess + BigInt(made - TARGET_REQUESTS)
    return above > 0n ? above : 0n
  }, 0n)

/** The log of a withdrawal request (EIP-7002): sender, then the call; undefined where the contract refuses it. */
export function requestLogOf(
  { from, data, valueWei }: Pick<Tx, 'from' | 'data' | 'valueWei'>,
  feeWei: bigint,
): Hex | undefined {
  const log: Hex = `${from}${data.slice(2)}`
  return valueWei >= feeWei && requestOfLog(log) !== undefined ? log : undefined
}

/** A number as RLP has it. */
function shortest(value: bigint): Hex {
  const digits = value.toString(16)
  if (value === 0n) return '0x'
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`
}

const storages = new WeakMap<Genesis, Map<string, Trie>>()

/** What the deposit contract keeps; the same for as long as nobody deposits. */
function storageOf(genesis: Genesis, { deposits, depositCount }: ReturnType<typeof stateOf>): Trie {
  const known = storages.get(genesis) ?? new Map<string, Trie>()
  storages.set(genesis, known)
  const operators = new Map(genesis.operators)
  for (const { deposit } of deposits)
    if (deposit !== undefined && !operators.has(deposit.pubkey))
      operators.set(deposit.pubkey, deposit.operator)
  const name = [...operators.keys()]
    .slice(genesis.operators.size)
    .concat(word(BigInt(depositCount())))
    .join()
  const trie =
    known.get(name) ??
    createTrie(
      new Map([
        [DEPOSIT_SLOTS.count, toRlp(shortest(BigInt(depositCount())))],
        ...[...operators].map(
          ([pubkey, operator]) =>
            [DEPOSIT_SLOTS.operatorOf(pubkey), toRlp(shortest(BigInt(operator)))] as const,
        ),
      ]),
    )
  known.set(name, trie)
  return trie
}

/** Returns the tries of a sight: the accounts that pay and the deposit contract, and the storage of that. */
export function triesOf(genesis: Genesis, sight: Sight): { accounts: Trie; storage: Trie } {
  const state = stateOf(genesis, sight)
  const storage = storageOf(genesis, state)
  const account = (nonce: number, balanceWei: bigint, root: Hex, code: Hex) =>
    toRlp([shortest(BigInt(nonce)), shortest(balanceWei), root, code])
  const accounts = new Map<Hex, Hex>([
    [DEPOSIT_CONTRACT, account(1, 0n, storage.root, CODE_HASH)],
    ...[...genesis.balances.keys()].map(
      (address) =>
        [address, account(state.nonce(address), state.balance(address), NO_STORAGE, NO_CODE)] as const,
    ),
  ])
  return { accounts: createTrie(accounts), storage }
}

const NO_STORAGE = keccak256('0x80')
const NO_CODE = keccak256('0x')

type Refusal =
  | 'InsufficientDeposit'
  | 'DepositNotMultipleOfGwei'
  | 'ZeroOperatorOnFirstDeposit'
  | 'OperatorAlreadySet'

/** Why the deposit contract refuses a call over a state; undefined where it takes it. */
export function refusalOf(
  { minimumGwei }: Genesis,
  state: Pick<ReturnType<typeof stateOf>, 'operator'>,
  call: DepositCall,
  valueWei: bigint,
): { name: Refusal; data: Hex } | undefined {
  const refused = (name: Refusal) => ({ name, data: encodeErrorResult({ abi: depositAbi, errorName: name }) })
  if (valueWei % GWEI !== 0n) return refused('DepositNotMultipleOfGwei')
  if (call.amountGwei < minimumGwei) return refused('InsufficientDeposit')
  const isSet = state.operator(call.pubkey) !== ZERO_ADDRESS
  if (isSet && call.operator !== ZERO_ADDRESS) return refused('OperatorAlreadySet')
  if (!isSet && call.operator === ZERO_ADDRESS) return refused('ZeroOperatorOnFirstDeposit')
  return undefined
}

const FIELDS = ['bytes', 'bytes', 'uint64', 'bytes', 'uint64'].map((type) => ({ type }))

function depositLog(
  call: DepositCall,
  place: Pick<ExecutionLog, 'blockNumber' | 'transactionHash' | 'logIndex'> & { index: number },
): ExecutionLog {
  const { index, ...rest } = place
  const { pubkey, credentials, amountGwei, signature } = call
  const data = encodeAbiParameters(FIELDS, [pubkey, credentials, amountGwei, signature, BigInt(index)])
  return { address: DEPOSIT_CONTRACT, topics: [DEPOSIT_TOPIC], data, ...rest }
}

/** Makes the block after a sight of those transactions that can be carried out, in order. `mark` tells forks apart. */
export function blockAfter(
  genesis: Genesis,
  sight: Sight,
  { slot, offered, mark }: { slot: SlotInput; offered: readonly Tx[]; mark: number },
): SimBlock {
  const number = sight.length
  const included: Included[] = []
  const block: SimBlock = {
    ...emptyBlock(number, slot.timestampSeconds, mark),
    parentHash: sight.at(-1)?.hash ?? zeros(32),
    included,
    payouts: slot.payouts,
  }
  const waiting = [...offered]
  for (;;) {
    const state = stateOf(genesis, [...sight, block])
    const at = waiting.findIndex((tx) => tx.nonce === state.nonce(tx.from) && tx.maxFeeWei >= BASE_FEE_WEI)
    const [tx] = at === -1 ? [] : waiting.splice(at, 1)
    if (tx === undefined) break
    const priceWei = tx.maxFeeWei < BASE_FEE_WEI + tx.tipWei ? tx.maxFeeWei : BASE_FEE_WEI + tx.tipWei
    if (state.balance(tx.from) < tx.valueWei + GAS.deposit * priceWei) continue
    const call = tx.to === DEPOSIT_CONTRACT ? depositCallOf(tx.data, tx.valueWei) : undefined
    const isRequest = tx.to === WITHDRAWAL_REQUESTS
    // Those of one block do not see one another.
    const request = isRequest ? requestLogOf(tx, stateOf(genesis, sight).requestFeeWei()) : undefined
    const isRefused = isRequest
      ? request === undefined
      : call !== undefined && refusalOf(genesis, state, call, tx.valueWei) !== undefined
    const success = !isRefused
    const place = { blockNumber: number, transactionHash: tx.hash, logIndex: included.length }
    const logs = [
      ...(call !== undefined && success ? [depositLog(call, { ...place, index: state.depositCount() })] : []),
      ...(request === undefined
        ? []
        : [{ address: WITHDRAWAL_REQUESTS, topics: [], data: request, ...place }]),
    ]
    const ofCall = success ? GAS.deposit : GAS.refused
    const gasUsed = call === undefined && !isRequest ? GAS.nothing : ofCall
    included.push({
      tx,
      block: number,
      index: included.length,
      success,
      gasUsed,
      priceWei,
      deposit: call,
      logs,
    })
  }
  const receipts = receiptsOf(block)
  return {
    ...block,
    stateRoot: triesOf(genesis, [...sight, block]).accounts.root,
    receiptsRoot: receiptsRootOf(receipts),
    logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs)),
  }
}

/** The receipts of a block, as its header holds them. */
export const receiptsOf = ({ included }: SimBlock): BlockReceipt[] =>
  included.map(({ success, logs }, at) => ({
    type: 2,
    status: success ? 1 : 0,
    cumulativeGasUsed: included.slice(0, at + 1).reduce((sum, { gasUsed }) => sum + gasUsed, 0n),
    logsBloom: bloomOf(logs),
    logs,
  }))

/** The bloom of logs (Yellow Paper, "Transaction Receipt"). */
function bloomOf(logs: readonly Pick<ExecutionLog, 'address' | 'topics'>[]): Hex {
  let bloom = 0n
  for (const entry of logs.flatMap(({ address, topics }) => [address, ...topics]))
    for (const from of [2, 6, 10])
      bloom |= 1n << BigInt(Number.parseInt(keccak256(entry).slice(from, from + 4), 16) & 2047)
  return `0x${bloom.toString(16).padStart(512, '0')}`
}

/** The first block of a chain. */
export const genesisBlock = ({ seconds }: Pick<Genesis, 'seconds'>): SimBlock => ({
  ...emptyBlock(0, seconds, 0),
  included: [],
  payouts: [],
})

function emptyBlock(number: number, timestampSeconds: number, mark: number): DevnetBlock {
  return {
    number,
    hash: word(BigInt(number + 1) * 65_536n + BigInt(mark)),
    parentHash: zeros(32),
    feeRecipient: zeros(20),
    stateRoot: zeros(32),
    receiptsRoot: receiptsRootOf([]),
    logsBloom: zeros(256),
    prevRandao: zeros(32),
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestampSeconds,
    extraData: '0x',
    baseFeeWei: BASE_FEE_WEI,
    transactionsRoot: zeros(32),
    withdrawalsRoot: zeros(32),
    blobGasUsed: 0n,
    excessBlobGas: 0n,
  }
}

/** What a mined block tells the consensus node. */
export const minedOf = (block: SimBlock): MinedSlot => ({
  block,
  logs: block.included.flatMap(({ logs }) => logs),
  transactions: block.included.map(({ tx }) => tx.hash),
  rawTransactions: block.included.map(({ tx }) => tx.raw),
})

/** The code that stands at the deposit contract is that of the rehearsal. */
export const CODE_HASH = depositContractCodeHash()

/** Offers bytes to a pool by the rules of pools: a replacement must pay an eighth more, twice. */
export function offerTo(
  pool: Tx[],
  tx: Tx,
  next: number,
): 'taken' | 'already known' | 'nonce too low' | 'replacement transaction underpriced' {
  if (tx.nonce < next) return 'nonce too low'
  const at = pool.findIndex((one) => one.nonce === tx.nonce && one.from === tx.from)
  const old = pool[at]
  if (old === undefined) {
    pool.push(tx)
    return 'taken'
  }
  if (old.hash === tx.hash) return 'already known'
  if (tx.maxFeeWei * 8n < old.maxFeeWei * 9n || tx.tipWei * 8n < old.tipWei * 9n)
    return 'replacement transaction underpriced'
  pool[at] = tx
  return 'taken'
}
