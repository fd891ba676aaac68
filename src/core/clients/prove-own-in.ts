import { findValidatorIndex } from '../consensus/apply-deposits.ts'
import { isFulu } from '../consensus/forks.ts'
import type { Survey } from '../consensus/survey.ts'
import type { Hex } from '../format/hex.ts'
import { type Counted, countByGrowth } from '../key-state/counted.ts'
import { proveOwn } from './prove-own.ts'
import { recentDeposits, uncountedOf } from './recent-deposits.ts'
import type { SurveyClients, SurveyOptions } from './survey-clients.ts'

/** What the last proof of a balance said of the deposits it holds. */
export type OwnBefore = { counted: Counted; fromBlock: bigint }

/**
 * A reported set with one validator's own record proven in it: a node that understates its stake must not have it paid
 * again. The set may be of a slot after the proof; then its word for this one validator stands where it fits the proof,
 * with the deposits that waited. With those that wait now, or may; `before` is what was known of them at the last look. A
 * record that cannot be proven leaves the set as the node reports it. Throws a `ClientError`.
 */
export async function proveOwnIn(
  survey: Survey,
  clients: SurveyClients,
  asked: SurveyOptions & { keep: Hex; before: OwnBefore | undefined },
): Promise<{ survey: Survey; before: OwnBefore | undefined }> {
  const { network, keep: pubkey, clock, before } = asked
  const { validators, balancesGwei, slot: reportedSlot } = survey.consensus
  const place = findValidatorIndex(validators, pubkey)
  if (place === undefined) return { survey, before }
  const own = await proveOwn(clients, { pubkey, pace: { clock, slotMs: network.slotMs } })
  if (!('anchors' in own)) return { survey, before }
  const { block, anchors } = own
  const recent = await recentDeposits(clients, {
    network,
    pubkey,
    block,
    isRegistered: true,
    fromBlock: before?.fromBlock,
  })
  const fulu = isFulu(network.spec, block.timestampSeconds)
  const count = (slot: bigint, balanceGwei: bigint) =>
    countByGrowth(before?.counted, { slot, balanceGwei, fulu }, recent)
  const proven = count(own.slot, own.balanceGwei)
  const reportedGwei = balancesGwei[place] ?? 0n
  const mostGwei = recent.deposits
    .slice(proven.least)
    .reduce((sum, { amountGwei }) => sum + amountGwei, own.balanceGwei)
  const fits = reportedSlot > own.slot && own.balanceGwei <= reportedGwei && reportedGwei <= mostGwei
  const counted = fits ? count(reportedSlot, reportedGwei) : proven
  const waiting = uncountedOf(recent, counted)
  const perhaps = 'unknown' in waiting ? waiting.perhaps : waiting.value
  const consensus = {
    ...survey.consensus,
    validators: validators.with(place, own.validator),
    balancesGwei: balancesGwei.with(place, own.balanceGwei),
  }
  return {
    survey: {
      ...survey,
      ...(fits ? {} : { consensus }),
      // Of the others' deposits nothing is known.
      uncounted: 'unknown' in survey.uncounted ? { ...survey.uncounted, perhaps } : survey.uncounted,
      own: { anchors, block: block.number, uncounted: 'unknown' in waiting ? waiting : waiting.value },
    },
    before: { counted, fromBlock: recent.fromBlock },
  }
}
