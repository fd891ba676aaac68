import type { ChainSpec } from '../network/chain-spec.ts'

/** The effective balance of a fresh balance: whole increments, at most the maximum (gwei). */
export function floorEffectiveBalance(balanceGwei: bigint, spec: ChainSpec): bigint {
  const floored = balanceGwei - (balanceGwei % spec.effectiveBalanceIncrementGwei)
  return floored < spec.maxEffectiveBalanceGwei ? floored : spec.maxEffectiveBalanceGwei
}

/**
 * The effective balance after an epoch turn, in gwei: unchanged inside the hysteresis band of the fork, else the
 * floored balance.
 */
export function nextEffectiveBalance(
  current: { effectiveBalanceGwei: bigint; balanceGwei: bigint },
  spec: ChainSpec,
  options: { fulu: boolean },
): bigint {
  const { effectiveBalanceGwei, balanceGwei } = current
  const { downGwei, upGwei } = hysteresisBand(spec, options)
  const inside =
    balanceGwei + downGwei >= effectiveBalanceGwei && effectiveBalanceGwei + upGwei >= balanceGwei
  return inside ? effectiveBalanceGwei : floorEffectiveBalance(balanceGwei, spec)
}

/** How far a balance may leave its effective balance without moving it, in gwei, under a fork's rules. */
export function hysteresisBand(
  spec: ChainSpec,
  options: { fulu: boolean },
): { downGwei: bigint; upGwei: bigint } {
  const quotient = options.fulu ? spec.hysteresisQuotientFulu : spec.hysteresisQuotient
  const upward = options.fulu ? spec.hysteresisUpwardMultiplierFulu : spec.hysteresisUpwardMultiplier
  const stepGwei = spec.effectiveBalanceIncrementGwei / quotient
  return { downGwei: stepGwei * spec.hysteresisDownwardMultiplier, upGwei: stepGwei * upward }
}
