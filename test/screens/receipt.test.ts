import { describe, expect, it } from 'vitest'
import { receiptLines } from '../../src/core/view/desk-words.ts'
import { makeTheme } from '../../src/screens/theme.tsx'

const RECEIPT = {
  title: 'Registered · rank 66 of 69',
  rows: [
    { label: 'validator', value: `0x${'8145ccbf'.repeat(12)}` },
    { label: 'deposit', value: 'block 9,120,443' },
  ],
  next: ['Run bearings again to watch it.'],
}

describe('the receipt', () => {
  it('keeps every digit of a value, in lines of at most 78 cells', () => {
    const lines = receiptLines(RECEIPT, (text) => text)
    expect(lines.join('').replaceAll(' ', '')).toContain('8145ccbf'.repeat(12))
    for (const row of lines) expect(row.length).toBeLessThanOrEqual(78)
    expect(lines).toMatchInlineSnapshot(`
      [
        "Registered · rank 66 of 69",
        "  validator      0x8145 ccbf 8145 ccbf 8145 ccbf 8145 ccbf 8145 ccbf 8145 ccbf",
        "                   8145 ccbf 8145 ccbf 8145 ccbf 8145 ccbf 8145 ccbf 8145 ccbf",
        "  deposit        block 9,120,443",
        "",
        "  Run bearings again to watch it.",
      ]
    `)
  })

  it('says what is next between words, in lines of at most 78 cells', () => {
    const said = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')
    const lines = receiptLines({ ...RECEIPT, next: [said] }, (text) => text).slice(-4)
    for (const row of lines) expect(row.length).toBeLessThanOrEqual(78)
    expect(lines.map((line) => line.trim()).join(' ')).toContain(said)
  })

  it('is plain ASCII where the terminal is', () => {
    const { plain } = makeTheme({ ascii: true, colours: false })
    expect(receiptLines(RECEIPT, plain)[0]).toBe('Registered - rank 66 of 69')
  })
})
