import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import { textsOf } from '../support/texts.ts'

const ROOT = join(import.meta.dirname, '../../src/core')
/** What both desks say and draw around every page. */
const OF_DESKS = ['view/desk-words.ts', 'view/draw-text.ts']
/** The rooms that say what a page of a step says. */
const files = [
  'steps',
  'pay/desk',
  'pay/gate',
  'pay/payment',
  'pay/payment-view',
  'pay/wallet',
  'view',
].flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .map((path) => `${room}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !OF_DESKS.includes(path))
    .sort(),
)
const isText = (path: string): boolean => /(?:^|[/-])text\.ts$/.test(path)
const TEXTS = files.filter(isText)
/** What a fact says stands with it, and what a view says may stand where it is drawn. */
const saysItself = (path: string): boolean => /\/(?:[a-z]+-)?(?:facts|funds|standing|view)\.ts$/.test(path)

/** As many words, one beside the other, make a sentence. */
const SENTENCE_WORDS = 4
const WORD = /^[(“‘"']?\p{L}[\p{L}’'-]*[)”"']?[,.:;?!…]*$/u

function isSentence(text: string): boolean {
  let run = 0
  for (const part of text.split(/\s+/)) {
    run = WORD.test(part) ? run + 1 : 0
    if (run === SENTENCE_WORDS) return true
  }
  return false
}

/** What stands elsewhere, as nobody reads it on a screen. */
const NOT_SHOWN: readonly { path: string; is: RegExp; why: string }[] = [
  { path: 'pay/gate/facts.ts', is: /^no balance was asked for$/, why: 'a fault of the program itself' },
  { path: 'pay/payment/round.ts', is: /^no nonce was asked for …$/, why: 'a fault of the program itself' },
  { path: 'pay/gate/cast.ts', is: /^# One of these, /, why: 'the head of a file that is written there' },
  {
    path: 'pay/payment/decide.ts',
    is: /^(?:[a-z].*: |the deposits for the key tell)/,
    why: 'the names of the rows of a table, for its readers',
  },
]

function sentencesIn(path: string): string[] {
  const excused = NOT_SHOWN.filter((one) => one.path === path)
  return textsOf(join(ROOT, path)).filter(
    (text) => isSentence(text) && !excused.some(({ is }) => is.test(text)),
  )
}

describe('the sentences of a step and of what it pays with', () => {
  test('stand in text modules, facts, the standing and views, never in what decides, asks or sends', () => {
    const others = files.filter((path) => !isText(path) && !saysItself(path))
    expect(others.length).toBeGreaterThan(40)
    const found = others.map((path) => [path, sentencesIn(path)] as const)
    expect(Object.fromEntries(found.filter(([, texts]) => texts.length > 0))).toEqual({})
  })

  test('would be found where they are', () => {
    expect(TEXTS.length).toBeGreaterThan(8)
    expect(TEXTS.filter((path) => sentencesIn(path).length === 0)).toEqual([])
    expect(isSentence('r asks again')).toBe(false)
    expect(isSentence('not before … it is final')).toBe(false)
    expect(isSentence('…, but not by our transaction')).toBe(true)
  })

  test('are excused only where they are there', () => {
    const unused = NOT_SHOWN.filter(
      ({ path, is }) => !textsOf(join(ROOT, path)).some((text) => isSentence(text) && is.test(text)),
    )
    expect(unused).toEqual([])
  })

  test('name a next step wherever the gate stays closed', () => {
    const { changed, terms, checks, tooDear, overLimit, ...others } = GATE_TEXT.closed
    const made = [
      changed('it left'),
      terms('another nonce'),
      checks([], []),
      tooDear(1n, 2n),
      overLimit(2n, 1n),
      ...Object.values(others),
    ]
    expect(made.filter(({ next: [first] }) => first === undefined)).toEqual([])
    for (const each of made) expect(each).toMatchObject({ short: expect.stringMatching(/\.$/) })
  })

  test.each(TEXTS)('are one object in %s, whose type another language can have', async (path) => {
    const exported = Object.entries((await import(join(ROOT, path))) as Record<string, unknown>)
    expect(exported.map(([name]) => /^[A-Z_]+_TEXT$/.test(name))).toEqual([true])
    expect(exported.map(([, texts]) => typeof texts)).toEqual(['object'])
    // A sentence that is its own type would have no translation.
    expect(readFileSync(join(ROOT, path), 'utf8').includes('as const')).toBe(false)
  })
})
