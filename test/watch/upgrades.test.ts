import { describe, expect, test } from 'vitest'
import type { NamedForks } from '../../src/core/chain/consensus/fork-outlook.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import { LIMITS, type NetworkPicture } from '../../src/core/observe/picture.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { look, START_MS } from '../support/pictures.ts'

const CONTEXT = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const SLOT_MS = MAINNET.slotMs
const DAY_MS = 86_400_000
const SOON = BigInt(START_MS / 1000) + 3n * 86_400n
const fork = (atSeconds: bigint) => ({ atSeconds, id: '0x01020304' as const })
const OWN: NamedForks = { current: fork(SOON - 40n * 86_400n), next: 'none', last: 'none' }
const UPGRADED: NamedForks = { ...OWN, next: fork(SOON), last: fork(SOON) }
const at = (name: string, forks = UPGRADED) => ({ name, forks })

/** The events of looks, one a slot unless a look says when it is; repeats left out. */
function told(looks: readonly Partial<NetworkPicture>[]): WatchEvent[] {
  let memory: WatchMemory = emptyMemory(MAINNET)
  return looks.flatMap((changes, slot) => {
    const next = watchTransition(memory, look({ atMs: START_MS + slot * SLOT_MS, ...changes }), CONTEXT)
    memory = next.memory
    return next.events.filter(({ change }) => change !== 'repeated')
  })
}

const changesOf = (events: readonly WatchEvent[], alarm: WatchEvent['alarm']) =>
  events.filter((each) => each.alarm === alarm).map(({ change, severity }) => `${change} ${severity}`)

const named = (own: NamedForks | undefined, ...others: readonly { name: string; forks: NamedForks }[]) => ({
  namedForks: { own, others },
})

describe('a fork that the own execution client lacks', () => {
  const both = named(OWN, at('a.example.com'), at('b.example.org'))

  test('is a warning where two name it, worse on the last day, and over by what the own client says alone', () => {
    const lastDay = { ...both, atMs: START_MS + 2 * DAY_MS + 1 }
    const later = (changes: Partial<NetworkPicture>) => ({
      ...changes,
      atMs: START_MS + 2 * DAY_MS + 2 * SLOT_MS,
    })
    const events = told([
      both,
      both,
      lastDay,
      later(named(OWN, at('a.example.com', OWN))),
      later(named(UPGRADED)),
    ])
    expect(changesOf(events, 'execution-outdated')).toEqual([
      'fired warning',
      'worse critical',
      'cleared critical',
    ])
    const [fired] = events.filter(({ alarm }) => alarm === 'execution-outdated')
    expect(fired?.until?.atMs).toBe(Number(SOON) * 1000)
  })

  test('names no time before it to act in once it has begun', () => {
    const [ahead] = told([both])
    const [begun] = told([{ ...both, atMs: Number(SOON) * 1000 + SLOT_MS }])
    expect(begun).toMatchObject({ alarm: 'execution-outdated', severity: 'critical' })
    expect(begun?.until).toBeUndefined()
    expect(begun?.next).not.toBe(ahead?.next)
  })

  test('is over where both take it back, not where one does', () => {
    const one = named(OWN, at('a.example.com', OWN), at('b.example.org'))
    const none = named(OWN, at('a.example.com', OWN), at('b.example.org', OWN))
    const silent = named(OWN)
    const ofBoth = told([both, one, silent, none]).filter(({ severity }) => severity === 'warning')
    expect(changesOf(ofBoth, 'execution-outdated')).toEqual(['fired warning', 'cleared warning'])
  })

  test('is told as the word of one endpoint where it alone names it, and ends with it', () => {
    const alone = named(OWN, at('a.example.com'))
    const events = told([alone, alone, named(OWN), named(OWN, at('b.example.org', OWN)), alone])
    expect(changesOf(events, 'execution-outdated')).toEqual(['fired info'])
    expect(events[0]?.title).toContain('a.example.com')
    const back = told([alone, named(OWN, at('a.example.com', OWN))])
    expect(changesOf(back, 'execution-outdated')).toEqual(['fired info', 'cleared info'])
  })

  test('is nothing where the own client does not say what it knows', () => {
    expect(changesOf(told([named(undefined, at('a.example.com'))]), 'execution-outdated')).toEqual([])
  })
})

describe('a standstill at the moment of a fork', () => {
  const HEADS = (slot: bigint) => [
    { role: 'node', place: 0, name: '127.0.0.1:3500', slot } as const,
    { role: 'execution', place: 1, name: 'rpc.example.com', slot } as const,
  ]
  /** Looks every four seconds, for somewhat more than an hour. */
  const TIMES = Array.from({ length: 950 }, (_, at) => 4 * at)
  /** The chain makes a last block at a time, and none from then on. */
  const halted = (headTimeMs: number) =>
    told(
      TIMES.map((seconds) => ({
        atMs: START_MS + seconds * 1000,
        heads: HEADS(1000n),
        headTimeMs,
        ...named(UPGRADED, at('a.example.com')),
      })),
    )

  test('is told apart from a failure for an hour, and no longer', () => {
    const planned = halted(Number(SOON) * 1000 - 2000)
    expect(changesOf(planned, 'chain-halted')).toEqual(['fired warning', 'worse critical'])
    expect(changesOf(halted(Number(SOON) * 1000 - DAY_MS), 'chain-halted')).toEqual(['fired critical'])
  })

  test('is no planned one by the word of one endpoint of somebody else', () => {
    const events = told(
      TIMES.slice(0, 50).map((seconds) => ({
        atMs: START_MS + seconds * 1000,
        heads: HEADS(1000n),
        headTimeMs: Number(SOON) * 1000,
        ...named(OWN, at('a.example.com')),
      })),
    )
    expect(changesOf(events, 'chain-halted')).toEqual(['fired critical'])
  })
})
