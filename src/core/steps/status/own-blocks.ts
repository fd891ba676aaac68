/** Blocks of one validator that were found by looking at one slot after the other. */
type Looked = { isWhole: boolean; first: bigint | undefined; last: bigint | undefined }

/** Own blocks that were seen from here, in this run or in one before. */
export type OwnBlocks = {
  /** `isFirst`: no slot before it was left out, so that it is the first of all. */
  first: { slot: bigint; isFirst: boolean } | undefined
  last: bigint | undefined
  /** Whether every slot since the engine counts the validator has been looked at in this run. */
  isWhole: boolean
}

/** What this run has seen on top of what runs before it have; nothing of theirs that cannot be. */
export function withEarlier(
  live: Looked,
  earlier: OwnBlocks | undefined,
  range: { from: bigint; to: bigint },
): OwnBlocks {
  const fits = (slot: bigint | undefined) => slot !== undefined && slot >= range.from && slot <= range.to
  const before = fits(earlier?.first?.slot) ? earlier : undefined
  const own = live.first === undefined ? undefined : { slot: live.first, isFirst: live.isWhole }
  const lastBefore = fits(before?.last) ? before?.last : before?.first?.slot
  const first = own?.isFirst === true ? own : (before?.first ?? own)
  return { first, last: live.last ?? lastBefore, isWhole: live.isWhole }
}
