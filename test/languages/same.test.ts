import { beforeAll, describe, expect, test } from 'vitest'
import { buildCli, runCli } from '../support/run-cli.ts'
import { depositOptions } from '../support/signed-deposit.ts'

beforeAll(() => buildCli())

/** What the program prints in English and in Chinese. */
async function inBoth(...args: string[]): Promise<{ english: string; chinese: string }> {
  const { LC_ALL: _, LC_MESSAGES: __, ...env } = process.env
  const ends = await Promise.all(
    ['C', 'zh_CN'].map(
      (locale) => runCli(args, { ...env, TERM: 'xterm-256color', LANG: `${locale}.UTF-8` }).end,
    ),
  )
  const [english, chinese] = ends.map(({ stdout, stderr }) => stdout + stderr)
  return { english: english ?? '', chinese: chinese ?? '' }
}

/** Numbers, hex, codes of errors, options: whatever in a text is no word of a language. */
const VALUES = /0x[0-9a-fA-F]+|(?<![\w.])\d[\d,.]*\d\b|(?<![\w.])\d\b|--[a-z][a-z-]*|\b[a-z-]+\.[a-z-]+\b/g
/** A long value may be broken at the end of a line. */
const valuesIn = (text: string): string[] =>
  (text.replace(/([0-9a-fA-F])\n +(?=[0-9a-fA-F]{8})/g, '$1').match(VALUES) ?? []).toSorted()

describe('in every language the same', () => {
  test('are the commands, the options and the words that they take', async () => {
    const { english, chinese } = await inBoth('completion', 'bash')
    expect(english).toContain('--second-execution')
    expect(chinese).toBe(english)
  })

  test('are the values in what is told', async () => {
    const { english, chinese } = await inBoth('verify', ...depositOptions())
    expect(chinese).toMatch(/\p{Script=Han}/u)
    expect(valuesIn(english).length).toBeGreaterThan(5)
    expect(valuesIn(chinese)).toEqual(valuesIn(english))
  })

  test.each([
    [['status', '--validater', '3']],
    [['rehearse', '--slot-ms', '3']],
    [['api', '--network', '/nowhere/network.json']],
    [['sign', '--network', 'bepolia', '--key-file', '/nowhere/key.json']],
  ])('are the code and the values of the error of %j', async (args) => {
    const { english, chinese } = await inBoth(...args)
    expect(english).toMatch(/\([a-z-]+\.[a-z-]+,\s/)
    expect(chinese).toMatch(/\p{Script=Han}/u)
    expect(valuesIn(chinese)).toEqual(valuesIn(english))
  })

  test('is the document that --json prints, but for its words', async () => {
    const { english, chinese } = await inBoth('verify', ...depositOptions(), '--json')
    const bare = (text: string) =>
      JSON.parse(text, (name, value: unknown) =>
        ['at', 'words'].includes(name) ? undefined : value,
      ) as object
    expect(bare(chinese)).toEqual(bare(english))
  })
})
