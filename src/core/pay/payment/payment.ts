import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import type { Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { NewestHead, NodeDoubt } from '../../chain/network/standstill.ts'
import type { ErrorFacts, Observation, Observations, Observed } from '../../view/observation.ts'
import type { AgreedKeyState, AgreedTerms } from '../gate/consent.ts'
import type { GateAnswers } from '../gate/facts.ts'

/** A deposit for the key that is not known to be the payment. */
type OtherDeposit = { hash: Hex | undefined }

/** What the rounds have shown so far of one payment. */
export type RoundMemory = {
  /** Since when something has held in every round, on our own clock. */
  since: Partial<Record<ConditionClock, number>>
  /** The block that `since.inBlock` is about. */
  blockHash: Hex | undefined
  /** When bytes were last given to an endpoint, by its name and their hash. */
  broadcastAtMs: Readonly<Record<string, number>>
  /** When all that was agreed to was last seen to hold. */
  recheckedAtMs: number | undefined
  /** How often a block was orphaned. */
  losses: number
  inMempool: boolean
  /** The endpoints that said of their own that they have these bytes. */
  hasIt: { hash: Hex; endpoints: readonly string[] } | undefined
  /** In no block for so long that replacing it is offered. */
  isStuck: boolean
  /** The newest block that each endpoint showed, by its name. */
  heads: Readonly<Record<string, NewestHead>>
  /** The own endpoint shows no new block, though it answers. */
  doubt: NodeDoubt | undefined
  /** The account’s next nonce, where that of the payment is too high. */
  gapFrom: number | undefined
  /** It is safe to show what is exported, with the hash that is signed. */
  shown: { digest: Hex } | undefined
  otherDeposit: OtherDeposit | undefined
}

export type ConditionClock =
  | 'inBlock'
  | 'orphaned'
  | 'nonceLost'
  | 'behind'
  | 'lagging'
  | 'waiting'
  | 'contradicted'

/** Where the search for a payment stands. */
export type PaymentStatus =
  | { is: 'in-block'; block: bigint; reverted: boolean; alone: boolean }
  | { is: 'orphaned' | 'in-mempool' | 'handed-over' | 'nonce-used' | 'disagree' | 'deposit-there' }
  | {
      is: 'lags' | 'others-wait' | 'one-silent' | 'in-use' | 'in-pool' | 'deposits-unknown' | 'other-deposit'
    }
  | { is: 'unused' | 'not-there' | 'looking' }
  | { is: 'behind'; next: number; nonce: number }
  | { is: 'world-unknown' | 'held-back'; why: string }
  | { is: 'upheld'; block: bigint | undefined; outcome: 'paid' | 'cancelled' | 'reverted' | 'nonce-taken' }
  | { is: 'remembered-silent'; endpoints: readonly string[] }
  | { is: 'remembered-disputed' | 'remembered-contradicted' }

/** The two steps that move money. */
export type PayingStep = 'deposit' | 'topup'

/** What is to be sent, fixed before the transaction is made; the value comes from what was signed. */
export type PaymentPlan = { to: Hex; valueWei: Wei; data: Hex }

/**
 * What was agreed to, and about which world. Where a journal names none, nothing of that is ever sent. Without terms nothing
 * is prepared any more.
 */
export type Agreement = { plan: PaymentPlan; world: AgreedKeyState | undefined; terms?: AgreedTerms }

/**
 * Who signs: the keystore of this computer, an external signer to whom the transaction is exported, or the owners of a
 * contract account, who carry the call out in a transaction of another account.
 */
export type SignerKind = 'keystore' | 'external' | 'contract'

/** A transaction made for an agreement, not signed yet, with the chain as it was then. */
export type Draft = {
  agreement: Agreement
  signer: SignerKind
  from: Hex
  transaction: UnsignedTransaction
  /**
   * `seenSentAt`: by the chain up to this block it was sent already when the draft was made. `taken`: how many deposits the
   * contract had taken by the block; undefined where it wasn't told.
   */
  baseline: { blockNumber: bigint; blockHash: Hex; balanceWei: Wei; seenSentAt?: bigint; taken?: bigint }
}

/** Another transaction with the nonce of the payment: the same one for more fee, or nothing sent to oneself. */
export type Replacement = { kind: 'speed-up' | 'cancellation'; transaction: UnsignedTransaction }

/** Signed bytes with the nonce of the payment. `rung`: a larger one of the same guard, signed with it beforehand. */
export type SignedBytes = {
  kind: 'payment' | Replacement['kind'] | 'rung'
  hash: Hex
  raw: Hex
  transaction: UnsignedTransaction
}

/** A deposit under a hash that was not made here: the payment, or what its account paid in its place. */
export type FoundOnChain = { kind: 'found'; hash: Hex; valueWei: Wei; nonce: number }

/** What may take the nonce of a payment; at most one of them can happen. */
export type Candidate = SignedBytes | FoundOnChain

/** The block that holds one of the candidates, and what its sender paid for it; a contract account pays nothing. */
export type Included = { blockNumber: bigint; blockHash: Hex; feeWei: Wei; hash: Hex }

/** How a payment ended. */
export type PaymentOutcome =
  | { is: 'paid' | 'cancelled'; included: Included }
  | { is: 'reverted'; reason: string }
  | { is: 'nonce-taken'; otherDeposit: OtherDeposit | undefined }

/**
 * How giving bytes to an endpoint ended; only `unreachable` and `withheld` prove that it did not get them. `has-it`: it
 * answered that it knows them already, which decides no more than any other refusal. `withheld`: a word came before.
 */
export type BroadcastResult =
  | 'waits'
  | 'taken'
  | 'has-it'
  | 'refused'
  | 'no-reply'
  | 'unreachable'
  | 'withheld'

/**
 * Signed bytes at one endpoint. `times`: how often it may have got them. `said`: the words of its newest refusal, until it
 * answers otherwise.
 */
export type BroadcastRecord = {
  endpoint: string
  hash: Hex
  times: number
  result: BroadcastResult
  said?: string | undefined
}

/** A draft that may happen, with everything that was signed or found for its nonce, oldest first. */
type Tried = {
  draft: Draft
  candidates: readonly Candidate[]
  /** How often it was tried to hand bytes over, at least. */
  attempts: number
  broadcasts: readonly BroadcastRecord[]
  /** A word agreed to cancel it, and none to send it again since then: of what is signed only a cancellation may leave. */
  cancelAgreed?: true | undefined
  /**
   * The block in which it was paid or canceled by an end of the journal that was taken back, as ends once were for a
   * receipt that was forgotten. Every endpoint had called that block final.
   */
  finalBefore?: Included | undefined
}

/** A payment that the chain is watched for. */
export type LivePayment = Tried & {
  /** `exported`: a wallet may sign it, and no candidate is known. `under-way`: there is at least one candidate. */
  phase: 'exported' | 'under-way'
  included: Included | undefined
  /** Agreed to, and not signed yet. */
  replacement: Replacement | undefined
  /** Why it must not leave any more: what was agreed to does not hold. Cancelling it is another thing. */
  heldBack: string | undefined
}

/** A payment that has come to its end. `remembered`: only the journal says so, nothing rests on it. */
export type EndedPayment = Tried & { phase: 'ended'; outcome: PaymentOutcome; remembered: boolean }

/** One payment: one nonce with its candidates. */
export type Payment =
  | { phase: 'open' }
  | { phase: 'agreed'; agreement: Agreement }
  | { phase: 'prepared'; draft: Draft }
  | LivePayment
  | EndedPayment

/** What a payment waits for. */
export type WaitFor = 'checks' | 'signature' | 'wallet' | 'chain'

/** A replacement's transaction, and the most that any may cost in wei. */
export type FeeQuote = { transaction: UnsignedTransaction; limitWei: Wei }

/** Everything that is known of the payments of one step. */
export type PaymentState = {
  payment: Payment
  /** Which payment of its step this is, counted from 1. */
  ordinal: number
  /** Drafts that, by the user’s word, nobody signed, or that must not be used. Any of them may still happen. */
  abandoned: readonly Draft[]
  /** Hashes of the payments of this step that are final. */
  settled: readonly Hex[]
  observed: Observations<GateAnswers>
  /** The user lets an external signer sign; it is always so where no keystore is set. */
  external: boolean
  /** The paying account, as it was typed. */
  sender: Hex | undefined
  senderError: string | undefined
  /** The word that takes the risk of more than the least, as it was typed. */
  riskText: string | undefined
  /** What the rounds have shown so far; never in the journal. */
  memory: RoundMemory
  /** Where the search for the transaction stands; told, never trusted. */
  tracking: Observation<PaymentStatus>
  /** What it would cost to replace the payment; asked, not agreed to. */
  quote: { kind: Replacement['kind']; price: Observation<FeeQuote> } | undefined
  /** Where the command for the wallet was saved. */
  savedPath: string | undefined
  /** When the wait that is under way began, on our own clock. */
  wait: { what: WaitFor; sinceMs: number } | undefined
  failure: ErrorFacts | undefined
}

/** Decisions and money events: in the journal before they are applied. */
export type DurableBody =
  | ({ type: 'agreed' } & Agreement)
  | { type: 'prepared'; draft: Omit<Draft, 'agreement'> }
  | { type: 'abandoned' }
  | { type: 'signed'; raw: Hex; hash: Hex }
  | { type: 'handed-over'; attempt: number; endpoint: string }
  | { type: 'replacing'; replacement: Replacement }
  | { type: 'replaced'; raw: Hex; hash: Hex }
  /** A word sends the payment again that another word had agreed to cancel. */
  | { type: 'sending-again' }
  /** With the calldata of the abandoned call that it turns out to be. */
  | { type: 'found'; from: Hex; hash: Hex; valueWei: Wei; nonce: number; data: Hex | undefined }
  | ({ type: 'included' } & Included)
  | { type: 'orphaned' }
  | { type: 'ended'; outcome: EndedBy }
  /** The chain does not say of an end that is remembered what the journal says. */
  | { type: 'contradicted' }
  | { type: 'held-back'; reason: string }
  | { type: 'reopened' }

/** An outcome as it is written down: which block it was in is in the journal before it. */
export type EndedBy =
  | { is: 'paid' | 'cancelled' }
  | { is: 'reverted'; reason: string; feeWei: Wei }
  | { is: 'nonce-taken'; otherDeposit: OtherDeposit | undefined }

type PassingBody =
  | ({ type: 'observed' } & Observed<GateAnswers>)
  /** `recheckAsked`: by no key; what is known stays until it is answered anew. */
  | { type: 'checkAsked' | 'recheckAsked' | 'saveAsked' | 'quoteLeft' }
  | { type: 'signerChosen'; external: boolean }
  | { type: 'senderTyped'; text: string }
  | { type: 'riskTyped'; text: string }
  | { type: 'saved'; path: string }
  | { type: 'imported'; text: string }
  | { type: 'quoteAsked'; kind: Replacement['kind'] }
  | { type: 'quoted'; kind: Replacement['kind']; price: Observation<FeeQuote> }
  /** An attempt like those before it, which the journal need not hold. */
  | { type: 'handed-again'; attempt: number; endpoint: string }
  | { type: 'handed'; endpoint: string; hash: Hex; result: BroadcastResult; said?: string | undefined }
  | { type: 'waiting'; what: WaitFor; sinceMs: number }
  /** What a round has shown of a draft. */
  | { type: 'watched'; draft: Draft; memory: RoundMemory; tracking: Observation<PaymentStatus> }
  /** The chain says of an end that is remembered what the journal says. */
  | { type: 'upheld' }
  | { type: 'failed'; error: ErrorFacts }

/** What can happen to a payment, without the step it belongs to. */
export type PaymentBody = DurableBody | PassingBody

/** What can happen to a payment, whichever step it belongs to. */
export type PaymentEvent = { [P in PayingStep]: { step: P } & PaymentBody }[PayingStep]

/** What the keys of a step that pays may do. */
export type PayingEvent = PaymentEvent | { [P in PayingStep]: { step: P; type: 'entered' } }[PayingStep]

/** A decision or a money event, which the journal holds. */
export type DurablePaymentEvent = { [P in PayingStep]: { step: P } & DurableBody }[PayingStep]

/** None of them `looks` alone: what fails in one is said where the payment stands. */
export type PaymentCommand = { step: PayingStep; looks?: never } & (
  | { type: 'check'; scope: 'here' }
  | { type: 'quote'; scope: 'here'; kind: Replacement['kind'] }
  | { type: 'prepare' | 'signTransaction' | 'saveCommand' | 'follow'; scope: 'always' }
  | { type: 'import'; scope: 'always'; text: string }
)

/** What comes of an event: the payment after it, and what is to be done. */
export type PaymentResult = readonly [PaymentState, readonly PaymentCommand[]]
