import { runInThisContext } from 'node:vm'
import { transformSync } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { type Catalogue, lookUpsIn, textsIn } from '../../scripts/build/translate.ts'
import { languageFor } from '../../src/compose/choose-language.ts'
import { type LanguageTexts, lookUpTemplate, lookUpText, setTexts } from '../../src/core/base/format/texts.ts'

const PATH = 'a/b.tsx'
/** What begins an expression in a template. */
const OPEN = '$' + '{'

type Texts = Readonly<Record<string, string>>

/** The look-ups of one source in a language that has these texts. */
function lookUps(source: string, texts: Texts) {
  const catalogue: Catalogue = new Map([[PATH, texts]])
  const made = lookUpsIn(new Map([[PATH, source]]), new Map([['zh', catalogue]]))
  return { rewritten: made.rewrite(source, PATH), texts: made.texts.get('zh') ?? [] }
}

/** What the module answers that is evaluated after a language was set. */
function evaluate<T>(rewritten: string, texts: LanguageTexts, ask: (module: Module) => T): T {
  setTexts(texts)
  const { code } = transformSync(rewritten, { loader: 'tsx', format: 'cjs', jsxFactory: 'draw' })
  const made = { exports: {} as Module }
  const draw: Words = (name, props, ...children) => ({ name, props, children })
  const run = runInThisContext(`(module, require, draw) => {${code}}`) as Words
  run(made, () => ({ lookUpText, lookUpTemplate }), draw)
  const answer = ask(made.exports)
  setTexts([])
  return answer
}

type Words = (...given: unknown[]) => unknown
type Module = Readonly<Record<string, Words>>

/** What the module answers in English, and in the language. */
function both<T>(source: string, given: Texts, ask: (module: Module) => T): { english: T; chinese: T } {
  const { rewritten, texts } = lookUps(source, given)
  return { english: evaluate(rewritten, [], ask), chinese: evaluate(rewritten, texts, ask) }
}

