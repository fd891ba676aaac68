import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FieldProblem, parseUint64, readFields } from '../../../../src/core/base/format/fields.ts'

class Refused extends Error {
  readonly problem: FieldProblem
  constructor(problem: FieldProblem) {
    super(problem.field)
    this.problem = problem
  }
}
const fail = (problem: FieldProblem) => new Refused(problem)
const reader = (value: unknown, secret = false) => readFields(value, { path: '', fail, secret })

function problemOf(read: () => unknown): FieldProblem | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof Refused ? error.problem : undefined
  }
}

describe('fields of something from outside', () => {
  test('are read in their one form', () => {
    const fields = reader({
      hash: '0xAB',
      count: 3,
      amount: '0x10',
      on: true,
      inner: { name: 'x' },
      list: [1],
    })
    expect(fields.hex('hash', 1)).toBe('0xab')
    expect(fields.index('count')).toBe(3)
    expect(fields.uint64('amount')).toBe(16n)
    expect(fields.flag('on')).toBe(true)
    expect(fields.object('inner').text('name')).toBe('x')
    expect(fields.list('list')).toEqual([1])
  })

  test('are named in full when they are wrong', () => {
    const fields = reader({ a: { b: { c: -1 } } })
    const problem = problemOf(() => fields.object('a').object('b').index('c'))
    expect(problem).toEqual({ field: 'a.b.c', found: '-1', expected: 'a whole number' })
  })

  test('that are not there, null, inherited or surplus are told apart', () => {
    const fields = reader({ nothing: null })
    expect(fields.has('nothing')).toBe(false)
    expect(problemOf(() => fields.text('nothing'))?.found).toBe('null')
    expect(problemOf(() => fields.text('absent'))?.found).toBe('nothing')
    expect(problemOf(() => fields.object('constructor'))?.found).toBe('nothing')
    expect(problemOf(() => fields.only([]))?.field).toBe('nothing')
  })

  test('are shown safely, and not at all when they are secret', () => {
    const value = { key: '\u001b[31m secret' }
    expect(problemOf(() => reader(value).index('key'))?.found).not.toContain('\u001b')
    expect(problemOf(() => reader(value, true).index('key'))?.found).toBe('a string (not shown)')
  })

  test('of anything but an object cannot be read', () => {
    for (const value of [undefined, null, 1, 'text', [], true]) {
      expect(problemOf(() => reader(value))?.expected).toBe('an object')
    }
  })
})

describe('numbers of 64 bits', () => {
  test('are read in decimal and in hex, exactly', () => {
    const run = fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
      expect(parseUint64(value.toString())).toBe(value)
      expect(parseUint64(`0x${value.toString(16)}`)).toBe(value)
    })
    fc.assert(run)
  })

  test('are nothing else', () => {
    const odd = [
      '',
      '-1',
      '1.0',
      '1e4',
      '01',
      '0x',
      '0xg',
      ' 1',
      '١٠',
      '18446744073709551616',
      '0x10000000000000000',
      5,
      null,
    ]
    for (const text of odd) expect(parseUint64(text)).toBeUndefined()
  })
})
