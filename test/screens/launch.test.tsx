import { afterEach, describe, expect, test } from 'vitest'
import type { Session } from '../../src/core/session.ts'
import { initialState } from '../../src/core/state.ts'
import { type Launcher, LauncherProvider, type SetupDraft } from '../../src/hooks/launcher.tsx'
import { App } from '../../src/screens/App.tsx'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'

const ESCAPE = '\u001b'
const ENTER = '\r'

const DRAFT: SetupDraft = {
  badge: { kind: 'test', label: 'Bepolia' },
  title: 'Your node for Bepolia',
  intro: 'Nothing is asked before you continue.',
  fields: [],
}

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

/** What became of a session that a launcher handed over. */
function fakeSession() {
  const did: string[] = []
  const session = {
    getState: () => initialState,
    subscribe: () => () => undefined,
    start: async () => void did.push('started'),
    stop: async () => void did.push('stopped'),
  }
  return { session: session as unknown as Session, did }
}

/** The program in front of a launcher whose answers the test gives. */
async function openApp() {
  const signals: AbortSignal[] = []
  const opened = Promise.withResolvers<Session>()
  const draft = Promise.withResolvers<SetupDraft>()
  const open = (signal: AbortSignal) => {
    signals.push(signal)
    return opened.promise
  }
  const launcher: Launcher = {
    initial: undefined,
    openRehearsal: open,
    draft: () => draft.promise,
    check: () => undefined,
    open: (_, __, signal) => open(signal),
    provideSuspend: () => undefined,
  }
  const shown = await openTerminal(
    <LauncherProvider launcher={launcher}>
      <App />
    </LauncherProvider>,
    { network: null },
  )
  terminal = shown
  return { shown, signals, opened, draft }
}

/** Lone escapes are held back for a moment: they may begin a longer key. */
async function goBack(shown: TestTerminal): Promise<void> {
  await shown.press(ESCAPE)
  await expect.poll(() => shown.screen()).toContain('Which network?')
}

describe('going back while a network is opened', () => {
  test('gives it up, and stops the session that comes too late', async () => {
    const { shown, signals, opened } = await openApp()
    await shown.press('1', ENTER)
    expect(shown.screen()).toContain('for the rehearsal network to start')
    await goBack(shown)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    const { session, did } = fakeSession()
    opened.resolve(session)
    await shown.pass(100)
    expect(did).toEqual(['stopped'])
    expect(shown.screen()).toContain('Which network?')
  })

  test('shows no failure of what was given up', async () => {
    const { shown, opened } = await openApp()
    await shown.press('1', ENTER)
    await goBack(shown)
    opened.reject(new Error('given up'))
    await shown.pass(100)
    expect(shown.screen()).toContain('Which network?')
  })

  test('does the same for the endpoints of a node', async () => {
    const { shown, signals, opened, draft } = await openApp()
    await shown.press('2', ENTER)
    draft.resolve(DRAFT)
    await shown.pass(100)
    await shown.press(ENTER)
    expect(shown.screen()).toContain('for the endpoints')
    await goBack(shown)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    const { session, did } = fakeSession()
    opened.resolve(session)
    await shown.pass(100)
    expect(did).toEqual(['stopped'])
  })
})

test('a form that comes after another choice is not shown', async () => {
  const { shown, draft } = await openApp()
  await shown.press('2', ENTER)
  await shown.press('1', ENTER)
  draft.resolve(DRAFT)
  await shown.pass(100)
  expect(shown.screen()).toContain('for the rehearsal network to start')
})

test('leaving the program gives up what is being opened', async () => {
  const { shown, signals, opened } = await openApp()
  await shown.press('1', ENTER)
  await shown.close()
  terminal = undefined
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  const { session, did } = fakeSession()
  opened.resolve(session)
  await opened.promise
  expect(did).toEqual(['stopped'])
})
