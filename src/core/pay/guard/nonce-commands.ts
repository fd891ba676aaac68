import { nonceInUse } from '../../base/errors/wallet.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getTransactionCount } from '../../clients/execution/transactions.ts'
import { type Following, sourcesOf } from '../gate/following.ts'
import type { GuardBook, KnownGuard } from './book.ts'
import { phaseOf } from './guard.ts'
import { isFinalEverywhere } from './judged.ts'
import { GUARD_TEXT } from './text.ts'

/**
 * The nonce that a new payment takes beside the guards of its account: theirs, so that only one of the two can happen.
 * Until that is used in a block that is final at every endpoint, no other is taken: throws a `wallet.*` error.
 */
export async function nonceBesideGuards(
  context: Following['context'],
  nonce: number,
  from: Hex,
): Promise<number> {
  const guards = (await context.guards()?.here()) ?? []
  for (const guard of guards.filter((one) => sameHex(one.from, from))) {
    if (nonce === guard.nonce) continue
    if (nonce < guard.nonce) throw nonceInUse(GUARD_TEXT.nonce.below(nonce, guard.nonce))
    if (!(await isUsedForGood(context, guard))) throw nonceInUse(GUARD_TEXT.nonce.above(nonce, guard.nonce))
  }
  return nonce
}

/**
 * Writes down that an exported guard is void once its nonce is used for good: nobody holds it who would see that. One that
 * another process has open is left to that one.
 */
export async function voidIfUsed(
  context: Parameters<typeof isUsedForGood>[0],
  book: GuardBook,
  { from, nonce, state }: Pick<KnownGuard, 'from' | 'nonce' | 'state'>,
): Promise<void> {
  if (state === undefined || phaseOf(state) !== 'exported') return
  if (!(await isUsedForGood(context, { from, nonce }))) return
  const held = await book.open({ from, nonce })
  if (!('members' in held)) return
  try {
    await held.record({ type: 'void' })
  } finally {
    await held.close()
  }
}

/** Whether a nonce is used in a block that every endpoint calls final; not where one of them is silent. */
export async function isUsedForGood(
  context: Parameters<typeof sourcesOf>[0]['context'],
  { from, nonce }: { from: Hex; nonce: number },
): Promise<boolean> {
  const finals = await Promise.all(
    sourcesOf({ context }).map(({ client }) =>
      unlessSilent(getTransactionCount(client, { address: from, block: 'finalized' })),
    ),
  )
  return isFinalEverywhere(finals, nonce)
}
