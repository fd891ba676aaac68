import { formatGwei, formatWei } from '../../base/format/amount.ts'
import type { FactRow, Verdict } from '../../view/view.ts'
import type { Desk } from './desk.ts'
import type { OfferChange, OfferGap } from './offer.ts'
import { DESK_TEXT as TEXT } from './text.ts'

/** Rows of the frame that was read: they name its checks. */
type Rows = readonly Pick<FactRow, 'id' | 'label'>[]

/** Describes what changed since the offer was opened, each in a few words; undefined while nothing did. */
export function changesOf({ stand, opened }: Desk<unknown>, rows: Rows): string[] | undefined {
  const { token } = opened
  return stand.is === 'other' ? stand.changes.map((change) => changeSaid(change, { rows, token })) : undefined
}

/** Lists what is unknown now, which keeps Enter from doing anything; undefined while everything is known. */
export function gapsOf({ stand }: Desk<unknown>, rows: Rows): string[] | undefined {
  return stand.is === 'open' && stand.unknown.length > 0
    ? stand.unknown.map((gap) => gapSaid(gap, rows))
    : undefined
}

/** Returns the verdict that replaces the one that was read, while the offer changed or is unknown; else undefined. */
export function deskVerdict({ stand }: Desk<unknown>): Verdict | undefined {
  if (stand.is === 'other') return { mark: 'refused', text: TEXT.verdict.other }
  return stand.is === 'open' && stand.unknown.length > 0
    ? { mark: 'unknown', text: TEXT.verdict.unknown }
    : undefined
}

function changeSaid(change: OfferChange, { rows, token }: { rows: Rows; token: string }): string {
  switch (change.id) {
    case 'deposits': {
      const amounts = change.deposits.flatMap(({ amountGwei }) => amountGwei ?? [])
      if (amounts.length < change.deposits.length) return TEXT.otherDeposit
      return TEXT.deposits(`${formatGwei(amounts.reduce((sum, each) => sum + each, 0n))} ${token}`)
    }
    case 'check':
      return TEXT.check(labelOf(change.check, rows))
    case 'fee':
      return TEXT.fee(`${formatWei(change.isWei)} ${token}`, formatWei(change.wasWei))
    case 'stake':
      return TEXT.stake(`${formatGwei(change.isGwei)} ${token}`, formatGwei(change.wasGwei))
    case 'outcome':
      return TEXT.outcome[change.outcome]
    default:
      return TEXT.changes[change.id]
  }
}

const gapSaid = (gap: OfferGap, rows: Rows): string =>
  gap.id === 'check' ? labelOf(gap.check, rows) : TEXT.gaps[gap.id]

function labelOf(check: string, rows: Rows): string {
  const own: Readonly<Record<string, string>> = TEXT.checks
  return rows.find(({ id }) => id === check)?.label ?? own[check] ?? check
}
