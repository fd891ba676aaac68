import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { ProvenSnapshot, UncountedDeposit } from '../../src/core/chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../../src/core/chain/consensus/state.ts'
import { EPOCH, MY_PAYOUT, NOW_SECONDS, provenSet, validator } from '../support/guard-world.ts'
import type { Chain } from './chain.ts'
import { PUBKEY } from './txs.ts'

/** Number of the block at which a model begins. */
export const FIRST_BLOCK = 10
/** Stake of the guarded validator beside what the model counts for its key, in whole tokens. */
const BESIDE = 240_000
/** What the rival has at the beginning, in whole tokens: too little by one step. */
export const RIVAL_FIRST = 240_000
const RIVAL: Hex = `0x${'f6'.repeat(48)}`
const NOTHING: Hex = `0x${'00'.repeat(32)}`

/** When the boundary comes at which a place may be lost: epochs of so many slots, and so many blocks from the first one on. */
export type Calendar = { slotsPerEpoch: bigint; blocksToLast: number }

/** What is true of stakes, whoever says what: by the rules of the chain and by no code of the program. Whole tokens. */
export type Stakes = {
  /** Block of the last slot before the boundary: the last that counts. */
  lastBlock: number
  slotOf(block: number): bigint
  secondsOf(block: number): bigint
  mineAt(block: number): number
  rivalAt(block: number): number
  /** Whether the owner had asked to leave by a block. */
  isLeavingAt(block: number): boolean
  /** Whether the place is lost with everything that is in blocks up to one. After the boundary: whether it was. */
  isLostAt(block: number): boolean
  /** The rival stands at so much from the next block on. */
  raise(to: number): void
  /** The owner asks to leave, in the next block. */
  leave(): void
  /** The set that a block proves, with what waits; `rival`: by the word of a node that lies. */
  setAt(block: number, lie?: { rival: number; anchors: number }): ProvenSnapshot
  keep(): () => void
}

const sets = new Map<string, ProvenSnapshot>()

