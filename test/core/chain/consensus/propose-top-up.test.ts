import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { forecast } from '../../../../src/core/chain/consensus/forecast.ts'
import { applyDeposits } from '../../../../src/core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import {
  proposeTopUp,
  type TopUpProposal,
  type TopUpQuestion,
  topUpAfterEntry,
} from '../../../../src/core/chain/consensus/propose-top-up.ts'
import type { ConsensusState } from '../../../../src/core/chain/consensus/state.ts'
import { address, blockAt, credentials, genesisOf, pubkey, shortSpec } from './model.ts'

const spec = shortSpec()

function propose(state: ConsensusState, own: number, changes: Partial<TopUpQuestion> = {}): TopUpProposal {
  return proposeTopUp({
    state,
    spec,
    fulu: true,
    pubkey: pubkey(own),
    currentSlot: state.slot,
    minimumDepositGwei: tokens(10_000n),
    ...changes,
  })
}

const amountOf = (proposal: TopUpProposal): bigint | string =>
  'impossible' in proposal ? proposal.impossible : proposal.addGwei / tokens(1n)

describe('the proposed top-up', () => {
  test('is the rest to the threshold where a place is free', () => {
    expect(amountOf(propose(genesisOf([300_000n, 300_000n, 10_000n], spec), 3))).toBe(240_000n)
  })

  test('passes the weakest of a full set by one increment, ties counted as lost', () => {
    const state = genesisOf([300_000n, 270_000n, 260_000n, 10_000n], spec)
    const proposal = propose(state, 4)
    expect(amountOf(proposal)).toBe(260_000n)
    expect(proposal).toMatchObject({ forecast: { rank: 2, marginGwei: tokens(10_000n) } })
  })

  test('keeps a wider margin when asked', () => {
    const state = genesisOf([300_000n, 270_000n, 260_000n, 10_000n], spec)
    expect(amountOf(propose(state, 4, { marginGwei: tokens(35_000n) }))).toBe(290_000n)
    expect(amountOf(propose(state, 4, { marginGwei: 0n }))).toBe(260_000n)
  })

  test('counts a queued rival', () => {
    const genesis = genesisOf([300_000n, 300_000n, 10_000n, 10_000n], spec)
    const rival = {
      pubkey: pubkey(4),
      withdrawalCredentials: genesis.validators[3]?.withdrawalCredentials ?? '0x',
      amountGwei: tokens(250_000n),
      signatureValid: false,
    }
    const state = processSlot(genesis, spec, blockAt(1n, { deposits: [rival] })).state
    expect(amountOf(propose(state, 3))).toBe(260_000n)
  })

  test('is nothing when the place is safe as it is', () => {
    expect(amountOf(propose(genesisOf([300_000n, 250_000n], spec), 2))).toBe(0n)
  })

  test('overcomes the older hysteresis that one increment would not', () => {
    const state = genesisOf([300_000n, 240_000n], spec)
    expect(amountOf(propose(state, 2, { fulu: false }))).toBe(20_000n)
    expect(amountOf(propose(state, 2, { fulu: true }))).toBe(10_000n)
  })

  test('is never less than one call may carry', () => {
    const state = genesisOf([300_000n, 240_000n], spec)
    expect(amountOf(propose(state, 2, { minimumDepositGwei: tokens(25_000n) }))).toBe(30_000n)
  })
})

describe('no top-up', () => {
  test('for a pubkey that the state does not hold', () => {
    expect(amountOf(propose(genesisOf([300_000n], spec), 9))).toBe('not-in-state')
  })

  test('for a validator that leaves', () => {
    const leave = { sourceAddress: address(1), pubkey: pubkey(1), amountGwei: 0n }
    const state = processSlot(
      genesisOf([300_000n], spec),
      spec,
      blockAt(1n, { withdrawalRequests: [leave] }),
    ).state
    expect(amountOf(propose(state, 1))).toBe('leaving')
  })

  test('where every place is at the maximum', () => {
    const state = genesisOf([10_000_000n, 10_000_000n, 10_000_000n, 10_000n], spec)
    expect(amountOf(propose(state, 4))).toBe('place-out-of-reach')
  })

  test('where less room is left than one call needs', () => {
    const full = genesisOf([300_000n, 300_000n, 300_000n, 240_000n], spec)
    const balancesGwei = full.balancesGwei.with(3, tokens(9_995_000n))
    expect(amountOf(propose({ ...full, balancesGwei }, 4, { marginGwei: tokens(9_900_000n) }))).toBe(
      'no-room',
    )
  })

  test('with a negative margin', () => {
    expect(() => propose(genesisOf([300_000n, 10_000n], spec), 2, { marginGwei: -1n })).toThrow(
      expect.objectContaining({ code: 'consensus.amount' }),
    )
  })
})

