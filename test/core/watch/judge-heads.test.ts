import { expect, test } from 'vitest'
import { MAINNET } from '../../../src/core/network/presets.ts'
import { createHeadJudge } from '../../../src/core/watch/judge-heads.ts'
import type { SeenHead } from '../../../src/core/watch/sighting.ts'

const START_MS = 1_800_000_000_000
const SLOT_MS = MAINNET.slotMs

/** Looks a slot apart; each gives the slots of the own node and of others by the names of their hosts. */
function judged(looks: readonly Readonly<Record<string, bigint>>[], known?: { slot: bigint }) {
  const judge = createHeadJudge(MAINNET)
  let nowMs = START_MS
  return looks.map((said) => {
    nowMs += SLOT_MS
    const heads = Object.entries(said).map(([name, slot]): SeenHead => {
      const isOwn = name === 'own'
      return {
        role: isOwn ? 'node' : 'execution',
        place: isOwn ? 0 : 1,
        name,
        ...(slot < 0n ? {} : { slot }),
      }
    })
    const before =
      known === undefined
        ? []
        : [{ role: 'node', name: 'own', slot: known.slot, sinceMs: START_MS, atMs: START_MS } as const]
    const found = judge(heads, { known: before, nowMs })
    return found.filter(({ slot }) => slot !== undefined).map(({ name }) => name)
  })
}

const SILENT = -1n
const FAR = 10n ** 12n

test('a head of somebody else counts beside the own one, and not far from it', () => {
  expect(judged([{ own: 100n, a: 103n }])).toEqual([['own', 'a']])
  expect(judged([{ own: 100n, a: FAR }])).toEqual([['own']])
  expect(judged([{ own: 100n, a: 109n }])).toEqual([['own']])
  expect(judged([{ own: 100n, a: 1n }])).toEqual([['own']])
})

test('further ahead it counts where a second host says the same and the chain can be there by now', () => {
  expect(judged([{ own: 100n, a: 140n, b: 142n }])).toEqual([['own', 'a', 'b']])
  expect(judged([{ own: 100n, 'a:1': 140n, 'a:2': 142n }])).toEqual([['own']])
  expect(judged([{ own: 100n, a: FAR, b: FAR }])).toEqual([['own']])
})

test('while no own endpoint goes on, one alone counts as far as slot time allows', () => {
  const still = Array.from({ length: 20 }, (_, at) => ({ own: 100n, a: 100n + BigInt(at), b: FAR }))
  expect(judged(still).at(-1)).toEqual(['own', 'a'])
  const silent = Array.from({ length: 20 }, (_, at) => ({
    own: at === 0 ? 100n : SILENT,
    a: 100n + BigInt(at),
    b: FAR,
  }))
  expect(judged(silent).at(-1)).toEqual(['a'])
})

test('after a restart the own head of before is the measure, for as long as no own endpoint answers', () => {
  expect(judged([{ own: SILENT, a: FAR }], { slot: 100n })).toEqual([[]])
  expect(judged([{ own: SILENT, a: 50n }], { slot: 100n })).toEqual([[]])
  expect(judged([{ own: SILENT, a: 102n }], { slot: 100n })).toEqual([['a']])
})
