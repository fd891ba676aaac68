import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellsOf, wrapText } from '../../../src/core/base/format/drawable.ts'
import { cutText, drawable, longValueLines, stakeText } from '../../../src/core/view/draw-text.ts'
import { ageText } from '../../../src/hooks/shell.tsx'

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })).map(drawable)

it('sentences that are joined by a space stand together where the marks have room of their own', () => {
  expect(drawable('名额。 最迟在区块 377 发送')).toBe('名额。最迟在区块 377 发送')
  expect(drawable('One. Two, 区块 7')).toBe('One. Two, 区块 7')
})

describe('drawable text', () => {
  it('keeps letters, digits, wide characters and the symbols of the screens', () => {
    for (const text of ['Añb 1,000.5', 'Ωж', '漢字かな한', '● ◉ ○ ✔ ✘ … → ▇▏ ─']) {
      expect(drawable(text)).toBe(text)
    }
  })

  it('puts a point for what terminals draw differently', () => {
    expect(drawable('a\r\n\u001b[2J\u202eb')).toBe('a···[2J·b')
    expect(drawable('👩‍👩‍👧')).toBe('·····')
    expect(drawable('שלום')).toBe('····')
    expect(drawable('z\u0335\u0336')).toBe('z')
  })

  it('has no control or format characters left, whatever came in', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{M}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})

describe('wrapping', () => {
  it('loses nothing and never exceeds the width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 60 }), (text, cells) => {
        const lines = wrapText(text, cells)
        for (const row of lines) expect(cellsOf(row)).toBeLessThanOrEqual(cells)
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }),
    )
  })

  it('breaks between words', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrapText('', 8)).toEqual([''])
  })
})

describe('cutting', () => {
  it('shows that something is left out, within the width', () => {
    expect(cutText('abcdef', 4)).toBe('abc…')
    expect(cutText('漢字漢字', 4)).toBe('漢…')
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, cells) => {
        expect(cellsOf(cutText(text, cells))).toBeLessThanOrEqual(cells)
      }),
    )
  })
})

describe('long values', () => {
  const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

  it('are never cut inside a group that is there already', () => {
    expect(longValueLines('0x71C7 656E C7ab 88b0 ···· ···· 1B74 01B5 f6d8 976F', 32)).toEqual([
      '0x71C7 656E C7ab 88b0',
      '  ···· ···· 1B74 01B5',
      '  f6d8 976F',
    ])
  })

  it('stand in groups of four, an address on one line where there is room', () => {
    expect(longValueLines(address, 51)).toEqual(['0x71C7 656E C7ab 88b0 98de fB75 1B74 01B5 f6d8 976F'])
    expect(longValueLines(address, 45)).toEqual(['0x71C7 656E C7ab 88b0 98de fB75 1B74 01B5', '  f6d8 976F'])
  })

  it('keep every digit at any width', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 1 }),
        fc.integer({ min: 6, max: 120 }),
        (digits, cells) => {
          const lines = longValueLines(`0x${digits}`, cells)
          expect(lines.join('').replaceAll(' ', '')).toBe(`0x${digits}`)
          for (const row of lines) expect(cellsOf(row)).toBeLessThanOrEqual(cells)
        },
      ),
    )
  })

  it('that are no hex are cut at the edge', () => {
    expect(longValueLines('/home/ann/.beacond', 10)).toEqual(['/home/ann/', '.beacond'])
  })
})

describe('numbers', () => {
  it.each([
    [0, 'just now'],
    [999, 'just now'],
    [9_999, 'just now'],
    [14_200, '10 s'],
    [59_999, '50 s'],
    [60_000, '1 min'],
    [97_200_000, '27 h'],
  ])('an age of %i ms is %s', (ms, text) => {
    expect(ageText(ms)).toBe(text)
  })

  it('stakes show every digit that matters', () => {
    expect(stakeText(250_000_000_000_000n)).toBe('250,000')
    expect(stakeText(10_000_000_000_001n)).toBe('10,000.000000001')
  })
})
