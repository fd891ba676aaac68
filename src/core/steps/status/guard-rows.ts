import { formatGwei } from '../../base/format/amount.ts'
import type { Setup } from '../../chain/facts.ts'
import { GUARD_ROW_TEXT as TEXT, GUARD_TROUBLES_TEXT as TROUBLES } from '../../observe/guard-text.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import type { FactRow, Mark } from '../../view/view.ts'
import type { StatusState } from './machine.ts'

/** The row of the guard, and one for each thing that keeps it from helping; none where there is no guard. */
export function guardRows({ guard }: Pick<StatusState, 'guard'>, setup: Setup): FactRow[] {
  if (guard === undefined) return []
  const { mark, value } = standing(guard, setup)
  const rows: FactRow[] = [{ ...SHAPE, id: 'guard', mark, value }]
  return [
    ...rows,
    ...guard.troubles.map(
      (id): FactRow => ({ ...SHAPE, id: `guard.${id}`, mark: 'refused', value: TROUBLES[id] }),
    ),
  ]
}

const SHAPE = { label: TEXT.label, source: TEXT.source, explain: TEXT.explain, advice: true } as const

function standing(guard: GuardStanding, { network }: Setup): { mark: Mark; value: string } {
  const { stand, holder, capGwei, amountGwei = 0n, untilSeconds } = guard
  const { token } = network.names
  const cap = `${formatGwei(capGwei)} ${token}`
  const amount = `${formatGwei(amountGwei)} ${token}`
  const until = new Date(Number(untilSeconds) * 1000).toISOString().slice(0, 10)
  if (stand === 'over') return { mark: 'given', value: TEXT.over }
  if (stand === 'unreadable') return { mark: 'refused', value: TEXT.unreadable }
  if (stand === 'exported') return { mark: 'unknown', value: TEXT.exported }
  if (typeof holder === 'object') return { mark: 'unknown', value: TEXT.heldElsewhere(holder.heldBy) }
  if (stand === 'handed-over') return { mark: 'asking', value: TEXT.handedOver(amount) }
  if (stand === 'in-block') return { mark: 'asking', value: TEXT.inBlock(amount) }
  if (stand === 'cancelling') return { mark: 'asking', value: TEXT.cancelling }
  if (holder === 'nobody') return { mark: 'refused', value: TEXT.unheld(cap) }
  return { mark: 'proven', value: TEXT.armed(cap, until) }
}
