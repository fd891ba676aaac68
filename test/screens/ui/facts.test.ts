import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeTheme } from '../../../src/screens/theme.tsx'
import { factRows } from '../../../src/screens/ui/facts.ts'
import { fact } from '../../support/views.ts'

const { marks } = makeTheme({ ascii: false, colours: false })

/** The lines of rows of facts as they stand on the screen. */
function linesOf(
  facts: readonly ReturnType<typeof fact>[],
  columns: number,
  folded?: 'short' | 'all',
): string[] {
  return factRows(facts, { columns, marks, nowMs: 100_000, folded }).flatMap((row) =>
    'line' in row ? [row.line.map(({ text }) => text).join('')] : [],
  )
}

const OPERATOR = fact('operator', {
  label: 'operator',
  mark: 'refused',
  value: `your own, set by your first deposit: 0x${'71C7656E'.repeat(5)}, which manages the rewards`,
  source: '127.0.0.1:8545',
  learntAtMs: 99_000,
})
const SHORT = fact('beacon', { label: 'beacon state', value: 'not there', source: '127.0.0.1:3500' })

describe('a value that is too long for its column', () => {
  test('begins beside its label, with its source, and goes on below at 80 columns', () => {
    const lines = linesOf([OPERATOR, SHORT], 80)
    expect(lines[0]).toMatch(/ operator +your own, set by your first +127\.0\.0\.1:8545 +just now$/)
    expect(lines.slice(1, -1).every((line) => line.trim() !== '')).toBe(true)
  })

  test('has no line without text, and loses no word, at any width', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,30}$/), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(words, fc.integer({ min: 40, max: 160 }), (said, columns) => {
        const lines = linesOf([fact('operator', { label: '', value: said.join(' ') }), SHORT], columns)
        const own = lines.slice(
          0,
          lines.findIndex((line) => line.includes('beacon state')),
        )
        const [first = '', ...rest] = own.map((line) => line.replace('✔', '').trim())
        expect([first, ...rest]).not.toContain('')
        expect([first, ...rest].join('').replaceAll(' ', '')).toBe(said.join(''))
        for (const line of own) expect(line.length).toBeLessThanOrEqual(columns)
      }),
    )
  })
})

test('a value with no source and no age has the whole width, whatever stands to the right of others', () => {
  const value = '13th for 12 places, out at once and for ever'
  const [line, ...more] = linesOf(
    [fact('amount', { label: '+240,000 → 250,000', value, source: '' }), SHORT],
    80,
  )
  expect(line).toContain(value)
  expect(more).toHaveLength(1)
  // Alone too, where no row has a source.
  const alone = linesOf([fact('amount', { label: '+240,000 → 250,000', value, source: '' })], 80)
  expect(alone).toHaveLength(1)
})

describe('what was given, where good rows share a line', () => {
  const given = fact('withdrawal', { label: 'withdrawal', mark: 'given', value: 'as you typed it' })
  const compared = { ...given, id: 'operator', label: 'operator', long: `0x${'71'.repeat(20)}` }

  test('is no check that passes, and stays whole where it must be compared', () => {
    const lines = linesOf([SHORT, given, compared], 80, 'short')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^ {3}\* {2}operator/)
    expect(lines[2]).toMatch(/^ {3}✔ {2}1 of 1 checks pass/)
    expect(linesOf([SHORT, given, compared], 80, 'all')).toHaveLength(1)
  })

  test('is shown where nothing passes', () => {
    expect(linesOf([given], 80, 'all')[0]).toMatch(/^ {3}\* {2}withdrawal/)
  })
})
