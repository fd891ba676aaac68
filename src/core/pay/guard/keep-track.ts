import { BaseError, isError } from '../../base/errors/base.ts'
import { unreadFile } from '../../base/errors/journal.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { ownRecord } from '../../chain/key-state/own.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import { isUsedForGood } from '../gate/nonce-commands.ts'
import type { GuardBook, KnownGuard } from './book.ts'
import { phaseOf } from './guard.ts'
import { type HoldInput, holdGuard } from './hold-track.ts'
import { hasLeft } from './judged.ts'
import type { GuardPicture } from './picture.ts'
import { guardFor, lastGuard, toldGuard, toldKnown } from './standing.ts'

type KeepInput = {
  context: HoldInput['context'] & { book: GuardBook }
  pubkey: Hex
  /** All validators whose guards are held or looked for, where there are others. */
  asked?: readonly Hex[]
  /** Told whenever something of it is known anew; undefined while the validator has no guard. */
  tell(guard: GuardStanding | undefined): Promise<void>
}

/**
 * Holds the guard of a validator until its nonce is used for good; resolves at once where there is none or it is over, where
 * it is only exported, or where another process holds it. One that can't be read, or whose bytes are not those of its terms, is told as
 * unreadable.
 */
export async function holdOrWait({ context, pubkey, asked, tell }: KeepInput): Promise<void> {
  const { book } = context
  const guards = await book.here()
  const found = guardFor(guards, pubkey, asked)
  if (found === undefined) return tell(lastGuard(guards, pubkey))
  const lying = toldKnown(found, pubkey, 'nobody')
  if (found.unread !== undefined) return tell(lying)
  if (lying.stand === 'exported') {
    await voidIfUsed(context, book, found)
    const after = (await book.here()).find(({ from, nonce }) => from === found.from && nonce === found.nonce)
    return tell(after === undefined ? lying : toldKnown(after, pubkey, 'nobody'))
  }
  // Where the disk takes nothing, this is what is known of it.
  const held = await opened(book, found, () => tell(lying))
  if ('unread' in held) return tell({ ...lying, stand: 'unreadable', unread: lying.unread ?? held.unread })
  if (!('members' in held)) return tell({ ...lying, holder: held })
  try {
    await tell(toldGuard(held.state(), 'here'))
    await holdGuard({
      context,
      held,
      isTakenBack: () => held.isVoidAsked(),
      tell,
    })
  } finally {
    await held.close()
  }
}

async function opened(book: GuardBook, guard: KnownGuard, tellLying: () => Promise<void>) {
  try {
    return await book.open(guard)
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    if (isError(thrown, 'file')) {
      await tellLying()
      throw thrown
    }
    return { unread: unreadFile(safeText(guard.path), thrown) }
  }
}

/** Writes down that an exported guard is void once its nonce is used for good: nobody holds it who would see that. */
export async function voidIfUsed(
  context: Parameters<typeof isUsedForGood>[0],
  book: GuardBook,
  { from, nonce, state }: Pick<KnownGuard, 'from' | 'nonce' | 'state'>,
): Promise<void> {
  if (state === undefined || phaseOf(state) !== 'exported') return
  if (await isUsedForGood(context, { from, nonce })) await book.end({ from, nonce }, 'void')
}

/** Writes down that the guards of an account are given up whose validators have left by a proven set. */
export async function giveUpLeft(book: GuardBook, { proven, setup }: GuardPicture, from: Hex): Promise<void> {
  if (proven === undefined) return
  for (const { state, ...guard } of await book.here()) {
    if (state === undefined || !sameHex(guard.from, from)) continue
    const own = ownRecord(proven, state.terms.validator.pubkey, setup)
    const isUnsent = phaseOf(state) === 'armed' || phaseOf(state) === 'exported'
    if (isUnsent && hasLeft({ own })) await book.end(guard, 'given-up')
  }
}
