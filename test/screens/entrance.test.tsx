import { describe, expect, it } from 'vitest'
import type { NetworkChoice } from '../../src/core/launch/choice.ts'
import { ErrorScreen } from '../../src/screens/PlainScreen.tsx'
import { Start } from '../../src/screens/Start.tsx'
import { Resume } from '../../src/screens/Steps.tsx'
import { still } from '../support/still.ts'
import { openTerminal } from '../support/terminal.tsx'
import { fact, stopProblem } from '../support/views.ts'

const DOWN = '\u001b[B'
const ESC = '\u001b[27u'

async function openStart() {
  const chosen: NetworkChoice[] = []
  const terminal = await openTerminal(<Start onChoose={(choice) => void chosen.push(choice)} />, {
    network: null,
  })
  return { ...terminal, chosen }
}

describe('the first screen', () => {
  it('offers the rehearsal first, and says what each network means', async () => {
    const start = await openStart()
    expect(still(start.screen())).toMatchSnapshot()
    await start.press('\r', '\r')
    expect(start.chosen).toEqual([{ kind: 'rehearsal', which: 'new', scenario: 'set-full' }])
    await start.close()
  })

  it('has a story for each scenario of the rehearsal, with the command that begins it', async () => {
    const start = await openStart()
    await start.press('n')
    expect(still(start.screen())).toMatchSnapshot()
    await start.press('5', 'c')
    expect(start.screen()).toContain('bearings --scenario burnt-deposit')
    await start.press('c', '\r')
    expect(start.chosen).toEqual([{ kind: 'rehearsal', which: 'new', scenario: 'burnt-deposit' }])
    await start.press(ESC)
    expect(start.screen()).toContain('What do you want to do?')
    await start.close()
  })

  it('chooses with arrows, or with a digit and Enter', async () => {
    const start = await openStart()
    await start.press(DOWN, '\r')
    await start.press('3')
    expect(start.chosen).toHaveLength(1)
    await start.press('\r')
    expect(start.chosen).toEqual([
      { kind: 'network', id: 'bepolia' },
      { kind: 'network', id: 'mainnet' },
    ])
    await start.close()
  })

  it('explains the chosen network, and shows the command that goes straight to it', async () => {
    const start = await openStart()
    await start.press(DOWN, '?')
    expect(start.screen()).toContain(' Bepolia · TEST')
    expect(start.screen()).toMatch(/what it is {5}The public network on which changes are tried/)
    await start.press('?')
    expect(start.screen()).toMatch(/▶ 2 {2}Bepolia/)
    await start.press('c')
    expect(start.screen()).toContain('bearings --network bepolia')
    expect(start.chosen).toEqual([])
    await start.press(ESC, '\r')
    expect(start.chosen).toEqual([{ kind: 'network', id: 'bepolia' }])
    await start.close()
  })

  it('asks for the path of a network file', async () => {
    const start = await openStart()
    await start.press('5', '\r')
    await start.press('/home/ann/q.json\r')
    expect(start.chosen).toEqual([{ kind: 'file', path: '/home/ann/q.json' }])
    await start.press(ESC)
    await start.press('2', '\r')
    expect(start.chosen).toHaveLength(2)
    await start.close()
  })

  it('leads past the registration: to a validator that is registered already, on whatever network', async () => {
    const start = await openStart()
    await start.press('4', '\r')
    expect(still(start.screen())).toMatchSnapshot()
    await start.press('2', '\r')
    await start.press('4', '\r')
    await start.press('/home/ann/q.json\r')
    expect(start.chosen).toEqual([
      { kind: 'network', id: 'bepolia', validator: '' },
      { kind: 'file', path: '/home/ann/q.json', validator: '' },
    ])
    await start.press(ESC, ESC, '2', '\r')
    expect(start.chosen.at(-1)).toEqual({ kind: 'network', id: 'bepolia' })
    await start.close()
  })

  it('takes a validator that was named on the command line to the network that is chosen', async () => {
    const chosen: NetworkChoice[] = []
    const terminal = await openTerminal(
      <Start onChoose={(choice) => void chosen.push(choice)} validator="11" />,
      { network: null },
    )
    await terminal.press('3', '\r')
    expect(chosen).toEqual([{ kind: 'network', id: 'mainnet', validator: '11' }])
    await terminal.close()
  })

  it('says why a network could not be taken, until the field for it is left', async () => {
    const terminal = await openTerminal(
      <Start onChoose={() => undefined} error="The file has no executionChainId." />,
    )
    expect(terminal.screen()).toContain('✘ The file has no executionChainId.')
    await terminal.press('5', '\r')
    expect(terminal.screen()).toContain('✘ The file has no executionChainId.')
    await terminal.press(ESC)
    expect(terminal.screen()).not.toContain('executionChainId')
    await terminal.press('\r', '/home/ann/q.json\r')
    expect(terminal.screen()).toContain('✘ The file has no executionChainId.')
    await terminal.close()
  })
})

describe('coming back', () => {
  it('says what is open, what is known by now, and that nothing is sent again', async () => {
    let continued = 0
    const resume = await openTerminal(
      <Resume
        view={{
          step: 'deposit',
          open: ['10,000 BERA for 0x8145…a80c was signed and may have been sent before the window closed.'],
          facts: [
            fact('mined', { label: 'the transaction', value: 'in block 9,120,443', source: 'own node' }),
            fact('state', { label: 'the beacon state', mark: 'asking', value: 'asking' }),
          ],
          paymentOpen: true,
          money: { line: 'left the wallet 10,000 BERA', worst: 'worst case here: none.' },
        }}
        onContinue={() => {
          continued += 1
        }}
      />,
    )
    expect(still(resume.screen())).toMatchSnapshot()
    await resume.press('\r')
    expect(continued).toBe(1)
    await resume.close()
  })
})

describe('a failure that no step could take care of', () => {
  it('says what, why, where the money is, and what to do', async () => {
    let retried = 0
    const screen = await openTerminal(
      <ErrorScreen
        problem={{ ...stopProblem, kind: 'event', money: 'unknown', title: 'The journal cannot be written.' }}
        code="journal.write"
        onRetry={() => {
          retried += 1
        }}
      />,
      { network: { kind: 'real', label: 'Berachain' } },
    )
    expect(still(screen.screen())).toMatchSnapshot()
    await screen.press('r')
    expect(retried).toBe(1)
    await screen.close()
  })
})
