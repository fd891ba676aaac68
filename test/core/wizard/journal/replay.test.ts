import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../../src/core/base/errors/journal.ts'
import { type Entry, encodeEntry } from '../../../../src/core/wizard/journal/entry.ts'
import { canonicalJson, type JsonData } from '../../../../src/core/wizard/journal/fields.ts'
import { readJournal } from '../../../../src/core/wizard/journal/replay.ts'
import { entriesOf } from '../../../support/journal-lines.ts'

const chain = (events: readonly { type: string; data: JsonData }[]): Entry[] => entriesOf(events)

const written = (entries: readonly Entry[]) => entries.map((entry) => `${encodeEntry(entry)}\n`).join('')
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const key = fc.string({ unit: 'grapheme', maxLength: 8 })
const { json } = fc.letrec<{ json: JsonData }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.maxSafeInteger().filter((value) => !Object.is(value, -0)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 3 }),
  ),
}))
const events = fc.array(fc.record({ type: fc.string({ minLength: 1, maxLength: 12 }), data: json }), {
  minLength: 1,
  maxLength: 5,
})

const SMALL = chain([
  { type: 'journal', data: { pubkey: '0xab' } },
  { type: 'deposit.signed', data: { raw: '0x02', value: '10000' } },
  { type: 'deposit.sent', data: null },
])

function faultOf(text: string): JournalError {
  try {
    readJournal(text)
  } catch (thrown) {
    if (thrown instanceof JournalError) return thrown
    throw thrown
  }
  throw new Error('accepted')
}

test('a damaged line is refused in words that drive no terminal, whatever its fields are called', () => {
  const [first] = SMALL
  const line = first === undefined ? '' : encodeEntry(first)
  const odd = line.replace('"pubkey":"0xab"', '"a":{"\\u001b[2J\\u202e\\u200b":-0}')
  expect(odd).not.toBe(line)
  const { code, details } = faultOf(`${odd}\n`)
  expect(code).toBe('journal.damaged')
  expect(details.join('\n')).toContain('data.a.')
  expect(details.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

describe('readJournal', () => {
  test('gives back what was written', () => {
    fc.assert(
      fc.property(events, (list) => {
        const entries = chain(list)
        const text = written(entries)
        const replay = readJournal(text)
        expect(plain(replay.entries)).toEqual(plain(entries))
        expect(replay.keepBytes).toBe(Buffer.byteLength(text))
      }),
    )
    expect(readJournal('')).toEqual({ entries: [], keepBytes: 0 })
  })

  test('leaves out a last line that was torn at any byte', () => {
    fc.assert(
      fc.property(events, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const entries = chain(list)
        const before = Buffer.from(written(entries.slice(0, -1)))
        const whole = Buffer.from(written(entries))
        const lastLength = whole.length - before.length
        const torn = whole.subarray(0, before.length + Math.floor(share * (lastLength - 1)))
        const replay = readJournal(torn.toString('utf8'))
        expect(replay.entries).toHaveLength(entries.length - 1)
        expect(replay.keepBytes).toBe(before.length)
      }),
    )
  })

  test('leaves it out at every single byte of a small journal', () => {
    const before = Buffer.from(written(SMALL.slice(0, -1)))
    const whole = Buffer.from(written(SMALL))
    for (let end = before.length; end < whole.length; end += 1) {
      expect(readJournal(whole.subarray(0, end).toString('utf8')).keepBytes).toBe(before.length)
    }
  })

  test('refuses the change of any byte to any other', () => {
    const whole = Buffer.from(written(SMALL))
    for (let at = 0; at < whole.length; at += 1) {
      for (const other of [0, 0x0a, 0x20, 0x30, 0x7d, 0xff, (whole[at] ?? 0) ^ 1, (whole[at] ?? 0) ^ 0x20]) {
        if (other === whole[at]) continue
        const changed = Buffer.from(whole)
        changed[at] = other
        expect(() => readJournal(changed.toString('utf8')), `byte ${at} to ${other}`).toThrow(JournalError)
      }
    }
  })

  test('refuses a line that is missing, doubled, moved or put in, and names it', () => {
    const [first = '', second = '', third = ''] = SMALL.map((entry) => `${encodeEntry(entry)}\n`)
    expect(faultOf(first + third).line).toBe(2)
    expect(faultOf(first + second + second + third).line).toBe(3)
    expect(faultOf(second + first + third).line).toBe(1)
    expect(faultOf(`${first}\n${second}${third}`).line).toBe(2)
    const [, stranger] = chain([
      { type: 'journal', data: { pubkey: '0xcd' } },
      { type: 'deposit.signed', data: { raw: '0x02', value: '10000' } },
    ])
    expect(faultOf(first + (stranger === undefined ? '' : `${encodeEntry(stranger)}\n`)).line).toBe(2)
  })

  test('refuses the same content in another form', () => {
    expect(faultOf(written(SMALL).replace('{"data"', '{ "data"')).details.join(' ')).toContain('another form')
  })

  const LINES = [1, 2, 3].map((number) => ({ type: `${number}`, data: null }))
  const versions = (...of: number[]) =>
    written(entriesOf(LINES.map((line, at) => ({ ...line, v: of[at] ?? 0 }))))

  test('says that an older program wrote it, in which line and version', () => {
    const fault = faultOf(versions(1, 2, 2))
    expect(fault).toMatchObject({ code: 'journal.older', line: 1 })
    expect(fault.details).toEqual(['line: 1', expect.stringMatching(/^version .*: 1$/)])
    expect(faultOf(versions(2, 1, 1))).toMatchObject({ code: 'journal.older', line: 2 })
    expect(faultOf(versions(0, 0, 0))).toMatchObject({ code: 'journal.older', line: 1 })
  })

  test('says that a newer program wrote it, in which line and version', () => {
    const fault = faultOf(versions(2, 2, 3))
    expect(fault).toMatchObject({ code: 'journal.newer', line: 3 })
    expect(fault.details).toEqual(['line: 3', expect.stringMatching(/^version .*: 3$/)])
  })
})

describe('canonicalJson', () => {
  test('does not depend on the order in which fields were set', () => {
    expect(canonicalJson({ b: 1, a: [true, null], c: undefined })).toBe('{"a":[true,null],"b":1}')
  })

  test.each([Number.NaN, Infinity, -0, 2 ** 53])('refuses %s', (value) => {
    expect(() => canonicalJson(value)).toThrow(RangeError)
  })

  test('refuses half a character', () => {
    expect(() => canonicalJson('\ud800')).toThrow(RangeError)
  })
})
