import type { Hex } from '../../base/format/hex.ts'
import type { UnreadFile } from '../../observe/picture.ts'
import type { AccountNonce, WithKept } from '../gate/commitments.ts'
import type { PaymentBody } from '../payment/payment.ts'
import type { GuardEvent, GuardState } from './guard.ts'
import type { GuardTerms, SignedMember } from './terms.ts'

/**
 * A guard of this network as its files tell. Without a state its journal can't be read, or holds no terms: the nonce is held all
 * the same, and the guard may be of any validator. `unread`: the file that is at fault, its signed bytes where there is a state.
 */
export type KnownGuard = AccountNonce & { path: string } & GuardFiles

/**
 * What the files of a guard tell. `heldBy`: who has what can't be read open all the same, and goes on with what it read before.
 * `isUnfinished`: its journal is sound and ends before the terms, as where arming was cut off. `named`: the validators in it.
 */
export type GuardFiles =
  | (ReadGuard & { unread?: undefined })
  | (ReadGuard & { unread: UnreadFile; heldBy?: string })
  | { state: undefined; unread: UnreadFile; heldBy?: string; isUnfinished?: true; named: readonly Hex[] }

/**
 * A guard by its journal. `writtenMs`: when the last line was written, by the clock of this computer; it decides what is told,
 * and nothing else.
 */
type ReadGuard = { state: GuardState; writtenMs?: number }

/** A guard that this process holds alone. */
export type HeldGuard = {
  state(): GuardState
  /** Its members with their bytes, compared with the terms when they were read; none while they are only exported. */
  members: readonly SignedMember[]
  /** Records an event and applies it. It is on the disk when this resolves; when it rejects, it never happened. */
  record(event: GuardEvent): Promise<void>
  /** Applies what need not be on the disk. */
  note(body: PaymentBody): void
  /** Whether its owner has asked whoever holds it to void it. Throws a `file.*` error where that can't be read. */
  isVoidAsked(): Promise<boolean>
  close(): Promise<void>
}

/** Where guards are kept. */
export type GuardBook = {
  /**
   * The guards of this network here with their signed bytes compared. They are only read, without their locks. One that can't be
   * read is among them. Throws a `file.*` error for the directory.
   */
  here(): Promise<readonly KnownGuard[]>
  /** Writes down what an external signer is asked to sign: from now on its nonce is held. */
  exportTerms(terms: GuardTerms): Promise<void>
  /** Keeps the signed members of a guard, compared with its terms: bytes first, then the line that arms it. */
  arm(terms: GuardTerms, raws: readonly Hex[]): Promise<void>
  /**
   * Takes the journal of a guard, the paying account and the validator for this process. `heldBy` says who holds the guard;
   * `barredBy` who has the account or the validator while nobody holds it. Throws a `JournalError`, a `file.*` error or a
   * `wallet.*` for bytes that are not those of the terms.
   */
  open(guard: AccountNonce): Promise<HeldGuard | { heldBy: string } | { barredBy: string }>
  /** Asks whoever holds a guard to void it, for good: the next one that holds it does. `cancellation`: its hash. */
  askToVoid(guard: AccountNonce, cancellation: Hex): Promise<void>
  /** Writes down how a guard ended of which nothing was sent. One that another process has open is left to that one. */
  end(guard: AccountNonce, how: 'void' | 'given-up'): Promise<void>
  /** Who holds a guard that is here, by the lock of its journal alone: it is free again when this resolves. Throws as `open`. */
  holderOf(guard: AccountNonce): Promise<'nobody' | { heldBy: string }>
}

/** What commands that pay or guard are given beside their context: the guards here; undefined before the chain is proven. */
export type WithGuards = WithKept & { guards(): GuardBook | undefined }
