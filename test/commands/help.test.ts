import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { cellsOf } from '../../src/core/format/drawable.ts'
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
  test.each(['en', 'zh'])(
    'in %s fits 80 columns, of the program and of every command it names, and goes to stdout',
    async (language) => {
      const names = await commandNames()
      expect(names).toHaveLength(15)
      const asked = [[], ...names.map((name) => [name])].map((argv) => [...argv, '--lang', language])
      const all = await Promise.all(asked.map((argv) => help(...argv)))
      for (const { code, stderr, lines } of all) {
        expect([code, stderr]).toEqual([0, ''])
        expect(lines.filter((line) => cellsOf(line) > 80)).toEqual([])
        expect(lines[0]).toMatch(/^bearings/)
      }
    },
  )

  test('of a command is the same by its name after help', async () => {
    const { stdout } = await runCli(['help', 'devnet']).end
    expect(stdout).toContain('bearings devnet [options]')
  })
})

const has = (program: string) => spawnSync(program, ['--version']).status === 0

describe('in Chinese', () => {
  test.skipIf(!has('groff'))('the manual page is taken by groff, and no line of it is too wide', async () => {
    const { stdout: input } = await runCli(['man', '--lang', 'zh']).end
    const options = ['-man', '-Kutf8', '-Tutf8', '-P-cbou', '-ww']
    const { stdout, stderr, status } = spawnSync('groff', options, { input, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n')
    expect(lines.filter((line) => cellsOf(line) > 80)).toEqual([])
    expect(lines).toContain('名称')
  })

  test.each(['bash', 'zsh', 'fish'])(
    'the completion of %s is read by it where it is there',
    async (shell) => {
      const { stdout: input, code } = await runCli(['completion', shell, '--lang', 'zh']).end
      expect(code).toBe(0)
      if (!has(shell)) return
      expect(spawnSync(shell, ['-n'], { input, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
    },
  )
})
