import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readScreen, screenText } from '../../../src/core/format/kept-screen.ts'

const EMPTY = { atMs: 1_700_000_000_000, language: 'en', hosts: [], columns: 80, rows: 24, lines: [] }
const kept = (lines: readonly string[]) => readScreen(screenText({ ...EMPTY, lines }))?.lines

test('a screen is read as it was written', () => {
  const screen = { ...EMPTY, hosts: ['rpc.example:8545'], lines: [' Bearings', '', ' ✔ same root · 8 s'] }
  expect(readScreen(screenText(screen))).toEqual(screen)
  const unsized = { atMs: 1, language: 'zh', hosts: [], lines: ['步骤'] }
  expect(readScreen(screenText(unsized))).toEqual(unsized)
})

test('nothing of the length of a private key is kept, in hexadecimal or base64', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => Buffer.from(key))
  const around = fc.constantFrom('', ' ', ': ', '"', '(')
  fc.assert(
    fc.property(bytes, around, (key, before) => {
      const forms = [key.toString('hex'), `0x${key.toString('hex').toUpperCase()}`, key.toString('base64')]
      for (const form of forms) expect(kept([`${before}${form} `])).toEqual([`${before}(left out) `])
    }),
  )
})

test('what is kept is small, and has no control codes', () => {
  const lines = Array.from({ length: 5_000 }, () => `\u001b[31m\u202e${'wide '.repeat(2_000)}`)
  const text = screenText({ ...EMPTY, lines, hosts: lines })
  expect(text.length).toBeLessThan(100_000)
  expect(readScreen(text)?.lines.join('')).not.toMatch(/\p{Cc}|\p{Cf}/u)
})

test.each([
  undefined,
  '',
  'null',
  '[]',
  '{"atMs":1}',
  '{"atMs":"1","language":"en","lines":[]}',
  `"${'x'.repeat(2 ** 21)}"`,
])('what is no screen is none', (text) => {
  expect(readScreen(text)).toBeUndefined()
})
