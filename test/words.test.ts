import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { STEP_NAMES_TEXT } from '../src/core/view/text.ts'
import { STEP_IDS } from '../src/core/view/view.ts'
import { pagesOf } from './support/markdown.ts'
import { CHINESE_PHRASES, PHRASES } from './support/phrases.ts'
import { keyLabelsOf, textsOf } from './support/texts.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCE = /\.tsx?$/
/** As many columns as a key with its label may take of a line of 80. */
const LONGEST_KEY_LABEL = 24

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => SOURCE.test(path))
  .map((path) => join('src', path).replaceAll('\\', '/'))
  .sort()

const saidIn = (path: string): string[] => {
  const texts = textsOf(join(ROOT, path)).map((text) => text.toLowerCase())
  return PHRASES.map(([phrase]) => phrase).filter((phrase) => texts.some((text) => holds(text, phrase)))
}

/** Whether a text holds a phrase between the ends of its words. */
function holds(text: string, phrase: string): boolean {
  const letter = /[\p{L}\d]/u
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (!letter.test(text.charAt(at - 1)) && !letter.test(text.charAt(at + phrase.length))) return true
  }
  return false
}

describe('the texts of the program', () => {
  test('are found in literals, templates and elements, and not in what names modules and types', () => {
    expect(textsOf(join(ROOT, 'src/screens/ui/lines.tsx')).filter((text) => text.trim() !== '')).toEqual([
      ' … ',
      'waiting …',
      ' · … s',
    ])
    expect(sources.length).toBeGreaterThan(350)
    expect(sources.flatMap((path) => textsOf(join(ROOT, path))).length).toBeGreaterThan(2000)
  })

  test('hold a phrase only between the ends of its words', () => {
    expect(holds('it wins a seat in the set', 'a seat')).toBe(true)
    expect(holds('a seat', 'a seat')).toBe(true)
    expect(holds('extra seat, a seatbelt', 'a seat')).toBe(false)
  })

  test('say none of the phrases that were given another word', () => {
    const said = sources
      .map((path) => [path, saidIn(path)] as const)
      .filter(([, phrases]) => phrases.length > 0)
    expect(Object.fromEntries(said)).toEqual({})
  })

  test('nor do the pages for people', () => {
    const said = pagesOf().flatMap(({ path, text }) =>
      PHRASES.filter(([phrase]) => holds(text.toLowerCase(), phrase)).map(([phrase]) => `${path}: ${phrase}`),
    )
    expect(said).toEqual([])
  })

  test('nor does the Chinese say what may be read in another way', () => {
    const files = readdirSync(join(ROOT, 'languages/zh'))
    expect(files.length).toBeGreaterThan(8)
    const said = files.flatMap((file) => {
      const text = readFileSync(join(ROOT, 'languages/zh', file), 'utf8')
      return CHINESE_PHRASES.filter(([phrase]) => text.includes(phrase)).map(
        ([phrase]) => `${file}: ${phrase}`,
      )
    })
    expect(said).toEqual([])
  })

  test('give a key no more columns than fit beside the other keys', () => {
    const labels = sources.flatMap((path) => keyLabelsOf(join(ROOT, path)))
    expect(labels.length).toBeGreaterThan(30)
    expect(labels.filter((label) => label.length > LONGEST_KEY_LABEL)).toEqual([])
  })

  test.each([
    ['steps', STEP_IDS.map((step) => `test/core/steps/${step}/__snapshots__/frames.test.ts.snap`)],
    ['payment', ['test/screens/__snapshots__/payment.test.tsx.snap']],
  ] as const)('fit on one line where they are the verdict of a step (%s)', (_, snapshots) => {
    const verdicts = snapshots.flatMap(framesIn).filter((frame) => VERDICT.test(frame[VERDICT_ROW] ?? ''))
    expect(verdicts.length).toBeGreaterThan(8)
    expect(verdicts.filter((frame) => !BELOW_VERDICT.test(frame[VERDICT_ROW + 1] ?? ''))).toEqual([])
  })
})

test.each(['README.md', 'docs/quick-start.md'])(
  '%s calls a step as the line of steps and its title do',
  (path) => {
    const page = readFileSync(join(ROOT, path), 'utf8')
    const steps = STEP_IDS.filter((step) => step !== 'status').map((step) => STEP_NAMES_TEXT.of[step])
    const missing = steps.map(({ name, title }) => `${name}: ${title}`).filter((step) => !page.includes(step))
    expect(missing).toEqual([])
  },
)

test('the two names of a step stand in the sources once', () => {
  const titles = STEP_IDS.map((step) => STEP_NAMES_TEXT.of[step].title)
  const saying = sources.filter((path) => textsOf(join(ROOT, path)).some((text) => titles.includes(text)))
  expect(saying).toEqual(['src/core/view/text.ts'])
  const table = /\bconfirm: '[^']*',\s+topup: '[^']*',/
  expect(sources.filter((path) => table.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

/** Below the header, the steps, a line and the title. */
const VERDICT_ROW = 4
const VERDICT = /^ (✔|✘|\?|…|·|ok|NO|\?\?|\.\.|-) \S/
/** A shut gate names what to do directly below its verdict. */
const BELOW_VERDICT = /^ *$|^ +next {3}\S/

/** The frames of a snapshot file that are 80 columns wide. */
function framesIn(path: string): string[][] {
  return [...readFileSync(join(ROOT, path), 'utf8').matchAll(/= `\n"([^`]*)"\n`;/g)]
    .map(([, frame = '']) => frame.split('\n'))
    .filter((lines) => lines.some((line) => /^[─-]{80}$/.test(line)))
}
