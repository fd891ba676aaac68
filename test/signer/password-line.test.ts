import { describe, expect, test } from 'vitest'
import { endLoneEscape, newPasswordLine, typeByte } from '../../src/signer/password-line.ts'

/** What a line holds after some bytes, and what the last of them did. */
function lineAfter(text: string) {
  const line = newPasswordLine()
  const steps = [...Buffer.from(text)].map((byte) => typeByte(line, byte))
  return { typed: Buffer.from(line.typed).toString(), last: steps.at(-1), line }
}
const typed = (text: string) => lineAfter(text).typed

describe('a password as it is typed', () => {
  test('is what was typed, without what was taken back', () => {
    expect(typed('secret')).toBe('secret')
    expect(typed('sec\u007fret')).toBe('seret')
    expect(typed('ab\b\bc')).toBe('c')
    expect(typed('aé\u007f')).toBe('a')
    expect(typed('ab\u0015c')).toBe('c')
    expect(typed('\u007fa')).toBe('a')
  })

  test('ends with Enter, and is given up by Ctrl-C and its kind', () => {
    expect(lineAfter('a\r').last).toBe('done')
    expect(lineAfter('a\n').last).toBe('done')
    for (const key of ['\u0003', '\u0004', '\u001c']) expect(lineAfter(`a${key}`).last).toBe('cancelled')
    expect(lineAfter('a').last).toBe('typing')
    expect(lineAfter('\u001b\u0003').last).toBe('cancelled')
  })

  test('holds no other control character', () => {
    expect(typed('a\u0001\u0007\u000b\u001fb')).toBe('ab')
  })

  test.each([
    ['an arrow key', '\u001b[A'],
    ['a key with numbers', '\u001b[1;5C'],
    ['a key that ends with ~', '\u001b[3~'],
    ['a function key of SS3', '\u001bOP'],
    ['a function key of the console', '\u001b[[A'],
    ['the marks around a paste', '\u001b[200~'],
    ['a letter with Alt', '\u001bx'],
    ['a bracket within a sequence', '\u001b[1[A'],
    ['a sequence that another one cuts off', '\u001b[1\u001b[A'],
    ['two Escapes', '\u001b\u001b[A'],
    ['a reply that ends with BEL', '\u001b]11;rgb:ffff/0000\u0007'],
    ['a reply that ends with ESC \\', '\u001bP1+r\\544e\u001b\\'],
    ['a reply with an escape in it', '\u001b_G\u001bx;OK\u001b\\'],
  ])('holds nothing of %s', (_, keys) => {
    expect(typed(`a${keys}b`)).toBe(keys === '\u001b[1[A' ? 'aAb' : 'ab')
  })

  test('goes on behind an Escape that nothing followed', () => {
    const { line } = lineAfter('a\u001b')
    endLoneEscape(line)
    typeByte(line, 0x62)
    expect(Buffer.from(line.typed).toString()).toBe('ab')
    const held = lineAfter('a\u001b[').line
    endLoneEscape(held)
    typeByte(held, 0x41)
    expect(Buffer.from(held.typed).toString()).toBe('a')
  })

  test('ends with Enter within a sequence, too', () => {
    expect(lineAfter('ab\u001b[\r')).toMatchObject({ last: 'done', typed: 'ab' })
  })
})
