import type { Gwei, Wei } from '../format/amount.ts'
import type { Hex } from '../format/hex.ts'

/** Time. `nowMs` is the wall clock, `monotonicMs` only ever grows; everything that waits takes a signal. */
export type Clock = {
  nowMs(): number
  monotonicMs(): number
  /** Resolves after `delayMs`; rejects with the signal's reason when aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

export type HttpRequest = {
  method: 'GET' | 'POST'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Total time for the whole exchange, body included. */
  deadlineMs: number
  /** The reply is cut off with an error when its body grows beyond this. */
  maxBytes: number
  /** Longest silence between two pieces of the reply; without it only the deadline counts. */
  idleMs?: number
  /**
   * Takes the body of a 200 piece by piece, in order and while it arrives, for bodies too large to be held. What it
   * throws ends the exchange and is what the request fails with. The reply's `body` is then empty, unless whoever
   * answers had it whole anyway and hands it over there instead of here.
   */
  sink?: (piece: Uint8Array) => void
  signal?: AbortSignal
}

/** `headers` names are lower case. */
export type HttpReply = { status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }

/**
 * One HTTP exchange, hardened: no redirects, no retries, no proxies, a deadline that covers
 * the body, a cap that is counted while reading. Failures are `HttpError`s of core/errors/http.
 */
export type Http = { request(request: HttpRequest): Promise<HttpReply> }

export type FileFacts = {
  kind: 'file' | 'directory' | 'symlink' | 'other'
  sizeBytes: number
  /** Permission bits, e.g. 0o600. Undefined on Windows, which has other means. */
  mode: number | undefined
  /** Whether the file belongs to the user who runs the program, or to root. */
  ownedByUser: boolean
  /** Which file it is on this computer: two paths that lead to one file have the same. */
  identity: string
}

/** Reading only. Nothing under a node's home is ever written. Failures are `file.*` errors of core/errors/file. */
export type Files = {
  /**
   * Reads a whole regular file of at most `maxBytes`. A `sink` takes it piece by piece and in order, each piece only
   * for the length of the call; the answer is then empty, unless whoever answers had it whole and hands it over there.
   * What the sink throws ends the reading and is what it fails with.
   */
  read(path: string, options: { maxBytes: number; sink?: (piece: Uint8Array) => void }): Promise<Uint8Array>
  /** undefined when there is nothing at the path. */
  facts(path: string): Promise<FileFacts | undefined>
  /** Absolute path of an executable found on PATH, or undefined. */
  findProgram(name: string): Promise<string | undefined>
}

/** An open append-only file of JSON lines, held by this process alone. */
export type AppendFile = {
  /** Appends one line and makes it durable (write, fdatasync) before resolving. A failed append poisons the file. */
  append(line: string): Promise<void>
  close(): Promise<void>
}

/** Durable writing, only ever below the state directory or at a path that the user gave. */
export type Store = {
  /** Whole text of the file, or undefined when there is none. */
  readText(path: string): Promise<string | undefined>
  /** Names of what is in a directory; none where there is no such directory. */
  list(directory: string): Promise<readonly string[]>
  /** Opens (creating directories 0700 and the file 0600) for appending; `keepBytes` cuts a torn tail off first. */
  openAppend(path: string, options: { keepBytes: number }): Promise<AppendFile>
  /** Writes a whole file 0600 by rename and fsync; refuses to overwrite unless `replace`. */
  writeText(path: string, text: string, options: { replace: boolean }): Promise<void>
  /** Takes an exclusive lock, unless another process holds it or may hold it. */
  lock(path: string): Promise<LockReply>
  /** Who has put its name on the lock at a path and isn't this process; nothing is locked. Throws a `file.*` error. */
  holderOf(path: string): Promise<NamedHolder | undefined>
}

/**
 * A process that has put its name on a lock. Not sure where it can't be seen whether that still runs; `host` where it is of
 * another computer, or of another container of this one.
 */
export type NamedHolder = { pid: number; isSure: boolean; host?: string }

/** A lock of ours with the way to give it back, or a sentence that says who holds it. */
export type LockReply = { release: () => Promise<void>; heldBy?: never } | { heldBy: string; release?: never }

export type Random = { bytes(length: number): Uint8Array }

