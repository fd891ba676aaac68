import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completion } from '../../src/commands/completion.ts'
import { COMMANDS, WIZARD } from '../../src/commands/table.ts'
import { createNodeRandom } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { bareEffects, runCommandWith } from '../support/run-command.ts'

const effects = bareEffects({
  http: { request: () => Promise.reject(new Error('nobody is asked')) },
  clock: createNodeClock(),
  random: createNodeRandom(),
})

const scriptOf = async (shell: string) => (await runCommandWith(completion, [shell], effects)).out
const has = (program: string) => spawnSync(program, ['--version']).status === 0
const ROOT = join(import.meta.dirname, '../..')

const OPTIONS = [WIZARD, ...COMMANDS].flatMap(({ options }) => options.map(({ name }) => name))

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])(
    'for %s knows every command and every option',
    async (shell) => {
      const script = await scriptOf(shell)
      for (const { name } of COMMANDS) expect(script).toMatch(new RegExp(`\\b${name}\\b`))
      const written = shell === 'fish' ? (name: string) => `-l ${name} ` : (name: string) => `--${name}`
      expect(OPTIONS.filter((name) => !`${script} `.includes(written(name)))).toEqual([])
      // Whatever was typed is never evaluated, and nothing is started.
      expect(script.match(/\beval\b|Invoke-Expression|bearings complete/g)).toBeNull()
    },
  )

  test('of a shell that is none, or of none, is wrong use', async () => {
    const cases = [
      [[], 'Nothing says for which shell the script is.'],
      [['tcsh'], 'There is no script for this shell.'],
    ] as const
    for (const [argv, words] of cases) {
      const { code, err } = await runCommandWith(completion, argv, effects)
      expect(code).toBe(2)
      expect(err).toContain(words)
      expect(err).toContain('Give one of bash, zsh, fish, powershell.')
    }
  })

  test.each(['zsh', 'fish'])('is read by %s where it is there', async (shell) => {
    const script = await scriptOf(shell)
    if (!has(shell)) return
    // fish reads a pipe, and not the socket that Node gives.
    const read = spawnSync('sh', ['-c', `cat | ${shell} -n`], { input: script, encoding: 'utf8' })
    expect(read).toMatchObject({ status: 0, stderr: '' })
  })

  test.skipIf(!has('bash'))('in bash gives what fits at the place of the cursor', async () => {
    const ASKED: [words: string[], found: string[]][] = [
      [['top'], ['topup-plan']],
      [['--pl'], ['--plain']],
      [['help', 'doc'], ['doctor']],
      [['status', '--sec'], ['--second-execution']],
      [['status', '--network', 'bep'], ['bepolia']],
      [['--network', '=', 'main'], ['mainnet']],
      [['rehearse', '--scenario', 'burnt'], ['burnt-deposit']],
      [['completion', 'z'], ['zsh']],
      [['genesis', 'tsconf'], ['tsconfig.json']],
      [['watch', '--config', 'tsconf'], ['tsconfig.json']],
      [['doctor', '--home', 'contr'], ['contracts']],
      [['status', '--execution', ''], []],
      [['verify', '$(exit 9)'], []],
      [['--lang', 'z'], ['zh']],
      [['--lang', 'zh', 'top'], ['topup-plan']],
      [['--lang', '=', 'zh', 'status', '--sec'], ['--second-execution']],
      [['--json', '--lang', 'zh', 'genesis', 'tsconf'], ['tsconfig.json']],
      [['--lang', 'zh', 'help', 'doc'], ['doctor']],
      [['--lang', 'zh', '--pl'], ['--plain']],
    ]
    const lines = ASKED.map(([words]) => {
      const typed = ['bearings', ...words].map((word) => `'${word}'`).join(' ')
      return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _bearings; echo "\${COMPREPLY[*]}"`
    })
    const input = [await scriptOf('bash'), ...lines].join('\n')
    const { stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile'], {
      input,
      encoding: 'utf8',
      cwd: ROOT,
    })
    expect(stderr).toBe('')
    const expected = ASKED.map(([, found]) => found.join(' '))
    expect(stdout.slice(0, -1).split('\n')).toEqual(expected)
  })

  test.each(['fish'].filter(has))('in %s gives what fits at the place of the cursor', async (shell) => {
    const ASKED: [line: string, found: string][] = [
      ['top', 'topup-plan'],
      ['--pl', '--plain'],
      ['help doc', 'doctor'],
      ['status --sec', '--second-execution'],
      ['status --network bep', 'bepolia'],
      ['rehearse --scenario burn', 'burnt-deposit'],
      ['completion z', 'zsh'],
      ['genesis tsconf', 'tsconfig.json'],
      ['status --execution ', ''],
      ['--lang zh top', 'topup-plan'],
      ['--lang zh help doc', 'doctor'],
    ]
    const lines = ASKED.map(([line]) => `echo (complete -C 'bearings ${line}' | string split -f1 \\t)`)
    const script = [await scriptOf(shell), ...lines].join('\n')
    const { stdout } = spawnSync(shell, ['--no-config', '-c', script], { encoding: 'utf8', cwd: ROOT })
    expect(stdout.slice(0, -1).split('\n')).toEqual(ASKED.map(([, found]) => found))
  })
})
