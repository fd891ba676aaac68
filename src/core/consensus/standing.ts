import { type Hex, sameHex } from '../format/hex.ts'
import type { RankTable, Rung } from './rank-table.ts'

/** Where one validator stands on a ladder. */
export type Standing = {
  epoch: bigint
  rank: number
  seats: number
  stakeGwei: bigint
  /** Holder of the last seat, possibly the validator itself; undefined while a seat is free. */
  lastSeat: Rung | undefined
  /** The strongest of the others that must be passed; undefined while seats suffice for all. */
  cut: Rung | undefined
  /** Own stake above the cut; zero is a tie and counts as lost. Undefined without a cut. */
  marginGwei: bigint | undefined
  /** The least that others must add to take the seat, ties counted against it. */
  unseatedByGwei: bigint
}

/** The standing of a validator on a ladder, undefined when it is not on it. */
export function standing(table: RankTable, pubkey: Hex): Standing | undefined {
  const own = table.rungs.find((rung) => sameHex(rung.pubkey, pubkey))
  if (own === undefined) return undefined
  const others = table.rungs.filter((rung) => rung !== own)
  const cut = others[table.seats - 1]
  return {
    epoch: table.epoch,
    rank: own.rank,
    seats: table.seats,
    stakeGwei: own.stakeGwei,
    lastSeat: table.rungs[table.seats - 1],
    cut,
    marginGwei: cut === undefined ? undefined : own.stakeGwei - cut.stakeGwei,
    unseatedByGwei: unseatedBy(own.stakeGwei, others, table.seats),
  }
}

/** The cheapest way to have `seats` others at or above a stake: lift the nearest ones, then bring new ones. */
function unseatedBy(stakeGwei: bigint, others: readonly Rung[], seats: number): bigint {
  let sumGwei = 0n
  for (let place = 0; place < seats; place += 1) {
    const missingGwei = stakeGwei - (others[place]?.stakeGwei ?? 0n)
    if (missingGwei > 0n) sumGwei += missingGwei
  }
  return sumGwei
}
