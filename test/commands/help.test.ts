import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { cellsOf } from '../../src/core/base/format/drawable.ts'
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

  test.each([
    [['--help', 'devnet'], 'Only the rehearsal network'],
    [['--lang', 'zh', 'help', 'devnet'], '只运行演练网络'],
    [['--lang=zh', '--help', 'devnet'], '只运行演练网络'],
  ])('is asked for before the command as well, in a language: %j', async (argv, said) => {
    const { code, stdout } = await runCli(argv).end
    expect(code).toBe(0)
    expect(stdout).toMatch(/^bearings devnet /)
    expect(stdout).toContain(said)
  })
})

describe('before the command', () => {
  test('what every command takes is taken, and the last of a kind counts', async () => {
    const { code, stdout, stderr } = await runCli(['--lang', 'en', '--json', 'config', '--lang', 'zh']).end
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ command: 'config' })
    expect(stdout).toMatch(/[\u4e00-\u9fff]/)
  })

  test('an option of the wizard or of one command is not, and what is taken is named', async () => {
    const { code, stderr } = await runCli(['--lang', 'en', '--network', 'bepolia', 'watch']).end
    expect(code).toBe(2)
    const said = stderr.replace(/\s+/g, ' ')
    expect(said).toContain('only these may come before it: --json, --lang, --help.')
    expect(said).toMatch(/Write .* watch and then the options\./)
  })

  test('a language that is none is refused, and so is a command that there is not', async () => {
    const lines = await Promise.all(
      [
        ['--lang', 'xx', 'config'],
        ['--lang', 'en', 'confg'],
      ].map((argv) => runCli(argv).end),
    )
    expect(lines.map(({ code }) => code)).toEqual([2, 2])
    expect(lines[0]?.stderr).toContain('There is no language xx.')
    expect(lines[1]?.stderr).toContain('config')
  })
})

test('a language that was chosen by an option goes on in the commands that are printed', async () => {
  const saidIn = async (argv: readonly string[], env: Record<string, string>) => {
    const { LANG: _, LC_ALL: __, LC_MESSAGES: ___, ...rest } = process.env
    return (await runCli(argv, { ...rest, ...env }).end).stderr.replace(/\s+/g, ' ')
  }
  expect(await saidIn(['api', '--lang', 'zh'], { LANG: 'C' })).toMatch(/\S+ --lang zh api --help/)
  expect(await saidIn(['--lang', 'en', 'api'], { LANG: 'zh_CN.UTF-8' })).toMatch(/\S+ --lang en api --help/)
  expect(await saidIn(['api', '--lang', 'zh'], { LANG: 'zh_CN.UTF-8' })).not.toContain('--lang')
})

const has = (program: string) => spawnSync(program, ['--version']).status === 0

describe('in Chinese', () => {
  test.each(['bash', 'zsh', 'fish'])(
    'the completion of %s is read by it where it is there',
    async (shell) => {
      const { stdout: input, code } = await runCli(['completion', shell, '--lang', 'zh']).end
      expect(code).toBe(0)
      if (!has(shell)) return
      const read = spawnSync('sh', ['-c', `cat | ${shell} -n`], { input, encoding: 'utf8' })
      expect(read).toMatchObject({ status: 0, stderr: '' })
    },
  )
})
