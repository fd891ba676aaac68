import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { STEP_IDS } from '../../src/core/view/view.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What `npm run try` would do with these words, or says of them. */
function tried(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const script = join(ROOT, 'scripts/try.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--show', ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  const of = (kind: string) =>
    stdout.split('\n').flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []))
  return { status, stderr, tests: of('test'), linted: of('lint') }
}

describe('npm run try', () => {
  test.each(STEP_IDS)('%s runs all tests of that step, of every kind', (step) => {
    const { status, tests } = tried([step])
    const folder = join(ROOT, 'test/core/steps', step)
    const own = readdirSync(folder).filter((name) => /\.test\.tsx?$/.test(name))
    expect(own).toContain('frames.test.ts')
    expect(own.filter((name) => !tests.includes(`test/core/steps/${step}/${name}`))).toEqual([])
    expect(status).toBe(0)
  })

  test.each(['gate', 'payment', 'watch', 'notify', 'launch', 'doctor', 'keys'])('%s is a word', (word) => {
    const { status, tests } = tried([word])
    expect([status, tests.length > 1]).toEqual([0, true])
  })

  test('takes a word as a whole name, and no story that has it', () => {
    const { tests } = tried(['sign'])
    expect(tests.filter((path) => /signer|signed|journeys/.test(path))).toEqual([])
    expect(tried(['status']).tests.filter((path) => path.startsWith('test/journeys/'))).toEqual([])
    expect(tried(['beginner']).tests).toEqual(['test/e2e/beginner.test.ts'])
  })

  test('takes paths, and several words together', () => {
    const file = 'test/core/pay/wallet/fees.test.ts'
    expect(tried([file]).tests).toEqual([file])
    const both = tried(['topup', 'confirm']).tests
    expect(both).toEqual([...new Set([...tried(['topup']).tests, ...tried(['confirm']).tests])].sort())
  })

  test('says of a word that matches nothing which one is near', () => {
    expect(tried(['topuo'])).toMatchObject({
      status: 2,
      stderr: 'No test has topuo in its path. Did you mean topup?\n',
      tests: [],
    })
    expect(tried(['xyzzyxyzzy'])).toMatchObject({
      status: 2,
      stderr: 'No test has xyzzyxyzzy in its path.\n',
    })
  })

  test('lints the room where no git is there to say what changed', () => {
    const { linted } = tried(['topup'], { GIT_DIR: join(ROOT, 'test/vectors') })
    expect(linted).toContain('src/core/steps/topup/machine.ts')
    expect(linted).toContain('test/core/steps/topup/frames.test.ts')
    expect(linted.filter((path) => !path.includes('topup'))).toEqual([])
  })
})
