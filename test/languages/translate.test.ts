import { describe, expect, test } from 'vitest'
import { textsIn, translate } from '../../scripts/build/translate.ts'
import { languageFor } from '../../src/compose/choose-language.ts'

const PATH = 'a.tsx'
/** What begins an expression in a template. */
const OPEN = '$' + '{'

describe('a source in another language', () => {
  test('has its texts, and what is put into them where the other language wants it', () => {
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
    const texts = { '{0} of {1} checks {2}': `\`{1}\` ${OPEN}x} {2} \\ {0}`, refuses: 'A', refuse: 'B' }
    expect(translate(source, PATH, texts)).toBe(
      'export const of = (n: number, all: string) => `\\`#all}\\` \\#x} #n === 1 ? "A" : "B"} \\\\ #n}`\n'.replaceAll(
        '#',
        OPEN,
      ),
    )
  })

  test('keeps what is compared, imported, a type or a name', () => {
    const source = [
      "import { a } from 'word one'",
      "type T = 'word one'",
      "const x = { 'word one': 1, y: 'word one' } as { y: 'word one' }",
      "if (x.y === 'word one') a(x['word one'])",
      "switch (x.y) { case 'word one': break }",
      "const { z = 'word one' } = a",
      '',
    ].join('\n')
    expect(translate(source, PATH, { 'word one': 'ONE' })).toBe(
      source.replace("y: 'word one' } as", 'y: "ONE" } as').replace("z = 'word one'", 'z = "ONE"'),
    )
  })

  test('has the words of elements', () => {
    const source = 'export const A = () => <B label="two words"> two words <C /> </B>\n'
    expect(translate(source, PATH, { 'two words': '“"两"”' })).toBe(
      'export const A = () => <B label={"“\\"两\\"”"}> {"“\\"两\\"”"} <C /> </B>\n',
    )
  })

  test('refuses a place that nothing fills', () => {
    expect(() => translate(`const a = \`x ${OPEN}b}\``, PATH, { 'x {0}': '{1}' })).toThrow(
      'nothing fills {1}',
    )
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
