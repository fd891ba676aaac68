import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barText, rankLines } from '../../../src/screens/ui/Frame.tsx'
import { lineCells } from '../../../src/screens/ui/line.ts'
import { topUpView } from '../../support/views.ts'

describe('bars', () => {
  it('grow by eighths of a cell', () => {
    expect(barText(1n, 8n, 1)).toBe('▏')
    expect(barText(8n, 8n, 1)).toBe('█')
    expect(barText(9n, 16n, 2)).toBe('█▏')
    expect(barText(0n, 5n, 4)).toBe('')
    expect(barText(0n, 0n, 4)).toBe('')
  })

  it('are longer for more, and never longer than their room', () => {
    const stake = fc.bigInt({ min: 0n, max: 10_000_000_000_000_000n })
    fc.assert(
      fc.property(stake, stake, fc.nat(60), (a, b, cells) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        expect(barText(less, more, cells).length).toBeLessThanOrEqual(barText(more, more, cells).length)
        expect(barText(more, more, cells).length).toBeLessThanOrEqual(cells)
      }),
    )
  })
})

describe('the rank table', () => {
  it('keeps its columns, and the own row is the one that says so, at any width', () => {
    for (const columns of [40, 60, 80, 120]) {
      const lines = rankLines(topUpView.ranks, columns)
      const texts = lines.map((row) => row.map((piece) => piece.text).join(''))
      expect(texts.filter((text) => text.includes('you'))).toHaveLength(1)
      // Elsewhere that is the cursor, and here is none.
      expect(texts.join('')).not.toContain('▶')
      expect(texts[1]).toContain('270,000   you, after +260,000')
      if (columns >= 60) for (const row of lines) expect(lineCells(row)).toBeLessThanOrEqual(columns)
    }
  })

  it('draws a line behind the last place, and a colon for ranks that are left out', () => {
    const kept = topUpView.ranks.filter(({ rank }) => rank !== 67 && rank !== 68)
    const texts = rankLines(kept, 60).map((row) => row.map((piece) => piece.text).join(''))
    expect(texts.map((text) => text.slice(0, 7))).toEqual([
      '     65',
      '     66',
      '      :',
      '     69',
      '     70',
    ])
    expect(texts[3]).toMatch(/260,000 {3}last place ─+$/)
    expect(texts.filter((text) => text.includes('─'))).toHaveLength(1)
    const full = topUpView.ranks.map((row) => ({ ...row, hasPlace: true }))
    const drawn = rankLines(full, 60).flatMap((row) => row.map((piece) => piece.text))
    expect(drawn.join('')).not.toContain('─')
  })

  it('says in red that the own place is out', () => {
    const lost = topUpView.ranks.map((row) => ({ ...row, mine: row.rank === 70 }))
    const last = rankLines(lost, 80).at(-1)?.at(-1)
    expect(last).toMatchObject({ text: '   out', tone: 'bad' })
  })
})
