import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { SetSnapshot } from '../../../../src/core/chain/consensus/snapshot.ts'
import type { ConsensusState } from '../../../../src/core/chain/consensus/state.ts'
import type { RequestVerdict } from '../../../../src/core/chain/consensus/withdrawal-request.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { fatesOf, type RequestFate } from '../../../../src/core/pay/leave/fates.ts'
import { runsOf } from '../../../support/hard.ts'
import { address, credentials, pubkey } from '../../chain/consensus/model.ts'
import { randomChain, randomSpec, runRandom } from '../../chain/consensus/random-requests.ts'

const network = { ...MAINNET, spec: randomSpec }

const snapshotOf = (consensus: ConsensusState): SetSnapshot => ({
  consensus,
  indexes: consensus.validators.map((_, at) => at),
  timestampSeconds: 0n,
  uncounted: [],
  proof: undefined,
  unproven: undefined,
})

const POSSIBLE: readonly string[] = ['nothing-above', 'part-pending', 'exit-begun']

/** Whether a fate that is told later is that of the moment: what cannot be known any more must say so. */
function agrees(fate: RequestFate, verdict: RequestVerdict): boolean {
  switch (fate.is) {
    case 'exit':
      return verdict.is === 'exit' && verdict.exitEpoch === fate.exitEpoch
    case 'part':
      return (
        verdict.is === 'part' &&
        verdict.amountGwei === fate.amountGwei &&
        verdict.withdrawableEpoch === fate.withdrawableEpoch
      )
    case 'dropped':
      // A key that was not known yet was not active either.
      return verdict.is === 'dropped' && [fate.reason, 'unknown-key'].includes(verdict.reason)
    case 'past':
      return verdict.is === 'part' || (verdict.is === 'dropped' && verdict.reason === 'nothing-above')
    case 'unclear':
      // Whatever a sender who may ask can be told but that the key was not known, or not active.
      return verdict.is !== 'dropped' || POSSIBLE.includes(verdict.reason)
    case 'in-block':
      return true
  }
}

describe('what became of requests, by a later state alone', () => {
  test('is no exit that was taken, where a part may have waited and others had it out at that boundary', () => {
    const request = (amount: bigint) => ({
      pubkey: pubkey(1),
      sourceAddress: address(1),
      amountGwei: tokens(amount),
    })
    const newcomer = {
      pubkey: pubkey(4),
      withdrawalCredentials: credentials(4),
      amountGwei: tokens(260_000n),
      signatureValid: true,
    }
    const blocks = Array.from({ length: 20 }, (_, at) => ({
      withdrawalRequests: [...(at === 0 ? [request(500_000n)] : []), ...(at === 4 ? [request(0n)] : [])],
      deposits: at === 2 ? [newcomer] : [],
    }))
    const { states, judged } = runRandom({ stakes: [260_000n, 260_000n, 260_000n], blocks })
    expect(judged.map(({ verdict }) => verdict)).toMatchObject([
      { is: 'part' },
      { is: 'dropped', reason: 'part-pending' },
    ])
    const [early, late] = [states[8], states.at(-1)]
    if (early === undefined || late === undefined) throw new Error('states of both moments')
    expect(late.validators[0]?.exitEpoch).toBe(2n)
    const made = judged.map((one) => ({ ...one, transactionHash: '0x' as const }))
    const fates = (state: ConsensusState) =>
      fatesOf(made, snapshotOf(state), { network, pubkey: pubkey(1) }).map(({ is }) => is)
    expect(fates(early)).toEqual(['part', 'dropped'])
    expect(fates(late)).toEqual(['past', 'unclear'])
    // What the record shows of the exit is told all the same.
    const [, exit] = fatesOf(made, snapshotOf(late), { network, pubkey: pubkey(1) })
    expect(exit).toMatchObject({ is: 'unclear', exitEpoch: 2n, paid: true })
  })

  test('is told of neither of two parts of which the state holds one that either may be', () => {
    const request = { pubkey: pubkey(1), sourceAddress: address(1), amountGwei: tokens(10_000n) }
    const added = {
      pubkey: pubkey(1),
      withdrawalCredentials: credentials(1),
      amountGwei: tokens(20_000n),
      signatureValid: true,
    }
    const blocks = [0, 1, 2, 3].map((at) => ({
      withdrawalRequests: at === 0 || at === 2 ? [request] : [],
      deposits: at === 1 ? [added] : [],
    }))
    const { states, judged } = runRandom({ stakes: [250_000n, 260_000n], blocks })
    expect(judged.map(({ verdict }) => verdict)).toMatchObject([
      { is: 'dropped', reason: 'nothing-above' },
      { is: 'part' },
    ])
    const made = judged.map((one) => ({ ...one, transactionHash: '0x' as const }))
    const [state] = states.slice(-1)
    if (state === undefined) throw new Error('a state')
    const fates = fatesOf(made, snapshotOf(state), { network, pubkey: pubkey(1) })
    expect(fates.map(({ is }) => is)).toEqual(['unclear', 'unclear'])
  })

  test('is what the state machine made of them', () => {
    const numRuns = runsOf({ suite: 1000, hard: 20_000 })
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(randomChain, fc.integer({ min: 1, max: 6 }), fc.nat(), (chain, of, at) => {
        const { states, judged } = runRandom(chain)
        const state = states[at % states.length]
        if (state === undefined) return
        const mine = judged.filter((one) => one.pubkey === pubkey(of))
        const made = mine.map((one) => ({ ...one, transactionHash: '0x' as const }))
        const fates = fatesOf(made, snapshotOf(state), { network, pubkey: pubkey(of) })
        expect(fates.map(({ request }) => request)).toEqual(made)
        for (const [place, fate] of fates.entries()) {
          const verdict = mine[place]?.verdict
          if (verdict === undefined) throw new Error('a verdict for each request')
          seen.set(fate.is, (seen.get(fate.is) ?? 0) + 1)
          expect({ fate, verdict, agrees: agrees(fate, verdict) }).toMatchObject({ agrees: true })
        }
      }),
      { numRuns },
    )
    for (const is of ['exit', 'part', 'dropped', 'past', 'in-block'])
      expect(seen.get(is)).toBeGreaterThan(numRuns / 100)
    // Rare: the state tells it in nearly all cases.
    expect(seen.get('unclear') ?? 0).toBeLessThan(seen.get('part') ?? 0)
  })
})
