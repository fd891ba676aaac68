import { expect, test } from 'vitest'
import { MAINNET } from '../../../src/core/chain/network/presets.ts'
import { createHeadJudge } from '../../../src/core/observe/judge-heads.ts'
import type { HeadPicture } from '../../../src/core/observe/picture.ts'

const START_MS = 1_800_000_000_000
const SLOT_MS = MAINNET.slotMs

/** Looks a slot apart; each gives the slots of the own node and of others by the names of their hosts. */
function judged(looks: readonly Readonly<Record<string, bigint>>[], known?: { slot: bigint }) {
  const judge = createHeadJudge(MAINNET)
  let nowMs = START_MS
  return looks.map((said) => {
    nowMs += SLOT_MS
    const heads = Object.entries(said).map(([name, slot]): HeadPicture => {
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

/** After so many looks on time the chain halts for 60 slots, and then makes two blocks a slot until it is back on its line. */
const HALTS = 20
const BACK = HALTS + 60
const afterHalt = (at: number): bigint => {
  if (at <= HALTS) return 1000n + BigInt(at)
  const caughtUp = at <= BACK ? HALTS : HALTS + 2 * (at - BACK)
  return 1000n + BigInt(Math.min(at, caughtUp))
}
/** Ten slots after the halt the own node hangs; two endpoints of one host go on. */
const HANGS = BACK + 10
const hangsAt = (at: number) => afterHalt(Math.min(at, HANGS))

test('after a halt the chain is faster than its slots, and those who go on with it count though the own node hangs', () => {
  const looks = Array.from({ length: 200 }, (_, at) => ({
    own: hangsAt(at),
    'a:1': afterHalt(at),
    'a:2': afterHalt(at),
  }))
  const found = judged(looks)
  // For as long as it may be late only, the own node is not known to hang.
  const isHanging = (at: number) => at > HANGS + 5
  const left = found.flatMap((names, at) => (isHanging(at) && names.length !== 3 ? [at - HANGS] : []))
  expect(left).toEqual([])
})

test('what is beyond the line on which the chain was before its halt is left out', () => {
  const looks = Array.from({ length: 120 }, (_, at) => ({
    own: hangsAt(at),
    liar: 1000n + BigInt(at) + 6n,
    far: FAR,
  }))
  for (const names of judged(looks).slice(HANGS)) expect(names).toEqual(['own'])
})

test('no single look of the own node moves its line, nor does any of somebody else', () => {
  const wrong = (at: number) => (at === 10 || at === HALTS + 5 ? FAR : hangsAt(at))
  for (const own of [wrong, (at: number) => (at < 5 ? SILENT : hangsAt(at))]) {
    const looks = Array.from({ length: 120 }, (_, at) => ({ own: own(at), liar: FAR - 100n }))
    expect(judged(looks).filter((names, at) => at > HANGS && names.includes('liar'))).toEqual([])
  }
})

test('an own node that was on another chain for a while leaves no line behind', () => {
  const looks = Array.from({ length: 120 }, (_, at) => ({
    own: at >= 5 && at < 15 ? FAR + BigInt(at) : hangsAt(at),
    liar: FAR - 100n,
  }))
  expect(judged(looks).filter((names, at) => at > HANGS && names.includes('liar'))).toEqual([])
})

test('no single look of the own node takes its line away', () => {
  for (const wrong of [FAR, 1n]) {
    const looks = Array.from({ length: 200 }, (_, at) => ({
      own: at === HALTS + 5 ? wrong : hangsAt(at),
      a: afterHalt(at),
    }))
    const found = judged(looks).slice(HANGS + 6)
    expect(found.filter((names) => !names.includes('a'))).toEqual([])
  }
})
