import { expect, test } from 'vitest'
import { BaseError, errorsOf, isError } from '../../../../src/core/base/errors/base.ts'
import { httpError } from '../../../../src/core/base/errors/http.ts'
import { journalError } from '../../../../src/core/base/errors/journal.ts'

const oddError = errorsOf(BaseError, {
  'odd.always': { short: 'Always the same.' },
  'odd.given': (what: string, cause?: unknown) => ({
    short: `Given ${what}.`,
    details: [what],
    next: ['Wait.'],
    retryable: true,
    money: 'unknown',
    cause,
  }),
})

test('an entry without parameters touches no money and is final', () => {
  expect(oddError('odd.always')).toMatchObject({
    code: 'odd.always',
    shortMessage: 'Always the same.',
    details: [],
    nextSteps: [],
    retryable: false,
    money: 'untouched',
  })
})

test('an entry with parameters says what it is given', () => {
  const cause = new Error('why')
  const error = oddError('odd.given', 'a word', cause)
  expect(error).toMatchObject({ shortMessage: 'Given a word.', details: ['a word'], nextSteps: ['Wait.'] })
  expect(error).toMatchObject({ retryable: true, money: 'unknown', cause, message: 'Given a word.\na word' })
})

test('a catalogue of a class makes its instances', () => {
  expect(httpError('http.unreachable', 'http://127.0.0.1:1', 'ECONNREFUSED')).toMatchObject({
    name: 'HttpError',
    fault: 'unreachable',
    nothingSent: true,
  })
  expect(journalError('journal.damaged', 7, 'cut')).toMatchObject({ line: 7, money: 'unknown' })
})

test('an error is of its code and of the kind before the point, and of no other', () => {
  const error = oddError('odd.always')
  expect(['odd', 'odd.always', 'od', 'odd.alway', 'odd.', ''].map((kind) => isError(error, kind))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(isError(new Error('odd.always'), 'odd')).toBe(false)
})
