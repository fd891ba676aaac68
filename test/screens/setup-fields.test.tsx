import { afterEach, expect, test } from 'vitest'
import { checkField } from '../../src/compose/check-field.ts'
import type { FieldView } from '../../src/core/steps/view.ts'
import { type Launcher, LauncherProvider, type SetupDraft } from '../../src/hooks/launcher.tsx'
import { App } from '../../src/screens/App.tsx'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'

const ESCAPE = '\u001b'
const ENTER = '\r'
const HOME = '/srv/node'

const field = (id: string, label: string, suggestion: string): FieldView => ({
  id,
  label,
  value: '',
  hint: `the ${label}`,
  suggestion,
  explain: { what: label, who: 'You.', later: 'Yes.' },
})

/** A form whose node API is another one once the home is known. */
const draftOf = (homePath: string | undefined): SetupDraft => ({
  badge: { kind: 'test', label: 'Bepolia' },
  title: 'Your node for Bepolia',
  intro: 'Nothing is asked before you continue.',
  fields: [
    field('homePath', 'node home', '~/.node'),
    field('execution', 'execution RPC', 'http://127.0.0.1:8545'),
    field('node', 'node API', homePath === HOME ? 'http://127.0.0.1:4600' : 'http://127.0.0.1:3500'),
    field('secondExecution', 'second execution', ''),
  ],
})

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

async function openForm(): Promise<TestTerminal> {
  const launcher: Launcher = {
    initial: { kind: 'network', id: 'bepolia' },
    openRehearsal: () => Promise.reject(new Error('not here')),
    draft: async (_, homePath) => draftOf(homePath),
    check: checkField,
    open: () => Promise.reject(new Error('not here')),
  }
  terminal = await openTerminal(
    <LauncherProvider launcher={launcher}>
      <App />
    </LauncherProvider>,
    { network: null },
  )
  await expect.poll(() => terminal?.screen()).toContain('the node home')
  return terminal
}

const EMPTY_FIELD = '\u0015'
const type = async (shown: TestTerminal, text: string): Promise<void> =>
  shown.press(EMPTY_FIELD, ...text, ENTER)

test('what the home names is proposed for the fields behind it', async () => {
  const shown = await openForm()
  await type(shown, HOME)
  await shown.press(ENTER)
  expect(shown.screen()).toContain('http://127.0.0.1:4600')
})

test('Esc opens the field before with its text, and at the first one leads back to the choice', async () => {
  const shown = await openForm()
  await type(shown, HOME)
  await type(shown, 'http://127.0.0.1:9000')
  await shown.press(ESCAPE)
  await expect.poll(() => shown.screen()).toContain('the execution RPC')
  expect(shown.screen()).toMatch(/▶ +execution RPC +http:\/\/127\.0\.0\.1:9000/)
  expect(shown.screen()).toContain(HOME)
  await shown.press(ESCAPE)
  await expect.poll(() => shown.screen()).toContain('the node home')
  await shown.press(ESCAPE)
  await expect.poll(() => shown.screen()).toContain('Which network?')
})

test('the first endpoint is not taken again as the second', async () => {
  const shown = await openForm()
  await shown.press(ENTER)
  await shown.press(ENTER)
  await shown.press(ENTER)
  await type(shown, 'http://localhost:8545/key')
  expect(shown.screen()).toContain('The same server as the first one')
  await type(shown, 'https://rpc.example')
  expect(shown.screen()).not.toContain('The same server as the first one')
})
