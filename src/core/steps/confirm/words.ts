import type { Facts } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { sameHex } from '../../format/hex.ts'
import { awaitedOf, chainSentence, type NodeDoubt } from '../../network/node-doubt.ts'
import { known } from '../observation.ts'
import type { Waiting } from '../view.ts'
import type { ConfirmState } from './machine.ts'

/** What has left the wallet, and whether only the journal says so. */
export function leftWords({ deposit }: Facts, token: string): string {
  if (deposit === undefined) return `0 ${token}`
  const left = `${formatWei(deposit.valueWei)} ${token}`
  return deposit.remembered === true ? `${left}, as remembered, block ${deposit.blockNumber}` : left
}

/** What is waited for first: the node, where what it says is not of now. */
export function waitingOf(
  doubt: NodeDoubt | undefined,
  { label, sinceMs }: { label: string; sinceMs: number },
): Waiting {
  return doubt === undefined ? { label, sinceMs } : awaitedOf(doubt)
}

/** What is the matter with a node that is silent or stands still, and what to do. */
export function doubtNotes({ doubt }: ConfirmState): string[] {
  if (doubt === undefined) return []
  const { is, slot, beside } = doubt
  const node = is === 'silent' ? 'Your node does not answer.' : `Your node stands still at slot ${slot}.`
  const act = is === 'silent' ? 'Start it again' : 'Restart it'
  return [`${node} ${chainSentence(beside)} ${act}; waiting loses nothing.`]
}

/** Once the chain holds what was signed, by the proof of its own endpoint, the deposit was not refused. */
export function worstWords({ seen }: ConfirmState): string {
  const proofs = known(seen.proofs)
  const anchor = known(seen.anchor)
  const held = proofs?.good === true && anchor?.good === true && sameHex(anchor.blockRoot, proofs.blockRoot)
  return held
    ? 'worst case: the endpoints that were asked invented this proof.'
    : 'worst case: the chain refused the deposit and it is lost. Nothing you do here changes that.'
}

/** The note where an end was remembered and is not so. */
export function lostNotes({ deposit, validator }: Facts): string[] {
  return deposit === undefined && validator?.origin !== 'adopted'
    ? ['The chain does not say that the first deposit is final. Esc goes back to the step that looks for it.']
    : []
}
