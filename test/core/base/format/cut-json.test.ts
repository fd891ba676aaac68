import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CutOptions, cutJson } from '../../../../src/core/base/format/cut-json.ts'
import { JsonFault, parseStrictJson } from '../../../../src/core/base/format/strict-json.ts'

/** Feeds a text in pieces of the given lengths, over and over; gives the entries of `data` and what is left. */
function cut(text: string, lengths: readonly number[] = [7], options: CutOptions = {}) {
  const entries: unknown[] = []
  const cutter = cutJson(
    {
      data: (found, first) => {
        expect(first).toBe(entries.length)
        entries.push(...found)
      },
    },
    options,
  )
  const bytes = new TextEncoder().encode(text)
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1
    cutter.write(bytes.subarray(at, at + length))
    at += length
  }
  expect(cutter.receivedBytes()).toBe(bytes.length)
  return { entries, left: cutter.end() }
}

const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const faultOf = (run: () => unknown): string => {
  try {
    run()
  } catch (thrown) {
    if (thrown instanceof JsonFault) return thrown.message
    throw thrown
  }
  return 'nothing'
}

describe('cutting a list out of a JSON text', () => {
  test('gives the entries in order and the rest with the list empty', () => {
    const text =
      '{"finalized": true, "data" : [ {"a":"]},\\""} , [1,[2]] ,"x,y", 9007199254740993 ], "data2":[1]}'
    expect(cut(text)).toEqual({
      entries: [{ a: ']},"' }, [1, [2]], 'x,y', 9007199254740993n],
      left: { finalized: true, data: [], data2: [1] },
    })
  })

  test('reads the same as a parse of the whole, however the bytes and the slices fall', () => {
    const entry = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record({ index: fc.nat(), text: fc.string({ unit: 'binary' }) }),
    )
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 20 }),
        fc.boolean(),
        pieces,
        fc.integer({ min: 1, max: 60 }),
        (data, wide, lengths, sliceBytes) => {
          const text = JSON.stringify({ version: 'x', data, more: { data } }, undefined, wide ? 1 : 0)
          const whole = parseStrictJson(text) as { data: unknown[] }
          const found = cut(text, lengths, { sliceBytes })
          expect(found.entries).toEqual(whole.data)
          expect(found.left).toEqual({ ...whole, data: [] })
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('refuses whatever a parse of the whole refuses', () => {
    const seed = '{"v":1,"data":[{"a":"b","c":[1,2]},{"a":"\\u0041"},3],"z":{"data":[4]}}'
    const marks = [...'[]{}",:\\ 1ae\n', 'é']
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(seed.length), fc.constantFrom(...marks), fc.nat(2)), {
          minLength: 1,
          maxLength: 3,
        }),
        pieces,
        (edits, lengths) => {
          let text = seed
          for (const [at, mark, drop] of edits) text = text.slice(0, at) + mark + text.slice(at + drop)
          const refused = faultOf(() => parseStrictJson(text)) !== 'nothing'
          expect(faultOf(() => cut(text, lengths, { sliceBytes: 8 })) !== 'nothing').toBe(refused)
        },
      ),
      { numRuns: 5000 },
    )
  })

  test.each([
    ['{"data":[1,2', 'the text ends too early at character 12'],
    ['{"data":[1,,2]}', 'a value is missing at character 11'],
    ['{"data":[,1]}', 'a value is missing at character 9'],
    ['{"data":[1,]}', 'a value is missing at character 11'],
    ['{"data":[{"a":1,"a":2}]}', 'the same key comes twice at character 16'],
    ['{"data":[1],"data":[2]}', 'the same list comes twice at character 20'],
    [`{"data":[${'['.repeat(40)}`, 'nested deeper than 32 at character 39'],
  ])('refuses %s', (text, message) => {
    expect(faultOf(() => cut(text, [3], { sliceBytes: 1 }))).toBe(message)
  })

  test('holds no more of an entry, and of what is outside, than it may', () => {
    const options = { sliceBytes: 64, maxHeldBytes: 256 }
    const entry = `{"data":["${'x'.repeat(400)}"]}`
    const outside = `{"x":"${'x'.repeat(400)}"}`
    // Where the entry begins, and how much had come when the rest was too much.
    expect(faultOf(() => cut(entry, [50], options))).toMatch(/ at character 9$/)
    expect(faultOf(() => cut(outside, [50], options))).toMatch(/ at character 250$/)
    for (const text of [entry, outside])
      expect(faultOf(() => cut(text, [50], { ...options, maxHeldBytes: 512 }))).toBe('nothing')
    expect(cut(`{"data":[${'"x",'.repeat(500)}"x"]}`, [50], options).entries).toHaveLength(501)
  })

  test('does not take a name with a dot for a path', () => {
    const seen: unknown[] = []
    const cutter = cutJson({ 'data.list': (entries) => seen.push(...entries) })
    cutter.write(new TextEncoder().encode('{"data.list":[1],"data":{"list":[2]}}'))
    expect(cutter.end()).toEqual({ 'data.list': [1], data: { list: [] } })
    expect(seen).toEqual([2])
  })

  test('refuses bytes that are not UTF-8', () => {
    const cutter = cutJson({ data: () => undefined })
    expect(() =>
      cutter.write(Uint8Array.from([...Buffer.from('{"data":["'), 0xff, ...Buffer.from('"]}')])),
    ).toThrow('not UTF-8')
  })
})
