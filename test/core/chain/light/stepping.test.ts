import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashHeader, hashSet } from '../../../../src/core/chain/light/encode.ts'
import { stepTo, type TrustedHeader, trustGenesis } from '../../../../src/core/chain/light/light-client.ts'
import { type Random, randomOf } from '../../../simulation/random.ts'
import { runsOf } from '../../../support/hard.ts'
import {
  CHAIN_ID,
  lieAbout,
  type RandomChain,
  randomChain,
  type Served,
  verifyByHash,
} from './random-chain.ts'

const RULES = { chainId: CHAIN_ID, verifyVotes: verifyByHash }
const MOST_BLOCKS = 60

type Serve = (height: bigint) => Served
type Followed = { trusted: TrustedHeader; trail: readonly TrustedHeader[]; steps: number }

/**
 * The reference of a driver: steps to a height, halving the distance where one step is too far. Ends at the first false
 * answer. `trail` has every header that it trusted.
 */
function follow(from: TrustedHeader, head: bigint, serve: Serve): Followed {
  const trail: TrustedHeader[] = []
  let trusted = from
  let next = head
  let steps = 0
  while (trusted.height < head) {
    steps += 1
    const claim = serve(next)
    const step = claim.signed.header.height === next ? stepTo(trusted, claim, RULES) : undefined
    if (step === undefined || step.is === 'fault') break
    if (step.is === 'trusted') {
      trusted = step.trusted
      trail.push(trusted)
      next = head
    } else if (next === trusted.height + 1n) break
    else next = trusted.height + (next - trusted.height) / 2n
  }
  return { trusted, trail, steps }
}

const honest =
  ({ blocks }: RandomChain): Serve =>
  (height) => {
    const block = blocks[Number(height) - 1]
    if (block === undefined) throw new RangeError(`no block of height ${height}`)
    return block
  }

const dishonest =
  (chain: RandomChain, random: Random, share: number): Serve =>
  (height) =>
    random.chance(share) ? lieAbout(chain, Number(height), random) : honest(chain)(height)

function trustIn({ signed: { header }, set }: Served): TrustedHeader {
  const { height, time, nextValidatorsHash: nextSetHash } = header
  return { height, hash: hashHeader(header), time, set, nextSetHash }
}

const isOf = ({ blocks }: RandomChain, { height, hash, set }: TrustedHeader): boolean => {
  const block = blocks[Number(height) - 1]
  return block?.signed.commit.blockId.hash === hash && hashSet(set) === block.signed.header.validatorsHash
}

const seeds = fc.record({
  seed: fc.string(),
  length: fc.integer({ min: 1, max: MOST_BLOCKS }),
  from: fc.nat(),
})

describe('a chain whose set changes, followed by halves', () => {
  test('always reaches the head from any trusted header', () => {
    let stepsTaken = 0
    let oneStep = 0
    fc.assert(
      fc.property(seeds, ({ seed, length, from }) => {
        const chain = randomChain(randomOf(seed), length)
        const start = chain.blocks[from % length]
        if (start === undefined) throw new RangeError('a chain without blocks')
        const { trusted, trail, steps } = follow(trustIn(start), BigInt(length), honest(chain))
        expect(trusted.height).toBe(BigInt(length))
        expect(trail.every((each) => isOf(chain, each))).toBe(true)
        if (steps === 1) oneStep += 1
        stepsTaken += steps
      }),
      { numRuns: runsOf({ suite: 60, hard: 2_000 }) },
    )
    expect(oneStep).toBeGreaterThan(0)
    expect(stepsTaken).toBeGreaterThan(oneStep * 2)
  })

  test('begins with the genesis set, and no other one', () => {
    fc.assert(
      fc.property(seeds, ({ seed }) => {
        const { blocks } = randomChain(randomOf(seed), 3)
        const [first, , third] = blocks
        if (first === undefined || third === undefined) throw new RangeError('a chain without blocks')
        const { set } = first
        expect(trustGenesis(set, first, RULES)).toMatchObject({ is: 'trusted', trusted: trustIn(first) })
        expect(trustGenesis(set, third, RULES).is).not.toBe('trusted')
        const stronger = set.map((member, at) =>
          at === 0 ? { ...member, power: member.power + 1n } : member,
        )
        expect(trustGenesis(stronger, first, RULES)).toEqual({ is: 'fault', fault: 'not-next-set' })
      }),
      { numRuns: runsOf({ suite: 30, hard: 500 }) },
    )
  })

  test('never trusts a header of a liar whose keys hold at most two thirds of each set', () => {
    let lies = 0
    let stopped = 0
    let reached = 0
    fc.assert(
      fc.property(seeds, fc.constantFrom(0.05, 0.3, 1), ({ seed, length, from }, share) => {
        const random = randomOf(seed)
        const chain = randomChain(random, length)
        const start = chain.blocks[from % length]
        if (start === undefined) throw new RangeError('a chain without blocks')
        const serve = dishonest(chain, random.named('lies'), share)
        const { trusted, trail, steps } = follow(trustIn(start), BigInt(length), serve)
        for (const each of trail) expect(isOf(chain, each)).toBe(true)
        lies += steps
        if (trusted.height === BigInt(length)) reached += 1
        else stopped += 1
      }),
      { numRuns: runsOf({ suite: 120, hard: 5_000 }) },
    )
    expect(lies).toBeGreaterThan(0)
    expect(stopped).toBeGreaterThan(0)
    expect(reached).toBeGreaterThan(0)
  })

  test('trusts no lie about any height, from any trusted header', () => {
    const faults = new Set<string>()
    for (let run = 0; run < runsOf({ suite: 40, hard: 1_000 }); run += 1) {
      const random = randomOf(`lies ${run}`)
      const chain = randomChain(random, 1 + random.below(MOST_BLOCKS))
      const trusted = trustIn(random.pick(chain.blocks))
      for (let height = 1; height <= chain.blocks.length; height += 1) {
        const step = stepTo(trusted, lieAbout(chain, height, random), RULES)
        if (step.is === 'trusted') expect(isOf(chain, step.trusted)).toBe(true)
        faults.add(step.is === 'fault' ? step.fault : step.is)
      }
    }
    expect([...faults].sort()).toEqual([
      'header-hash',
      'malformed',
      'not-next-set',
      'other-height',
      'set-hash',
      'signature',
      'too-far',
      'too-little-power',
      'trusted',
    ])
  })

  test('would follow a liar whose keys hold more than two thirds', () => {
    const random = randomOf('a liar of more than two thirds')
    const { blocks } = randomChain(random, 1)
    const [first] = blocks
    if (first === undefined) throw new RangeError('a chain without blocks')
    const all: RandomChain = { blocks, isLiars: () => true }
    const lies = Array.from({ length: 200 }, () => stepTo(trustIn(first), lieAbout(all, 1, random), RULES))
    expect(lies.some((step) => step.is === 'trusted' && !isOf(all, step.trusted))).toBe(true)
  })
})
