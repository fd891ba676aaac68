import { describe, expect, it } from 'vitest'
import { BaseError } from '../../src/core/base/errors/base.ts'
import { failedView } from '../../src/core/wizard/launch/launch-view.ts'
import { NETWORKS, SCENARIOS } from '../../src/core/wizard/launch/start-view.ts'
import { LAUNCH_TEXT } from '../../src/core/wizard/launch/text.ts'
import { EarlyScreen } from '../../src/screens/EarlyScreen.tsx'
import { openLaunch } from '../support/early.tsx'
import { still } from '../support/still.ts'
import { openTerminal } from '../support/terminal.tsx'
import { fact, stopProblem } from '../support/views.ts'

const DOWN = '\u001b[B'
const ESC = '\u001b[27u'

describe('the first screen', () => {
  it('offers the rehearsal first, and says what each network means', async () => {
    const start = await openLaunch()
    expect(still(start.screen())).toMatchSnapshot()
    await start.press('\r', '\r')
    expect(start.chosen).toEqual([{ kind: 'rehearsal', which: 'new', scenario: 'set-full' }])
    await start.close()
  })

  it('has a story for each scenario of the rehearsal, with the command that begins it', async () => {
    const start = await openLaunch()
    await start.press('n')
    expect(still(start.screen())).toMatchSnapshot()
    await start.press('6', 'c')
    expect(start.screen()).toContain('bearings --scenario burnt-deposit')
    await start.press('c', '\r')
    expect(start.chosen).toEqual([{ kind: 'rehearsal', which: 'new', scenario: 'burnt-deposit' }])
    await start.press(ESC)
    expect(start.screen()).toMatch(/▶ 6 {2}Burnt, and rescued/)
    await start.press(ESC)
    expect(start.screen()).toContain(LAUNCH_TEXT.lists.begin.title)
    await start.close()
  })

  it('chooses with arrows, or with a digit and Enter', async () => {
    const start = await openLaunch()
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
    const start = await openLaunch()
    await start.press(DOWN, '?')
    expect(start.screen()).toContain(' Bepolia · TEST')
    const what = NETWORKS.find(({ id }) => id === 'bepolia')?.explain.what ?? 'no such network'
    expect(start.screen().replaceAll(/\s+/g, ' ')).toContain(` what it is ${what} `)
    await start.press('?')
    expect(start.screen()).toMatch(/▶ 2 {2}Bepolia/)
    await start.press('c')
    expect(start.screen()).toContain('bearings --network bepolia')
    expect(start.chosen).toEqual([])
    await start.press(ESC, '\r')
    expect(start.chosen).toEqual([{ kind: 'network', id: 'bepolia' }])
    await start.close()
  })

  it('shows all stories at 80×24, and whole what the chosen one is about', async () => {
    const start = await openLaunch()
    await start.press('n')
    for (const { value } of SCENARIOS) {
      expect(start.screen().replace(/\s+/g, ' ')).toContain(value)
      await start.press(DOWN)
    }
    await start.close()
  })

  it('asks for the path of a network file', async () => {
    const start = await openLaunch()
    await start.press('5', '\r')
    await start.press('/home/ann/q.json\r')
    expect(start.chosen).toEqual([{ kind: 'file', path: '/home/ann/q.json' }])
    await start.press(ESC)
    await start.press('2', '\r')
    expect(start.chosen).toHaveLength(2)
    await start.close()
  })

  it('leads past the registration: to a validator that is registered already, on whatever network', async () => {
    const start = await openLaunch()
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
    const start = await openLaunch({ validator: '11' })
    await start.press('3', '\r')
    expect(start.chosen).toEqual([{ kind: 'network', id: 'mainnet', validator: '11' }])
    await start.close()
  })

  it('says why a network could not be taken, until the field for it is left', async () => {
    const fault = 'The file has no executionChainId.'
    const start = await openLaunch({
      draft: () => Promise.reject(new BaseError('network.file', { short: fault })),
    })
    await start.press('5', '\r', '/home/ann/q.json', '\r')
    await expect.poll(() => start.screen()).toContain(`✘ ${fault}`)
    expect(start.screen()).toMatch(/network file +\/home\/ann\/q\.json/)
    await start.press(ESC)
    expect(start.screen()).not.toContain('executionChainId')
    await start.press('\r', '/home/ann/q.json', '\r')
    await expect.poll(() => start.screen()).toContain(`✘ ${fault}`)
    await start.close()
  })

  it('takes no empty path, and wipes one that may be a secret', async () => {
    const start = await openLaunch()
    await start.press('5', '\r', '\r')
    expect(start.screen()).toContain(`✘ ${LAUNCH_TEXT.file.empty}`)
    await start.press(...'f00dfeed'.repeat(8), '\r')
    expect(start.screen()).toMatch(/64 characters\s+were wiped\./)
    expect(start.screen()).not.toContain('f00d')
    expect(start.chosen).toEqual([])
    await start.close()
  })
})

describe('coming back', () => {
  it('says what is open, what is known by now, and that nothing is paid twice', async () => {
    const told: unknown[] = []
    const tell = (said: unknown) => void told.push(said)
    const sentences = (id: string, text: string) => ({ is: 'sentences', id, sentences: [text] }) as const
    const resume = await openTerminal(
      <EarlyScreen
        view={{
          id: 'resume',
          title: 'Welcome back. One thing is open.',
          badge: { kind: 'rehearsal', label: 'rehearsal' },
          step: 'deposit',
          parts: [
            sentences(
              'open',
              '10,000 BERA for 0x8145…a80c was signed and may have been sent before the window closed.',
            ),
            {
              is: 'facts',
              rows: [
                fact('mined', { label: 'the transaction', value: 'in block 9,120,443', source: 'own node' }),
                fact('state', { label: 'the beacon state', mark: 'asking', value: 'asking' }),
              ],
            },
            {
              ...sentences('promise', 'This payment can only be charged once, whatever you press.'),
              tone: 'strong',
            },
          ],
          money: { line: 'left the wallet 10,000 BERA', worst: 'worst case here: none.' },
          keys: [{ key: 'return', label: 'go on to deposit', does: 'on' }],
        }}
        tell={tell}
      />,
    )
    expect(still(resume.screen())).toMatchSnapshot()
    await resume.press('\r')
    expect(told).toEqual(['on'])
    await resume.close()
  })
})

describe('a failure that no step could take care of', () => {
  it('says what, why, where the money is, and what to do', async () => {
    const told: unknown[] = []
    const error = {
      code: 'journal.write',
      shortMessage: 'The journal cannot be written.',
      details: stopProblem.lines,
      nextSteps: stopProblem.next,
      retryable: false,
      money: 'unknown',
    } as const
    const screen = await openTerminal(
      <EarlyScreen
        view={failedView({ error, choice: { kind: 'network', id: 'mainnet' } }, undefined)}
        tell={(event) => void told.push(event)}
      />,
      { network: { kind: 'real', label: 'Berachain' } },
    )
    expect(still(screen.screen())).toMatchSnapshot()
    await screen.press('r')
    expect(told).toEqual([{ type: 'retried' }])
    await screen.close()
  })
})
