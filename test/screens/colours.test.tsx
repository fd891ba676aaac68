import { describe, expect, it, vi } from 'vitest'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'
import { genesisView, stopProblem } from '../support/views.ts'

vi.hoisted(() => {
  process.env.FORCE_COLOR = '1'
})

const RED = 1
const GREEN = 2
const YELLOW = 3
const dispatch = () => undefined
const REAL = { kind: 'real', label: 'Berachain' } as const

/** The cells of the first place where the screen holds `text`. */
function cellsAt(terminal: TestTerminal, text: string) {
  const rows = terminal.cells()
  const y = terminal.lines().findIndex((row) => row.includes(text))
  const x = terminal.lines()[y]?.indexOf(text) ?? 0
  return rows[y]?.slice(x, x + text.length) ?? []
}

describe('colours', () => {
  it('put REAL MONEY on red in every frame', async () => {
    const terminal = await openTerminal(<StepScreen view={genesisView} dispatch={dispatch} />, {
      network: REAL,
    })
    for (const cell of cellsAt(terminal, 'REAL MONEY · Berachain')) {
      expect(cell).toMatchObject({ background: RED, bold: true })
    }
    await terminal.close()
  })

  it('give green to what is proven only, yellow to the unknown, red to what stops', async () => {
    const view = { ...genesisView, problem: stopProblem }
    const terminal = await openTerminal(<StepScreen view={view} dispatch={dispatch} />, { rows: 40 })
    expect(cellsAt(terminal, '✔')[0]?.foreground).toBe(GREEN)
    expect(cellsAt(terminal, '?  deposit')[0]?.foreground).toBe(YELLOW)
    expect(cellsAt(terminal, 'no answer')[0]?.foreground).toBe(YELLOW)
    expect(cellsAt(terminal, 'Stop:')[0]?.foreground).toBe(RED)
    expect(cellsAt(terminal, 'Money')[0]?.foreground).toBeUndefined()
    await terminal.close()
  })

  it('are not used where they are not wanted, and the same words stand there', async () => {
    const plain = await openTerminal(<StepScreen view={genesisView} dispatch={dispatch} />, {
      network: REAL,
      colours: false,
    })
    const coloured = await openTerminal(<StepScreen view={genesisView} dispatch={dispatch} />, {
      network: REAL,
    })
    const used = plain.cells().flat()
    expect(used.some((cell) => cell.foreground !== undefined || cell.background !== undefined)).toBe(false)
    expect(plain.screen()).toBe(coloured.screen())
    expect(cellsAt(plain, 'REAL MONEY')[0]?.inverse).toBe(true)
    await plain.close()
    await coloured.close()
  })
})
