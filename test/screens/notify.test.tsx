import { afterEach, expect, test } from 'vitest'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { ShellProvider, useShell } from '../../src/hooks/shell.tsx'
import { useNotifier } from '../../src/hooks/step-keys.ts'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'
import { statusView } from '../support/views.ts'

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

const waits: AnyView = { ...statusView, done: false }
const active: AnyView = { ...waits, done: true, title: 'Your validator is active', timeline: [] }

function Watched({ view, notify }: { view: AnyView; notify?: (text: string) => void }) {
  const shell = useShell()
  const notifier = useNotifier(notify === undefined ? shell : { ...shell, notify })
  return (
    <ShellProvider shell={{ ...shell, ...notifier }}>
      <StepScreen view={view} dispatch={() => undefined} />
    </ShellProvider>
  )
}

test('n asks to be called, and the screen calls once when it has come', async () => {
  const told: string[] = []
  const notify = (text: string) => void told.push(text)
  const shown = await openTerminal(<Watched view={waits} notify={notify} />)
  terminal = shown
  expect(shown.screen()).toContain('n notify')
  await shown.press('n')
  expect(shown.screen()).toContain('n notify off')
  await shown.rerender(<Watched view={active} notify={notify} />)
  await shown.pass(1000)
  expect(told).toEqual(['Your validator is active'])
  expect(shown.screen()).not.toContain('notify')
})

test('nobody is called who did not ask, or who changed his mind', async () => {
  const told: string[] = []
  const notify = (text: string) => void told.push(text)
  const shown = await openTerminal(<Watched view={waits} notify={notify} />)
  terminal = shown
  await shown.press('n', 'n')
  await shown.rerender(<Watched view={active} notify={notify} />)
  expect(told).toEqual([])
})

test('the key is not offered where the terminal cannot call', async () => {
  terminal = await openTerminal(<Watched view={waits} />)
  expect(terminal.screen()).not.toContain('notify')
})
