import { afterEach, describe, expect, test } from 'vitest'
import { checkField, ENDPOINT_TEXT, FIELD_FAULTS_TEXT } from '../../src/compose/network-choice.ts'
import type { SetupField } from '../../src/core/view/early-view.ts'
import type { SetupDraft } from '../../src/core/wizard/launch/choice.ts'
import type { PathNotes } from '../../src/core/wizard/launch/form.ts'
import { LAUNCH_TEXT } from '../../src/core/wizard/launch/text.ts'
import type { Launcher } from '../../src/hooks/launch-loop.ts'
import { App } from '../../src/screens/App.tsx'
import { still } from '../support/still.ts'
import { openTerminal, type TestTerminal, type TestTerminalOptions } from '../support/terminal.tsx'

/** As much of it as stands on one line of the form. */
const EXAMPLE = 'http://127.0.0.1:8545'
const [SAME_SERVER = ''] = FIELD_FAULTS_TEXT.sameServer.split(':')

const ESCAPE = '\u001b'
const ENTER = '\r'
const UP = '\u001b[A'
const DOWN = '\u001b[B'
const LEFT = '\u001b[D'
const HOME_KEY = '\u001b[H'
const END_KEY = '\u001b[F'
const TAB = '\t'
const BACK_TAB = '\u001b[Z'
const EMPTY_FIELD = '\u0015'
const HOME = '/srv/node'

const field = (
  id: string,
  label: string,
  suggestion: string,
  parts: Partial<SetupField> = {},
): SetupField => ({
  id,
  label,
  value: '',
  hint: `the ${label}`,
  suggestion,
  explain: { what: `What the ${label} is.`, who: 'You.', later: 'Yes.' },
  ...parts,
})

/** A form whose node API is another one once the home is known. */
const draftOf = (homePath: string | undefined): SetupDraft => ({
  badge: { kind: 'test', label: 'Bepolia' },
  title: 'Your node for Bepolia',
  intro: 'Nothing is asked before you continue.',
  fields: [
    field('homePath', 'node home', '~/.node', { path: 'folder' }),
    field('execution', 'execution RPC', 'http://127.0.0.1:8545'),
    field('node', 'node API', homePath === HOME ? 'http://127.0.0.1:4600' : 'http://127.0.0.1:3500'),
    field('secondExecution', 'second execution', ''),
    field('keystore', 'keystore', '', { path: 'file', found: ['/keys/ann', '/keys/bob'] }),
  ],
})

const rememberedDraft = (homePath: string): SetupDraft => {
  const { fields, ...draft } = draftOf(homePath)
  const home = fields.map((each) => (each.id === 'homePath' ? { ...each, suggestion: homePath } : each))
  return { ...draft, fields: home, remembered: true }
}

const LOOKS: Readonly<Record<string, PathNotes>> = {
  [HOME]: { note: 'a folder with config in it' },
  '/srv/other': { note: 'There is no config folder in it. Is it the node home?', doubt: true },
}

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

type Given = TestTerminalOptions & { remembered?: string }

async function openForm({ remembered, ...options }: Given = {}) {
  const opened: Readonly<Record<string, string>>[] = []
  const launcher: Launcher = {
    initial: { kind: 'network', id: 'bepolia' },
    underWay: async () => [],
    draft: async (_, homePath) =>
      remembered === undefined ? draftOf(homePath) : rememberedDraft(remembered),
    check: checkField,
    price: () => Promise.reject(new Error('not here')),
    look: async ({ text }) => LOOKS[text] ?? { fault: 'There is no such folder.' },
    complete: async ({ text }) => {
      if (text === '/srv/') return { to: '/srv/', names: ['node/', 'other/'] }
      return text === '/srv/n' ? { to: HOME, names: [] } : { to: text, names: [] }
    },
    open: async (_, values) => {
      opened.push(values)
      throw new Error('not here')
    },
  }
  const shown = await openTerminal(<App launcher={launcher} />, { network: null, ...options })
  terminal = shown
  await expect.poll(() => shown.screen()).toContain('Your node for Bepolia')
  return Object.assign(shown, { opened })
}

const type = async (shown: TestTerminal, text: string): Promise<void> =>
  shown.press(EMPTY_FIELD, ...text, ENTER)

/** The row of a field, whether or not it has the cursor. */
const rowOf = (shown: TestTerminal, label: string): string =>
  shown.lines().find((row) => row.slice(0, 24).includes(label)) ?? ''

