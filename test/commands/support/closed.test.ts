import fc from 'fast-check'
import { expect, test } from 'vitest'
import { count, type ReportFacts, version, wordOf } from '../../../src/commands/support/closed.ts'

type IsFact<T> = T extends ReportFacts ? 'yes' : 'no'

test('no text and no number becomes a fact by itself', () => {
  // A type that lets one in does not compile here.
  const texts: [IsFact<string>, IsFact<number>, IsFact<{ a: string }>, IsFact<{ a: { b: string }[] }>] = [
    'no',
    'no',
    'no',
    'no',
  ]
  const facts: [IsFact<boolean>, IsFact<ReturnType<typeof count>>, IsFact<{ a: boolean[] }>] = [
    'yes',
    'yes',
    'yes',
  ]
  expect([texts, facts].flat()).toHaveLength(7)
})

test('what is in no list is other, whatever it is', () => {
  const word = wordOf(['one', 'two'])
  fc.assert(
    fc.property(fc.anything(), (found) => {
      expect(['one', 'two', 'other', 'none']).toContain(word(found))
    }),
  )
  expect([word('two'), word('three'), word(''), word(undefined)]).toEqual(['two', 'other', 'none', 'none'])
})

test('a number is whole and not large, or other', () => {
  fc.assert(
    fc.property(fc.anything(), (found) => {
      const told = count(found)
      expect(told === 'other' || (Number.isInteger(told) && Math.abs(Number(told)) <= 1_000_000_000)).toBe(
        true,
      )
    }),
  )
  expect([count(-3), count(Number.NaN), count(1e10), count('3')]).toEqual([-3, 'other', 'other', 'other'])
})

test.each([
  ['1.2.3', '1.2.3'],
  ['v1.17.4-stable/linux-amd64', '1.17.4'],
  ['6.18.44-generic', '6.18.44'],
  ['0.40.2-beta.5+ann', '0.40.2-beta.5'],
  ['3.5.8+quic', '3.5.8'],
  ['10.1.2.3', 'other'],
  ['12345.6', 'other'],
  ['ann', 'other'],
  ['', 'other'],
  [undefined, 'none'],
])('of a version %j only the numbers are told', (found, told) => {
  expect(version(found)).toBe(told)
})

test('of any text a version is numbers, or other', () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^v?\d{1,6}[.\d]{0,12}/), (end, start) => {
      expect(version(start + end)).toMatch(
        /^(?:other|\d{1,4}(?:\.\d{1,4}){1,2}(?:-(?:alpha|beta|rc)\.\d{1,4})?)$/,
      )
    }),
  )
})
