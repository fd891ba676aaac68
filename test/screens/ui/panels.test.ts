import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellCommand } from '../../../src/core/base/format/text.ts'
import { BEPOLIA } from '../../../src/core/chain/network/presets.ts'
import { PICTURE_TEXT } from '../../../src/core/steps/sign/picture-text.ts'
import { commandLines, permissionLines, timelineLines } from '../../../src/screens/ui/panels.ts'

/** The words that a shell makes of what stands on the screen, below the heading. */
function wordsInShell(command: string, columns: number): string[] {
  const rows = commandLines([command], columns).map((row) => row.map(({ text }) => text).join(''))
  for (const row of rows.slice(1)) expect(row.length).toBeLessThanOrEqual(columns)
  const script = `cast() { printf '%s\\0' "$@"; }\n${rows.slice(1).join('\n')}\n`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('a command on the screen', () => {
  test.each([80, 60, 40, 120])('with long calldata is whole for a shell, at %d columns', (columns) => {
    const data = `0xe12cf4cb${'0123456789abcdef'.repeat(52)}`
    const words = ['mktx', '--chain', '80094', '--nonce', '3', '--ledger', `0x${'42'.repeat(20)}`, data]
    expect(wordsInShell(`cast ${words.join(' ')}`, columns)).toEqual(words)
  })

  test('with a quoted path that is longer than a line is whole', () => {
    const path = `/home/ann/a folder/${'deep/'.repeat(40)}key`
    expect(wordsInShell(`cast send --keystore '${path}' --nonce 1`, 60)).toEqual([
      'send',
      '--keystore',
      path,
      '--nonce',
      '1',
    ])
  })

  test.each([
    ['  \\)', 20],
    [`C:\\Program  Files\\a folder\\${'deep\\'.repeat(30)}key`, 40],
  ])('with a path as Windows writes it is whole: %s', (path, columns) => {
    expect(wordsInShell(shellCommand('cast', '--keystore', path, ''), columns)).toEqual([
      '--keystore',
      path,
      '',
    ])
  })

  test('with words of any kind and length is whole at any width', () => {
    const plain = fc.stringMatching(/^[a-zA-Z0-9.:/-]{1,300}$/)
    const odd = fc.string({
      unit: fc.constantFrom("'", '"', ')', '(', '\\', ' ', '%', 'ä', '漢', '\t', '$', 'a'),
      maxLength: 150,
    })
    fc.assert(
      fc.property(
        fc.array(fc.oneof(plain, odd), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 20, max: 140 }),
        (words, columns) => {
          expect(wordsInShell(shellCommand('cast', ...words), columns)).toEqual(words)
        },
      ),
      { numRuns: 100 },
    )
  })
})

test.each([80, 100, 120])('the columns of a picture stay apart at %d columns', (columns) => {
  const [, ...rows] = permissionLines(PICTURE_TEXT.whoCanDoWhat(BEPOLIA), columns)
  const cells = rows.filter((row) => row.length > 2).flatMap((row) => row.slice(1, -1))
  expect(cells.length).toBeGreaterThan(20)
  for (const { text } of cells) expect(text).toMatch(/ {2}$/)
})

describe('the way to the active set', () => {
  const rows = [
    { id: 'a', state: 'done', label: 'threshold passed', when: 'effective 280,000', detail: '' },
    { id: 'b', state: 'now', label: 'active', when: 'epoch 55', detail: 'in 17 slots, 17 s' },
  ] as const
  const textsAt = (columns: number) =>
    timelineLines(rows, columns).map((row) => row.map(({ text }) => text).join(''))

  test('has its countdown behind the epoch', () => {
    expect(textsAt(80)).toEqual([
      '   ● threshold passed  effective 280,000',
      '   ◉ active            epoch 55           in 17 slots, 17 s',
    ])
  })

  test('has below what has no room, and no amount is cut', () => {
    expect(textsAt(39)).toEqual([
      '   ● threshold passed',
      '       effective 280,000',
      '   ◉ active            epoch 55',
      '       in 17 slots, 17 s',
    ])
  })
})
