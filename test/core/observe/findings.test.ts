import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BEPOLIA, MAINNET } from '../../../src/core/chain/network/presets.ts'
import { judgeNode, type NodeParts } from '../../../src/core/observe/findings.ts'

type Row = { [K in keyof NodeParts]: [K, NodeParts[K], boolean | undefined] }[keyof NodeParts]

const ROWS: readonly Row[] = [
  ['health', 'ready', true],
  ['health', 'syncing', false],
  ['finality', { finalizedEpoch: 7n, headEpoch: 8n }, true],
  ['finality', { finalizedEpoch: 6n, headEpoch: 8n }, false],
  ['peers', { engine: 0, node: 5 }, false],
  ['peers', { engine: 3, node: undefined }, true],
  ['sync', { isSyncing: true }, false],
  ['votes', { catchingUp: false }, true],
  ['votes', { catchingUp: true }, undefined],
  ['votes', { catchingUp: 'once' }, undefined],
  ['heads', { slot: 105n, block: 100n }, true],
  ['heads', { slot: 100n, block: 106n }, false],
  ['advance', { advanced: false }, false],
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
