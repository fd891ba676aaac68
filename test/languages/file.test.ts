import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildCli, runCli } from '../support/run-cli.ts'

const DIST = join(import.meta.dirname, '../../dist')
const HELP = { en: 'bearings: from an unused key', zh: 'bearings：从未使用的密钥' }

beforeAll(() => buildCli())

/** The names of the files of the language that the program asks for. */
const filesOf = (language: string): string[] => {
  const started = readFileSync(join(DIST, 'signer.js'), 'utf8')
  return readdirSync(DIST).filter((name) => name.startsWith(`${language}-`) && started.includes(name))
}

/** A copy of the program; answers the path of its Chinese file, and what it says in a language. */
function copy() {
  const directory = mkdtempSync(join(tmpdir(), 'language-file-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const [file = ''] = filesOf('zh')
  const isProgram = (name: string) => name.endsWith('.js') || name === file
  for (const name of readdirSync(DIST).filter(isProgram)) cpSync(join(DIST, name), join(directory, name))
  const help = (language: string) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const args = [join(directory, 'cli.js'), '--help', '--lang', language]
      const env = { PATH: process.env.PATH, HOME: directory }
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      )
    })
  return { file: join(directory, file), help }
}

describe('the file of a language', () => {
  test('is one, and read only where it is chosen', async () => {
    expect(filesOf('zh')).toHaveLength(1)
    const { file, help } = copy()
    expect(await help('zh')).toEqual({ code: 0, stdout: expect.stringContaining(HELP.zh), stderr: '' })
    rmSync(file)
    expect(await help('en')).toEqual({ code: 0, stdout: expect.stringContaining(HELP.en), stderr: '' })
  })

  test('is read by the signer too, which may read little else', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'language-signer-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const keyFile = join(directory, 'key.json')
    writeFileSync(keyFile, '{"pub_key":1}', { mode: 0o600 })
    const address = `0x${'11'.repeat(20)}`
    const message = ['--amount', '10000', '--withdrawal', address, '--operator', address]
    const sign = ['sign', '--network', 'bepolia', '--key-file', keyFile, ...message]
    const [english, chinese] = await Promise.all(
      ['en', 'zh'].map((language) => runCli([...sign, '--lang', language]).end),
    )
    expect(english?.stderr).toContain('expected: an object')
    expect(chinese?.stderr).toContain('预期：对象')
  })

  const FAULTS: readonly (readonly [fault: string, said: string, bring: (path: string) => void])[] = [
    ['missing', 'cannot be read', (path) => rmSync(path)],
    ['cut off', 'is damaged', (path) => writeFileSync(path, readFileSync(path).subarray(0, 1000))],
    ['another text', 'is damaged', (path) => writeFileSync(path, change(readFileSync(path, 'utf8')))],
    ['another document', 'is damaged', (path) => writeFileSync(path, '{"texts":[]}')],
  ]

  /** A sentence that lost one of its values. */
  const change = (json: string): string => {
    const changed = json.replace(',[0,1]]', ',[0,0]]')
    expect(changed).not.toBe(json)
    return changed
  }

  test.each(FAULTS)('says so and leaves English where it is %s', async (_, said, bring) => {
    const { file, help } = copy()
    bring(file)
    const { code, stdout, stderr } = await help('zh')
    expect(stderr).toBe(
      `Bearings continues in English: its file ${file} ${said}. Install bearings again to restore it.\n`,
    )
    expect(stdout).toContain(HELP.en)
    expect(stdout).not.toMatch(/\p{Script=Han}/u)
    expect(code).toBe(0)
  })
})
