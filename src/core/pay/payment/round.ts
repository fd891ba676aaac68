import { gweiToWei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import type { MadeDeposit } from '../../chain/deposit/event.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import type { CheckResult } from '../gate/facts.ts'
import type { Draft, Included, PaymentBody, PaymentState, SignedBytes } from './payment.ts'

/**
 * The next nonce of an account: by the blocks up to the finalized one (asked where a draft was abandoned), up to the head,
 * and with what waits in the pool of the endpoint.
 */
export type NonceAt = { address: Hex; final?: number; latest: number; pending: number }

/** Where a transaction is, and whether it was carried out. */
export type ReceiptFacts = Included & { status: 'success' | 'reverted' }

/** Everything that one endpoint says of a payment in one round. */
export type PaymentReply = {
  endpoint: string
  /**
   * Of whichever candidate has one. Nodes forget receipts within hours, and blocks never: where it has none, and shows the
   * block that every endpoint had called final, with the payment in it, what was so then.
   */
  receipt: ReceiptFacts | undefined
  /** Whether it has the newest signed bytes, in a block or in its pool. */
  knows: boolean
  /** Of the sender, and of the senders of all abandoned drafts. */
  nonces: readonly NonceAt[]
  headIsRecent: boolean
  /** The number of its newest block; asked while the payment is looked for. */
  head: bigint | undefined
  finalizedNumber: bigint
  /** Deposits for the key since the oldest draft; undefined while nobody asked, `unknown` where it did not tell. */
  deposits: readonly MadeDeposit[] | 'unknown' | undefined
  /** Why it did not tell them, with its name. */
  unread?: string | undefined
  /** Whether it shows another block at the height in which the payment was noted, or that block without it. */
  notedIsGone: boolean
}

/** What one endpoint says, or why it says nothing that counts. */
export type ReplyOrError = PaymentReply | { endpoint: string; error: ErrorFacts }

/** One look at the world of a payment, by every endpoint. What was not asked is undefined. */
export type Round = {
  /** On our own clock. */
  atMs: number
  slotMs: number
  byEndpoint: readonly ReplyOrError[]
  /** Whether every endpoint answered the whole gate of this payment, and all was good, and when. */
  gateOpenAtMs: number | undefined
  /** What contract, beacon state and the second endpoint say of the key; undefined while nobody asked. */
  keyChecks: readonly CheckResult[] | undefined
  /** Whether this program holds the paying account, and what a wallet shows as the hash to sign. */
  toExport: { accountHeld: boolean; digest: Hex } | undefined
  /** Why the contract refused it. */
  reason: string | undefined
}

/** A part of a round that is asked only where it is wanted. */
export type RoundPart = 'deposits' | 'keyChecks' | 'toExport' | 'reason'

/** Bytes that go to an endpoint. */
export type Broadcast = { endpoint: string; bytes: SignedBytes; attempt: number }

/** What follows from a round, or the part of it that must be asked first. */
export type Decision =
  | { wants: RoundPart }
  | { events: readonly PaymentBody[]; broadcasts: readonly Broadcast[] }

/** Whether an endpoint's result is a reply and not an error. */
export const isReply = (one: ReplyOrError): one is PaymentReply => !('error' in one)

/** Returns the nonces of an account by one endpoint. Throws a `RangeError` for an account that nobody asked about. */
export function nonceAt({ nonces }: PaymentReply, address: Hex): NonceAt {
  const found = nonces.find((one) => sameHex(one.address, address))
  if (found === undefined) throw new RangeError(`no nonce was asked for ${address}`)
  return found
}

/** Returns the unsettled deposits since a draft was made, by each endpoint that reported them. */
export function depositsOf(
  replies: readonly PaymentReply[],
  { baseline }: Draft,
  { settled }: Pick<PaymentState, 'settled'>,
): readonly (readonly MadeDeposit[])[] {
  const isOpen = ({ hash, block }: MadeDeposit) =>
    block > baseline.blockNumber && (hash === undefined || !settled.includes(hash))
  return replies.flatMap(({ deposits }) => (typeof deposits === 'object' ? [deposits.filter(isOpen)] : []))
}

/** Whether all fields of a deposit are those of the draft. Throws `deposit.bad-calldata` for another call. */
function isAsPrepared({ event }: MadeDeposit, { transaction }: Draft): boolean {
  const call = decodeDepositCalldata(transaction.data)
  return (
    sameHex(event.pubkey, call.pubkey) &&
    sameHex(event.withdrawalCredentials, call.withdrawalCredentials) &&
    sameHex(event.signature, call.signature) &&
    gweiToWei(event.amountGwei) === transaction.valueWei
  )
}

/**
 * Whether a deposit was made by the draft's account with its nonce. Owners of a contract account carry it out from any
 * account: there the call itself must be the prepared one.
 */
export function isBy(made: MadeDeposit, draft: Draft): boolean {
  if (draft.signer === 'contract') return isAsPrepared(made, draft)
  return isFrom(made, draft) && made.sender?.nonce === draft.transaction.nonce
}

/** Whether the account of the draft made a deposit with a later nonce. */
export function isLater(made: MadeDeposit, draft: Draft): boolean {
  return isFrom(made, draft) && (made.sender?.nonce ?? 0) > draft.transaction.nonce
}

/** Whether a deposit may have been made with the draft's nonce, a later one, or by an unknown account. */
export function mayBeOurs(made: MadeDeposit, draft: Draft): boolean {
  return made.sender === undefined || isBy(made, draft) || isLater(made, draft)
}

/**
 * Whether a deposit is exactly the prepared call. The event has no operator: where the transaction calls the contract
 * itself, its calldata tells. Throws `deposit.bad-calldata` for another call.
 */
export function isCallOf(made: MadeDeposit, draft: Draft): boolean {
  const { data } = draft.transaction
  return isAsPrepared(made, draft) && (made.input === undefined || sameHex(made.input, data))
}

const isFrom = ({ sender }: MadeDeposit, { from }: Draft): boolean =>
  sender !== undefined && sameHex(sender.from, from)
