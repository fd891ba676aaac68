import { beforeAll, describe, expect, test } from 'vitest'
import { buildCli, runCli } from '../support/run-cli.ts'

beforeAll(() => buildCli())

const help = async (...argv: string[]) => {
  const { code, stdout, stderr } = await runCli([...argv, '--help']).end
  return { code, stderr, lines: stdout.split('\n') }
}

/** Every command that the help of the program names. */
async function commandNames(): Promise<string[]> {
  const { lines } = await help()
  const named = lines.flatMap((line) => /^ {2}([a-z][a-z-]*) {2,}/.exec(line)?.[1] ?? [])
  return [...new Set(named)]
}

describe('help', () => {
  test('of the program and of every command it names fits 80 columns and goes to stdout', async () => {
    const names = await commandNames()
    expect(names).toHaveLength(15)
    const all = await Promise.all([[], ...names.map((name) => [name])].map((argv) => help(...argv)))
    for (const { code, stderr, lines } of all) {
      expect([code, stderr]).toEqual([0, ''])
      expect(lines.filter((line) => line.length > 80)).toEqual([])
      expect(lines[0]).toMatch(/^bearings/)
    }
  })

  test('of a command is the same by its name after help', async () => {
    const { stdout } = await runCli(['help', 'devnet']).end
    expect(stdout).toContain('bearings devnet [options]')
  })
})
