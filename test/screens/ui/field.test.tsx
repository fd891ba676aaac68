import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { padRight, takeCells } from '../../../src/core/base/format/drawable.ts'
import { StepScreen } from '../../../src/screens/StepScreen.tsx'
import { openTerminal, type TestTerminal } from '../../support/terminal.tsx'
import { recorder, signFieldsView } from '../../support/views.ts'

vi.hoisted(() => {
  process.env.FORCE_COLOR = '1'
})

const EMPTIED = '\u0015'
const ENTER = '\r'
const LEFT = '\u001b[D'
const RIGHT = '\u001b[C'
const RUB = '\u007f'
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`

/** Every terminal draws these in the same number of cells. */
const DRAWN = ['a', 'Z', '0', '7', ',', '.', ' ', '/', 'é', 'ß', 'Ж', 'Ω', '─', '漢', 'あ', '가', 'Ａ']
/** Invisible, reordering, combining, reserved, broken, or drawn differently everywhere. */
const NOT_DRAWN = [
  // Spaces and joiners without width, and what turns the direction.
  [
    0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xad, 0x180e, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066,
    0x2067,
  ],
  // More of these, control letters, and spaces that are not the space.
  [0x2068, 0x2069, 0x61c, 0x200f, 0x0, 0x1, 0x85, 0x9b, 0x2028, 0x2029, 0xa0, 0x3000],
  // Marks, selectors of variants, tags.
  [0x335, 0x20e3, 0x3099, 0x34f, 0x488, 0xfe0f, 0xfe0e, 0xe0100, 0xe0041, 0xe007f],
  // Private, not assigned, halves of a character.
  [0xe000, 0xf0000, 0x378, 0xfffe, 0x1ffff, 0xd800, 0xdc00, 0xfffd],
  // Fillers, and letters that terminals draw differently.
  [0x115f, 0x3164, 0xffa0, 0x5d0, 0x627, 0xe01, 0x1f600, 0x1f1e7, 0x1d400],
].flatMap((numbers) => numbers.map((number) => String.fromCodePoint(number)))

let terminal: TestTerminal
let submitted: [string, string][]

beforeEach(async () => {
  const taker = recorder()
  submitted = taker.submitted
  const { dispatch } = taker
  terminal = await openTerminal(<StepScreen view={signFieldsView} dispatch={dispatch} />)
})
afterEach(() => terminal.close())

async function textOf(...keys: string[]): Promise<string | undefined> {
  await terminal.press(EMPTIED, ...keys, ENTER)
  return submitted.at(-1)?.[1]
}

test.each([
  ['a space without width', String.fromCodePoint(0x200b)],
  ['a soft hyphen', String.fromCodePoint(0xad)],
  ['a joiner', String.fromCodePoint(0x200d)],
  ['a turn of the direction', String.fromCodePoint(0x202e)],
  ['everything else that cannot be drawn', NOT_DRAWN.join('')],
])('%s leaves an amount as it was typed or pasted', async (_, unseen) => {
  expect(await textOf('12', unseen, '345')).toBe('12345')
  expect(await textOf(unseen, '12345', unseen, '6')).toBe('123456')
  expect(await textOf(paste(`12${unseen}345`), '6')).toBe('123456')
})

test('a character that is sent by its number is taken or left like any other', async () => {
  expect(await textOf('1', '\u001b[8203u', '2', '\u001b[1;1;8238u', '3', '\u001b[97u')).toBe('123a')
})

test('the cursor stops at both ends', async () => {
  expect(await textOf(...'100000', ...Array<string>(9).fill(LEFT), '5')).toBe('5100000')
  expect(await textOf(...'12', RIGHT, RIGHT, ...'34')).toBe('1234')
})

test('a letter and its mark are one where they are pasted together', async () => {
  expect(await textOf(paste('/home/jose\u0301/が'))).toBe('/home/josé/が')
})

type Act = { key: string } | { keys: readonly string[] } | { pasted: readonly string[] }
const soup = fc.constantFrom(...DRAWN, ...DRAWN, ...NOT_DRAWN)
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ key: fc.constantFrom(LEFT, LEFT, RIGHT, RUB) }) },
  { weight: 4, arbitrary: fc.record({ keys: fc.array(soup, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ pasted: fc.array(soup, { minLength: 1, maxLength: 4 }) }) },
)

/** The characters before and behind the cursor after everything that was typed into an empty field. */
function typed(acts: readonly Act[]): { before: string; behind: string } {
  const before: string[] = []
  const behind: string[] = []
  const drawn = (texts: readonly string[]) => texts.filter((text) => DRAWN.includes(text))
  for (const one of acts) {
    if ('keys' in one) before.push(...drawn(one.keys))
    else if ('pasted' in one) before.push(...drawn([...one.pasted.join('').trim()]))
    else if (one.key === RUB) before.pop()
    else if (one.key === LEFT) behind.unshift(...before.splice(-1))
    else before.push(...behind.splice(0, 1))
  }
  return { before: before.join(''), behind: behind.join('') }
}

const LABEL_CELLS = 26

/** What stands in the field in front of the cursor. */
function drawnBefore(): string {
  const { x, y } = terminal.cursor() ?? { x: 0, y: 0 }
  return takeCells(padRight(terminal.lines()[y] ?? '', x), x).slice(LABEL_CELLS)
}

test('whatever is typed or pasted at whatever place: the field holds what is drawn of it, in that order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (acts) => {
      const keys = acts.flatMap((one) => {
        if ('keys' in one) return one.keys
        return 'pasted' in one ? [paste(one.pasted.join(''))] : [one.key]
      })
      const { before, behind } = typed(acts)
      await terminal.press(EMPTIED, ...keys)
      expect(drawnBefore()).toBe(before)
      await terminal.press(ENTER)
      expect(submitted.at(-1)?.[1]).toBe(before + behind)
    }),
    { numRuns: 40 },
  )
})

test('a text that nobody typed yet says that Enter keeps it, until it is edited', async () => {
  const fields = signFieldsView.fields.slice(0, 1).map((field) => ({ ...field, suggestion: '0x71C7' }))
  const proposed = { ...signFieldsView, activeField: 'withdrawal', fields }
  const step = await openTerminal(<StepScreen view={proposed} dispatch={recorder().dispatch} />)
  expect(step.screen()).toContain(' · Enter keeps it')
  await step.press(RUB)
  expect(step.screen()).not.toContain('Enter keeps it')
  await step.close()
})
