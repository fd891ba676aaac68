import { walletError } from '../../base/errors/wallet.ts'
import type { Hex } from '../../base/format/hex.ts'
import { finalNonceOf } from './chain-commands.ts'
import { type AccountNonce, COMMITMENT_TEXT, nonceFaultBesideGuards, otherWindowOf } from './commitments.ts'
import { type Following, sourcesOf } from './following.ts'

type Asking = Parameters<typeof sourcesOf>[0]['context']

const clientsIn = (context: Asking) => sourcesOf({ context }).map(({ client }) => client)

/**
 * The nonce that a new payment takes beside the guards of its account: theirs, so that only one of the two can happen.
 * Until that is used in a block that is final at every endpoint, no other is taken: throws a `wallet.*` error.
 */
export async function nonceBesideGuards(
  context: Following['context'],
  nonce: number,
  from: Hex,
): Promise<number> {
  const kept = await context.kept()
  // The lock decides after the word; what is known before is said before.
  const window = otherWindowOf(kept, from)
  if (window !== undefined) throw walletError('wallet.in-use', { heldBy: COMMITMENT_TEXT.held(window) })
  if (nonceFaultBesideGuards(kept, { from, nonce }, undefined) === undefined) return nonce
  const fault = nonceFaultBesideGuards(kept, { from, nonce }, await finalNonceOf(clientsIn(context), from))
  if (fault === undefined) return nonce
  throw walletError('wallet.gate-closed', {
    nonceFault: COMMITMENT_TEXT.nonce[fault.is](nonce, fault.guard.nonce),
  })
}

/** Whether a nonce is used in a block that every endpoint calls final; not where one of them is silent. */
export async function isUsedForGood(context: Asking, { from, nonce }: AccountNonce): Promise<boolean> {
  const final = await finalNonceOf(clientsIn(context), from)
  return final !== undefined && final > nonce
}