/** Stakes on a chain. A deposit counts in its own block, as from Fulu on. */
export function createStakes(chain: Chain, { slotsPerEpoch, blocksToLast }: Calendar): Stakes {
  const lastSlot = (EPOCH + 1n) * slotsPerEpoch - 1n
  const firstSlot = lastSlot - BigInt(blocksToLast)
  const lastBlock = FIRST_BLOCK + blocksToLast
  let raises: readonly { from: number; stake: number }[] = [{ from: 0, stake: RIVAL_FIRST }]
  let leavesAt: number | undefined

  const slotOf = (block: number) => firstSlot + BigInt(block - FIRST_BLOCK)
  const secondsOf = (block: number) => NOW_SECONDS + BigInt(block - FIRST_BLOCK) * 2n
  const mineAt = (block: number) => BESIDE + chain.stakeToBeAt(block)
  const rivalAt = (block: number) => raises.findLast(({ from }) => from <= block)?.stake ?? 0
  const isLeavingAt = (block: number) => leavesAt !== undefined && leavesAt <= block
  // At equal stake the smaller key goes, which is ours.
  const isLostAt = (block: number) => {
    const at = Math.min(block, lastBlock)
    return rivalAt(at) >= mineAt(at)
  }
  /** The last block before the epoch of a slot: by what was counted then the effective balances stand. */
  const eveOf = (slot: bigint) =>
    Number((slot / slotsPerEpoch) * slotsPerEpoch - 1n - firstSlot) + FIRST_BLOCK

  function setAt(block: number, lie?: { rival: number; anchors: number }): ProvenSnapshot {
    const slot = slotOf(block) - 1n
    const eve = eveOf(slot)
    const rivalAs = (at: number) => lie?.rival ?? rivalAt(at)
    const isOver = block - 1 > lastBlock
    const isLost = isOver && isLostAt(block)
    const told = {
      mine: [mineAt(eve), mineAt(block - 1), mineAt(block)],
      rival: [rivalAs(eve), rivalAs(block - 1), rivalAs(block)],
      anchors: lie?.anchors ?? 2,
      leaves: isLeavingAt(block - 1) ? leavesAt : undefined,
      ends: isOver ? isLost : undefined,
    }
    const key = JSON.stringify([block, `${slotsPerEpoch}`, blocksToLast, told])
    const known = sets.get(key)
    if (known !== undefined) return known
    const made = makeSet(block, slot, told)
    sets.set(key, made)
    return made
  }

  function makeSet(
    block: number,
    slot: bigint,
    told: {
      mine: readonly number[]
      rival: readonly number[]
      anchors: number
      leaves: number | undefined
      ends: boolean | undefined
    },
  ): ProvenSnapshot {
    const gone = { exitEpoch: EPOCH + 1n, withdrawableEpoch: EPOCH + 257n }
    const leaving = told.leaves === undefined ? {} : exitIn(slotOf(told.leaves) / slotsPerEpoch + 1n)
    const own = { ...leaving, ...(told.ends === true ? gone : {}) }
    const queued = { activationEligibilityEpoch: EPOCH, activationEpoch: FAR_FUTURE_EPOCH }
    const theirs = {
      ...queued,
      ...(told.ends === undefined ? {} : { activationEpoch: EPOCH + 1n }),
      ...(told.ends === false && told.leaves === undefined ? gone : {}),
    }
    const validators = [
      validator(`0x${'11'.repeat(48)}`, 400_000n),
      validator(`0x${'22'.repeat(48)}`, 390_000n),
      validator(PUBKEY, BigInt(told.mine[0] ?? 0), { withdrawalCredentials: MY_PAYOUT, ...own }),
      validator(RIVAL, BigInt(told.rival[0] ?? 0), theirs),
    ]
    const waiting = (pubkey: Hex, [, counted = 0, all = 0]: readonly number[], index: bigint) =>
      all > counted ? [waits(pubkey, all - counted, { index, block: slotOf(block) })] : []
    const snapshot = provenSet({
      slot,
      validators,
      anchors: told.anchors,
      uncounted: [...waiting(PUBKEY, told.mine, 0n), ...waiting(RIVAL, told.rival, 1n)],
    })
    const balancesGwei = [400_000, 390_000, told.mine[1] ?? 0, told.rival[1] ?? 0].map((one) =>
      tokens(BigInt(one)),
    )
    const at = { ...snapshot.proof.block, timestampSeconds: secondsOf(block) }
    return {
      ...snapshot,
      consensus: { ...snapshot.consensus, balancesGwei },
      timestampSeconds: secondsOf(block) - 2n,
      proof: { ...snapshot.proof, block: at },
    }
  }

  return {
    lastBlock,
    slotOf,
    secondsOf,
    mineAt,
    rivalAt,
    isLeavingAt,
    isLostAt,
    raise(to) {
      const from = chain.head() + 1
      raises = [...raises.filter((one) => one.from < from), { from, stake: Math.max(to, rivalAt(from)) }]
    },
    leave() {
      leavesAt ??= chain.head() + 1
    },
    setAt,
    keep() {
      const kept = { raises, leavesAt }
      return () => {
        raises = kept.raises
        leavesAt = kept.leavesAt
      }
    },
  }
}

const exitIn = (epoch: bigint): Partial<Validator> => ({ exitEpoch: epoch, withdrawableEpoch: epoch + 256n })

const waits = (
  pubkey: Hex,
  amount: number,
  { index, block }: { index: bigint; block: bigint },
): UncountedDeposit => ({
  index,
  transactionHash: `0x${'77'.repeat(32)}`,
  blockSlot: block,
  pubkey,
  withdrawalCredentials: NOTHING,
  amountGwei: tokens(BigInt(amount)),
  signatureValid: false,
})