/** Public facts of a key file, as the signer child reports them. */
export type KeyFacts = {
  /** Compressed 48-byte public key, derived from the private key. */
  pubkey: Hex
  /** Uncompressed 96-byte public key, as the engine writes it. */
  uncompressedPubkey: Hex
  /** Engine address: first 20 bytes of SHA-256 of the uncompressed key, upper-case hex without 0x. */
  address: string
  /** SHA-256 of the file's bytes, to notice a swapped file. */
  fileHash: Hex
  /** True when the stored public key and address are the derived ones. */
  storedPubkeyMatches: boolean
  storedAddressMatches: boolean
  /** True for keys that were published somewhere or are trivially guessable. */
  publishedKey: boolean
}

type SignDepositRequest = {
  keyFile: string
  fileHash: Hex
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: Gwei
  genesisValidatorsRoot: Hex
  genesisForkVersion: Hex
}

/** Every field of an unsigned EIP-1559 transaction; no access list, no blobs, no authorizations. */
export type UnsignedTransaction = {
  chainId: number
  nonce: number
  to: Hex
  valueWei: Wei
  data: Hex
  gasLimit: bigint
  maxFeePerGasWei: Wei
  maxPriorityFeePerGasWei: Wei
}

type SignTransactionRequest = {
  keystore: string
  /** Only ever given on a rehearsal chain: the descriptor file that holds the play-money password. */
  passwordDescriptor?: string
  /** Checksummed or lower-case address that must be the keystore's own. */
  from?: Hex
  transaction: UnsignedTransaction
  prompt: PromptWords
}

type SignGuardRequest = {
  keystore: string
  passwordDescriptor?: string
  from: Hex
  /** The validator that all members but the last are for. */
  pubkey: Hex
  /** The rungs, the least first, and the cancellation as the last. */
  members: readonly UnsignedTransaction[]
  prompt: Pick<PromptWords, 'network' | 'token'>
}

/** What the password prompt says beside the transaction itself. Drawn, never decided by. */
export type PromptWords = {
  network: string
  token: string
  /** The transaction takes the place of one with the same nonce, for a higher fee. */
  speedsUp: boolean
  /** What others have paid for the key since its first payment of this journal, in tokens; empty where nobody has. */
  arrived: string
}

/**
 * The short-lived child process that reads a secret, signs and ends. The parent never sees key bytes or
 * passwords: for a password the child reads the terminal itself. Failures are `signer.*` errors of core/errors/signer.
 */
export type Signer = {
  inspect(request: { keyFile: string; keyTypePrefix: string }): Promise<KeyFacts>
  signDeposit(request: SignDepositRequest & { keyTypePrefix: string }): Promise<{ signature: Hex }>
  /**
   * The checksummed address that a v3 keystore claims; none where it claims none. Nobody vouches for it: whoever signs
   * compares it with the key. Only with a rehearsal's password the keystore is opened, and the address is the key's.
   */
  keystoreAddress(request: { keystore: string; passwordDescriptor?: string }): Promise<{ address?: Hex }>
  /** Asks for the keystore's password, once, unless a descriptor has it. */
  signTransaction(request: SignTransactionRequest): Promise<{ rawTransaction: Hex; hash: Hex; from: Hex }>
  /** The same for the members of a guard, of which only one can ever happen: one password for all of them. */
  signGuard(request: SignGuardRequest): Promise<{ rawTransactions: readonly Hex[]; from: Hex }>
}

export type ExecRequest = {
  path: string
  args: readonly string[]
  /** What the program takes for the user's own directory (`HOME`); `~` is that directory itself. */
  home: string
  /** What stands on its standard input; nothing without it. */
  input?: string
  /** Whether it may find the desktop of the user: the variables that name the session go with it. */
  desktop?: boolean
  /** Whether all that it starts ends with it, at the deadline and by the signal; it then has no terminal to ask at. */
  endsWhole?: boolean
  timeoutMs: number
  maxOutputBytes: number
  /** Ends the program; the run then rejects with its reason. */
  signal?: AbortSignal
}
export type ExecResult = { exitCode: number; stdout: string; stderr: string }

export type Exec = {
  /** Runs another program by its absolute path, without a shell and with a minimal environment. */
  run(request: ExecRequest): Promise<ExecResult>
  /** Lends an empty directory (0700) to `use` and takes it away again, however that ends. */
  scratch<T>(use: (directory: string) => Promise<T>): Promise<T>
}

/** The one seam between the program and the world. Whoever supplies it decides which world it is. */
export type Effects = {
  clock: Clock
  http: Http
  files: Files
  store: Store
  random: Random
  signer: Signer
  exec: Exec
  /** Stands in for the curve where a test plays thousands of chains that nobody signed with it; never set otherwise. */
  verifyVotes?: (claim: { keys: readonly string[]; message: Uint8Array; signature: string }) => boolean
}
