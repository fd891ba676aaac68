import type { Gwei, Wei } from '../base/format/amount.ts'
import type { Hex } from '../base/format/hex.ts'
import type { ForkAhead } from './consensus/fork-outlook.ts'
import type { Endpoints, Evidence, Network, NodeEndpoints } from './network/network.ts'

/** What the user chose before the first step. Nothing in it is secret. */
export type Setup = {
  network: Network
  /** Folder of the node; none where only the public key of a registered validator was given. */
  homePath?: string
  /** The registered validator that was given in place of a home; its index where that was typed. */
  validator?: { pubkey: Hex; index?: number }
  /** The network's genesis file, where one was named instead of a home. */
  genesisPath?: string
  endpoints: Endpoints
  /** v3 keystore of the funding account. */
  keystore?: string
  /** Descriptor file of a rehearsal network, the only place a password may come from besides the terminal. */
  passwordDescriptor?: string
  /** The file in which a rehearsal network with a story keeps what has happened on it. */
  storyPath?: string
  /** Where a rehearsal network hears wishes, and how it is chosen again. */
  wishes?: { url: string; which: { folder: string } | { descriptor: string } }
  /** Offered as withdrawal and operator address; only a rehearsal has one. */
  suggestedAddress?: Hex
  /** Offered where the public key is typed because the key is on another machine: the one of an earlier run. */
  suggestedPubkey?: Hex
  /** First block of the execution chain, where it is known: from the descriptor, or from an earlier run. */
  executionGenesisHash?: Hex
  /** Directory of the journals of this network. */
  journalDirectory: string
  /** Where else than beside the journals a key or an account is locked: the one place for all windows of a user. */
  lockDirectories: readonly string[]
  /** Directory where files for the user are written (deposit file, receipt). */
  outputDirectory: string
  /** How a shell of this computer starts this program about this very network, with its state. */
  own?: OwnProgram
}

/** The words that start this program, and the options that name a network and its state. */
export type OwnProgram = {
  program: readonly string[]
  options: readonly string[]
  /** Those with which the wizard comes there, where it does not take the others. */
  wizard?: readonly string[]
}

/** A setup beside a node: with its home, and the engine that is asked. */
export type NodeSetup = Setup & { homePath: string; endpoints: NodeEndpoints }

/** The chain was proven to be the chosen one. */
export type GenesisFact = {
  genesisValidatorsRoot: Hex
  genesisForkVersion: Hex
  executionGenesisHash: Hex
  /** Forks that the node's schedule has for later, where it offers one. */
  forksAhead: readonly ForkAhead[]
}

/** Where the private key is: in a file of this computer (`hash` is that of its bytes), or on another machine. */
export type KeyPlace = { kind: 'file'; path: string; hash: Hex } | { kind: 'elsewhere' }

/** A key that may be registered, or that this journal has registered. */
export type IdentityFact = {
  pubkey: Hex
  uncompressedPubkey: Hex
  address: string
  key: KeyPlace
  /** Set where a burnt key is registered after all: its operator stays, the deposit names none. */
  rescueOperator?: Hex
}

/** A first deposit's message with a signature on which independent opinions agree. */
export type SignatureFact = {
  withdrawalAddress: Hex
  withdrawalCredentials: Hex
  operator: Hex
  amountGwei: Gwei
  signature: Hex
  /** Sent with operator zero, for a key whose operator is set already. */
  rescue: boolean
}

/**
 * What the registered validator must be: as the first deposit of this journal made it, or as it was adopted. The proven
 * record is compared with it, the operator with what the contract names.
 */
export type ValidatorTerms = {
  withdrawalCredentials: Hex
  /** Zero for a validator of the genesis. */
  operator: Hex
  leastBalanceGwei: Gwei
  origin: 'registered-here' | 'adopted'
}

/** A transaction of ours that is final on the execution chain. */
export type PaymentFact = {
  hash: Hex
  from: Hex
  nonce: number
  valueWei: Wei
  blockNumber: bigint
  blockHash: Hex
  feeWei: Wei
  /** Signed by an external signer: the keystore set here may be of another account. */
  external?: true
  /** Paid by a contract account: the fee was somebody else’s, and its balance proves nothing. */
  contract?: true
  /** Only the journal says so: the chain has not confirmed it in this session. */
  remembered?: true
  /** Balance of the sender before the transaction was prepared. */
  balanceBeforeWei: Wei
}

/** Registration proven in the beacon state, anchored in the execution chain. */
export type RegistrationFact = Evidence & {
  validatorIndex: number
  slot: bigint
  blockRoot: Hex
  balanceGwei: Gwei
}

/** A nonce of an account that a payment of this journal has used, or may still use. */
export type OwnNonce = {
  from: Hex
  nonce: number
  /** `abandoned`: the transaction was set aside, and may still happen. */
  use: 'used' | 'open' | 'abandoned'
  step: 'deposit' | 'topup'
  hash: Hex | undefined
}

/** What earlier steps have proven for later ones. A fact that is absent is not known. */
export type Facts = {
  genesis?: GenesisFact
  identity?: IdentityFact
  signature?: SignatureFact
  validator?: ValidatorTerms
  deposit?: PaymentFact
  registration?: RegistrationFact
  topup?: PaymentFact
  /** Nonces that payments of this journal have used, or may still use. */
  nonces?: readonly OwnNonce[]
}
