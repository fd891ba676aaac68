import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { Forecast } from '../../chain/consensus/forecast.ts'
import { isFulu } from '../../chain/consensus/fork-outlook.ts'
import { rankTable } from '../../chain/consensus/placing.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { Setup } from '../../chain/facts.ts'
import type { RankRow } from '../../view/view.ts'
import { TOPUP_TEXT as TEXT } from './text.ts'

const AROUND = 3

/** The rows of the rank table around the validator's place and around the last place, with the validator at its forecast stake. */
export function ranksAround(
  snapshot: SetSnapshot,
  pubkey: Hex,
  forecast: Forecast,
  { network }: Setup,
): RankRow[] {
  const { spec } = network
  const fulu = isFulu(spec, snapshot.timestampSeconds)
  const epoch = forecast.rankEpoch ?? snapshot.consensus.slot / spec.slotsPerEpoch + 1n
  const table = rankTable(snapshot.consensus, spec, { epoch, fulu })
  const others = table.rows.filter((row) => row.pubkey !== pubkey.toLowerCase())
  const mine = { pubkey, stakeGwei: forecast.effectiveAfterGwei }
  const place = others.findIndex((row) => row.stakeGwei < mine.stakeGwei || tiesBelow(row, mine))
  const at = place === -1 ? others.length : place
  const rows = [...others.slice(0, at), mine, ...others.slice(at)]
  return rows
    .map((row, index) => ({
      rank: index + 1,
      stakeGwei: row.stakeGwei,
      mine: index === at,
      hasPlace: index < table.places,
      note: TEXT.note(index + 1, table.places, index === at),
    }))
    .filter((row) => Math.abs(row.rank - 1 - at) <= AROUND || Math.abs(row.rank - table.places) <= 1)
}

function tiesBelow(row: { pubkey: Hex; stakeGwei: Gwei }, mine: { pubkey: Hex; stakeGwei: Gwei }): boolean {
  return row.stakeGwei === mine.stakeGwei && row.pubkey < mine.pubkey.toLowerCase()
}
