import { afterEach, describe, expect, test } from 'vitest'
import type { Setup } from '../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../src/core/chain/network/presets.ts'
import { STEP_NAMES_TEXT } from '../../src/core/view/text.ts'
import type { SetupDraft, UnderWay } from '../../src/core/wizard/launch/choice.ts'
import { LAUNCH_TEXT } from '../../src/core/wizard/launch/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { initialState, type State } from '../../src/core/wizard/state.ts'
import type { Launcher } from '../../src/hooks/launch-loop.ts'
import { App } from '../../src/screens/App.tsx'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'

const ESCAPE = '\u001b'
const ENTER = '\r'
const UP = '\u001b[A'

const DRAFT: SetupDraft = {
  badge: { kind: 'test', label: 'Bepolia' },
  title: 'Your node for Bepolia',
  intro: 'Nothing is asked before you continue.',
  fields: [],
}

const SETUP: Setup = {
  network: BEPOLIA,
  endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500', engine: '' },
  homePath: '/srv/node',
  journalDirectory: '/state/journal',
  lockDirectories: ['/state/locks'],
  outputDirectory: '/state',
}

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

/** What became of a session that a launcher handed over. */
function fakeSession(state: State = initialState, stopping: Promise<void> = Promise.resolve()) {
  const did: string[] = []
  const session = {
    setup: SETUP,
    clock: { monotonicMs: () => 0 },
    facts: () => ({}),
    getState: () => state,
    subscribe: () => () => undefined,
    start: async () => void did.push('started'),
    stop: async () => {
      did.push('stopped')
      await stopping
    },
  }
  return { session: session as unknown as Session, did }
}

/** The program in front of a launcher whose answers the test gives. */
async function openApp(underWay: readonly UnderWay[] = []) {
  const signals: AbortSignal[] = []
  const opened = Promise.withResolvers<Session>()
  const draft = Promise.withResolvers<SetupDraft>()
  const open = (signal: AbortSignal) => {
    signals.push(signal)
    return opened.promise
  }
  const launcher: Launcher = {
    initial: undefined,
    underWay: async () => underWay,
    draft: () => draft.promise,
    check: () => undefined,
    look: async () => ({}),
    complete: async ({ text }) => ({ to: text, names: [] }),
    open: (_, __, signal) => open(signal),
    price: () => Promise.reject(new Error('not here')),
  }
  const shown = await openTerminal(<App launcher={launcher} />, { network: null })
  terminal = shown
  return { shown, signals, opened, draft }
}

/** Lone escapes are held back for a moment: they may begin a longer key. */
async function goBack(shown: TestTerminal, to = 'What do you want to do?'): Promise<void> {
  await shown.press(ESCAPE)
  await expect.poll(() => shown.screen()).toContain(to)
}

