import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  JsonFault,
  parseStrictJson,
  parseStrictList,
  parseStrictReply,
} from '../../../../src/core/base/format/strict-json.ts'

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, entry) => sum + countKeys(entry), own)
}

describe('reading a strict list fast', () => {
  test('gives what the strict reader gives', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.bigInt({ min: 0n, max: 1n << 64n }), (values, long) => {
        const text = JSON.stringify(values).replace(/\]$/, `${values.length > 0 ? ',' : ''}${long}]`)
        expect(parseStrictList(text, { colons: countKeys(parseStrictJson(text)) })).toEqual(
          parseStrictJson(text),
        )
      }),
    )
  })

  test.each(['[{"a":1,"a":1}]', '[1', '[01]', '["\u0001"]'])('refuses %s', (text) => {
    expect(() => parseStrictList(text, { colons: 2 })).toThrow(JsonFault)
  })

  test('refuses what is no list', () => {
    expect(() => parseStrictList('{"a":1}', { colons: 1 })).toThrow(JsonFault)
    expect(parseStrictReply('{"a":1}')).toEqual({ a: 1 })
  })
})

/** What came of reading: the value, or the fault in words. */
function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch (thrown) {
    if (!(thrown instanceof JsonFault)) throw thrown
    return { fault: thrown.message }
  }
}

function alike(text: string): void {
  expect(outcome(() => parseStrictReply(text))).toEqual(outcome(() => parseStrictJson(text)))
}

describe('reading a reply fast', () => {
  test('gives what the strict reader gives', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 6 }), alike), { numRuns: 2000 })
  })

  test('gives its faults too, whatever the text', () => {
    const pieces = ['{', '}', '[', ']', '"', ',', ':', '\\', '1', '-', '.', 'e', ' ', '\n', 'é', '\u0001']
    const wholes = ['"a":1', '"a" :1', '"b":', '":"', '"a:"', '"__proto__":1', 'true', '9007199254740993']
    const piece = fc.constantFrom(...pieces, ...wholes)
    const text = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))
    const object = fc
      .array(fc.constantFrom('"a":1', '"a" :2', '"b":":"', '"c":" :"', '"d":{"a":1}', '"\\u0061":3'), {
        maxLength: 5,
      })
      .map((fields) => `{${fields.join(',')}}`)
    fc.assert(fc.property(fc.oneof(text, object), alike), { numRuns: 20_000 })
  })

  test.each([
    '{"a":1,"a":2}',
    '{"a" :1,"b":2,"b":3}',
    '{"a":":","a":1}',
    '{"a":1,"\\u0061":2}',
    '{"a":"\\u003a","b":1,"b":2}',
    '[{"a":1},{"b":[{"c":1,"d":2,"c":3}]}]',
  ])('refuses a key that comes twice: %s', (text) => {
    expect(() => parseStrictReply(text)).toThrow(JsonFault)
    alike(text)
  })

  test('keeps every digit of a whole number beyond 2^53', () => {
    expect(parseStrictReply('{"a":18446744073709551615,"b":1}')).toEqual({ a: 2n ** 64n - 1n, b: 1 })
  })

  test('refuses more than 32 levels and takes 32', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(parseStrictReply(nested(32))).toBeDefined()
    expect(() => parseStrictReply(nested(33))).toThrow('nested deeper than 32')
    expect(() => parseStrictReply(nested(1_000_000))).toThrow(JsonFault)
  })

  test('takes a name that objects have of themselves for one like any other', () => {
    const read = parseStrictReply('{"__proto__":{"polluted":true},"constructor":1}') as object
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

test('a key is the one that is written, whatever keys were read before it', () => {
  // The engine's own parser takes an escaped key for another one that begins as it is written.
  for (const before of ['\\\\', 'slo\\\\']) {
    const text = `[{"":{},"${before}":false}]`
    expect(parseStrictList(text, { colons: 2 })).toEqual(parseStrictJson(text))
  }
  for (const key of ['\\"', '\\n', 'slo\\u0074']) {
    const text = `[{"":{},"${key}":false}]`
    expect(parseStrictList(text, { colons: 2 })).toEqual(parseStrictJson(text))
  }
})