describe('for any set', () => {
  test('it wins with the margin, no smaller one does, and nothing is swept back', () => {
    const stake = fc.bigInt({ min: 245n, max: 280n })
    const first = fc.constantFrom(10_000n, 13_333n, 240_000n, 249_999n)
    fc.assert(
      fc.property(fc.array(stake, { maxLength: 5 }), first, fc.boolean(), (others, own, fulu) => {
        const state = genesisOf([...others.map((thousand) => thousand * 1_000n), own], spec)
        const number = others.length + 1
        const proposal = propose(state, number, { fulu })
        if ('impossible' in proposal) throw new Error(proposal.impossible)
        const { addGwei } = proposal
        const judge = (amountGwei: bigint): boolean => {
          const question = { state, spec, fulu, pubkey: pubkey(number), currentSlot: 0n, addGwei: amountGwei }
          const ahead = forecast(question)
          const overCutGwei = ahead.marginGwei ?? tokens(10_000n)
          return ahead.keepsPlace && overCutGwei >= tokens(10_000n)
        }
        expect(judge(addGwei)).toBe(true)
        expect(addGwei % tokens(10_000n)).toBe(0n)
        expect(tokens(own) + addGwei <= tokens(10_000_000n)).toBe(true)
        for (let less = 0n; less < addGwei; less += tokens(10_000n)) expect(judge(less)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  test('before the first deposit it is what it will be once that is counted', () => {
    const stake = fc.bigInt({ min: 245n, max: 280n })
    const first = fc.constantFrom(10_000n, 13_333n, 250_000n)
    fc.assert(
      fc.property(fc.array(stake, { maxLength: 5 }), first, fc.boolean(), (others, own, fulu) => {
        const genesis = genesisOf(
          others.map((thousand) => thousand * 1_000n),
          spec,
        )
        const number = others.length + 1
        const deposit = {
          pubkey: pubkey(number),
          withdrawalCredentials: credentials(number),
          amountGwei: tokens(own),
        }
        const entry = { state: genesis, spec, fulu, ...deposit, currentSlot: 0n, uncounted: [] }
        const before = topUpAfterEntry({ ...entry, minimumDepositGwei: tokens(10_000n) })
        const counted = applyDeposits(genesis, [{ ...deposit, signatureValid: true }], spec)
        expect(amountOf(before)).toBe(amountOf(propose(counted, number, { fulu })))
      }),
      { numRuns: 60 },
    )
  })
})

describe('the least in steps', () => {
  const keeps = (amountGwei: bigint, fulu: boolean): boolean => {
    const state = genesisOf([300_000n, 240_000n], spec)
    const about = { state, spec, fulu, pubkey: pubkey(2), currentSlot: state.slot, uncounted: [] }
    return forecast({ ...about, addGwei: amountGwei }).keepsPlace
  }

  test('is the very least from Fulu on, where the balance is a whole step', () => {
    expect(keeps(tokens(10_000n), true)).toBe(true)
    expect(keeps(tokens(10_000n) - 1n, true)).toBe(false)
  })

  test('is more than the very least before Fulu: 12,500 and one gwei lift the effective balance too', () => {
    expect(keeps(tokens(20_000n), false)).toBe(true)
    expect(keeps(tokens(12_500n) + 1n, false)).toBe(true)
    expect(keeps(tokens(12_500n), false)).toBe(false)
  })
})