describe('going back while a network is opened', () => {
  test('gives it up, and stops the session that comes too late', async () => {
    const { shown, signals, opened } = await openApp()
    await shown.press('1', ENTER, ENTER)
    expect(shown.screen()).toContain(LAUNCH_TEXT.waits['rehearsal-start'])
    await goBack(shown, 'Which rehearsal?')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    const { session, did } = fakeSession()
    opened.resolve(session)
    await shown.pass(100)
    expect(did).toEqual(['stopped'])
    expect(shown.screen()).toContain('Which rehearsal?')
  })

  test('shows no failure of what was given up', async () => {
    const { shown, opened } = await openApp()
    await shown.press('1', ENTER, ENTER)
    await goBack(shown, 'Which rehearsal?')
    opened.reject(new Error('given up'))
    await shown.pass(100)
    expect(shown.screen()).toContain('Which rehearsal?')
  })

  test('does the same for the endpoints of a node', async () => {
    const { shown, signals, opened, draft } = await openApp()
    await shown.press('2', ENTER)
    draft.resolve(DRAFT)
    await shown.pass(100)
    await shown.press(ENTER)
    expect(shown.screen()).toContain(LAUNCH_TEXT.waits.endpoints)
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
  await shown.press('1', ENTER, ENTER)
  draft.resolve(DRAFT)
  await shown.pass(100)
  expect(shown.screen()).toContain(LAUNCH_TEXT.waits['rehearsal-start'])
})

test('leaving the program gives up what is being opened', async () => {
  const { shown, signals, opened } = await openApp()
  await shown.press('1', ENTER, ENTER)
  await shown.close()
  terminal = undefined
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  const { session, did } = fakeSession()
  opened.resolve(session)
  await opened.promise
  expect(did).toEqual(['stopped'])
})

describe('the way from the first step back to the form', () => {
  /** A form with one accepted field, and the steps behind it. */
  async function openSteps(state?: State) {
    const app = await openApp()
    const home = { what: 'home', who: 'You.', later: 'Yes.' }
    const fields = [{ id: 'homePath', label: 'node home', value: '', hint: 'the home', explain: home }]
    await app.shown.press('2', ENTER)
    app.draft.resolve({ ...DRAFT, fields })
    await app.shown.pass(100)
    await app.shown.press(...'/srv/node', ENTER)
    await app.shown.press(ENTER)
    const stopping = Promise.withResolvers<void>()
    const fake = fakeSession(state, stopping.promise)
    app.opened.resolve(fake.session)
    await expect.poll(() => app.shown.screen()).toContain(STEP_NAMES_TEXT.of.genesis.title)
    return { ...app, ...fake, stopping }
  }

  test('ends the session first, and then shows the form with its texts', async () => {
    const { shown, did, stopping } = await openSteps()
    expect(shown.screen()).toContain(`Esc ${LAUNCH_TEXT.backToForm}`)
    await shown.press(ESCAPE)
    await expect.poll(() => did).toEqual(['started', 'stopped'])
    await expect.poll(() => shown.screen()).toContain(LAUNCH_TEXT.waits.end)
    stopping.resolve()
    await expect.poll(() => shown.screen()).toContain('Your node for Bepolia')
    expect(shown.screen()).toContain('/srv/node')
    await shown.press(UP)
    expect(shown.screen()).toMatch(/▶ +node home +\/srv\/node/)
  })

  test('begins again only once the session before has ended', async () => {
    const { shown, signals, did, stopping } = await openSteps()
    await shown.press(ESCAPE)
    await expect.poll(() => did).toContain('stopped')
    await goBack(shown)
    await shown.press('1', ENTER, ENTER)
    await shown.pass(100)
    expect(signals).toHaveLength(1)
    stopping.resolve()
    await expect.poll(() => signals).toHaveLength(2)
  })

  test.each(['agreed', 'prepared'] as const)('is not offered while a payment is %s', async (phase) => {
    const agreement = { plan: { to: '0x', valueWei: 0n, data: '0x' }, world: undefined } as const
    const transaction = { ...agreement.plan, chainId: 1, nonce: 0, gasLimit: 0n, ...NO_FEES }
    const baseline = { blockNumber: 0n, blockHash: '0x', balanceWei: 0n } as const
    const draft = { agreement, signer: 'keystore', from: '0x', transaction, baseline } as const
    const payment = phase === 'agreed' ? { phase, agreement } : { phase, draft }
    const { shown, did } = await openSteps({ ...initialState, deposit: { ...initialState.deposit, payment } })
    expect(shown.screen()).not.toContain('Esc')
    await shown.press(ESCAPE)
    await shown.pass(100)
    expect(did).toEqual(['started'])
  })
})

const NO_FEES = { maxFeePerGasWei: 0n, maxPriorityFeePerGasWei: 0n }

test('a failure to open leads back to the form, too', async () => {
  const { shown, opened, draft } = await openApp()
  await shown.press('2', ENTER)
  draft.resolve(DRAFT)
  await shown.pass(100)
  await shown.press(ENTER)
  opened.reject(new Error('no directory'))
  await expect.poll(() => shown.screen()).toContain('Esc back')
  await shown.press(ESCAPE)
  await expect.poll(() => shown.screen()).toContain('Your node for Bepolia')
})
