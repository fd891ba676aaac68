import { afterEach, expect, test } from 'vitest'
import { checkField } from '../../src/compose/network-choice.ts'
import type { SetupDraft } from '../../src/core/launch/choice.ts'
import { type Launcher, LauncherProvider } from '../../src/hooks/launcher.tsx'
import { App } from '../../src/screens/App.tsx'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'
import { depositView, genesisView, signFieldsView } from '../support/views.ts'

/** Half a key, so that it stays in its field; a whole one is wiped. */
const TYPED = 'f00dfeed'.repeat(6)
const EXPLAIN = { what: 'What it is.', who: 'You.', later: 'Yes.' }
const DRAFT: SetupDraft = {
  badge: { kind: 'test', label: 'Bepolia' },
  title: 'Your node for Bepolia',
  intro: 'Nothing is asked before you continue.',
  fields: [
    { id: 'execution', label: 'execution RPC', value: '', hint: 'an address', explain: EXPLAIN },
    { id: 'validator', label: 'validator', value: '', hint: 'a public key', explain: EXPLAIN },
  ],
}

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

const open = async (...given: Parameters<typeof openTerminal>) => {
  terminal = await openTerminal(...given)
  return terminal
}

test.each([
  { columns: 80, rows: 24 },
  { columns: 140, rows: 50 },
  { columns: 50, rows: 16 },
])('what is kept is what stands on the terminal, at $columns x $rows', async (size) => {
  const shown = await open(
    <StepScreen view={{ ...genesisView, waiting: undefined }} dispatch={() => undefined} />,
    size,
  )
  expect(shown.kept()).toEqual(shown.lines().map((line) => line.trimEnd()))
  await shown.resize({ columns: 100, rows: 30 })
  expect(shown.kept()).toEqual(shown.lines().map((line) => line.trimEnd()))
})

test('what is waited for is kept without its seconds', async () => {
  const shown = await open(<StepScreen view={genesisView} dispatch={() => undefined} />)
  expect(shown.kept()).toContain(' waiting asking the execution client')
  expect(shown.kept()).toHaveLength(shown.lines().length)
})

test('a word that is being typed is left out', async () => {
  const shown = await open(<StepScreen view={depositView} dispatch={() => undefined} />)
  await shown.press('\r')
  await shown.pass(1000)
  await shown.type('send 9')
  expect(shown.screen()).toContain('Enter:  send 9')
  expect(shown.kept().join('\n')).toContain('and press Enter:  (left out)')
  expect(shown.kept().join('\n')).not.toContain('send 9')
})

test('texts of fields are left out: open, refused, accepted, and in their explanation', async () => {
  const shown = await open(<StepScreen view={signFieldsView} dispatch={() => undefined} />)
  await shown.press(`\u001b[200~${TYPED}\u001b[201~`)
  expect(shown.screen()).toContain('f00dfeed')
  expect(shown.kept().join()).toContain('(left out)')
  expect(shown.kept().join()).not.toMatch(/f00d|71C7|71c7/)
  await shown.press('\u001bOP')
  expect(shown.kept().join()).toContain('what it is')
  expect(shown.kept().join()).not.toMatch(/f00d|71C7|71c7/)
})

test('of the form before the steps no text is kept, refused or not', async () => {
  const never = () => new Promise<never>(() => undefined)
  const launcher: Launcher = {
    initial: { kind: 'network', id: 'bepolia' },
    underWay: async () => [],
    openRehearsal: never,
    draft: async () => DRAFT,
    check: checkField,
    look: async () => ({}),
    complete: async ({ text }) => ({ to: text, names: [] }),
    open: never,
  }
  const shown = await open(
    <LauncherProvider launcher={launcher}>
      <App />
    </LauncherProvider>,
    { network: null },
  )
  await expect.poll(() => shown.screen()).toContain('execution RPC')
  await shown.press('http://ann.example:8545')
  await shown.press('\r')
  await shown.press(`\u001b[200~${TYPED}\u001b[201~`)
  await shown.press('\r')
  expect(shown.screen()).toContain('f00dfeed')
  expect(shown.screen()).toContain('Type the public key')
  const leavesOut = () => {
    expect(shown.kept().join('\n')).toContain('execution RPC  (left out)')
    expect(shown.kept().join('\n')).not.toMatch(/f00d|ann/)
  }
  leavesOut()
  await shown.press('\u001b[A')
  expect(shown.screen()).toContain('f00dfeed')
  leavesOut()
  await shown.press('\u001bOP')
  expect(shown.screen()).toContain('ann.example')
  expect(shown.kept().join('\n')).not.toContain('ann')
})
