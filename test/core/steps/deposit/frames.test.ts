import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commandsOf, frameOf, testFramesOf } from '../../../support/step-frames.tsx'

/** The words that a shell makes of a text. */
function wordsOf(text: string): string[] {
  const script = `cast() { printf '%s\\0' "$@"; }\nbearings() { cast "$@"; }\n${text}\n`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

/** What of a page stands between its heading and the money band. */
function copied(lines: readonly string[]): string {
  const from = lines.findIndex((line) => line.includes('The same from a shell'))
  const to = lines.findIndex((line, at) => at > from && /^[─-]+$/.test(line.trim()))
  return lines.slice(from + 1, to).join('\n')
}

testFramesOf('deposit')

describe('the page of the shell command', () => {
  test.each([
    { columns: 80, rows: 24 },
    { columns: 40, rows: 60 },
    { columns: 120, rows: 40 },
    { columns: 200, rows: 60 },
  ])('can be copied from the screen at $columns×$rows', async (size) => {
    const name = 'deposit, ready to send'
    const commands = commandsOf(name)
    expect(commands.join(' ')).toMatch(/ 0x[0-9a-f]{96} .*0x[0-9a-f]{192} /)
    const lines = await frameOf(name, size, 'c')
    expect(wordsOf(copied(lines))).toEqual(commands.flatMap(wordsOf))
  })
})
