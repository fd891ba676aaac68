import type { Hex } from '../core/base/format/hex.ts'
import type { SetSnapshot } from '../core/chain/consensus/snapshot.ts'
import type { Setup } from '../core/chain/facts.ts'
import { COMMITMENT_TEXT, commitmentsFor, type Kept } from '../core/pay/gate/commitments.ts'
import type { StepId } from '../core/view/view.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'

/** Returns a row of what is committed for a validator, by what the journals here hold and a set; none where nothing is. */
export function openRows(
  kept: Kept,
  { pubkey, set, step, network }: Pick<Setup, 'network'> & { pubkey: Hex; set?: SetSnapshot; step: StepId },
): ReportRow[] {
  const found = commitmentsFor(kept, { pubkey, set })
  if (found.length === 0) return []
  const isUnread = found.some((one) => one.is === 'unread' || ('stand' in one && one.stand === 'unreadable'))
  // A signature for a key of which a payment is open would make a second one.
  const isPaid = step === 'sign' && found.some(({ is }) => is === 'payment' || is === 'cancellation')
  const known = isPaid ? 'refused' : 'given'
  return [
    {
      step,
      id: 'open',
      label: ROWS_TEXT.open,
      mark: isUnread ? 'unknown' : known,
      value: found.map((one) => COMMITMENT_TEXT.say(one, network)).join('; '),
      source: COMMITMENT_TEXT.source,
    },
  ]
}
