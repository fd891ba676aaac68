import { formatCount } from '../../base/format/amount.ts'

/** What the final checks of this step find. */
export const TOPUP_CHECKS_TEXT = {
  notProven: 'the registration is not proven',
  behind: 'the second endpoint is behind: it knows no operator of the key yet',
  beforeAgreed: (block: bigint) =>
    `an endpoint is behind: it does not show block ${formatCount(block)}, which you agreed after`,
  secondAgrees: 'same chain, same operator',
  recordNotProven: (why: string) => `not proven: ${why}`,
  absent: 'the chain does not know the key: a top-up would be burnt',
  pool: 'a staking pool’s validator: a direct deposit would be a gift',
  holds: (slot: bigint) => `proven, not leaving, slot ${formatCount(slot)}`,
  noAmount: 'no amount',
  noPlace: 'the proven set has no place for this amount',
  noSet: 'the set is not known yet',
  reported: (held: string) => `${held}; the set is reported (not proven)`,
  losesPlace: 'this amount keeps no place in the proven set',
  asTopUp: 'a top-up of your own key',
  otherCalldata: 'the calldata is not a top-up of your key',
}