describe('a source with look-ups', () => {
  test('has the texts of the language, and puts the values where the language wants them', () => {
    const source =
      "export const of = (n: number, all: string) => `#n} of #all} checks #n === 1 ? 'refuses' : 'refuse'}`\n".replaceAll(
        '#',
        OPEN,
      )
    expect(textsIn(source, PATH)).toEqual([
      {
        text: '{0} of {1} checks {2}',
        fills: [{ optional: false }, { optional: false }, { optional: true }],
      },
      { text: 'refuses', fills: [] },
      { text: 'refuse', fills: [] },
    ])
    const template = `\`{1}\` ${OPEN}x} {2} \\ {0}`
    const texts = { '{0} of {1} checks {2}': template, refuses: 'A', refuse: 'B' }
    expect(both(source, texts, ({ of }) => [of?.(1, 'all'), of?.(2, '5')])).toEqual({
      english: ['1 of all checks refuses', '2 of 5 checks refuse'],
      chinese: [`\`all\` ${OPEN}x} A \\ 1`, `\`5\` ${OPEN}x} B \\ 2`],
    })
  })

  test('says the same in English as without them, and keeps each value as it is', () => {
    const values = ['10,000', 0n, -1, true, null, undefined, '{0}', `${OPEN}x}`, '\\', ' ']
    const holes = values.map((_, at) => `${OPEN}v[${at}]}`)
    const source = `export const all = (...v: unknown[]) => \`a ${holes.join(' | ')} z\`\n`
    const english = `a ${values.map((_, at) => `{${at}}`).join(' | ')} z`
    const backwards = values.map((_, at) => `{${at}}`).reverse()
    const texts = { [english]: backwards.join(' | ') }
    expect(both(source, texts, ({ all }) => all?.(...values))).toEqual({
      english: `a ${values.map(String).join(' | ')} z`,
      chinese: values.map(String).reverse().join(' | '),
    })
  })

  test('gives a tag of the program the pieces and the values of the language', () => {
    const source = [
      'const say = (how: string) => (pieces: readonly string[], ...values: unknown[]) => [how, [...pieces], values]',
      `export const told = (a: string) => say('loud')\`run ${OPEN}a} for #b #c\``,
      'export const still = () => say("low")`no value here`',
      `export const raw = () => String.raw\`as it is ${OPEN}1}\``,
      '',
    ]
    const texts = { 'run {0} for #b #c': '为此 {0}', 'no value here': '无', loud: '响', 'as it is {0}': 'X' }
    const ask = ({ told, still, raw }: Module) => [told?.('x'), still?.(), raw?.()]
    expect(both(source.join('\n'), texts, ask)).toEqual({
      english: [['loud', ['run ', ' for #b #c'], ['x']], ['low', ['no value here'], []], 'as it is 1'],
      chinese: [['响', ['为此 ', ''], ['x']], ['low', ['无'], []], 'as it is 1'],
    })
  })

  test('keeps what is compared, imported, a type or a name', () => {
    const source = [
      "type T = 'word one'",
      "const x = { 'word one': 1, y: 'word one' } as { y: 'word one' }",
      "export const isOne = (given: string) => given === 'word one'",
      "export const inCase = (given: string) => { switch (given) { case 'word one': return true } return false }",
      "const { z = 'word one' } = {} as { z?: string }",
      'export const of = () => ({ ...x, z })',
      '',
    ].join('\n')
    const ask = ({ of, isOne, inCase }: Module) => [
      of?.(),
      ['word one', 'ONE'].map((given) => [isOne?.(given), inCase?.(given)]),
    ]
    const compared = [
      [true, true],
      [false, false],
    ]
    expect(both(source, { 'word one': 'ONE' }, ask)).toEqual({
      english: [{ 'word one': 1, y: 'word one', z: 'word one' }, compared],
      chinese: [{ 'word one': 1, y: 'ONE', z: 'ONE' }, compared],
    })
  })

  test('has the words of elements', () => {
    const source = [
      'export const one = () => <b label="two words"> two words <i /> </b>',
      'export const two = () => <b>\n  two\n  words\n</b>',
      '',
    ].join('\n')
    const texts = { 'two words': '“"两"”', 'two\n  words': '两' }
    const drawn = (words: string, alone: string) => [
      { name: 'b', props: { label: words }, children: [' ', words, ' ', expect.anything(), ' '] },
      { name: 'b', props: null, children: [alone] },
    ]
    expect(both(source, texts, ({ one, two }) => [one?.(), two?.()])).toEqual({
      english: drawn('two words', 'two words'),
      chinese: drawn('“"两"”', '两'),
    })
  })

  test('is as it was where no language has one of its texts', () => {
    const source = "export const a = 'word one'\n"
    expect(lookUps(source, { other: 'X' })).toEqual({ rewritten: source, texts: [] })
  })

  test('is English where a language has nothing to say, and shares a number with the same text elsewhere', () => {
    const source = "export const of = () => ['one', 'two', 'three']\n"
    const sources = new Map([PATH, 'a/c.ts'].map((path) => [path, source]))
    const catalogue: Catalogue = new Map([
      [PATH, { one: '一', two: '二' }],
      ['a/c.ts', { one: '一', two: '两' }],
    ])
    const made = lookUpsIn(sources, new Map([['zh', catalogue]]))
    expect(made.texts.get('zh')).toEqual(['一', '二', '两'])
    const said = evaluate(made.rewrite(source, 'a/c.ts'), made.texts.get('zh') ?? [], ({ of }) => of?.())
    expect(said).toEqual(['一', '两', 'three'])
  })

  test('refuses a place that nothing fills', () => {
    expect(() => lookUps(`const a = \`x ${OPEN}b}\``, { 'x {0}': '{1}' })).toThrow('nothing fills {1}')
  })
})

describe('the language', () => {
  const CASES: [argv: string[], env: Record<string, string>, language: string][] = [
    [[], {}, 'en'],
    [[], { LANG: 'zh_CN.UTF-8' }, 'zh'],
    [[], { LANG: 'zh_SG.utf8' }, 'zh'],
    [[], { LANG: 'zh_CN' }, 'en'],
    [[], { LANG: 'zh_CN.GBK' }, 'en'],
    [[], { LANG: 'zh_TW.UTF-8' }, 'en'],
    [[], { LANG: 'zh_CN.UTF-8', TERM: 'linux' }, 'en'],
    [[], { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
    [[], { LANG: 'zh_CN.UTF-8', LC_ALL: '' }, 'zh'],
    [[], { LANG: 'C', LC_MESSAGES: 'zh_CN.UTF-8' }, 'zh'],
    [[], { LANG: 'de_DE.UTF-8' }, 'en'],
    [['--lang', 'zh'], { LC_ALL: 'C' }, 'zh'],
    [['watch', '--lang=en'], { LANG: 'zh_CN.UTF-8' }, 'en'],
    [['--lang=en', '--lang', 'zh'], {}, 'zh'],
    [['--lang'], { LANG: 'zh_CN.UTF-8' }, 'zh'],
    [['--lang', 'xx'], { LANG: 'zh_CN.UTF-8' }, 'en'],
    [['--', '--lang=zh'], {}, 'en'],
  ]

  test.each(CASES)('of %j with %j is %s', (argv, env, language) => {
    expect(languageFor(argv, env)).toBe(language)
  })
})
