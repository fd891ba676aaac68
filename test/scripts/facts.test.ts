import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networksHash } from '../../scripts/build/facts.ts'
import { PRESETS } from '../../src/core/chain/network/presets.ts'

type Leaf = { path: string[]; value: unknown }

function leavesOf(value: unknown, path: string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

function changed(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : `${String(value)}0`
}

/** A copy in which that leaf alone is another: what two networks share is copied for each. */
function withLeaf(value: unknown, [key, ...path]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  const holder = value as Record<string, unknown>
  return { ...holder, [key]: withLeaf(holder[key], path, to) }
}

describe('the hash over the network constants', () => {
  const leaves = leavesOf(PRESETS)

  test('is another one when any of them is another', () => {
    expect(leaves.length).toBeGreaterThan(70)
    const hashes = leaves.map(({ path, value }) =>
      networksHash(Object.values(withLeaf(PRESETS, path, changed(value)) as object[])),
    )
    expect(new Set([networksHash(PRESETS), ...hashes]).size).toBe(leaves.length + 1)
  })

  test('tells a number from a bigint and from a text of the same digits', () => {
    expect(new Set([1, 1n, '1'].map((value) => networksHash([{ value }]))).size).toBe(3)
  })

  test('does not know in which order they were written', () => {
    const plain = fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.bigInt(), fc.string()))
    fc.assert(
      fc.property(plain, plain, (outer, inner) => {
        const entries = Object.entries(outer)
        const one = [{ ...outer, inner }]
        const other = [
          { inner, ...Object.fromEntries(entries.reverse()), ...('inner' in outer && { inner }) },
        ]
        expect(networksHash(other)).toBe(networksHash(one))
      }),
    )
  })
})
