import type { UnsignedTransaction } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { PaymentBody } from '../../src/core/pay/payment/payment.ts'
import type { Chain, Pooled, Tx } from './chain.ts'
import type { Endpoint } from './endpoint.ts'

/** Who signs: the keystore here, a wallet elsewhere, or the owner of a contract account. */
export type SignedBy = 'keystore' | 'external' | 'contract'

/** What the person at the screen can do. */
export type Offer =
  | 'agree'
  /** Types the password that is asked for, or leaves the prompt. */
  | 'sign'
  | 'refuse'
  /** Has the wallet elsewhere sign what is shown, and brings the bytes. */
  | 'import'
  | 'speed-up'
  | 'cancel'
  /** Sends again what a word had agreed to cancel. */
  | 'send-again'
  | 'abandon'
  | 'open-again'
  | 'look-again'

type End = 'paid' | 'cancelled' | 'reverted' | 'nonce-taken'

/** What the program says of its payment. */
export type Told = {
  /** Which payment of its journal this is, counted from 1. */
  payment: number
  end: End | undefined
  /** The end is only what the journal says. */
  remembered: boolean
  /** The transaction that is named with the end. */
  hash: Hex | undefined
  nonce: number | undefined
  /** Where it stands, for the story. */
  words(): string
}

/** An agreement, with the stake of the key that was shown, in whole tokens; what waits may have been unknown. */
export type Agreed = { amount: number; counted: number; stakeToBe: number | undefined; block: number }

/** What kind of candidate was signed. A cancellation pays nothing. */
export type Kind = 'payment' | 'speed-up' | 'cancellation'

/** The program has ended in the middle of what it did: a crash. */
export class Died extends Error {}

/** A durable line of a journal. */
export type Line = {
  readonly type: string
  /** Of the signed bytes in it. */
  readonly hash: Hex | undefined
  /** In the form of whoever wrote it. */
  readonly data: unknown
  /** What a word of the person asked for with it: that the payment leaves, or that nothing of it leaves any more. */
  readonly word?: 'pay' | 'cancel' | undefined
}

/** What a word asks for that is written down with an event; undefined where no word was typed. */
export function wordIn(event: PaymentBody): Line['word'] {
  if (event.type === 'replacing') return event.replacement.kind === 'cancellation' ? 'cancel' : 'pay'
  return event.type === 'agreed' || event.type === 'sending-again' ? 'pay' : undefined
}

/** What one instance of the program has of the world. Everything that it does to the world goes through here. */
export type Host = {
  readonly chain: Chain
  readonly endpoints: readonly [Endpoint, Endpoint]
  readonly kind: 'first' | 'top-up'
  readonly signedBy: SignedBy
  /** What the key is to get, in whole tokens. */
  readonly amount: number
  readonly startedAtMs: number
  /** Locks of the computer: name to the instance that holds it. */
  readonly locks: Map<string, object>
  /** The journal so far. */
  lines(): readonly Line[]
  /** Makes a line durable. Throws `Died` where the program ends before or after it. */
  append(line: Line): void
  /** Gives bytes to an endpoint. Throws `Died` where the program ends once they have left. */
  give(at: 0 | 1, hash: Hex): Pooled | 'refused'
  /** A signature was made; the transaction is known from now on. */
  signed(tx: Tx, kind: Kind): void
  /** The person agreed to what was shown. */
  agreed(agreed: Agreed): void
  /** What is to be signed or carried out elsewhere is on the screen. */
  exported(tx: Tx, kind: Kind): void
  /** An endpoint was asked for the payment. */
  asked(): void
  /** It was read anew whether the agreement still fits. */
  looked(): void
}

/** What is shown; a call of a contract account (`isCall`) is no transaction of its own. */
type Shown = { unsigned: UnsignedTransaction; kind: Kind; isCall: boolean }

/** One running instance. It does something only when it is told to: every call returns once nothing moves any more. */
export type Program = {
  offers(): readonly Offer[]
  press(offer: Offer): void | Promise<void>
  /** The time is now; a slot has passed. */
  slot(nowMs: number): void | Promise<void>
  told(): Told
  /** What is shown to be signed elsewhere, or carried out by the owner of a contract account. */
  shown(): Shown | undefined
  /** The first nonce that must be used by hand before the payment can happen, where the program says so. */
  gapFrom(): number | undefined
  /** It is left, or has died: nothing of it goes on. */
  end(): void
  /** Keeps this moment; what it returns brings it back. Of programs in which nothing waits. */
  keep?(): () => void
}

/** A way to run the program: today's, or another one. */
export type Adapter = {
  readonly name: string
  /** Starts with what is in the journal. */
  start(host: Host): Program | Promise<Program>
  /** Signs what is shown elsewhere, as the wallet of the person does; a call stays one without a hash of its own. */
  sign(shown: Shown, chain: Chain): Tx | Promise<Tx>
}
