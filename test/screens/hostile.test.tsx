import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeText } from '../../src/core/base/format/text.ts'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { openTerminal } from '../support/terminal.tsx'
import { fact, genesisView } from '../support/views.ts'

const dispatch = () => undefined

/** Text that tries to leave its place: control sequences, direction, wide, invisible and combining characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '\b',
        '\t',
        '\0',
        '\u001b[2J',
        '\u001b[31m',
        '\u001b[8m',
        '\u001b]8;;http://x\u0007',
        '\u001b]52;c;AA==\u0007',
        '\u009b2J',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200d',
        '\ufe0f',
        '\u0301'.repeat(40),
        '👩‍👩‍👧',
        '🇩🇪',
        '❤️',
        '漢字',
        'ｶﾞ',
        'עברית',
        'العربية',
        '각',
        '\u3164',
        '\ue000',
        '✔',
        '█',
        '⚠',
        '⌚',
        '①',
        '\ud800',
        'ﷺ',
        '𒐫',
        '꧅',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const viewWith = (value: string, source: string): AnyView => ({
  ...genesisView,
  facts: [
    fact('before', { value: 'above', source: 'fixed' }),
    fact('victim', { label: 'node said', value, source, learntAtMs: 99_000 }),
    fact('after', { value: 'below', source: 'fixed' }),
  ],
})

describe('text from strangers', () => {
  it.each([
    ['as it comes from the boundary of core', (text: string) => safeText(text)],
    ['even when it slipped past that boundary', (text: string) => text],
  ])('changes no cell outside its place, %s', async (_, boundary) => {
    const terminal = await openTerminal(<StepScreen view={viewWith('calm', 'node')} dispatch={dispatch} />)
    const calm = terminal.lines()
    const labelAt = calm.findIndex((row) => row.includes('node said'))
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (value, source) => {
        await terminal.rerender(
          <StepScreen view={viewWith(boundary(value), boundary(source))} dispatch={dispatch} />,
        )
        const lines = terminal.lines()
        expect(lines).toHaveLength(24)
        expect(lines.slice(0, labelAt)).toEqual(
          calm.slice(0, labelAt).map((row) => expect.stringMatching(frameOf(row))),
        )
        expect(lines.slice(-5)).toEqual(calm.slice(-5))
        expect(lines[labelAt]).toMatch(/^ {3}✔ {2}node said {2}/)
        expect(lines.filter((row) => row.startsWith('   ✔  after'))).toHaveLength(1)
        for (const row of lines) expect([...row].length).toBeLessThanOrEqual(80)
      }),
      { numRuns: 150 },
    )
    await terminal.close()
  })

  it('cannot restyle what stands around it', async () => {
    const terminal = await openTerminal(
      <StepScreen view={viewWith('\u001b[8mhidden\u001b[42m green', '\u001b[7m')} dispatch={dispatch} />,
    )
    const cells = terminal.cells().flat()
    expect(cells.some((cell) => cell.background !== undefined || cell.inverse)).toBe(false)
    expect(terminal.screen()).toContain('hidden')
    await terminal.close()
  })
})

/** The row with its blanks free to move, as columns follow the widest source. */
function frameOf(row: string): RegExp {
  const words = row
    .trimEnd()
    .split(/ {2,}/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${words.join(' {2,}')}$`)
}
