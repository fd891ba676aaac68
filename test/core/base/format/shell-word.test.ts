import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellCommand, shellWord } from '../../../../src/core/base/format/text.ts'

/** What a real shell makes of each word. */
function throughShell(words: readonly string[]): string[] {
  const script = words.map((word) => `printf '%s\\0' ${word}\n`).join('')
  const printed = execFileSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8', maxBuffer: 64 << 20 })
  return printed.split('\0').slice(0, -1)
}

const ODD = [
  "'",
  '"',
  '\\',
  '$',
  '`',
  '\n',
  '\r',
  '\t',
  '%',
  '!',
  '~',
  '*',
  ' ',
  '\u001b',
  'ä',
  '漢',
  '🐻',
  '\u202e',
  '0',
  '-',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary' })), { maxLength: 12 })
  .map((parts) => parts.join('').replaceAll('\0', '').replace(/\n+$/, ''))

describe('a word of a printed command', () => {
  test.each([
    ['/home/ann/.beacond', '/home/ann/.beacond'],
    ["/home/o'brien", `'/home/o'\\''brien'`],
    ['a b', "'a b'"],
    ['', "''"],
    ['~/x', "'~/x'"],
    ['A=b', "'A=b'"],
    ['C:\\Users\\Ann Lee\\AppData\\Local\\bearings', '"C:\\Users\\Ann Lee\\AppData\\Local\\bearings"'],
    ['C:\\Program Files (x86)\\x.exe', '"C:\\Program Files (x86)\\x.exe"'],
    ['dist\\cli.js', '"dist\\cli.js"'],
    ['C:\\a$b', "'C:\\a$b'"],
    ['C:\\a\\', "'C:\\a\\'"],
    ['\\\\server\\x', "'\\\\server\\x'"],
    ['/home/jürg', `'/home/j'"$(printf '\\303\\274')"'rg'`],
    ['a\n%b', `'a'"$(printf '\\012%%')"'b'`],
  ])('%j is %s', (raw, word) => {
    expect(shellWord(raw)).toBe(word)
    expect(throughShell([word])).toEqual([raw])
  })

  test('is the same text again in a real shell, whatever it is, and one line of printable ASCII', () => {
    const texts = fc.sample(text, { numRuns: 3000, seed: 14 })
    const words = texts.map(shellWord)
    expect(words.filter((word) => !/^[\x20-\x7e]+$/.test(word))).toEqual([])
    expect(throughShell(words)).toEqual(texts)
  })

  test.each(['a\0b', 'ends\n', '\ud83d'])('%j cannot be shown, and says so', (raw) => {
    expect(throughShell([shellWord(raw)])).toEqual([expect.stringMatching(/^<[\x20-\x7e]+>$/)])
  })

  test('keeps the words of a command apart', () => {
    expect(shellCommand('cast', 'call', 'f(bytes)', '<pubkey>')).toBe("cast call 'f(bytes)' '<pubkey>'")
  })
})
