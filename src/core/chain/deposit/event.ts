import { decodeAbiParameters, encodeAbiParameters, keccak256 } from 'viem/utils'
import { depositError } from '../../base/errors/deposit.ts'
import type { Gwei, Wei } from '../../base/format/amount.ts'
import { type Hex, isHex, sameHex } from '../../base/format/hex.ts'
import { DEPOSIT_TOPIC } from './abi.ts'

/** The parts of an execution log that are read here. */
export type RawLog = { address: string; topics: readonly string[]; data: string }

/** A Deposit event. `index` counts all deposits of the contract, genesis included. */
export type DepositEvent = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: Gwei
  signature: Hex
  index: bigint
}

/** A deposit in a block, and the transaction that made it, as far as an endpoint tells. */
export type MadeDeposit = {
  hash: Hex | undefined
  block: bigint
  valueWei: Wei
  event: DepositEvent
  /** The calldata of its transaction, where that calls the contract itself. */
  input: Hex | undefined
  sender: { from: Hex; nonce: number } | undefined
}

/** A deposit whose transaction is named. */
export type HashedDeposit = MadeDeposit & { hash: Hex }

const DEPOSIT_FIELDS = [
  { type: 'bytes' },
  { type: 'bytes' },
  { type: 'uint64' },
  { type: 'bytes' },
  { type: 'uint64' },
] as const

/**
 * Reads a Deposit event of the given contract. undefined when the log is of another contract or another event;
 * throws `deposit.bad-log` when it claims to be one and its fields, lengths or encoding are not the contract's.
 */
export function decodeDepositLog(log: RawLog, depositContract: Hex): DepositEvent | undefined {
  if (!isOf(log, depositContract, DEPOSIT_TOPIC)) return undefined
  if (log.topics.length !== 1)
    throw depositError('deposit.bad-log', 'A Deposit event has one topic and no indexed field.')
  const fields = attempt(decodeDeposit, log.data)
  if (fields === undefined)
    throw depositError('deposit.bad-log', 'The data of the Deposit event is not its five fields.')
  const [pubkey, withdrawalCredentials, amountGwei, signature, index] = fields
  const lengthsFit = isHex(pubkey, 48) && isHex(withdrawalCredentials, 32) && isHex(signature, 96)
  if (!lengthsFit) throw depositError('deposit.bad-log', 'A field of the Deposit event has a wrong length.')
  return { pubkey, withdrawalCredentials, amountGwei, signature, index }
}

/** Returns the topic under which OperatorUpdated carries a 48-byte public key. */
export function pubkeyTopic(pubkey: Hex): Hex {
  return keccak256(pubkey)
}

function isOf(log: RawLog, contract: Hex, topic: Hex): boolean {
  return sameHex(log.address, contract) && log.topics[0] !== undefined && sameHex(log.topics[0], topic)
}

function decodeDeposit(data: Hex) {
  const values = decodeAbiParameters(DEPOSIT_FIELDS, data)
  return sameHex(encodeAbiParameters(DEPOSIT_FIELDS, values), data) ? values : undefined
}

/** undefined unless the data is the canonical encoding of exactly these fields. */
function attempt<Values>(decode: (data: Hex) => Values | undefined, data: string): Values | undefined {
  if (!isHex(data)) return undefined
  try {
    return decode(data)
  } catch {
    return undefined
  }
}

/** One deposit that was ever made for a key, and whether consensus takes its signature for a first deposit. */
export type PastDeposit = {
  blockNumber: bigint
  amountGwei: Gwei
  withdrawalCredentials: Hex
  accepted: boolean
}

/** What the execution chain remembers of a key whose operator is set. */
export type KeyHistory = {
  operator: Hex
  /** The transaction that set the operator, where its event was found. */
  setBy: { blockNumber: bigint; transactionHash: Hex } | undefined
  deposits: readonly PastDeposit[]
  /** Head of the execution chain when the logs were read. */
  headBlock: bigint
}

/** Slots after which consensus has applied a deposit, whatever the fork. */
const SLOTS_TO_APPLY = 2n

/** What must have happened to a key that the contract has an operator for and the beacon state does not know. */
export type KeyStory = 'burnt' | 'on-its-way' | 'unexplained'

/**
 * Tells the story from the logs: every deposit refused and old enough to have been applied is `burnt`; a deposit
 * that consensus accepts, or one that may not have been applied yet, is `on-its-way`; no deposit at all leaves it
 * `unexplained`. Only of a burnt key can the registration still be made.
 */
export function keyStory(history: KeyHistory, stateSlot: bigint): KeyStory {
  if (history.deposits.length === 0) return 'unexplained'
  const settled = history.deposits.every(({ blockNumber }) => blockNumber + SLOTS_TO_APPLY <= stateSlot)
  if (!settled || history.deposits.some(({ accepted }) => accepted)) return 'on-its-way'
  return 'burnt'
}
