import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isNeverPartial, lacksIn, partialWords } from '../../scripts/build/lacks.ts'
import { NOT_SAID } from '../../scripts/build/not-said.ts'
import { readCatalogue, readSources, type SourceText, textsIn } from '../../scripts/build/translate.ts'
import { errorSamples } from '../../scripts/docs/error-samples.ts'
import { COMMAND_NAMES, COMMANDS } from '../../src/commands/table.ts'
import { BUILT_IN } from '../../src/commands/table-options.ts'
import { cellsOf, isDrawable } from '../../src/core/base/format/drawable.ts'
import { SCENARIO_NAMES } from '../../src/core/chain/network/scenario-names.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'

const ROOT = join(import.meta.dirname, '../..')
const sources = readSources(ROOT)
const inSource = new Map([...sources].map(([path, source]) => [path, textsIn(source, path)] as const))
const catalogue = readCatalogue(ROOT, 'zh')
const entries = [...catalogue].flatMap(([path, texts]) =>
  Object.entries(texts).map(([english, other]) => ({ path, english, other })),
)

/** What stands in a text for whoever types or copies it: the same in every language. */
const KEPT =
  /`[^`]+`|(?<![\w-])--[a-z][a-z-]*|https?:\/\/(?:[^\s,;)]*[^\s,;).])?|\b0x[0-9a-fA-F]*|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[\w-]+\.(?:json|toml|md|sol|js|sock)\b|(?<![\w{.])\d[\d,.]*\d\b|(?<![\w{.])\d(?![\w}])/g

const fillsOf = (text: string): string[] => [...text.matchAll(/\{(\d+)\}/g)].map(([, at = '']) => at)
const sourceTextOf = (path: string, english: string): SourceText | undefined =>
  inSource.get(path)?.find(({ text }) => text === english)

/** Chinese words that read as another thing than is meant; beside each what is said instead. */
const BETTER: readonly (readonly [word: string, instead: string])[] = [
  ['平局', '质押并列'],
  ['丢失密钥', '密钥永久作废'],
  ['一笔首笔存款', '首笔存款'],
  ['收过款，从未发送', '收过款，从未转出'],
  ['提款地址处', '提款地址状况'],
  ['正以它运行', '正在使用此密钥'],
  ['小偷', '骗子'],
  ['都不算好', '不算通过'],
  ['收据', '回执'],
  ['最旧的回答', '最早的回答'],
]

/** Words that a file says in two places, and never as an id: by file. */
const SAID_TWICE: Readonly<Record<string, string>> = {
  'commands/home-rows.ts': 'on',
  'commands/verify.ts': 'accepts',
  'compose/receipt-file.ts': 'operator transaction block value',
  'compose/summary.ts': 'transaction',
  'core/base/format/amount.ts': 'th min',
  'core/chain/key-state/standing-text.ts': 'active',
  'core/observe/guard-text.ts': 'guard',
  'core/pay/guard/text.ts': 'until',
  'core/pay/payment-view/rows-text.ts': 'account to',
  'core/steps/confirm/facts.ts': 'signature',
  'core/steps/identity/text.ts': 'withdrawal you key contract',
  'core/steps/sign/picture-text.ts': 'never',
  'core/steps/sign/text.ts': 'signature',
  'watch/view.ts': 'reported record',
}

describe('Chinese', () => {
  test('says none of the words that were given a better one', () => {
    const said = entries.flatMap(({ path, other }) =>
      BETTER.filter(([word]) => other.includes(word)).map(([word]) => `${path}: ${word}`),
    )
    expect(said).toEqual([])
  })

  test('speaks of the sources that are there', () => {
    expect(sources.size).toBeGreaterThan(350)
    expect([...catalogue.keys()].filter((path) => !sources.has(path))).toEqual([])
  })

  test('has none that nobody says any more', () => {
    expect(entries.filter(({ path, english }) => sourceTextOf(path, english) === undefined)).toEqual([])
    const unused = NOT_SAID.filter(
      ({ path, is }) =>
        ![...sources.keys()].some(
          (each) => path.test(each) && inSource.get(each)?.some(({ text }) => is.test(text)),
        ),
    )
    expect(unused).toEqual([])
  })

  test('puts in what the program puts in, each where it belongs', () => {
    const odd = entries.filter(({ path, english, other }) => {
      const fills = sourceTextOf(path, english)?.fills ?? []
      const used = fillsOf(other)
      const wrong = used.some((at) => fills[Number(at)] === undefined)
      return wrong || fills.some(({ optional }, at) => !optional && !used.includes(String(at)))
    })
    expect(odd).toEqual([])
  })

  test('keeps numbers, and all that is typed or copied', () => {
    const lost = entries.flatMap(({ path, english, other }) =>
      [...english.matchAll(KEPT)]
        .filter(([part]) => !other.includes(part))
        .map(([part]) => ({ path, english, other, part })),
    )
    expect(lost).toEqual([])
  })

  test('leaves alone the words that are typed before money moves', () => {
    const { send, prepare, rescue, risk, ...others } = PAYMENT_TEXT.typed
    expect({ send, prepare, rescue, risk }).toEqual({
      send: 'send',
      prepare: 'prepare',
      rescue: 'rescue',
      risk: 'risk',
    })
    const words = [send, prepare, rescue, risk, ...Object.values(others)]
    const texts = catalogue.get('core/pay/payment-view/text.ts') ?? {}
    expect(words.filter((word) => Object.hasOwn(texts, word))).toEqual([])
  })

  test('leaves alone what the program finds by its name: commands, options, scenarios, errors', () => {
    const names = [
      ...[...COMMAND_NAMES, ...SCENARIO_NAMES, ...BUILT_IN].map((name) => ['commands/table', name] as const),
      ...COMMANDS.flatMap(({ options }) => options.map(({ name }) => ['commands/table', name] as const)),
      ...errorSamples().map(({ code }) => ['', code] as const),
    ]
    expect(names.length).toBeGreaterThan(150)
    const changed = entries.filter(({ path, english }) =>
      names.some(([room, name]) => path.startsWith(room) && english === name),
    )
    expect(changed).toEqual([])
  })

  test('has no word that its file has a second time, as an id say, but those that were looked at', () => {
    const twice = entries.filter(({ path, english }) => {
      const found = inSource.get(path)?.filter(({ text }) => text === english) ?? []
      return /^[a-z][a-z-]*$/.test(english) && found.length > 1
    })
    const found = Object.groupBy(twice, ({ path }) => path)
    const words = Object.entries(found).map(([path, all]) => [
      path,
      all?.map(({ english }) => english).join(' '),
    ])
    expect(Object.fromEntries(words)).toEqual(SAID_TWICE)
  })

  test('begins what stops, and what is closed, with one word each', () => {
    const words = { 'Stop: ': '停止：', 'Closed: ': '已关闭：' }
    const titles = Object.entries(words).map(([english, other]) => {
      const found = entries.filter((each) => each.english.startsWith(english))
      expect(found.length).toBeGreaterThan(4)
      return found.filter((each) => !each.other.startsWith(other))
    })
    expect(titles.flat()).toEqual([])
  })

  test('is drawn by every terminal in the same cells', () => {
    const odd = entries.filter(({ english, other }) =>
      [...other].some(
        (character) => character !== '\n' && !isDrawable(character) && !english.includes(character),
      ),
    )
    expect(odd).toEqual([])
    const ambiguous = entries.filter(
      ({ english, other }) => /[“”‘’—]/.test(other) && !/[“”‘’—]/.test(english),
    )
    expect(ambiguous).toEqual([])
  })

  test('says what is said in as many columns as there are', () => {
    const long = entries.filter(
      ({ path, other }) =>
        path.startsWith('commands/table') &&
        other.includes('\n') &&
        other.split('\n').some((line) => cellsOf(line) > 80),
    )
    expect(long).toEqual([])
  })

  test('is Chinese', () => {
    const left = entries.filter(({ other }) =>
      /(?:(?<![\w`'/.-])[a-z]{2,} ){3}[a-z]{2,}/.test(other.replace(/`[^`]*`/g, '')),
    )
    expect(left).toEqual([])
  })
})

