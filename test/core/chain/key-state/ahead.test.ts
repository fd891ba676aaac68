import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { outlook } from '../../../../src/core/chain/consensus/outlook.ts'
import { questionOf, type SetSnapshot } from '../../../../src/core/chain/consensus/snapshot.ts'
import { aheadOf } from '../../../../src/core/chain/key-state/ahead.ts'
import { MINE, provenSet, SLOT, setup, VALIDATORS } from '../../../support/guard-world.ts'

const { network } = setup
const outlookOf = (snapshot: SetSnapshot) =>
  outlook({
    ...questionOf(snapshot, network.spec),
    pubkey: MINE,
    minimumDepositGwei: network.minimumDepositGwei,
  })
/** The same set, so many slots later. */
const later = (snapshot: SetSnapshot, slots: bigint): SetSnapshot => ({
  ...snapshot,
  consensus: { ...snapshot.consensus, slot: snapshot.consensus.slot + slots },
})

describe('what the rules make of a set', () => {
  test('is the outlook of the model, with the tightest place and what one deposit lifts', () => {
    const snapshot = provenSet()
    const ahead = aheadOf(snapshot, MINE, setup)
    expect(ahead).toMatchObject(outlookOf(snapshot))
    expect(ahead.rescue).toBeDefined()
    expect(ahead.oneDepositGwei).toBe(tokens(10_000n))
    const kept = provenSet({ validators: VALIDATORS.slice(0, 3) })
    expect(aheadOf(kept, MINE, setup)).toMatchObject({ ...outlookOf(kept), place: { rank: 3 } })
  })

  test('is kept for the epoch of a set that keeps the place', () => {
    const kept = provenSet({ validators: VALIDATORS.slice(0, 3) })
    const ahead = aheadOf(kept, MINE, setup)
    expect(ahead.rescue).toBeUndefined()
    expect(aheadOf(later(kept, 5n), MINE, setup)).toBe(ahead)
    expect(aheadOf(later(kept, network.spec.slotsPerEpoch), MINE, setup)).not.toBe(ahead)
  })

  test('is kept for its slot where the place is in danger: the deadline comes nearer', () => {
    const snapshot = provenSet({ slot: SLOT })
    const ahead = aheadOf(snapshot, MINE, setup)
    expect(aheadOf(later(snapshot, 0n), MINE, setup)).toBe(ahead)
    const next = later(snapshot, 1n)
    expect(aheadOf(next, MINE, setup)).not.toBe(ahead)
    expect(aheadOf(next, MINE, setup)).toMatchObject(outlookOf(next))
  })

  test('is made anew once other deposits wait', () => {
    const snapshot = provenSet()
    const ahead = aheadOf(snapshot, MINE, setup)
    const deposit = {
      blockSlot: SLOT,
      index: 0n,
      transactionHash: `0x${'01'.repeat(32)}`,
      pubkey: MINE,
      withdrawalCredentials: '0x',
      amountGwei: tokens(40_000n),
      signatureValid: true,
    } as const
    const added = { ...snapshot, uncounted: [deposit] }
    expect(aheadOf(added, MINE, setup)).not.toBe(ahead)
    expect(aheadOf(added, MINE, setup)).toMatchObject(outlookOf(added))
  })
})
