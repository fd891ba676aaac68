import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFault, parseStrictJson } from '../../../../src/core/base/format/strict-json.ts'

describe('parseStrictJson', () => {
  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const expected = JSON.stringify(JSON.parse(text))
        const seen = JSON.stringify(parseStrictJson(text), (_, value) =>
          typeof value === 'bigint' ? Number(value) : value,
        )
        expect(seen).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('accepts no text that JSON.parse refuses, and throws only JsonFaults', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '1',
      '-',
      '0',
      '.',
      'e',
      'true',
      'nul',
      ' ',
      'é',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('')
        try {
          parseStrictJson(text)
        } catch (fault) {
          expect(fault).toBeInstanceOf(JsonFault)
          return
        }
        JSON.parse(text)
      }),
      { numRuns: 20_000 },
    )
  })

  test('keeps every digit of a whole number beyond 2^53', () => {
    expect(parseStrictJson('[9007199254740991, 9007199254740993, -9007199254740993]')).toEqual([
      9007199254740991,
      9007199254740993n,
      -9007199254740993n,
    ])
  })

  test('refuses a key that comes twice, however it is written', () => {
    const object = (key: string) => () => parseStrictJson(`{"a":1,"b":{"c":1},"${key}":2}`)
    for (const twice of ['a', '\\u0061'])
      expect(object(twice)).toThrow(expect.objectContaining({ name: 'JsonFault', offset: 19 }))
    expect(object('\\u0063')()).toEqual({ a: 1, b: { c: 1 }, c: 2 })
  })

  test('refuses more than 32 levels and takes 32', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(parseStrictJson(nested(32))).toBeDefined()
    expect(() => parseStrictJson(nested(33))).toThrow('nested deeper than 32')
    expect(() => parseStrictJson(nested(1_000_000))).toThrow(JsonFault)
  })

  test('gives objects without a prototype', () => {
    const read = parseStrictJson('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, unknown>
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