describe('the form before the first step', () => {
  test('shows the proposals, and which field has the cursor', async () => {
    const shown = await openForm()
    expect(still(shown.screen())).toMatchSnapshot()
  })

  test('proposes what the home names for the fields behind it', async () => {
    const shown = await openForm()
    await type(shown, HOME)
    expect(rowOf(shown, 'node API')).toContain('http://127.0.0.1:4600')
  })

  test('lets every field be gone back to, and keeps the others', async () => {
    const shown = await openForm()
    await type(shown, HOME)
    await type(shown, 'http://127.0.0.1:9000')
    await shown.press(UP)
    expect(rowOf(shown, 'execution RPC')).toMatch(/▶ +execution RPC +http:\/\/127\.0\.0\.1:9000/)
    await shown.press(BACK_TAB)
    expect(rowOf(shown, 'node home')).toMatch(/▶ +node home/)
    await shown.press(DOWN, DOWN)
    expect(rowOf(shown, 'node API')).toMatch(/▶ +node API/)
    expect(rowOf(shown, 'execution RPC')).toContain('http://127.0.0.1:9000')
  })

  test('replaces a proposal by what is typed, and edits it once the cursor moves', async () => {
    const shown = await openForm()
    await shown.press('x')
    expect(rowOf(shown, 'node home')).toMatch(/node home +x$/)
    await shown.press(DOWN, HOME_KEY, 'a', END_KEY, 'z', LEFT, 'y')
    expect(rowOf(shown, 'execution RPC')).toContain('ahttp://127.0.0.1:8545yz')
  })

  test('puts the cursor of the terminal where the next letter goes, also in a text over several rows', async () => {
    const shown = await openForm({ columns: 50 })
    const place = () => {
      const { x, y } = shown.cursor() ?? { x: -1, y: -1 }
      return { x, row: shown.lines()[y] ?? '' }
    }
    const first = place()
    expect(first.row.slice(0, first.x)).toMatch(/^ +~\/\.node$/)
    const room = 50 - (first.x - '~/.node'.length) - 1
    await shown.press(EMPTY_FIELD, ...'/a'.repeat(room), 'z')
    expect(place().row.trim()).toBe('z')
    await shown.press(LEFT, LEFT, 'y')
    expect(place()).toMatchObject({ x: first.x - '~/.node'.length })
    await shown.press(DOWN, HOME_KEY)
    expect(place().row.slice(place().x)).toBe('http://127.0.0.1:8545')
    await shown.press('\u001b[27u')
    expect(shown.cursor()).toBeUndefined()
  })

  test('goes on behind a path that was completed', async () => {
    const shown = await openForm()
    await shown.press(EMPTY_FIELD, ...'/srv/n', TAB)
    await expect.poll(() => rowOf(shown, 'node home')).toContain(HOME)
    await shown.press('x')
    expect(rowOf(shown, 'node home')).toMatch(/ \/srv\/nodex$/)
  })

  test('takes an error away when the text changes, and never the question', async () => {
    const shown = await openForm()
    await type(shown, HOME)
    await type(shown, '127.0.0.1:8545')
    expect(shown.screen()).toContain('the execution RPC')
    expect(shown.screen()).toContain(`✘ ${ENDPOINT_TEXT.address(EXAMPLE).slice(0, 30)}`)
    await shown.press(LEFT)
    expect(shown.screen()).toContain(`✘ ${ENDPOINT_TEXT.address(EXAMPLE).slice(0, 15)}`)
    await shown.press(HOME_KEY, 'h')
    expect(shown.screen()).not.toContain('✘')
    expect(shown.screen()).toContain('the execution RPC')
  })

  test('does not take the first endpoint again as the second, also when the first is changed later', async () => {
    const shown = await openForm()
    await type(shown, HOME)
    await shown.press(ENTER, ENTER)
    await type(shown, 'http://localhost:8545/key')
    expect(shown.screen()).toContain(SAME_SERVER)
    await type(shown, 'https://rpc.example')
    expect(shown.screen()).not.toContain(SAME_SERVER)
    await shown.press(UP, UP, UP)
    await type(shown, 'https://rpc.example/other')
    expect(rowOf(shown, 'second execution')).toMatch(/▶ +second execution/)
    expect(shown.screen()).toContain(SAME_SERVER)
  })

  test.each(['paste', 'type'])('wipes a secret at once when it comes by %s', async (way) => {
    const shown = await openForm()
    const secret = `0x${'f00dfeed'.repeat(8)}`
    await shown.press(
      EMPTY_FIELD,
      ...(way === 'paste' ? [`\u001b[200~${secret}\u001b[201~`] : [secret, ENTER]),
    )
    expect(shown.screen().replace(/\s+/g, ' ')).toContain('Its 66 characters were wiped.')
    for (const key of [EMPTY_FIELD, TAB, UP, DOWN, ENTER]) {
      expect(shown.screen()).not.toContain('f00d')
      await shown.press(key)
    }
  })

  test('judges the second endpoint anew once the first is another one', async () => {
    const shown = await openForm()
    await type(shown, HOME)
    await shown.press(ENTER, ENTER)
    await type(shown, 'http://localhost:8545/key')
    expect(shown.screen()).toContain(SAME_SERVER)
    await shown.press(UP, UP)
    await type(shown, 'http://127.0.0.1:9000')
    await shown.press(UP, UP)
    expect(rowOf(shown, 'second execution')).toContain('localhost:8545/key')
    expect(rowOf(shown, 'second execution')).not.toContain('✘')
    expect(shown.screen()).not.toContain(SAME_SERVER)
  })

  test('explains a field on F1, and comes back to its text', async () => {
    const shown = await openForm()
    await shown.press('/', 's')
    const { explain } = field('homePath', 'node home', '')
    for (const f1 of ['\u001bOP', '\u001b[11~', '\u001b[[A', '\u001b[P']) {
      await shown.press(f1)
      expect(shown.screen()).toContain(explain.what)
      await shown.press(f1)
      expect(rowOf(shown, 'node home')).toMatch(/▶ +node home +\/s$/)
    }
  })

  test('leads back to the choice on Esc, and from there to the texts again', async () => {
    const shown = await openForm()
    await type(shown, HOME)
    await shown.press(...'http')
    await shown.press(ESCAPE)
    await expect.poll(() => shown.screen()).toContain(LAUNCH_TEXT.lists.begin.title)
    await shown.press('2', ENTER)
    expect(rowOf(shown, 'node home')).toContain(HOME)
    expect(rowOf(shown, 'execution RPC')).toMatch(/▶ +execution RPC +http$/)
  })
})