describe('a language that is partial', () => {
  const PAYING = 'core/pay/payment-view/text.ts'
  const parts = new Map([
    [PAYING, "export const A = 'the stake is gone'\nexport const B = 'nothing was sent'\n"],
    ['commands/keys.ts', "export const C = 'no such key'\nexport const D = 'id'\n"],
  ])

  test('lacks what somebody reads and it does not say; what nobody reads it need not have', () => {
    const known = new Map([[PAYING, { 'nothing was sent': '什么也没有发送' }]])
    const lacks = lacksIn(parts, known)
    expect(lacks).toEqual([
      { path: PAYING, text: 'the stake is gone' },
      { path: 'commands/keys.ts', text: 'no such key' },
    ])
    expect(lacks.filter(isNeverPartial)).toEqual([{ path: PAYING, text: 'the stake is gone' }])
    const said = partialWords('zh', lacks)
    expect(said).toContain('2 texts')
    expect(said).toContain('without 1 of them')
    expect(partialWords('zh', [])).toBeUndefined()
  })

  test('counts as paying whatever is agreed to before money moves, and every error', () => {
    const paths = [...sources.keys()]
    const kept = paths.filter((path) => isNeverPartial({ path, text: '' }))
    expect(kept.filter((path) => /^core\/base\/errors\/.*\.ts$/.test(path))).toEqual(
      paths.filter((path) => path.startsWith('core/base/errors/')),
    )
    const rooms = ['steps/deposit', 'steps/topup', 'steps/sign', 'steps/confirm']
    for (const room of [...rooms, 'pay/gate', 'pay/desk', 'pay/payment-view'])
      expect(kept.some((path) => path.startsWith(`core/${room}/`))).toBe(true)
  })
})
