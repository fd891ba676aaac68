import { expect } from 'vitest'
import { LANGUAGE } from '../../src/core/base/format/language.ts'
import { plainAscii } from '../../src/core/base/format/text.ts'

/** English as somebody would have to read it: four words in a row, none of them a command, a path or a name. */
export const ENGLISH = /(?:(?<![\w`'/.-])[a-z]{2,} ){3}[a-z]{2,}/

/** A text without what its place changes: line breaks, columns, marks that not every terminal has, and its numbers. */
const bare = (text: string): string => plainAscii(text.replaceAll(/\s/g, '')).replaceAll(/\d[\d,.]*/g, '#')

/** How often a text is read somewhere, however it is broken there and whatever its numbers are. */
export const timesIn = (place: string, text: string): number => bare(place).split(bare(text)).length - 1

/** Expects a sentence of the language that the program speaks here. */
export function expectSpoken(text: string): void {
  expect(/\p{Script=Han}/u.test(text), text).toBe(LANGUAGE === 'zh')
  if (LANGUAGE === 'zh') expect(text).not.toMatch(ENGLISH)
}
