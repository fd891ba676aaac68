import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BEPOLIA, MAINNET } from '../../../src/core/chain/network/presets.ts'
import { isAlone, judgeNode, mayBeOneNode, type NodeParts } from '../../../src/core/observe/findings.ts'

type Row = { [K in keyof NodeParts]: [K, NodeParts[K], boolean | undefined] }[keyof NodeParts]

const ROWS: readonly Row[] = [
  ['health', 'ready', true],
  ['health', 'syncing', false],
  ['health', 'not-initialized', false],
  ['finality', { finalizedEpoch: 7n, headEpoch: 8n }, true],
  ['finality', { finalizedEpoch: 6n, headEpoch: 8n }, false],
  ['finality', { finalizedEpoch: 8n, headEpoch: 7n }, true],
  ['finality', { finalizedEpoch: 9n, headEpoch: 7n }, false],
  ['peers', { engine: 0, node: 5 }, false],
  ['peers', { engine: 3, node: undefined }, true],
  ['sync', { isSyncing: true }, false],
  ['sync', { isSyncing: false }, true],
  ['votes', { catchingUp: false }, true],
  ['votes', { catchingUp: true }, undefined],
  ['votes', { catchingUp: 'once' }, undefined],
  ['heads', { slot: 105n, block: 100n }, true],
  ['heads', { slot: 100n, block: 106n }, false],
  ['advance', { advanced: false }, false],
  ['advance', { advanced: true }, true],
  ['age', { ageMs: 30_000 }, true],
  ['age', { ageMs: 30_001 }, false],
  ['age', { ageMs: -30_001 }, false],
  ['interval', { intervalMs: 30_000 }, true],
  ['interval', { intervalMs: 30_001 }, false],
]

test.each(ROWS)('of a node the %s %o is judged %s', (id, part, is) => {
  for (const network of [MAINNET, BEPOLIA]) expect(judgeNode(id, part, network)).toBe(is)
})

test('heads are judged alike whoever is ahead, and ages whichever clock is', () => {
  const small = fc.bigInt({ min: 0n, max: 20n })
  fc.assert(
    fc.property(small, small, fc.integer(), (a, b, ageMs) => {
      const heads = (slot: bigint, block: bigint) => judgeNode('heads', { slot, block }, MAINNET)
      expect(heads(a, b)).toBe(heads(b, a))
      expect(judgeNode('age', { ageMs }, MAINNET)).toBe(judgeNode('age', { ageMs: -ageMs }, MAINNET))
    }),
  )
})

test('where chain time is not the wall’s no age says anything, and a rehearsal needs no peers', () => {
  const rehearsal = { ...MAINNET, kind: 'rehearsal', clockIsWall: false } as const
  expect(judgeNode('age', { ageMs: 86_400_000 }, rehearsal)).toBe(true)
  expect(judgeNode('peers', { engine: 0, node: 0 }, rehearsal)).toBe(true)
})

test('a node is alone where either half of it has no peers, but on a network that may be one node', () => {
  for (const [engine, node] of [
    [0, 0],
    [0, 3],
    [3, 0],
    [undefined, 0],
  ] as const)
    expect(isAlone({ engine, node }, MAINNET)).toBe(true)
  for (const [engine, node] of [
    [1, 1],
    [undefined, undefined],
  ] as const)
    expect(isAlone({ engine, node }, MAINNET)).toBe(false)
  const own = { ...MAINNET, kind: 'test', id: 'own' } as const
  expect(isAlone({ engine: 0, node: 0 }, own)).toBe(false)
  expect(isAlone({ engine: 0, node: 0 }, BEPOLIA)).toBe(true)
  expect([MAINNET, BEPOLIA, own, { ...MAINNET, kind: 'rehearsal' } as const].map(mayBeOneNode)).toEqual([
    false,
    false,
    true,
    true,
  ])
})
