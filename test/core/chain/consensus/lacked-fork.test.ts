import { describe, expect, test } from 'vitest'
import {
  forkMoments,
  lackedForks,
  lacksFork,
  type NamedFork,
  type NamedForks,
} from '../../../../src/core/chain/consensus/fork-outlook.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'

const NOW = 1_800_000_000n
const SOON = NOW + 3n * 86_400n
const fork = (atSeconds: bigint): NamedFork => ({ atSeconds, id: '0x01020304' })
const { fuluTimeSeconds: FULU } = MAINNET.spec
/** One that has gone past all forks of the network, and knows of none to come. */
const UP_TO_DATE: NamedForks = { current: fork(NOW - 86_400n), next: 'none', last: 'none' }
const AHEAD: NamedForks = { ...UP_TO_DATE, next: fork(SOON), last: fork(SOON) }
const about = { network: MAINNET, nowSeconds: NOW }
const CUSTOM = { ...MAINNET, id: 'custom' }

describe('a client lacks a fork', () => {
  test.each<[string, NamedForks, bigint, boolean]>([
    ['that begins after all that it names', UP_TO_DATE, SOON, true],
    ['not one that it names next', AHEAD, SOON, false],
    ['not one that is older than its own', UP_TO_DATE, FULU, false],
    ['that begins before its next one', AHEAD, SOON - 1n, true],
    ['not one between its next and its last', { ...AHEAD, last: fork(SOON + 9n) }, SOON + 5n, false],
    ['that begins after its last', { ...AHEAD, last: fork(SOON + 9n) }, SOON + 10n, true],
    ['not where it does not say what is next', { ...UP_TO_DATE, next: undefined }, SOON, false],
  ])('%s', (_, own, atSeconds, expected) => {
    expect(lacksFork(own, atSeconds)).toBe(expected)
  })
})

describe('what others name', () => {
  const one = { name: 'rpc.example.com', forks: AHEAD }

  test('counts as agreed from two hosts, and is told as its own from one', () => {
    const found = (...others: readonly { name: string; forks: NamedForks }[]) =>
      lackedForks(UP_TO_DATE, others, about).map(({ atSeconds, by, isAgreed }) => ({
        atSeconds,
        by,
        isAgreed,
      }))
    expect(found()).toEqual([])
    expect(found(one)).toEqual([{ atSeconds: SOON, by: [one.name], isAgreed: false }])
    const same = { ...one, name: 'rpc.example.com:8545' }
    expect(found(one, same)).toMatchObject([{ isAgreed: false }])
    const other = { ...one, name: 'rpc.example.org' }
    expect(found(one, other)).toMatchObject([{ isAgreed: true, by: [one.name, other.name] }])
    const apart = {
      name: 'rpc.example.org',
      forks: { ...AHEAD, next: fork(SOON + 1n), last: fork(SOON + 1n) },
    }
    expect(found(one, apart).map(({ isAgreed }) => isAgreed)).toEqual([false, false])
  })

  test('is none where it has no date', () => {
    const never = fork(2n ** 64n - 1n)
    expect(
      lackedForks(UP_TO_DATE, [{ ...one, forks: { ...AHEAD, next: never, last: never } }], about),
    ).toEqual([])
  })

  test('is not needed where a built-in network says it; what a file says of consensus is not taken for it', () => {
    const old: NamedForks = { current: fork(FULU - 1n), next: 'none', last: 'none' }
    expect(lackedForks(old, [], about)).toMatchObject([{ atSeconds: FULU, isAgreed: true }])
    expect(lackedForks(old, [], { ...about, network: CUSTOM })).toEqual([])
  })

  test('is a known moment of the chain once it is agreed', () => {
    const momentsOf = (others: readonly { name: string; forks: NamedForks }[]) =>
      forkMoments({ own: UP_TO_DATE, others }, about)
    expect(momentsOf([one])).not.toContain(SOON)
    expect(momentsOf([one, { ...one, name: 'rpc.example.org' }])).toContain(SOON)
    expect(forkMoments({ own: undefined, others: [] }, about)).toContain(FULU)
  })
})
