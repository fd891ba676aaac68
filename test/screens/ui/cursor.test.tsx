import { afterEach, expect, test, vi } from 'vitest'
import { padRight, takeCells } from '../../../src/core/base/format/drawable.ts'
import { StepScreen } from '../../../src/screens/StepScreen.tsx'
import { openLaunch } from '../../support/early.tsx'
import { openTerminal, type TestTerminal, type TestTerminalOptions } from '../../support/terminal.tsx'
import { depositView, recorder, signFieldsView } from '../../support/views.ts'

vi.hoisted(() => {
  process.env.FORCE_COLOR = '1'
})

const EMPTIED = '\u0015'
const ENTER = '\r'
const ESCAPE_KEY = '\u001b[27u'
const LEFT = '\u001b[D'
const RIGHT = '\u001b[C'
const HOME = '\u001b[H'
const END = '\u001b[F'
const RUB = '\u007f'
const RUB_AHEAD = '\u001b[3~'
const ALT_B = '\u001b[98;3u'
const CTRL_A = '\u001b[97;5u'
const F1 = '\u001bOP'
const PAGE_UP = '\u001b[5~'
const PAGE_DOWN = '\u001b[6~'
const NOTES = Array.from({ length: 40 }, (_, at) => `note ${at}`)
const F5 = '\u001b[15~'
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`
const LABEL_CELLS = 26
const { dispatch, submitted } = recorder()

let terminal: TestTerminal
afterEach(() => terminal.close())

/** The row with the terminal's cursor, and a bar where that stands. */
function atCursor(): string {
  const { x, y } = terminal.cursor() ?? { x: 0, y: 0 }
  const row = padRight(terminal.lines()[y] ?? '', x)
  const before = takeCells(row, x)
  return `${before}|${row.slice(before.length)}`
}

/** What stands in front of the cursor in a field, and behind. */
const inField = (): string => atCursor().slice(LABEL_CELLS)

const inverseCells = (): number =>
  terminal
    .cells()
    .flat()
    .filter(({ inverse }) => inverse).length

async function open(
  ...[node, options]: [Parameters<typeof openTerminal>[0], TestTerminalOptions?]
): Promise<void> {
  terminal = await openTerminal(node, options)
}

test('the cursor of the terminal follows every key in a field, and there is no other one', async () => {
  await open(<StepScreen view={signFieldsView} dispatch={dispatch} />)
  await terminal.press(EMPTIED)
  const seen: string[] = []
  for (const key of [
    ...'ab漢c',
    LEFT,
    LEFT,
    LEFT,
    'X',
    RUB,
    LEFT,
    LEFT,
    'Y',
    RUB_AHEAD,
    END,
    '!',
    HOME,
    RUB,
    RIGHT,
    ALT_B,
    CTRL_A,
    F5,
    'z',
    RUB,
    paste('12'),
    END,
    RIGHT,
    '9',
    RUB,
  ]) {
    await terminal.press(key)
    seen.push(inField())
    expect(inverseCells()).toBe(0)
  }
  expect(seen).toEqual([
    'a|',
    'ab|',
    'ab漢|',
    'ab漢c|',
    'ab漢|c',
    'ab|漢c',
    'a|b漢c',
    'aX|b漢c',
    'a|b漢c',
    '|ab漢c',
    '|ab漢c',
    'Y|ab漢c',
    'Y|b漢c',
    'Yb漢c|',
    'Yb漢c!|',
    '|Yb漢c!',
    '|Yb漢c!',
    'Y|b漢c!',
    'Y|b漢c!',
    'Y|b漢c!',
    'Y|b漢c!',
    'Yz|b漢c!',
    'Y|b漢c!',
    'Y12|b漢c!',
    'Y12b漢c!|',
    'Y12b漢c!|',
    'Y12b漢c!9|',
    'Y12b漢c!|',
  ])
})

test('keys that come in one piece are edits one by one', async () => {
  await open(<StepScreen view={signFieldsView} dispatch={dispatch} />)
  await terminal.press(`${EMPTIED}ab${RUB}c${LEFT}d${RUB_AHEAD}e${HOME}f`)
  expect(inField()).toBe('f|ade')
})

test('a field that is full takes no letter, and gives the last one back', async () => {
  await open(<StepScreen view={signFieldsView} dispatch={dispatch} />)
  await terminal.press(EMPTIED, paste('x'.repeat(19_999)), 'y', 'z', RUB, RUB, 'w', ENTER)
  expect(submitted.at(-1)?.[1]).toBe(`${'x'.repeat(19_998)}w`)
})

test('in a text over several rows the cursor stands in its own row', async () => {
  await open(<StepScreen view={signFieldsView} dispatch={dispatch} />)
  await terminal.press(EMPTIED, paste(`${'a'.repeat(53)}bc${'漢'.repeat(30)}`))
  expect(inField()).toBe(`${'漢'.repeat(5)}|`)
  await terminal.press(...Array<string>(30).fill(LEFT))
  expect(inField()).toBe(`bc|${'漢'.repeat(25)}`)
  await terminal.press(LEFT, LEFT)
  expect(inField()).toBe(`|bc${'漢'.repeat(25)}`)
  await terminal.press(LEFT)
  expect(inField()).toBe(`${'a'.repeat(52)}|a`)
})

test('the cursor is hidden where nothing is typed', async () => {
  await open(<StepScreen view={signFieldsView} dispatch={dispatch} />)
  const place = terminal.cursor()
  expect(place).toBeDefined()
  await terminal.press(F1)
  expect(terminal.cursor()).toBeUndefined()
  await terminal.press(ESCAPE_KEY)
  expect(terminal.cursor()).toEqual(place)
  await terminal.press(ESCAPE_KEY)
  expect(terminal.cursor()).toBeUndefined()
})

test('what is typed into a field that was scrolled away goes into it, and no cursor stands elsewhere', async () => {
  await open(
    <StepScreen
      view={{ ...signFieldsView, sections: ['fields', 'notes'], notes: NOTES }}
      dispatch={dispatch}
    />,
  )
  await terminal.press(EMPTIED, 'a')
  await terminal.press(PAGE_DOWN, PAGE_DOWN)
  expect(terminal.cursor()).toBeUndefined()
  await terminal.press('b', RUB, 'c', PAGE_UP, PAGE_UP)
  expect(inField()).toBe('ac|')
})

test('the cursor stands behind the letters of a word, and is the only one', async () => {
  await open(<StepScreen view={depositView} dispatch={dispatch} />)
  expect(terminal.cursor()).toBeUndefined()
  await terminal.press(ENTER)
  expect(atCursor()).toMatch(/press Enter: {2}\|$/)
  await terminal.pass(1000)
  await terminal.type('sen')
  expect(atCursor()).toMatch(/press Enter: {2}sen\|$/)
  await terminal.type(RUB)
  expect(atCursor()).toMatch(/press Enter: {2}se\|$/)
  expect(inverseCells()).toBe(0)
  await terminal.press(ESCAPE_KEY)
  expect(terminal.cursor()).toBeUndefined()
})

test('the path of a network file is typed at the cursor', async () => {
  terminal = await openLaunch()
  expect(terminal.cursor()).toBeUndefined()
  const entry = terminal.lines().find((line) => line.includes('file')) ?? ''
  await terminal.press(/\d/.exec(entry)?.[0] ?? '', ENTER)
  await terminal.press(...'/tmp', LEFT)
  expect(atCursor()).toMatch(/network file +\/tm\|p$/)
  await terminal.press(ESCAPE_KEY)
  expect(terminal.cursor()).toBeUndefined()
})
