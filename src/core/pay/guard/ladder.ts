import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import type { Gwei, Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../../chain/network/network.ts'
import { TRANSFER_GAS } from '../payment/candidates.ts'
import { type Fees, MOST_FEE_WEI, MOST_TIP_WEI } from '../wallet/fees.ts'

/** The most rungs of a guard. */
export const MOST_RUNGS = 12
/** The rungs that an external signer is asked for: each is compared by hand there. */
export const RUNGS_OF_EXTERNAL = 3
/** Steps of an eighth between the cancellation and what this program ever offers: one by hand stays possible. */
const STEPS_BELOW_LIMIT = 2

/**
 * The amounts of a guard: each least step up to the cap, or of these as many as are allowed, spread evenly with the cap as
 * the last. undefined for a cap that is no multiple of the step or below what one deposit call takes. In gwei.
 */
export function rungAmounts(
  capGwei: Gwei,
  { spec, minimumDepositGwei }: { spec: ChainSpec; minimumDepositGwei: Gwei },
  most: number = MOST_RUNGS,
): readonly Gwei[] | undefined {
  const stepGwei = spec.effectiveBalanceIncrementGwei
  const least = (minimumDepositGwei + stepGwei - 1n) / stepGwei
  const last = capGwei / stepGwei
  if (capGwei % stepGwei !== 0n || last < least || last < 1n) return undefined
  const first = least > 1n ? least : 1n
  const count = last - first + 1n
  if (count <= BigInt(most))
    return Array.from({ length: Number(count) }, (_, at) => (first + BigInt(at)) * stepGwei)
  const rungs = BigInt(most)
  // Rounded up: the last one is the cap, and no two are equal.
  return Array.from({ length: most }, (_, at) => {
    const place = (BigInt(at + 1) * count + rungs - 1n) / rungs
    return (first - 1n + place) * stepGwei
  })
}

/** What a fee is that an eighth above it is no more than the given one. */
const lowered = (feeWei: Wei): Wei => (feeWei * 8n) / 9n

const STEPS_AT_TOP = Array.from({ length: STEPS_BELOW_LIMIT })

/** The fees of `count` members, the last one of which is the cancellation: laid from the top down, an eighth apart. */
function feesOfMembers(count: number): readonly Fees[] {
  const top = STEPS_AT_TOP.reduce<Fees>(fallen, {
    maxFeePerGasWei: MOST_FEE_WEI,
    maxPriorityFeePerGasWei: MOST_TIP_WEI,
  })
  const fees: Fees[] = []
  for (let fee = top; fees.length < count; fee = fallen(fee)) fees.unshift(fee)
  return fees
}

function fallen({ maxFeePerGasWei, maxPriorityFeePerGasWei }: Fees): Fees {
  return {
    maxFeePerGasWei: lowered(maxFeePerGasWei),
    maxPriorityFeePerGasWei: lowered(maxPriorityFeePerGasWei),
  }
}

type LadderInput = Pick<UnsignedTransaction, 'chainId' | 'nonce' | 'to' | 'data' | 'gasLimit'> & {
  from: Hex
  valuesWei: readonly Wei[]
}

/** Returns the members that have these values and one nonce, with the cancellation as the last. */
export function membersOf({ from, valuesWei, ...call }: LadderInput): readonly {
  kind: 'rung' | 'cancellation'
  transaction: UnsignedTransaction
}[] {
  const fees = feesOfMembers(valuesWei.length + 1)
  return fees.map((fee, at) => {
    const valueWei = valuesWei[at]
    if (valueWei !== undefined) return { kind: 'rung' as const, transaction: { ...call, ...fee, valueWei } }
    const { chainId, nonce } = call
    const empty = { to: from, valueWei: 0n, data: '0x', gasLimit: TRANSFER_GAS } as const
    return { kind: 'cancellation' as const, transaction: { chainId, nonce, ...fee, ...empty } }
  })
}

/** Returns the most that the cancellation of a guard may cost, in wei. */
export const cancellationFeeWei = (): Wei => mostFeeOf(0, 0n)

/** The most fee of a guard with so many rungs, in wei: that of its dearest rung, or of the cancellation where that is more. */
export function mostFeeOf(rungs: number, gasLimit: bigint): Wei {
  return feesOfMembers(rungs + 1)
    .map(({ maxFeePerGasWei }, at) => maxFeePerGasWei * (at === rungs ? TRANSFER_GAS : gasLimit))
    .reduce((most, feeWei) => (feeWei > most ? feeWei : most), 0n)
}
