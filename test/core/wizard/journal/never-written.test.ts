import { expect, test } from 'vitest'
import { readJournal } from '../../../../src/core/wizard/journal/replay.ts'

const SUM = '0'.repeat(64)
const line = (fields: { type?: string; data?: string; seq?: string }) => {
  const { type = '"journal"', data = '{}', seq = '0' } = fields
  return `{"data":${data},"prev":"${SUM}","seq":${seq},"sum":"${SUM}","t":0,"type":${type},"v":2}\n`
}

const NEVER_WRITTEN: readonly [string, string, string][] = [
  ['half a character', line({ data: String.raw`{"plan":{"to":"\ud800"}}` }), 'data.plan.to'],
  ['half a character in a name', line({ data: String.raw`{"\udc00":1}` }), 'data'],
  ['half a character in a list', line({ data: String.raw`{"list":["a","\ud800"]}` }), 'data.list.1'],
  ['half a character in its type', line({ type: String.raw`"a\ud800"` }), 'type'],
  ['a zero below zero', line({ data: '{"nonce":-0}' }), 'data.nonce'],
  ['a number that is a zero below zero', line({ seq: '-0' }), 'seq'],
]

test.each(NEVER_WRITTEN)('a journal line with %s is damage of that line and field', (_, text, field) => {
  expect(() => readJournal(text)).toThrow(
    expect.objectContaining({
      code: 'journal.damaged',
      line: 1,
      details: expect.arrayContaining([expect.stringContaining(`${field}: expected`)]),
    }),
  )
})