describe('a path', () => {
  test('is looked at when it is left, and refused where there is nothing', async () => {
    const shown = await openForm()
    await type(shown, '/srv/gone')
    await expect.poll(() => shown.screen()).toContain('There is no such folder.')
    expect(rowOf(shown, 'node home')).toContain('✘')
    await shown.press(UP)
    await type(shown, HOME)
    await expect.poll(() => rowOf(shown, 'node home')).toContain('✔')
    expect(shown.screen()).not.toContain('There is no such folder.')
  })

  test('is doubted where it may be another thing', async () => {
    const shown = await openForm()
    await type(shown, '/srv/other')
    await expect.poll(() => rowOf(shown, 'node home')).toMatch(/\?/)
    expect(shown.screen()).toContain('Is it the node home?')
  })

  test('is completed with Tab, and shows how it may go on', async () => {
    const shown = await openForm()
    await shown.press(EMPTY_FIELD, ...'/srv/')
    await shown.press(TAB)
    await expect.poll(() => shown.screen()).toContain('node/  other/')
    await shown.press('n', TAB)
    await expect.poll(() => rowOf(shown, 'node home')).toContain(HOME)
    await shown.press(TAB)
    await expect.poll(() => rowOf(shown, 'execution RPC')).toMatch(/▶/)
  })

  test('of a keystore is chosen with Tab among those that were found', async () => {
    const shown = await openForm()
    await shown.press(ENTER, ENTER, ENTER, ENTER)
    expect(rowOf(shown, 'keystore')).toMatch(/▶/)
    await shown.press(TAB)
    expect(rowOf(shown, 'keystore')).toContain('/keys/ann')
    await shown.press(TAB)
    expect(rowOf(shown, 'keystore')).toContain('/keys/bob')
    await shown.press(TAB)
    expect(rowOf(shown, 'keystore')).toContain('/keys/ann')
  })
})

describe('a form whose texts are remembered', () => {
  test('continues with Enter: no field has the cursor', async () => {
    const shown = await openForm({ remembered: HOME })
    await expect.poll(() => rowOf(shown, 'node home')).toContain('✔')
    expect(still(shown.screen())).toMatchSnapshot()
    await shown.press('e')
    expect(rowOf(shown, 'node home')).toMatch(/▶/)
    await shown.press(ESCAPE)
    await expect.poll(() => shown.screen()).toContain(LAUNCH_TEXT.lists.begin.title)
  })

  test('stops at a path that is not there any more', async () => {
    const shown = await openForm({ remembered: '/srv/gone' })
    await expect.poll(() => shown.screen()).toContain('✘ There is no such folder.')
    expect(rowOf(shown, 'node home')).toMatch(/▶ +node home +\/srv\/gone/)
    await type(shown, HOME)
    await expect.poll(() => rowOf(shown, 'node home')).toContain('✔')
    await shown.press(ENTER)
    await expect.poll(() => shown.opened).toHaveLength(1)
    expect(shown.opened[0]).toMatchObject({ homePath: HOME, execution: 'http://127.0.0.1:8545' })
  })
})

test.each([
  { columns: 40, rows: 15 },
  { columns: 120, rows: 40, ascii: true, colours: false },
])('the form fits a terminal of %o, with the field in sight', async (size) => {
  const shown = await openForm(size)
  expect(shown.lines().every((row) => row.length <= size.columns)).toBe(true)
  await shown.press(ENTER, ENTER, ENTER, ENTER)
  expect(shown.screen()).toMatch(/[▶>] +keystore/)
  expect(shown.screen()).toContain('the keystore')
})
