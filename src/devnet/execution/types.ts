import type { Hex } from '../../core/base/format/hex.ts'
import type { FoundClient } from './find-client.ts'

/** One JSON-RPC call to the execution client: resolves to its `result`, rejects with an `RpcFailure`. */
export type RpcCall = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The part of the clock of Effects that the execution side needs. */
export type ExecutionClock = {
  nowMs(): number
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

/** A block with every field that an execution payload header wants. Hashes and blobs are hex, counts are numbers. */
export type DevnetBlock = {
  number: number
  hash: Hex
  parentHash: Hex
  feeRecipient: Hex
  stateRoot: Hex
  receiptsRoot: Hex
  logsBloom: Hex
  prevRandao: Hex
  gasLimit: bigint
  gasUsed: bigint
  timestampSeconds: number
  extraData: Hex
  baseFeeWei: bigint
  transactionsRoot: Hex
  withdrawalsRoot: Hex
  blobGasUsed: bigint
  excessBlobGas: bigint
}

/** A log of the deposit contract or of the withdrawal request contract. Addresses and data are lower-case hex. */
export type ExecutionLog = {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  blockNumber: number
  transactionHash: Hex
  /** Position in the block. */
  logIndex: number
}

/** Money that leaves the consensus layer in this slot. */
export type Payout = { address: Hex; amountWei: bigint }

export type SlotInput = {
  /** Unix seconds, at least one more than the last block's. */
  timestampSeconds: number
  /** Root of the beacon block header of the slot before: what EIP-4788 answers for `timestampSeconds`. */
  parentBeaconRoot: Hex
  /** Withdrawals of the slot; they are on their accounts in the new block's state. */
  payouts?: readonly Payout[]
  /** Who gets the fees of this block, where its proposer has an account for them. */
  feeRecipient?: Hex
}

export type MinedSlot = {
  block: DevnetBlock
  /** Logs of the deposit and the withdrawal request contract, in the order of the block. */
  logs: readonly ExecutionLog[]
  /** Hashes of its transactions. */
  transactions: readonly Hex[]
  /** The same transactions as they were broadcast (EIP-2718). */
  rawTransactions: readonly Hex[]
}

/** A call as it came in through the public endpoint. */
export type FrontCall = { method: string; params: readonly unknown[] }

/** The body of one JSON-RPC reply, without its id. */
export type FrontAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** What goes back on the wire: an answer, or a fault in its place. */
export type FrontDelivery =
  | { kind: 'answer'; answer: FrontAnswer }
  | { kind: 'http'; status: number; contentType: string; body: string; headers?: Record<string, string> }
  | { kind: 'close' }

/** Lets a scenario or a test stand between the network and its users. */
export type FrontHooks = {
  /**
   * Called for every call of a request; `answer` gets the true answer of it, or of another call (and has its effects).
   * Not calling it drops the call before it has any effect; calling it and then returning a fault loses only the answer.
   */
  around?: (call: FrontCall, answer: (call?: FrontCall) => Promise<FrontAnswer>) => Promise<FrontDelivery>
}

export type ServeOptions = {
  /** Port on 127.0.0.1; 0 or nothing takes a free one. */
  port?: number
  hooks?: FrontHooks
  /** When a fork begins that this endpoint names and no other one does, Unix seconds. */
  nextForkSeconds?: number
}

/** The public endpoint. `pause` leaves connections open and answers nothing until `resume`, as a stuck process does. */
export type ServedFront = {
  url: string
  pause: () => void
  resume: () => void
  /** Ends the server and every open connection; calling it twice is safe. */
  close: () => Promise<void>
}

/** The execution side of a rehearsal network. */
export type RehearsalExecution = {
  chainId: number
  genesisHash: Hex
  genesisBlock: DevnetBlock
  /** Straight to the client underneath, for the network's own use; it may do what the public endpoint forbids. */
  rpc: RpcCall
  /** Mines exactly one block. */
  mineSlot: (input: SlotInput) => Promise<MinedSlot>
  /** Adds to an account in the state of the newest block. */
  addBalance: (address: Hex, amountWei: bigint) => Promise<void>
  /** Opens the public JSON-RPC endpoint. */
  serve: (options?: ServeOptions) => Promise<ServedFront>
  /** Resolves (never rejects) with the reason when the client ends without having been told to. */
  died: Promise<Error>
  /** Ends the client and every endpoint; calling it twice is safe. */
  stop: () => Promise<void>
}

/** What `startExecution` of start.ts needs. */
export type StartExecutionInput = {
  genesis: ExecutionGenesis
  clock: ExecutionClock
  /** The client underneath; when left out, the one that this computer has. */
  client?: FoundClient
  /** A private directory of the network; nothing is written anywhere else. */
  directory: string
  /** Port of an anvil underneath; 0 or nothing takes a free one. */
  clientPort?: number
  /** Ends the start while the client gets ready. */
  signal?: AbortSignal
  /** When given, a chain with another first block is refused. */
  genesisHashExpected?: Hex
}

/** A genesis file in the form that go-ethereum reads. Quantities are hex. */
export type ExecutionGenesis = {
  config: Readonly<Record<string, unknown>>
  nonce: Hex
  timestamp: Hex
  extraData: Hex
  gasLimit: Hex
  difficulty: Hex
  mixHash: Hex
  coinbase: Hex
  baseFeePerGas: Hex
  alloc: Readonly<Record<Hex, GenesisAccount>>
}

export type GenesisAccount = {
  balance: Hex
  nonce?: Hex
  code?: Hex
  storage?: Readonly<Record<Hex, Hex>>
}

/** What `executionGenesis` of genesis.ts needs. */
export type ExecutionGenesisInput = {
  chainId: number
  timestampSeconds: number
  /** The validators of the engine's genesis: their number is where the deposit index starts. */
  genesisDeposits: {
    root: Hex
    validators: readonly { pubkey: Hex; operator: Hex }[]
  }
  accounts: readonly { address: Hex; balanceWei: bigint }[]
}
